package import Engine
package import Expressions
import Localization
import Plans
import RecipeModel
import Schemas

/// Checks the answer of a chat call, from any provider: it is not empty, and it suits the schema.
///
/// Providers are not believed: the properties that become outputs are checked here, whether the plugin has read them out
/// of the answer or they stand in its text.
struct AnswerCheck: Sendable {
  /// The action that is checked.
  static let action = "chat.complete"
  /// What an answer has beside the properties of a schema.
  static let ownNames: Set<String> = [
    "text", "model", "finish_reason", "reasoning", "refusal", "tool_calls", "extractive", "usage",
  ]
  /// What `system` says before a schema that the provider cannot pass on.
  static let schemaLead =
    "Answer with one JSON object and nothing else: no Markdown, no explanation. It has to suit this JSON Schema:\n"
  /// More violations are not told.
  static let maximumProblems = 5

  /// What the answer has to look like; `nil` where only words are wanted.
  let schema: Schema?
  /// Whether the model may ask for tools instead of answering.
  let mayCall: Bool
  /// Whether the step accepts a truncated answer (`allow_truncated: true`).
  let allowsTruncated: Bool

  /// What becomes of an answer.
  enum Judgement: Sendable {
    /// It is one; its properties are outputs.
    case suits(Value)
    /// It is none.
    case misses(ActionFailure)
    /// It does not suit the schema; `nil` where asking once more would give the same.
    case violates(ActionFailure, AnswerRepair?)
  }

  /// The check for a step; `nil` for all but chat steps.
  ///
  /// - Parameter input: The step's input, evaluated.
  init?(_ action: String, input: Value) {
    guard action == Self.action else { return nil }
    mayCall = input["tool_choice"] != "none" && input["tools"]?.listValue?.isEmpty == false
    allowsTruncated = input["allow_truncated"]?.boolValue ?? false
    if case .map(let schema)? = input["schema"], schema.count > 0 {
      self.schema = Schema(document: .map(schema))
    } else {
      schema = nil
    }
  }

  /// The input for a provider: without the keys that only Sous reads. A provider that cannot pass a schema on gets it in words,
  /// after the instructions of the step or of the provider.
  ///
  /// - Parameters:
  ///   - input: The input of the call.
  ///   - passesSchemaOn: Whether the plugin passes a schema on to the service.
  ///   - repeatsSchema: Whether the schema goes into words too, because the service has ignored one.
  func input(_ input: Value, passesSchemaOn: Bool, repeatsSchema: Bool = false) -> Value {
    var input = ChatTurns.flattened(input)
    if case .map(var members) = input, members["allow_truncated"] != nil {
      members["allow_truncated"] = nil
      input = .map(members)
    }
    guard let schema, !passesSchemaOn || repeatsSchema, case .map(var members) = input else { return input }
    let words = Self.schemaLead + String(decoding: schema.document.json(), as: UTF8.self)
    let system = members["system"]?.stringValue ?? ""
    members["system"] = .string(system.isEmpty ? words : system + "\n\n" + words)
    if !passesSchemaOn { members["schema"] = nil }
    return .map(members)
  }

