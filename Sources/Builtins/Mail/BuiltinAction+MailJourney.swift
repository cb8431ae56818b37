import Engine
import Expressions
import Localization
import Recipes

extension BuiltinAction {
  /// `mail.departed`: records where a filter has moved messages, and deletes the notes that were kept until then.
  static let mailDeparted = BuiltinAction(signature: .departed) { (call) throws(ActionFailure) in
    func texts(_ value: Value?) -> [String] { (value?.listValue ?? []).compactMap(\.stringValue) }
    var decisions: [String: Value] = [:]
    for decision in call.input["decisions"]?.listValue ?? [] {
      if let uid = decision["uid"]?.stringValue { decisions[uid] = decision }
    }
    let now = call.surroundings.time.now
    var moves: [(key: String, move: MessageJourney.Move)] = []
    var notes: [String] = []
    for taken in call.input["taken"]?.listValue ?? [] {
      guard let result = taken["results"]?.listValue?.first else { continue }
      let (uids, missing, new) = (texts(taken["uids"]), Set(texts(result["missing"])), texts(result["uids"]))
      let moved = uids.filter { !missing.contains($0) }
      let to = result["to"]?.stringValue ?? taken["to"]?.stringValue ?? ""
      for (index, uid) in moved.enumerated() {
        guard let key = decisions[uid]?["key"]?.stringValue else { continue }
        moves.append(
          (
            key,
            MessageJourney.Move(
              .filter, provider: call.text("provider"), from: call.text("folder"), to: to,
              uid: new.count == moved.count ? new[index] : "", recipe: call.request.recipe,
              version: call.text("version"), run: call.request.run.rawValue, at: now)
          ))
      }
      // A message that is missing has left too.
      for uid in uids { notes += texts(decisions[uid]?["notes"]) }
    }
    let (recorded, forgotten) = (moves, notes)
    guard !recorded.isEmpty || !forgotten.isEmpty else { return [:] }
    try await call.sentMessages { (state) throws(StorageFailure) in
      try MessageJourney.add(recorded, at: now, in: state)
      if !forgotten.isEmpty { try SentMessages.set(forgotten, to: nil, in: state) }
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
        "type": "string", "description": "The provider of the mailbox; absent: every provider with such a folder.",
      ],
      "messages": [
        "type": "array", "items": ["type": "object"],
        "description": "The messages with message_id, date and size, as mail.search gives them.",
      ],
      "keys": ["type": "array", "items": ["type": "string"], "description": "The keys of decisions of a filter."],
      "recipe": [
        "type": "string",
        "description":
          "Only this recipe ignores the messages, also when a schedule starts it; absent: every recipe that their arrival starts.",
      ],
      "version": ["type": "string", "description": "Only this version of the recipe's text; absent: every version."],
    ], output: [:]
  ) { (call) throws(ActionFailure) in
    let now = call.surroundings.time.now
    let recipe = call.input["recipe"]?.stringValue ?? MessageJourney.everyTrigger
    let keys =
      (call.input["keys"]?.listValue ?? []).compactMap(\.stringValue)
      + (call.input["messages"]?.listValue ?? []).compactMap(MessageJourney.key(of:))
    let move = MessageJourney.Move(
      .back, provider: call.text("provider"), to: call.text("folder"), recipe: recipe, version: call.text("version"),
      run: call.request.run.rawValue, at: now)
    try await call.sentMessages { (state) throws(StorageFailure) in
      try MessageJourney.add(keys.map { ($0, move) }, at: now, in: state)
    }
    return [:]
  }
}
