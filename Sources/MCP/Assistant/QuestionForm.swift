import Expressions
import Localization

/// The question of a run as a form of the protocol: a flat object of texts, numbers, truth values and choices.
struct QuestionForm {
  /// The name of the question, which no other question of the run has.
  let key: String
  /// The question.
  let message: LocalizedText
  private let step: Value
  private let item: Value
  private let fields: ValueMap
  /// The fields that an approval needs, in their order.
  private let required: [Value]

  /// The name of the field in which the person agrees or refuses, and of the one with the reason.
  private static let (decision, reason) = ("sous_decision", "sous_reason")
  private static let (approve, reject) = ("approve", "reject")

  /// Reads an open question of a run; `nil` if its form has fields that the protocol does not know.
  init?(_ question: Value) {
    step = question["step"] ?? .null
    item = question["item"] ?? .null
    let name = step.stringValue ?? ""
    // A step that is repeated asks again later.
    key = ["decision", name, item.intValue.map { "\($0)" } ?? "", question["since"]?.stringValue ?? ""].joined(
      separator: "/")
    let text = question["message"]?.stringValue ?? ""
    message =
      text.isEmpty
      ? LocalizedText("Step '\(name)' asks for approval.", de: "Schritt '\(name)' fragt um Zustimmung.")
      : LocalizedText(verbatim: String(text.prefix(4000)))
    var fields = ValueMap()
    for (key, schema) in question["form"]?["properties"]?.mapValue?.entries ?? [] {
      guard let field = Self.field(schema) else { return nil }
      fields[key.text] = field
    }
    self.fields = fields
    required = (question["form"]?["required"]?.listValue ?? []).filter { fields[$0.stringValue ?? ""] != nil }
  }

  /// A field as the protocol knows it; `nil` for lists and objects.
  private static func field(_ schema: Value) -> Value? {
    var map: ValueMap
    switch schema["type"]?.stringValue {
    case "string":
      map = ["type": "string"]
      for name in ["minLength", "maxLength"] { map[name] = schema[name] }
      if let format = schema["format"]?.stringValue, ["email", "uri", "date", "date-time"].contains(format) {
        map["format"] = .string(format)
      }
    case "integer", "number":
      map = ["type": schema["type"] ?? "number"]
      for name in ["minimum", "maximum"] { map[name] = schema[name] }
    case "boolean": map = ["type": "boolean"]
    case nil where schema["enum"]?.listValue != nil: map = ["type": "string"]
    default: return nil
    }
    if let words = schema["enum"]?.listValue {
      guard words.allSatisfy({ $0.stringValue != nil }) else { return nil }
      map["enum"] = .list(words)
    }
    for name in ["title", "description"] where schema[name]?.stringValue != nil { map[name] = schema[name] }
    if let value = schema["default"], !value.isNull { map["default"] = value }
    return .map(map)
  }

  /// The parameters of `elicitation/create`.
  func parameters(in language: Language) -> ValueMap {
    ["message": .string(message.string(in: language)), "requestedSchema": schema(in: language)]
  }

  /// The form: the decision, the fields, and a reason for a refusal.
  func schema(in language: Language) -> Value {
    var properties: ValueMap = [
      Self.decision: [
        "type": "string", "enum": [.string(Self.approve), .string(Self.reject)],
        "title": .string(LocalizedText("Decision", de: "Entscheidung").string(in: language)),
      ]
    ]
    for (key, field) in fields.entries { properties[key] = field }
    properties[Self.reason] = [
      "type": "string",
      "title": .string(LocalizedText("Reason for a refusal", de: "Grund einer Ablehnung").string(in: language)),
    ]
    // A client that checks the form itself spares the person an answer that the run would refuse.
    return ["type": "object", "properties": .map(properties), "required": .list([.string(Self.decision)] + required)]
  }

  /// The body of `answerDecision`; `nil` if the person has not decided.
  func body(_ answer: PersonsAnswer) -> Value? {
    guard case .filled(let given) = answer, let word = given[Self.decision]?.stringValue,
      word == Self.approve || word == Self.reject
    else { return nil }
    var body: ValueMap = ["approved": .bool(word == Self.approve)]
    if let step = step.stringValue { body["step"] = .string(step) }
    if let item = item.intValue { body["item"] = .int(item) }
    if word == Self.reject {
      if let reason = given[Self.reason]?.stringValue { body["reason"] = .string(String(reason.prefix(10_000))) }
    } else {
      var values = ValueMap()
      for (key, value) in given.entries where fields[key.text] != nil && !value.isNull { values[key] = value }
      body["fields"] = .map(values)
    }
    return .map(body)
  }
}