  /// Judges what a provider gave.
  func judge(_ output: Value) -> Judgement {
    guard case .map(let raw) = output else { return .suits(output) }
    var members = Thoughts.separated(raw)
    let refusal = members["refusal"]?.stringValue ?? ""
    let text = members["text"]?.stringValue
    let isBlank = text?.allSatisfy(\.isWhitespace) ?? false
    let cut = AnswerCut(members["finish_reason"])
    if cut == .filter {
      guard refusal.isEmpty else { return .misses(.refused(refusal)) }
      if isBlank || text == nil { return .misses(.filtered) }
    }
    if mayCall {
      if let calls = members["tool_calls"]?.listValue, !calls.isEmpty {
        // Further calls may be missing after the complete ones.
        if let cut { return .violates(.truncated(cut, mayAllow: false), nil) }
        switch ToolArguments.read(calls) {
        case .calls(let calls):
          members["tool_calls"] = .list(calls)
          return .suits(.map(members))
        case .unreadable(let calls):
          let names = calls.map { $0["name"]?.stringValue ?? "" }
          let words = calls.compactMap { $0["arguments"]?.stringValue }.joined(separator: "\n")
          return .violates(
            .unreadableArguments(of: names), AnswerRepair(answer: words, problems: [], isCut: false, tools: names))
        }
      }
    } else {
      members["tool_calls"] = nil
    }
    let given = givenProperties(members)
    guard given != nil || !isBlank || !refusal.isEmpty else {
      return cut == nil ? .misses(.emptyAnswer(isCut: false)) : .violates(.emptyAnswer(isCut: true), nil)
    }
    guard given != nil || !isBlank else { return .misses(.refused(refusal)) }
    guard let schema else {
      guard let cut, !allowsTruncated else { return .suits(.map(members)) }
      return .violates(.truncated(cut, mayAllow: true), nil)
    }
    guard refusal.isEmpty else { return .misses(.refused(refusal)) }
    if let cut, !allowsTruncated, !SalvagedAnswer.isOneObject(text ?? "") {
      // An object before the cut may be an example, and properties that a plugin has read out of the answer may be incomplete.
      guard cut == .length, members["extractive"] != true else {
        return .violates(.truncated(cut, mayAllow: true), nil)
      }
      return .violates(
        .unsuitable([], areAll: true, isCut: true),
        AnswerRepair(answer: text ?? "", problems: [], isCut: true, schema: schema.document))
    }
    var violations: [SchemaViolation] = []
    if let given {
      violations = schema.validate(given)
      if violations.isEmpty { return .suits(.map(merged(members, schema.withWholeNumbers(given)))) }
    }
    let salvaged = SalvagedAnswer(text ?? "")
    var best: (object: Value, named: Int)?
    var isLast = true
    for object in salvaged.objects.reversed() {
      let found = schema.validate(object)
      defer { isLast = false }
      guard found.isEmpty else {
        if isLast { violations = found }
        continue
      }
      // Of several that suit, `{}` among them where nothing is required, the one that says most is the answer.
      let named = namedProperties(of: object)
      if named > best?.named ?? -1 { best = (object, named) }
    }
    if let best { return .suits(.map(merged(members, schema.withWholeNumbers(best.object)))) }
    var problems = violations.prefix(Self.maximumProblems).map(\.located)
    var isCut = false
    if salvaged.objects.isEmpty, violations.isEmpty {
      switch salvaged.fault {
      case .cut: isCut = true
      case .absent: isCut = cut != nil
      case .other(let type):
        problems = [
          .init("must be an object, but is \(type.english)", de: "muss ein Objekt sein, ist aber \(type.german)")
        ]
      case .unreadable(let byte):
        let (line, column) = SalvagedAnswer.place(byte, in: text ?? "")
        problems = [
          .init("line \(line), column \(column): no JSON", de: "Zeile \(line), Spalte \(column): kein JSON")
        ]
      }
    }
    let failure = ActionFailure.unsuitable(problems, areAll: violations.count <= problems.count, isCut: isCut)
    guard members["extractive"] != true else { return .violates(failure, nil) }
    return .violates(
      failure,
      AnswerRepair(
        answer: text ?? "", problems: problems.map(\.english), isCut: isCut, schema: schema.document))
  }

  /// The text of a truncated answer, for the log; `nil` for a complete answer, or one without text.
  static func partialText(of output: Value) -> String? {
    guard AnswerCut(output["finish_reason"]) != nil, let text = output["text"]?.stringValue,
      !text.allSatisfy(\.isWhitespace)
    else { return nil }
    return text
  }

  /// The properties that the plugin itself has read out of the answer; `nil` where it gives none.
  private func givenProperties(_ members: ValueMap) -> Value? {
    guard let schema else { return nil }
    var properties = ValueMap()
    for entry in members.entries {
      guard case .string(let name) = entry.key, !Self.ownNames.contains(name) else { continue }
      properties[name] = entry.value
    }
    guard properties.count > 0 else { return nil }
    for name in ["text", "reasoning"] {
      if let value = members[name], schema.document["properties"]?[name] != nil { properties[name] = value }
    }
    return .map(properties)
  }

  /// How many of the properties that the schema lists an object has.
  private func namedProperties(of object: Value) -> Int {
    guard case .map(let properties)? = schema?.document["properties"] else { return 0 }
    return properties.keys.filter { object[$0.text] != nil }.count
  }

  /// The answer with its properties beside what every answer has. A name that the schema lists belongs to the schema: the
  /// service's own value of that name could be of another type.
  private func merged(_ members: ValueMap, _ properties: Value) -> ValueMap {
    let listed = schema?.document["properties"]
    var result = ValueMap()
    for entry in members.entries {
      guard case .string(let name) = entry.key, Self.ownNames.contains(name) else { continue }
      if let own = listed?[name] {
        guard name == "text", Schema(document: own).validate(entry.value).isEmpty else { continue }
      }
      result[name] = entry.value
    }
    guard case .map(let properties) = properties else { return result }
    for entry in properties.entries {
      guard case .string(let name) = entry.key else { continue }
      if !Self.ownNames.contains(name) || listed?[name] != nil {
        result[name] = entry.value
      } else if name == "text" || name == "reasoning", case .string = entry.value {
        result[name] = entry.value
      }
    }
    return result
  }
}

extension Value {
  /// The object that a checked answer to a call with a `schema` consists of; `nil` for a call without one.
  ///
  /// - Parameter input: The input of the call.
  package func structuredAnswer(to input: Value) -> Value? {
    guard let schema = AnswerCheck(AnswerCheck.action, input: input)?.schema, case .map(let output) = self else {
      return nil
    }
    let listed = schema.document["properties"]
    var object = ValueMap()
    for entry in output.entries {
      guard case .string(let name) = entry.key, !AnswerCheck.ownNames.contains(name) || listed?[name] != nil else {
        continue
      }
      object[name] = entry.value
    }
    return .map(object)
  }
}

