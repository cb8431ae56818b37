import Engine
import Expressions
import Localization
import Plans
import RecipeModel
import Schemas

/// The decisions of a filter, as the output of its step: ids, rules and reasons, no texts.
struct SelectionReport {
  private let selection: MessageSelection
  /// The folder that the messages are in.
  var folder: String
  private var examined = 0
  private var kept = 0
  /// Whether all messages were looked at.
  var isComplete = true
  private var uids: [[Value]]
  /// By rule and list: the messages that go out, or the uids of those that are copied, with the keys that they are
  /// remembered by.
  private var sends: [[[(key: String, message: Value)]]]
  private var files: [[Value]]
  /// All keys of ``sends``.
  private var keys: Set<String> = []
  /// By uid: the keys of the notes that are deleted once the message has left its folder.
  private var notes: [String: [Value]] = [:]
  /// The provider that has the messages; `nil` if it has no name.
  private let provider: String?
  /// The filter that has already moved the only message of this run; `nil` if none has.
  var takenBy: String?
  /// Messages that are not judged: `{uid, message_id, reason, recipe, gone, failed}` each, the last three optional.
  private var skipped: [Value] = []
  /// By rule: the messages that earlier filters have moved to other folders than ``folder``, `{uid, folder}` each.
  private var elsewhere: [[Value]]
  /// The uids of recorded messages for which nothing is left to do, see ``OwedMessage``.
  private(set) var settled: [String] = []
  /// By rule, with where the rule's actions are in the decision.
  private var replies: [[(reply: PendingReply, actions: Range<Int>)]]
  /// All keys of ``replies``: a sender gets one answer, whatever rules are for its messages.
  private var answered: Set<String> = []
  /// The uids of messages that a rule answers.
  private var answeredMessages: Set<String> = []
  private var unsubscriptions: [[Unsubscription]]
  /// By rule: the index of a list in ``unsubscriptions``, by its key.
  private var lists: [[String: Int]]
  private let account: String
  private var decisions: [Value] = []
  /// The index of a message in ``decisions``.
  private var places: [String: Int] = [:]
  private var errors: [Value] = []
  /// A message that moves while pages are read may come twice.
  private var seen: Set<String> = []

  /// - Parameter account: The key of the filter's account in its stored state.
  init(_ selection: MessageSelection, folder: String, provider: String?, account: String) {
    self.provider = provider
    self.selection = selection
    self.folder = folder
    self.account = account
    uids = selection.rules.map { _ in [] }
    elsewhere = uids
    sends = selection.rules.map { $0.sends.map { _ in [] } }
    files = selection.rules.map { _ in [] }
    replies = selection.rules.map { _ in [] }
    unsubscriptions = selection.rules.map { _ in [] }
    lists = selection.rules.map { _ in [:] }
  }

  /// Where a message was before, and by what the filter judges it.
  struct Origin: Sendable {
    /// The uid that it had in the filter's folder.
    var uid: String
    /// The flags and labels that conditions see; `nil` for the message's own.
    var marks: ValueMap?
    /// Whether another filter has moved it out of the filter's folder.
    var isTaken: Bool
    /// The folder that it is in, if other messages of the run are in another one.
    var folder: String?
    /// Its key, see ``MessageJourney/key(of:uid:in:of:)``.
    var key: String
  }

  /// Whether something is decided about a message.
  func hasSeen(_ uid: String) -> Bool { seen.contains(uid) }

  /// Notes that nothing is left to do for a recorded message.
  mutating func settle(_ uid: String) { settled.append(uid) }

