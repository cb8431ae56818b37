import Engine
import Expressions
import Localization
import Plans

extension BuiltinAction {
  /// `mail.departed`: records where a filter has moved messages and what it still owes to messages, and deletes the notes that
  /// were kept until then.
  static let mailDeparted = BuiltinAction(signature: .departed) { call in
    let end = FilterEnd(call)
    let now = call.surroundings.time.now
    let (moves, notes, owed, settled) = (end.moves, end.notes, end.owed, end.settled)
    guard !moves.isEmpty || !notes.isEmpty || !owed.isEmpty || !settled.isEmpty else { return [:] }
    let place = OwedMessage.place(call.request.recipe, call.text("provider"), call.text("source"))
    try await call.sentMessages { state in
      // First what is owed: without it, a message that has left its folder would be forgotten.
      try OwedMessage.update(place, failed: owed, done: settled, at: now, in: state)
      if !moves.isEmpty { try MessageJourney.add(moves, at: now, in: state) }
      if !notes.isEmpty { try SentMessages.set(notes, to: nil, in: state) }
    }
    return [:]
  }

  /// `mail.returned`: records, before messages are moved back into a folder, that their arrival starts no run.
  static let mailReturned = BuiltinAction(
    "mail.returned",
    .init(
      "Records that messages are moved back, so that they start no recipe",
      de: "Hält fest, dass Nachrichten zurückgelegt werden, damit sie kein Rezept starten"), effect: .idempotent,
    required: ["folder"],
    input: [
      "folder": ["type": "string", "minLength": 1, "description": "The folder that the messages return to."],
      "provider": [
        "type": "string", "description": "The provider of the mailbox; default: every provider with such a folder.",
      ],
      "messages": [
        "type": "array", "items": ["type": "object"],
        "description": "The messages with message_id, date and size, as mail.search gives them.",
      ],
      "keys": ["type": "array", "items": ["type": "string"], "description": "The keys of decisions of a filter."],
      "recipe": [
        "type": "string",
        "description":
          "Only this recipe ignores the messages, also when a schedule starts it; default: every recipe that their arrival starts.",
      ],
      "version": ["type": "string", "description": "Only this version of the recipe's text; default: every version."],
    ], output: [:]
  ) { call in
    let now = call.surroundings.time.now
    let recipe = call.input["recipe"]?.stringValue ?? MessageJourney.everyTrigger
    let keys =
      (call.input["keys"]?.listValue ?? []).compactMap(\.stringValue)
      + (call.input["messages"]?.listValue ?? []).compactMap(MessageJourney.key(of:))
    let move = MessageJourney.Move(
      .back, provider: call.text("provider"), to: call.text("folder"), recipe: recipe, version: call.text("version"),
      run: call.request.run.rawValue, at: now)
    try await call.sentMessages { state in
      try MessageJourney.add(keys.map { ($0, move) }, at: now, in: state)
    }
    return [:]
  }
}

/// The moves, notes and unfinished messages of a filter's run, read from the input of `mail.departed`.
private struct FilterEnd {
  /// The moves of messages out of the folder.
  private(set) var moves: [(key: String, move: MessageJourney.Move)] = []
  /// The keys of notes that are not needed any more.
  private(set) var notes: [String] = []
  /// The messages for which something failed.
  private(set) var owed: [OwedMessage] = []
  /// The uids, in the filter's folder, of messages for which nothing is left to do.
  private(set) var settled: Set<String> = []

  private let call: BuiltinCall
  private let now: Timestamp

  init(_ call: BuiltinCall) {
    self.call = call
    now = call.surroundings.time.now
    let decisions = call.input["decisions"]?.listValue ?? []
    settled = Set(Self.texts(call.input["settled"]))
    readMoves(decisions)
    let failures = self.failures(of: decisions)
    for decision in decisions {
      guard let uid = decision["uid"]?.stringValue else { continue }
      let origin = decision["origin"]?.stringValue ?? uid
      if let actions = failures[uid] {
        owe(origin, decision, actions)
        continue
      }
      settled.insert(origin)
      // Nothing takes a message of another folder along: with its last action it is done with.
      if decision["origin"] != nil { notes += Self.texts(decision["notes"]) }
    }
    // Another run is sending it, or was cut off there.
    for error in call.input["errors"]?.listValue ?? [] where error["key"] != nil {
      guard let uid = error["uid"]?.stringValue else { continue }
      owe(error["origin"]?.stringValue ?? uid, error, [error["rule"]?.stringValue ?? ""])
    }
    oweArrival()
    settled.subtract(owed.map(\.uid))
  }

