import FoundationEssentials
import MailWire
import PluginKit
import Synchronization

/// The results of messages: on disk for other processes and later ones, in memory while a reply is awaited.
///
/// | key in the state store | value |
/// |---|---|
/// | `send/KEY` | the ``SendRecord`` of a step's idempotency key |
/// | `id/MESSAGE-ID` | the name behind `send/`, for those who ask by Message-ID |
/// | `day/DAY/KEY` | `true`: finds what is old |
final class SendLedger: Sendable {
  /// How long it is kept that a message was sent: 90 days. A run that was interrupted behind the server's reply and is
  /// resumed later than that would not find it.
  static let keptDays = 90

  /// What ``begin(_:_:)`` found.
  enum Beginning: Sendable {
    /// The end may go out; the reply is to be handed to this.
    case open(PendingReply)
    /// An earlier attempt has sent the message.
    case sent(SendRecord)
  }

  private let state: StateStore
  private let clock: HostClock
  private let pending = Mutex<[String: PendingReply]>([:])
  private let prunedDay = Mutex(0)

  init(state: StateStore, clock: HostClock) {
    self.state = state
    self.clock = clock
  }

  /// The reply that is still awaited in this process.
  func pendingReply(for key: String) -> PendingReply? { pending.withLock { $0[key] } }

  /// The record of a step.
  func record(of key: String) async throws(ActionError) -> SendRecord? {
    try await state.value(SendRecord.self, for: "send/" + Self.name(key))
  }

  /// The record of a message; where several steps have chosen one Message-ID, of the last.
  func record(messageID: String) async throws(ActionError) -> SendRecord? {
    guard let name = try await state.value(String.self, for: "id/" + Self.name(messageID)),
      let record = try await state.value(SendRecord.self, for: "send/" + name), record.messageID == messageID
    else { return nil }
    return record
  }

  /// Notes on disk that the end of a message is about to go out.
  ///
  /// One write in most cases: that there is no record yet is found out by the write itself.
  func begin(_ key: String, _ record: SendRecord) async throws(ActionError) -> Beginning {
    let name = Self.name(key)
    var isFirst = true
    let earlier = try await state.transaction { state -> SendRecord? in
      if isFirst {
        state.expectAbsent("send/" + name)
        isFirst = false
      } else if let found = try await state.value(SendRecord.self, for: "send/" + name), found.stage == .sent {
        return found
      }
      try state.set(record, for: "send/" + name)
      try state.set(name, for: "id/" + Self.name(record.messageID))
      try state.set(true, for: "day/\(record.at / 86_400)/\(name)")
      return nil
    }
    if let earlier { return .sent(earlier) }
    let reply = PendingReply()
    pending.withLock { $0[key] = reply }
    return .open(reply)
  }

  /// Notes that the server has taken a message.
  ///
  /// - Returns: Whether it is on disk.
  func sent(_ key: String, _ record: SendRecord) async -> Bool {
    do {
      try await state.set(record, for: "send/" + Self.name(key))
      return true
    } catch {
      return false
    }
  }

  /// Notes that a message was surely not taken. Where that fails the record stays, and the outcome counts as unknown.
  func forget(_ key: String) async { try? await state.remove("send/" + Self.name(key)) }

  /// The reply has come, or never will.
  func end(_ key: String) { pending.withLock { _ = $0.removeValue(forKey: key) } }

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
      await remove(String(parts[2]), day: key)
    }
  }

  /// Removes a record and its indexes; records with unknown outcome are kept.
  private func remove(_ name: String, day: String) async {
    try? await state.transaction { state in
      let record = try await state.value(SendRecord.self, for: "send/" + name)
      guard record?.stage != .sending else { return }
      if let record {
        let index = "id/" + Self.name(record.messageID)
        if try await state.value(String.self, for: index) == name { state.remove(index) }
        state.remove("send/" + name)
      }
      state.remove(day)
    }
  }

  var seconds: Int { Int(clamping: Int64(clock.now.timeIntervalSince1970)) }

  /// Keys of the store have at most 512 bytes; those of steps have fewer, but may be anything.
  static func name(_ text: String) -> String {
    text.utf8.count <= 400 ? text : "long-\(text.utf8.count)-\(KeyDigest.hexadecimal(text))-" + String(text.prefix(60))
  }
}
