import MailWire
import PluginKit
import SASL
import Synchronization

/// Puts copies of what was sent into a folder of an IMAP server, each once, and finds messages there.
///
/// A server whose answer was lost may still be busy with a message that it has whole: until ``grace`` is over, that the
/// message is not there does not mean that it will not be.
final class SentCopies: Sendable {
  private let settings: SentSettings
  private let limits: TimeLimits
  private let context: PluginContext
  private let idle = Mutex<[Session]>([])
  /// Until when messages may still arrive whose fate is unknown, by Message-ID, on the monotonic clock.
  private let doubts = Mutex<[String: Duration]>([:])

  private static let grace = Duration.seconds(45)
  /// How long to wait before a message is looked for again.
  private static let pause = Duration.seconds(3)

  /// An idle session. It is handed from task to task, never used by two.
  private struct Session: @unchecked Sendable { let mailbox: SentMailbox }

  init(_ settings: SentSettings, limits: TimeLimits, context: PluginContext) {
    self.settings = settings
    self.limits = limits
    self.context = context
  }

  /// Where a message is; `nil` if it is not in the folder.
  func find(_ messageID: String) async throws(ActionError) -> String? {
    try await use { mailbox throws(ActionError) in try await mailbox.find(messageID) }
  }

  /// Stores a message that is not there yet: an earlier attempt, or the service itself, may have done so.
  func store(_ source: ComposedSource, messageID: String) async throws(ActionError) {
    try await use { mailbox throws(ActionError) in
      if try await isThere(messageID, in: mailbox) { return }
      do throws(ActionError) {
        try await mailbox.append(source, size: source.size)
      } catch {
        if mailbox.isInDoubt { doubt(messageID) }
        throw error
      }
    }
  }

  /// Whether a message is in the folder, or arrives there as long as it may.
  private func isThere(_ messageID: String, in mailbox: SentMailbox) async throws(ActionError) -> Bool {
    while true {
      if try await mailbox.find(messageID) != nil {
        doubts.withLock { $0[messageID] = nil }
        return true
      }
      let left = (doubts.withLock { $0[messageID] } ?? .zero) - context.clock.monotonic
      guard left > .zero else { return false }
      try await context.clock.sleep(for: min(left, Self.pause))
    }
  }

  private func doubt(_ messageID: String) {
    let now = context.clock.monotonic
    doubts.withLock { doubts in
      doubts = doubts.filter { $0.value > now }
      doubts[messageID] = now + Self.grace
    }
  }

  /// Connects and signs in, and looks the folder up.
  func test() async throws(ActionError) { _ = try await find("sous.test@localhost") }

  private func use<Result>(
    _ body: (SentMailbox) async throws(ActionError) -> Result
  ) async throws(ActionError) -> Result {
    if let session = idle.withLock({ $0.popLast() }) {
      do {
        let result = try await body(session.mailbox)
        keep(session)
        return result
      } catch {
        // The server may have closed it meanwhile; stored copies are found again.
        guard error.kind == .io || error.kind == .timeout else { throw error }
      }
    }
    let session = Session(
      mailbox: try await SentMailbox.open(
        settings, try await settings.credentials(context.secrets), limits: limits, streams: context.streams,
        clock: context.clock))
    let result = try await body(session.mailbox)
    keep(session)
    return result
  }

  private func keep(_ session: Session) {
    idle.withLock { if $0.count < 2 { $0.append(session) } }
  }
}
