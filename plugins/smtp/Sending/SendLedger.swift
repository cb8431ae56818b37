import FoundationEssentials
import PluginKit
import Synchronization

/// What has become of messages: on disk for other processes and later ones, in memory while a reply is awaited.
final class SendLedger: Sendable {
  /// How long it is kept that a message was sent: 90 days. A run that was interrupted behind the server's reply and is
  /// resumed later than that would not find it.
  static let keptDays = 90

  private let state: StateStore
  private let clock: HostClock
  private let pending = Mutex<[String: PendingReply]>([:])
  private let prunedDay = Mutex(0)

  init(state: StateStore, clock: HostClock) {
    self.state = state
    self.clock = clock
  }

  /// The reply that is still awaited in this process.
  func pendingReply(for messageID: String) -> PendingReply? { pending.withLock { $0[messageID] } }

  /// What is on record.
  func record(of messageID: String) async throws(ActionError) -> SendRecord? {
    try await state.value(SendRecord.self, for: Self.key(messageID))
  }

  /// Notes on disk that the end of a message is about to go out.
  ///
  /// - Returns: What the reply is to be handed to.
  func begin(_ messageID: String, accepted: [String], refused: [SendRecord.Refusal]) async throws(ActionError)
    -> PendingReply
  {
    let record = SendRecord(stage: .sending, at: seconds, accepted: accepted, refused: refused)
    let day = Self.dayKey(record.at / 86_400, messageID)
    try await state.transaction { state in
      try state.set(record, for: Self.key(messageID))
      try state.set(true, for: day)
    }
    let reply = PendingReply()
    pending.withLock { $0[messageID] = reply }
    return reply
  }

  /// Notes that the server has taken a message.
  ///
  /// - Returns: Whether it is on disk.
  func sent(_ messageID: String, _ record: SendRecord) async -> Bool {
    do throws(ActionError) {
      try await state.set(record, for: Self.key(messageID))
      return true
    } catch {
      return false
    }
  }

  /// Notes that a message was surely not taken. Where that fails the record stays, and the outcome counts as unknown.
  func forget(_ messageID: String) async { try? await state.remove(Self.key(messageID)) }

  /// The reply has come, or never will.
  func end(_ messageID: String) { pending.withLock { _ = $0.removeValue(forKey: messageID) } }

  /// Removes what was sent long ago, once a day.
  func prune() async {
    let today = seconds / 86_400
    let isDue = prunedDay.withLock { day in
      defer { day = today }
      return day != today
    }
    guard isDue, let days = try? await state.keys(prefix: "day/") else { return }
    for key in days {
      let parts = key.split(separator: "/", maxSplits: 2)
      guard parts.count == 3, let day = Int(parts[1]), day < today - Self.keptDays else { continue }
      let name = "mail/" + parts[2]
      // What nobody knows the end of stays.
      if let record = try? await state.value(SendRecord.self, for: name), record.stage == .sending { continue }
      try? await state.remove(name)
      try? await state.remove(key)
    }
  }

  private var seconds: Int { Int(clamping: Int64(clock.now.timeIntervalSince1970)) }

  private static func key(_ messageID: String) -> String { "mail/" + name(messageID) }
  private static func dayKey(_ day: Int, _ messageID: String) -> String { "day/\(day)/" + name(messageID) }

  /// Keys have at most 512 bytes; the identifiers of this plugin have fewer, those asked about may be anything.
  private static func name(_ messageID: String) -> String {
    messageID.utf8.count <= 450 ? messageID : "long-\(messageID.utf8.count)-" + String(messageID.prefix(100))
  }
}
