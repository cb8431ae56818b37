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
  /// By rule and list: the messages that go out, with the keys that they are remembered by.
  private var sends: [[[(key: String, message: Value)]]]
  private var files: [[Value]]
  /// All keys of ``sends``.
  private var keys: Set<String> = []
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
    sends = selection.rules.map { $0.sends.map { _ in [] } }
    files = selection.rules.map { _ in [] }
    replies = selection.rules.map { _ in [] }
    unsubscriptions = selection.rules.map { _ in [] }
  }

  /// Adds what is decided about a message.
  mutating func add(_ decision: MessageJudge.Decision, _ message: Value, uid: String, _ sent: SentMessages) {
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
    case .inDoubt(let rule, let run):
      kept += 1
      entry["rule"] = .string(selection.rules[rule].name)
      entry["error"] = .string(
        "run \(run) began to send it on and has not said how that ended; 'sous show \(run)' tells more")
      errors.append(.map(entry))
    case .acted(let rules, let reason):
      entry["rules"] = .list(rules.map { .string(selection.rules[$0].name) })
      entry["reason"] = .string(reason)
      entry["actions"] = .list(rules.flatMap { actions(of: selection.rules[$0], message) }.map { .string($0) })
      if let flags = message["flags"]?.listValue {
        entry["flags"] = .list(flags + (message["labels"]?.listValue ?? []))
      }
      if selection.describes { describe(message, &entry) }
      decisions.append(.map(entry))
      for rule in rules { add(message, uid: uid, to: rule, sent) }
    }
  }

  /// What a rule does with a message, in words of the recipe; a rule that answers does not answer everybody.
  private func actions(of rule: MessageSelection.Rule, _ message: Value) -> [String] {
    guard let settings = rule.reply, PendingReply(to: message, uid: "", rule: rule.name, settings) == nil else {
      return rule.actions
    }
    return rule.actions.map { $0 == "reply" ? "no reply" : $0 }
  }

  private func describe(_ message: Value, _ entry: inout ValueMap) {
    let from = message["from"]
    let name = from?["name"]?.stringValue ?? ""
    entry["from"] = .string(name.isEmpty ? from?["address"]?.stringValue ?? "" : name)
    entry["subject"] = message["subject"] ?? ""
  }

  private mutating func add(_ message: Value, uid: String, to position: Int, _ sent: SentMessages) {
    let rule = selection.rules[position]
    uids[position].append(.string(uid))
    let part = part(of: message, rule)
    if rule.lists { messages[position].append(.map(part)) }
    for (number, send) in rule.sends.enumerated() {
      let key = SentMessages.key(send.mark, message)
      guard !sent.isSent(key), keys.insert(key).inserted else { continue }
      sends[position][number].append((key, .map(part)))
    }
    if let types = rule.saves { addFiles(of: message, part, types, to: position) }
    if rule.unsubscribes, let found = Unsubscription(message), !unsubscriptions[position].contains(found) {
      unsubscriptions[position].append(found)
    }
    if let settings = rule.reply, let reply = PendingReply(to: message, uid: uid, rule: rule.name, settings) {
      // The first of a sender is enough.
      if !replies[position].contains(where: { $0.key == reply.key }) { replies[position].append(reply) }
    }
  }

  /// The fields of a message that later steps read.
  private func part(of message: Value, _ rule: MessageSelection.Rule) -> ValueMap {
    guard let carried = rule.carried else { return message.mapValue ?? [:] }
    var part = ValueMap()
    for field in carried { part[field] = message[field] }
    if part["folder"] == nil { part["folder"] = .string(folder) }
    return part
  }

  /// Adds the attachments of a message that a rule saves: those of its types, and no pictures of the text.
  private mutating func addFiles(of message: Value, _ part: ValueMap, _ types: [String], to position: Int) {
    for attachment in message["attachments"]?.listValue ?? [] {
      let type = attachment["type"]?.stringValue?.lowercased() ?? ""
      let isWanted =
        types.isEmpty || types.contains { $0 == type || $0.hasSuffix("/*") && type.hasPrefix($0.dropLast()) }
      guard isWanted, attachment["inline"]?.boolValue != true, let number = attachment["part"] else { continue }
      var file = part
      file["attachment"] = ["part": number, "name": attachment["name"] ?? "", "type": .string(type)]
      files[position].append(.map(file))
    }
  }

  /// Leaves the replies out whose senders had one lately, and the lists that were left lately.
  mutating func settle(_ call: BuiltinCall) async throws(ActionFailure) {
    for (position, rule) in selection.rules.enumerated() {
      if let period = rule.reply?.period {
        var due: [PendingReply] = []
        for reply in replies[position] where try await call.isDue(reply.key, after: period) { due.append(reply) }
        replies[position] = due
      }
      guard rule.unsubscribes else { continue }
      var open: [Unsubscription] = []
      for list in unsubscriptions[position] where try await call.isDue(list.key, after: Unsubscription.period) {
        if let refusal = list.refusal { call.reporter.log(.warning, refusal) } else { open.append(list) }
      }
      unsubscriptions[position] = open
    }
  }

  /// The output of the step.
  var value: Value {
    var rules = ValueMap()
    for (position, rule) in selection.rules.enumerated() {
      var entry: ValueMap = ["uids": .list(uids[position])]
      if rule.lists { entry["messages"] = .list(messages[position]) }
      if !rule.sends.isEmpty {
        var lists = ValueMap()
        for (send, list) in zip(rule.sends, sends[position]) {
          lists[send.list] = [
            "messages": .list(list.map(\.message)), "keys": .list(list.map { .string($0.key) }),
          ]
        }
        entry["sends"] = .map(lists)
      }
      if rule.saves != nil { entry["files"] = .list(files[position]) }
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
