import PluginKit
import SASL
import Synchronization

/// Puts copies of what was sent into a folder of an IMAP server, each once, and finds messages there.
final class SentCopies: Sendable {
  private let settings: SentSettings
  private let limits: TimeLimits
  private let context: PluginContext
  private let idle = Mutex<[Session]>([])

  /// A session that nobody uses. It is handed from task to task, never used by two.
  private struct Session: @unchecked Sendable { let mailbox: SentMailbox }

  init(_ settings: SentSettings, limits: TimeLimits, context: PluginContext) {
    self.settings = settings
    self.limits = limits
    self.context = context
  }

  /// Where a message is; `nil` where it is not in the folder.
  func find(_ messageID: String) async throws(ActionError) -> String? {
    try await use { mailbox throws(ActionError) in try await mailbox.find(messageID) }
  }

  /// Stores a message that is not there yet: an earlier attempt, or the service itself, may have done so.
  func store(_ source: ComposedSource, messageID: String) async throws(ActionError) {
    try await use { mailbox throws(ActionError) in
      guard try await mailbox.find(messageID) == nil else { return }
      try await mailbox.append(source, size: source.size)
    }
  }

  /// Connects and signs in, and looks the folder up.
  func test() async throws(ActionError) { _ = try await find("sous.test@localhost") }

  private func use<Result>(
    _ body: (SentMailbox) async throws(ActionError) -> Result
  ) async throws(ActionError) -> Result {
    if let session = idle.withLock({ $0.popLast() }) {
      do throws(ActionError) {
        let result = try await body(session.mailbox)
        keep(session)
        return result
      } catch {
        // The server may have closed it meanwhile; what has been stored is found again.
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