  private static func texts(_ value: Value?) -> [String] { (value?.listValue ?? []).compactMap(\.stringValue) }

  private mutating func readMoves(_ list: [Value]) {
    var decisions: [String: Value] = [:]
    for decision in list { if let uid = decision["uid"]?.stringValue { decisions[uid] = decision } }
    for taken in call.input["taken"]?.listValue ?? [] {
      guard let result = taken["results"]?.listValue?.first else { continue }
      let (uids, missing) = (Self.texts(taken["uids"]), Set(Self.texts(result["missing"])))
      let new = Self.texts(result["uids"])
      let moved = uids.filter { !missing.contains($0) }
      let to = result["to"]?.stringValue ?? taken["to"]?.stringValue ?? ""
      for (uid, target) in zip(moved, new.count == moved.count ? new : moved.map { _ in "" }) {
        guard let key = decisions[uid]?["key"]?.stringValue else { continue }
        let move = MessageJourney.Move(
          .filter, provider: call.text("provider"), from: call.text("folder"), fromUID: uid, to: to, uid: target,
          recipe: call.request.recipe, version: call.text("version"), run: call.request.run.rawValue, at: now)
        moves.append((key, move))
      }
      // A message that is missing has left too.
      for uid in uids { notes += Self.texts(decisions[uid]?["notes"]) }
    }
  }

  /// By uid: the actions that failed for a message, one by one or with all messages of a rule.
  private func failures(of decisions: [Value]) -> [String: [String]] {
    var failures: [String: [String]] = [:]
    var rules: [String: [String]] = [:]
    for failure in (call.input["failed"]?.listValue ?? []).flatMap({ $0.listValue ?? [] }) {
      failures[failure["uid"]?.stringValue ?? "", default: []].append(failure["action"]?.stringValue ?? "")
    }
    for change in call.input["changes"]?.listValue ?? [] {
      guard change["error"]?["message"] != nil, let rule = change["rule"]?.stringValue else { continue }
      rules[rule, default: []].append(change["action"]?.stringValue ?? "")
    }
    guard !rules.isEmpty else { return failures }
    for decision in decisions {
      guard let uid = decision["uid"]?.stringValue else { continue }
      let actions = Self.texts(decision["rules"]).flatMap { rules[$0] ?? [] }
      if !actions.isEmpty { failures[uid, default: []] += actions }
    }
    return failures
  }

  private mutating func owe(_ uid: String, _ entry: Value, _ actions: [String]) {
    guard let key = entry["key"]?.stringValue else { return }
    let flags = Set(Self.texts(entry["flags"]).map { $0.lowercased() })
    let seen: ValueMap = [
      "seen": .bool(flags.contains("\\seen")), "flagged": .bool(flags.contains("\\flagged")),
      "answered": .bool(flags.contains("\\answered")),
    ]
    owed.append(
      OwedMessage(
        uid: uid, key: key, messageID: entry["message_id"] ?? .null, marks: entry["marks"]?.mapValue ?? seen,
        actions: actions, run: call.request.run.rawValue, at: now, since: now))
  }

  /// Records the message whose arrival has started the run if the folder could not be read.
  private mutating func oweArrival() {
    guard call.input["is_read"]?.boolValue == false, let event = call.input["event"], event["type"] == "mail",
      event["provider"]?.stringValue ?? call.text("provider") == call.text("provider"),
      event["folder"]?.stringValue == call.text("source"), let uid = event["uid"]?.stringValue,
      let message = event["message"]
    else { return }
    let key = MessageJourney.key(of: message, uid: uid, in: call.text("source"), of: call.text("provider"))
    owed.append(
      OwedMessage(
        uid: uid, key: key, messageID: message["message_id"] ?? .null, marks: OwedMessage.marks(of: message),
        actions: ["found"], run: call.request.run.rawValue, at: now, since: now))
  }
}