extension ActionFailure {
  /// Why the output of `chat.complete` does not count as an answer: it is empty or truncated, or the model refused.
  ///
  /// - Parameters:
  ///   - output: The provider's output.
  ///   - input: The input of the call.
  /// - Returns: `nil` if it is an answer.
  package static func unanswered(_ output: Value, to input: Value) -> ActionFailure? {
    guard let check = AnswerCheck(AnswerCheck.action, input: input) else { return nil }
    switch check.judge(output) {
    case .suits: return nil
    case .misses(let failure), .violates(let failure, _): return failure
    }
  }

  /// A truncated answer. Another attempt with the same provider would end in the same way.
  ///
  /// - Parameter mayAllow: Whether `allow_truncated` would accept it.
  static func truncated(_ cut: AnswerCut, mayAllow: Bool) -> ActionFailure {
    let allow =
      mayAllow
      ? LocalizedText(
        ", or accept truncated answers with 'allow_truncated: true'",
        de: ", oder mit 'allow_truncated: true' auch abgeschnittene Antworten annehmen")
      : LocalizedText(verbatim: "")
    switch cut {
    case .length:
      return ActionFailure(
        .unsuitable,
        .init(
          "the answer was cut at its limit (max_tokens, or the model's context)",
          de: "die Antwort wurde an ihrer Grenze abgeschnitten (max_tokens oder Kontext des Modells)"),
        advice: LocalizedText(
          "allow more with 'max_tokens', ask for less, or process the text in 'parts'",
          de: "mit 'max_tokens' mehr erlauben, weniger verlangen oder den Text mit 'parts' teilen") + allow)
    case .filter:
      return ActionFailure(
        .unsuitable,
        .init(
          "the answer was cut by the content filter of the service",
          de: "die Antwort wurde vom Inhaltsfilter des Dienstes abgeschnitten"),
        advice: LocalizedText(
          "change the prompt, or ask another provider", de: "den Prompt ändern oder einen anderen Provider fragen")
          + allow)
    }
  }

  /// Calls of tools whose arguments are not JSON, even after salvage.
  fileprivate static func unreadableArguments(of tools: [String]) -> ActionFailure {
    let names = tools.map { "'\($0)'" }.joined(separator: ", ")
    return ActionFailure(
      .unsuitable,
      .init(
        "the arguments that the model gave for \(names) are not a JSON object",
        de: "die Argumente, die das Modell für \(names) angab, sind kein JSON-Objekt"),
      advice: .init(
        "use a model that is better at calling tools", de: "ein Modell nehmen, das Werkzeuge besser beherrscht"))
  }

  /// Nothing came, and the service says that this is all.
  static func emptyAnswer(isCut: Bool) -> ActionFailure {
    ActionFailure(
      .unsuitable, .init("the server gave an empty answer", de: "leere Antwort vom Server"),
      advice: isCut
        ? .init("allow more with 'max_tokens'", de: "mit 'max_tokens' mehr erlauben")
        : .init("try another model, or shorten the prompt", de: "ein anderes Modell versuchen oder den Prompt kürzen"))
  }

  /// The service has taken the answer, or the rest of it, away.
  fileprivate static var filtered: ActionFailure {
    ActionFailure(
      .parse,
      .init(
        "the content filter of the service stopped the answer",
        de: "der Inhaltsfilter des Dienstes hat die Antwort abgebrochen"),
      advice: .init(
        "change the prompt, or ask another provider", de: "den Prompt ändern oder einen anderen Provider fragen"))
  }

  /// The model has said that it will not answer.
  fileprivate static func refused(_ words: String) -> ActionFailure {
    let words = String(words.prefix(300))
    return ActionFailure(
      .parse,
      .init("the model would not answer: \(words)", de: "das Modell wollte nicht antworten: \(words)"))
  }

  /// The answer is no JSON object of the shape that was asked for.
  fileprivate static func unsuitable(_ problems: [LocalizedText], areAll: Bool, isCut: Bool) -> ActionFailure {
    if isCut {
      return ActionFailure(
        .unsuitable,
        .init(
          "the answer was cut before its JSON was complete",
          de: "die Antwort wurde abgeschnitten, bevor ihr JSON vollständig war"),
        advice: .init(
          "allow more with 'max_tokens', or ask for less",
          de: "mit 'max_tokens' mehr erlauben oder weniger verlangen"))
    }
    let advice = LocalizedText(
      "say in the prompt what is wanted, or use a model that keeps to schemas",
      de: "im Prompt sagen, was gewünscht ist, oder ein Modell nehmen, das Schemas einhält")
    guard !problems.isEmpty else {
      return ActionFailure(
        .unsuitable,
        .init(
          "the answer has no JSON object, but 'schema' asks for one",
          de: "die Antwort enthält kein JSON-Objekt, 'schema' verlangt aber eines"), advice: advice)
    }
    return ActionFailure(
      .unsuitable,
      LocalizedText("the answer does not suit 'schema': ", de: "die Antwort passt nicht zu 'schema': ")
        + .joined(problems, areAll: areAll), advice: advice)
  }
}