  /// Adds what is decided about a message.
  ///
  /// - Parameter origin: For a message that is known from an event or from an earlier run.
  mutating func add(
    _ decision: MessageJudge.Decision, _ message: Value, uid: String, _ sent: SentMessages, origin: Origin? = nil
  ) {
    switch decision {
    // The end of the run shows whether the actions for these messages succeeded.
    case .acted, .inDoubt: break
    case .kept, .failed, .skipped, .circling: if let origin { settled.append(origin.uid) }
    }
    if case .kept = decision {
      examined += 1
      kept += 1
      return
    }
    guard seen.insert(uid).inserted else { return }
    examined += 1
    var entry: ValueMap = ["uid": .string(uid), "message_id": message["message_id"] ?? .null]
    if let origin, origin.isTaken { entry["origin"] = .string(origin.uid) }
    let key =
      origin?.key ?? MessageJourney.key(of: message, uid: uid, in: folder, of: provider ?? "")
    switch decision {
    case .kept: break
    case .skipped(let reason):
      kept += 1
      skip(uid, message["message_id"] ?? .null, reason, recipe: nil)
    case .circling(let rule, let recipes, let count):
      kept += 1
      entry["rule"] = .string(selection.rules[rule].name)
      let names = recipes.joined(separator: ", ")
      entry.set(
        "error",
        to: LocalizedText(
          "filters move it in a circle (\(names)): \(count) moves within a day; it stays in \(folder)",
          de: "Filter verschieben sie im Kreis (\(names)): \(count)-mal an einem Tag; sie bleibt in \(folder)"))
      errors.append(.map(entry))
    case .failed(let rule, let error):
      kept += 1
      entry["rule"] = .string(selection.rules[rule].name)
      entry.set("error", to: error.message)
      errors.append(.map(entry))
    case .inDoubt(let rule, let run):
      kept += 1
      entry["rule"] = .string(selection.rules[rule].name)
      entry["key"] = .string(key)
      if let marks = origin?.marks { entry["marks"] = .map(marks) }
      if let flags = message["flags"] { entry["flags"] = flags }
      entry.set(
        "error",
        to: LocalizedText(
          "run \(run) is sending or copying it, or was cut off there: if it runs no more, 'sous resume \(run)' resumes it, "
            + "and 'sous answer settle \(run)' records what happened",
          de: "Lauf \(run) sendet oder kopiert sie gerade oder wurde dabei unterbrochen: läuft er nicht mehr, setzt "
            + "'sous resume \(run)' ihn fort, und 'sous answer settle \(run)' hält fest, was geschehen ist"))
      errors.append(.map(entry))
    case .acted(let rules, let reason):
      let leaves = SentMessages.leaves(rules, selection.rules)
      entry["key"] = .string(key)
      if let marks = origin?.marks { entry["marks"] = .map(marks) }
      if let folder = origin?.folder { entry["folder"] = .string(folder) }
      entry["rules"] = .list(rules.map { .string(selection.rules[$0].name) })
      entry["reason"] = .string(reason)
      let actions = rules.map { self.actions(of: selection.rules[$0], message, sent, leaves: leaves, origin) }
      entry["actions"] = .list(actions.joined().map { .string($0) })
      if let flags = message["flags"]?.listValue {
        entry["flags"] = .list(flags + (message["labels"]?.listValue ?? []))
      }
      if selection.describes { describe(message, &entry) }
      places[uid] = decisions.count
      decisions.append(.map(entry))
      var start = 0
      for (rule, own) in zip(rules, actions) {
        add(message, uid: uid, to: rule, sent, leaves: leaves, actions: start..<(start + own.count), origin)
        start += own.count
      }
    }
  }

  /// Adds a message that the provider cannot read: it stays in the folder, and the run fails after all other messages are done.
  ///
  /// - Parameter message: `{uid, error}`, as `mail.search` gives it; several pages may name the same one.
  mutating func add(unreadable message: Value) {
    guard let uid = message["uid"]?.stringValue, seen.insert(uid).inserted else { return }
    examined += 1
    kept += 1
    var entry: ValueMap = ["uid": .string(uid), "message_id": .null, "rule": ""]
    entry.set(
      "error",
      to: LocalizedText(of: message, "error")
        ?? LocalizedText("the provider cannot read it", de: "der Provider kann sie nicht lesen"))
    errors.append(.map(entry))
  }

