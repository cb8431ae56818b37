import Engine
import Expressions
import Plans

/// A message for which a filter could not do all that its rules say.
///
/// Another filter of the folder may move such a message before this filter tries again. So the filter records the message until
/// all is done, and each of its runs looks for the recorded messages, wherever filters have moved them.
struct OwedMessage: Sendable, Hashable {
  /// The most messages that are recorded for one filter and folder; the oldest are dropped.
  static let most = 500
  /// The most recorded messages that a run which an event has started tries again.
  static let mostOfEvent = 20

  /// The uid that the message had in the filter's folder.
  var uid: String
  /// See ``MessageJourney/key(of:uid:in:of:)``.
  var key: String
  /// The Message-ID; null if it has none.
  var messageID: Value
  /// The flags and labels that the filter judges it by.
  var marks: ValueMap
  /// The actions that failed, in words of the recipe.
  var actions: [String]
  /// The run that tried last.
  var run: String
  /// When it tried.
  var at: Timestamp
  /// When the message was recorded first.
  var since: Timestamp

  /// The names of the fields in ``marks``.
  static let markNames = ["flags", "labels", "seen", "flagged", "answered"]

  /// The flags and labels of a message, as `mail.search` gives it.
  static func marks(of message: Value) -> ValueMap {
    var marks = ValueMap()
    for name in markNames { if let value = message[name] { marks[name] = value } }
    return marks
  }

  // MARK: - Storage

  /// The state space of the records.
  private static let space = "mail-filters/owed"

  /// The key of a filter and the folder that it sorts.
  static func place(_ recipe: String, _ provider: String, _ folder: String) -> String {
    "\(recipe)\n\(provider)/\(MailFolder.canonicalName(folder))"
  }

  /// The recorded messages of a filter, those that have waited longest for a try first.
  static func read(
    _ place: String, at now: Timestamp, in state: any RecipeState
  ) throws(StorageFailure) -> [OwedMessage] {
    messages(try state.value(of: place, in: space), at: now).sorted { ($0.at, $0.since) < ($1.at, $1.since) }
  }

  private static func messages(_ value: Value?, at now: Timestamp) -> [OwedMessage] {
    (value?["messages"]?.listValue ?? []).compactMap { OwedMessage($0) }.filter {
      now.seconds(since: $0.since) < MessageJourney.memory
    }
  }

  /// Records messages, and removes records of messages for which nothing is left to do.
  ///
  /// - Parameters:
  ///   - failed: The messages to record; a record of the same uid keeps its first time and its marks.
  ///   - done: The uids of records to remove.
  static func update(
    _ place: String, failed: [OwedMessage], done: Set<String>, at now: Timestamp, in state: any RecipeState
  ) throws(StorageFailure) {
    // Runs of a filter of several accounts may write at the same time.
    for _ in 0..<50 {
      let old = try state.value(of: place, in: space)
      var messages = self.messages(old, at: now)
      let count = messages.count
      messages.removeAll { done.contains($0.uid) }
      if failed.isEmpty, messages.count == count { return }
      for var message in failed {
        if let known = messages.firstIndex(where: { $0.uid == message.uid }) {
          (message.since, message.marks) = (messages[known].since, messages[known].marks)
          messages.remove(at: known)
        }
        messages.append(message)
      }
      let value: Value = ["messages": .list(messages.suffix(most).map(\.value))]
      if try state.claim(place, with: value, in: space, where: { $0 == old }) == nil { return }
    }
  }

  private var value: Value {
    [
      "uid": .string(uid), "key": .string(key), "message_id": messageID, "marks": .map(marks),
      "actions": .list(actions.map { .string($0) }), "run": .string(run), "at": .string(at.rfc3339Milliseconds),
      "since": .string(since.rfc3339Milliseconds),
    ]
  }
}

extension OwedMessage {
  fileprivate init?(_ value: Value) {
    func text(_ key: String) -> String { value[key]?.stringValue ?? "" }
    guard let at = Timestamp(rfc3339: text("at")), let since = Timestamp(rfc3339: text("since")) else { return nil }
    self.init(
      uid: text("uid"), key: text("key"), messageID: value["message_id"] ?? .null,
      marks: value["marks"]?.mapValue ?? ValueMap(),
      actions: (value["actions"]?.listValue ?? []).compactMap(\.stringValue), run: text("run"), at: at, since: since)
  }
}
