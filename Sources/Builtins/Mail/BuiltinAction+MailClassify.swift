import Engine
import Expressions
import Localization
import Plans
import Schemas

extension BuiltinAction {
  /// `mail.classify`: sorts messages by what a store has found out about them.
  static let mailClassify = BuiltinAction(
    signature: ActionSignature(
      name: "mail.classify",
      summary: .init("Sorts messages by their category", de: "Sortiert Nachrichten nach ihrer Kategorie"),
      effect: .pure,
      input: Schema(
        document: [
          "type": "object", "required": ["messages"], "additionalProperties": false,
          "$defs": messageDefinitions,
          "properties": ["messages": ["type": "array", "items": ["$ref": "#/$defs/message"]]],
        ]),
      output: Schema(
        document: [
          "type": "object", "required": ["people", "others", "categories", "counts"], "additionalProperties": false,
          "$defs": messageDefinitions,
          "properties": [
            "people": [
              "type": "array", "items": ["$ref": "#/$defs/message"],
              "description": "Messages that people wrote themselves, in the order given.",
            ],
            "others": [
              "type": "array", "items": ["$ref": "#/$defs/message"], "description": "All other messages.",
            ],
            "categories": [
              "type": "object", "description": "The messages of each category.",
              "additionalProperties": ["type": "array", "items": ["$ref": "#/$defs/message"]],
            ],
            "counts": [
              "type": "object", "description": "How many messages each category has.",
              "additionalProperties": ["type": "integer"],
            ],
          ],
        ]),
      isBuiltin: true)
  ) { call in
    var people: [Value] = []
    var others: [Value] = []
    var categories: [String: [Value]] = [:]
    for message in call.input["messages"]?.listValue ?? [] {
      let category = message["category"]?.stringValue ?? "other"
      categories[category, default: []].append(message)
      if message["human"]?.boolValue == true, message["bulk"]?.boolValue != true {
        people.append(message)
      } else {
        others.append(message)
      }
    }
    var groups = ValueMap()
    var counts = ValueMap()
    // The most frequent first; equal ones by name, so that two runs read the same.
    for (name, messages) in categories.sorted(by: { ($1.value.count, $0.key) < ($0.value.count, $1.key) }) {
      groups[name] = .list(messages)
      counts[name] = .int(Int64(messages.count))
    }
    return [
      "people": .list(people), "others": .list(others), "categories": .map(groups), "counts": .map(counts),
    ]
  }

  /// The definitions of the contract `mail.store`, which have the shape of a message.
  private static let messageDefinitions: Value = {
    guard let contract = BundledContract.all.first(where: { $0.name == "mail.store" }),
      let document = try? Value(json: contract.document), let definitions = document["$defs"]
    else { return ["message": [:]] }
    return definitions
  }()
}