  /// The actions of a rule for a message, in terms of the recipe, without answers that are not allowed and without messages
  /// that an earlier run has sent.
  private func actions(
    of rule: MessageSelection.Rule, _ message: Value, _ sent: SentMessages, leaves: Bool, _ origin: Origin?
  ) -> [String] {
    var sends = rule.sends.filter { !$0.isElsewhere }
    let isAnswered = rule.reply.map { PendingReply(to: message, uid: "", $0) != nil } ?? true
    return rule.actions.map { action in
      if action == "reply", !isAnswered { return "no reply" }
      if origin?.isTaken == true, rule.takes, Self.takes(action) { return "no \(action)" }
      // Those of one word are in the order in which the recipe has them.
      guard let place = sends.firstIndex(where: { action == $0.word || action.hasPrefix($0.word + " ") }) else {
        return action
      }
      let send = sends.remove(at: place)
      let key = SentMessages.key(send, message, leaves: leaves, origin: origin?.uid)
      return sent.isSent(key) || keys.contains(key) ? "no \(action)" : action
    }
  }

  /// Whether an action, in words of the recipe, takes a message out of its folder.
  private static func takes(_ action: String) -> Bool {
    ["archive", "spam", "delete", "delete permanently"].contains(action) || action.hasPrefix("move ")
  }

  /// Adds a message that is not judged.
  ///
  /// - Parameters:
  ///   - recipe: The recipe that has moved it; `nil` if none is known.
  ///   - isGone: Whether it is the only message of the run and no longer in the folder.
  ///   - isFailure: Whether the run fails because of it.
  mutating func skip(
    _ uid: String, _ messageID: Value, _ reason: LocalizedText, recipe: String?, isGone: Bool = false,
    isFailure: Bool = false
  ) {
    var entry: ValueMap = ["uid": .string(uid), "message_id": messageID]
    entry.set("reason", to: reason)
    if isGone { entry["gone"] = true }
    if isFailure { entry["failed"] = true }
    if let recipe { entry["recipe"] = .string(recipe) }
    skipped.append(.map(entry))
  }

  private func describe(_ message: Value, _ entry: inout ValueMap) {
    let from = message["from"]
    let name = from?["name"]?.stringValue ?? ""
    entry["from"] = .string(name.isEmpty ? from?["address"]?.stringValue ?? "" : name)
    entry["subject"] = message["subject"] ?? ""
  }

  /// - Parameter actions: Where the actions of the rule are in the decision about the message.
  private mutating func add(
    _ message: Value, uid: String, to position: Int, _ sent: SentMessages, leaves: Bool, actions: Range<Int>,
    _ origin: Origin?
  ) {
    let rule = selection.rules[position]
    if let folder = origin?.folder {
      elsewhere[position].append(["uid": .string(uid), "folder": .string(folder)])
    } else {
      uids[position].append(.string(uid))
    }
    var part = self.part(of: message, rule)
    if let folder = origin?.folder { part["folder"] = .string(folder) }
    for (number, send) in rule.sends.enumerated() {
      // A copy of a message elsewhere has a list of its own.
      if origin?.folder == nil ? send.isElsewhere : send.isBatch { continue }
      let key = SentMessages.key(send, message, leaves: leaves, origin: origin?.uid)
      if leaves, send.endsWithMessage { notes[uid, default: []].append(.string(key)) }
      guard !sent.isSent(key), keys.insert(key).inserted else { continue }
      var entry = Value.map(part)
      if send.isBatch { entry = .string(uid) }
      if send.isElsewhere {
        entry = ["uid": .string(uid), "folder": part["folder"] ?? .string(folder), "key": .string(key)]
      }
      sends[position][number].append((key, entry))
    }
    if let types = rule.saves { addFiles(of: message, part, types, to: position) }
    if let policy = rule.unsubscription {
      if let found = Unsubscription(message, of: account, policy) {
        addList(found, to: position, actions)
      } else {
        change("unsubscribe", uid, in: actions)
      }
    }
    if let settings = rule.reply, let reply = PendingReply(to: message, uid: uid, settings) {
      // The first of a sender is enough, and the first rule for a message.
      if answeredMessages.insert(uid).inserted, answered.insert(reply.key).inserted {
        replies[position].append((reply, actions))
      } else {
        change("reply", uid, in: actions)
      }
    }
  }

