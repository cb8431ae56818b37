import Engine
import Expressions
import Localization
import Recipes

/// What a filter has decided, as the output of its step: ids, rules and reasons, no texts.
struct SelectionReport {
  private let selection: MessageSelection
  private let folder: String
  private var examined = 0
  private var kept = 0
  /// Whether all messages were looked at.
  var isComplete = true
  private var uids: [[Value]]
  private var messages: [[Value]]
  private var replies: [[PendingReply]]
  private var unsubscriptions: [[Unsubscription]]
  private var decisions: [Value] = []
  private var errors: [Value] = []
  /// A message that moves while pages are read may come twice.
  private var seen: Set<String> = []

  init(_ selection: MessageSelection, folder: String) {
    self.selection = selection
    self.folder = folder
    uids = selection.rules.map { _ in [] }
    messages = selection.rules.map { _ in [] }
    replies = selection.rules.map { _ in [] }
    unsubscriptions = selection.rules.map { _ in [] }
  }

  /// Adds what is decided about a message.
  mutating func add(_ decision: MessageJudge.Decision, _ message: Value, uid: String) {
    if case .kept = decision {
      examined += 1
      kept += 1
      return
    }
    guard seen.insert(uid).inserted else { return }
    examined += 1
    var entry: ValueMap = ["uid": .string(uid), "message_id": message["message_id"] ?? .null]
    switch decision {
    case .kept: break
    case .failed(let rule, let error):
      kept += 1
      entry["rule"] = .string(selection.rules[rule].name)
      entry["error"] = .string(error.message.english)
      errors.append(.map(entry))
    case .acted(let rules, let reason):
      entry["rules"] = .list(rules.map { .string(selection.rules[$0].name) })
      entry["reason"] = .string(reason)
      entry["actions"] = .list(rules.flatMap { selection.rules[$0].actions }.map { .string($0) })
      if let flags = message["flags"]?.listValue {
        entry["flags"] = .list(flags + (message["labels"]?.listValue ?? []))
      }
      if selection.describes { describe(message, &entry) }
      decisions.append(.map(entry))
      for rule in rules { add(message, uid: uid, to: rule) }
    }
  }

  private func describe(_ message: Value, _ entry: inout ValueMap) {
    let from = message["from"]
    let name = from?["name"]?.stringValue ?? ""
    entry["from"] = .string(name.isEmpty ? from?["address"]?.stringValue ?? "" : name)
    entry["subject"] = message["subject"] ?? ""
  }

  private mutating func add(_ message: Value, uid: String, to position: Int) {
    let rule = selection.rules[position]
    uids[position].append(.string(uid))
    if let carried = rule.carried {
      if !carried.isEmpty {
        var part = ValueMap()
        for field in carried { part[field] = message[field] }
        if part["folder"] == nil { part["folder"] = .string(folder) }
        messages[position].append(.map(part))
      }
    } else {
      messages[position].append(message)
    }
    if rule.unsubscribes, let found = Unsubscription(message), !unsubscriptions[position].contains(found) {
      unsubscriptions[position].append(found)
    }
    if let settings = rule.reply, let reply = PendingReply(to: message, uid: uid, rule: rule.name, settings) {
      // The first of a sender is enough.
      if !replies[position].contains(where: { $0.key == reply.key }) { replies[position].append(reply) }
    }
  }

  /// Leaves the replies out whose senders had one lately.
  mutating func settleReplies(_ call: BuiltinCall) async throws(ActionFailure) {
    for (position, rule) in selection.rules.enumerated() {
      guard let period = rule.reply?.period else { continue }
      var due: [PendingReply] = []
      for reply in replies[position] where try await reply.isDue(after: period, call) { due.append(reply) }
      replies[position] = due
    }
  }

  /// The output of the step.
  var value: Value {
    var rules = ValueMap()
    for (position, rule) in selection.rules.enumerated() {
      var entry: ValueMap = ["uids": .list(uids[position])]
      if rule.carried?.isEmpty != true { entry["messages"] = .list(messages[position]) }
      if rule.reply != nil { entry["replies"] = .list(replies[position].map(\.value)) }
      if rule.unsubscribes {
        let (requests, messages) = (
          unsubscriptions[position].filter(\.isRequest), unsubscriptions[position].filter { !$0.isRequest }
        )
        entry["leave_by_request"] = .list(requests.map(\.value))
        entry["leave_by_mail"] = .list(messages.map(\.value))
      }
      rules[rule.name] = .map(entry)
    }
    return [
      "folder": .string(folder), "examined": .int(Int64(examined)), "kept": .int(Int64(kept)),
      "complete": .bool(isComplete), "rules": .map(rules), "decisions": .list(decisions), "errors": .list(errors),
    ]
  }
}