  /// Adds a list that a rule leaves; one message of each list is enough.
  private mutating func addList(_ found: Unsubscription, to position: Int, _ actions: Range<Int>) {
    guard let known = lists[position][found.key] else {
      lists[position][found.key] = unsubscriptions[position].count
      unsubscriptions[position].append(found)
      return
    }
    let earlier = unsubscriptions[position][known]
    guard earlier.refusal != nil else { return change("unsubscribe", found.uid, in: actions) }
    // This message may be one that it can be left by.
    change("unsubscribe", earlier.uid)
    unsubscriptions[position][known] = found
  }

  /// Records that an action is not done for a message.
  ///
  /// - Parameter range: The range of the rule's actions; `nil` if only one rule has such an action.
  private mutating func change(_ action: String, _ uid: String, in range: Range<Int>? = nil) {
    guard let place = places[uid], case .map(var entry) = decisions[place], var changed = entry["actions"]?.listValue,
      let index = changed.indices.first(where: { range?.contains($0) ?? true && changed[$0] == .string(action) })
    else { return }
    changed[index] = .string("no \(action)")
    entry["actions"] = .list(changed)
    decisions[place] = .map(entry)
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

  /// Leaves the replies out whose senders had one lately, and the lists that were left lately or cannot be left.
  mutating func settle(_ call: BuiltinCall) async throws {
    for (position, rule) in selection.rules.enumerated() {
      if let period = rule.reply?.period {
        var due: [(reply: PendingReply, actions: Range<Int>)] = []
        for (reply, actions) in replies[position] {
          if try await call.isDue(reply.key, after: period) {
            due.append((reply, actions))
          } else {
            change("reply", reply.uid, in: actions)
          }
        }
        replies[position] = due
      }
      guard rule.unsubscription != nil else { continue }
      var open: [Unsubscription] = []
      for list in unsubscriptions[position] {
        let isDue = try await call.isDue(list.key, after: Unsubscription.period)
        if isDue, list.refusal == nil {
          open.append(list)
          continue
        }
        change("unsubscribe", list.uid)
        if isDue, let refusal = list.refusal { call.reporter.log(.warning, refusal) }
      }
      unsubscriptions[position] = open
    }
  }

  /// The output of the step.
  var value: Value {
    var rules = ValueMap()
    for (position, rule) in selection.rules.enumerated() {
      var entry: ValueMap = ["uids": .list(uids[position]), "elsewhere": .list(elsewhere[position])]
      if !rule.sends.isEmpty {
        var lists = ValueMap()
        for (send, list) in zip(rule.sends, sends[position]) {
          let keys = Value.list(list.map { .string($0.key) })
          let messages = Value.list(list.map(\.message))
          lists[send.list] = send.isBatch ? ["uids": messages, "keys": keys] : ["messages": messages, "keys": keys]
        }
        entry["sends"] = .map(lists)
      }
      if rule.saves != nil { entry["files"] = .list(files[position]) }
      if rule.reply != nil { entry["replies"] = .list(replies[position].map(\.reply.value)) }
      if rule.unsubscription != nil {
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
      "complete": .bool(isComplete), "rules": .map(rules), "decisions": .list(notedDecisions),
      "errors": .list(errors), "provider": provider.map { .string($0) } ?? .null,
      "taken_by": takenBy.map { .string($0) } ?? .null, "left": .list(skipped),
      "settled": .list(settled.map { .string($0) }),
    ]
  }

  /// The decisions, each with the keys of ``notes``.
  private var notedDecisions: [Value] {
    if notes.isEmpty { return decisions }
    return decisions.map { decision in
      guard let uid = decision["uid"]?.stringValue, let own = notes[uid], case .map(var entry) = decision else {
        return decision
      }
      entry["notes"] = .list(own)
      return .map(entry)
    }
  }
}
