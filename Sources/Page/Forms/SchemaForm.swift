package import Expressions

/// The fields of a form, made from a JSON Schema of an object.
///
/// The page's script reads the fields by their `data-field` and turns them into JSON by their `data-kind`.
package struct SchemaForm {
  /// The kinds of fields.
  enum Kind: String, CaseIterable {
    case text, long, integer, number, boolean, choice, choices, lines, time, date, file, json
  }

  private let schema: Value
  private let prefix: String
  private let context: PageContext

  /// Creates a form.
  ///
  /// - Parameters:
  ///   - schema: The schema of an object.
  ///   - prefix: The beginning of the ids in the page.
  package init(_ schema: Value, prefix: String, _ context: PageContext) {
    (self.schema, self.prefix, self.context) = (schema, prefix, context)
  }

  /// The schema of a recipe's inputs, as the API answers them.
  static func schema(inputs: [Value]) -> Value {
    var properties = ValueMap()
    var required: [Value] = []
    for input in inputs {
      properties[input.text("name")] = input["schema"] ?? .map([:])
      if input["required"]?.boolValue == true { required.append(.string(input.text("name"))) }
    }
    return ["type": "object", "properties": .map(properties), "required": .list(required)]
  }

  /// Whether the form has no fields.
  package var isEmpty: Bool { schema["properties"]?.mapValue?.isEmpty ?? true }

  /// The fields.
  package var fields: HTML {
    let required = Set((schema["required"]?.listValue ?? []).compactMap(\.stringValue))
    let properties: ValueMap = schema["properties"]?.mapValue ?? [:]
    let entries = Array(properties.entries)
    return .group(
      entries.enumerated().map { number, entry in
        field(entry.0.text, entry.1, number, isRequired: required.contains(entry.0.text))
      })
  }

  /// How a schema is asked for.
  static func kind(_ schema: Value) -> Kind {
    if let words = schema["enum"]?.listValue, !words.isEmpty { return .choice }
    switch type(schema) {
    case "boolean": return .boolean
    case "integer": return .integer
    case "number": return .number
    case "array":
      if let words = schema["items"]?["enum"]?.listValue, !words.isEmpty { return .choices }
      return ["string", nil].contains(schema["items"].flatMap(type)) && schema["items"] != nil ? .lines : .json
    case "string":
      switch schema["format"]?.stringValue {
      case "date-time": return .time
      case "date": return .date
      case "blob", "binary", "file": return .file
      case "markdown", "multiline", "textarea": return .long
      default: break
      }
      if schema["contentEncoding"] != nil || schema["contentMediaType"] != nil { return .file }
      if schema["maxLength"]?.intValue ?? 0 > 300 { return .long }
      return (schema["default"]?.stringValue ?? "").contains("\n") ? .long : .text
    default: return .json
    }
  }

  /// The type of a schema; the first one that is not null if it has several.
  private static func type(_ schema: Value) -> String? {
    if let type = schema["type"]?.stringValue { return type }
    return schema["type"]?.listValue?.compactMap(\.stringValue).first { $0 != "null" }
  }

  // MARK: - One field

  private func field(_ name: String, _ schema: Value, _ number: Int, isRequired: Bool) -> HTML {
    let (kind, id) = (Self.kind(schema), "\(prefix)-\(number)")
    let title = schema["title"]?.stringValue ?? name
    let help = schema["description"]?.stringValue ?? ""
    var common: [Attribute] = [
      .id(id), .data("field", name), .data("kind", kind.rawValue),
    ]
    if !help.isEmpty || [.lines, .json, .time].contains(kind) { common.append(.aria("describedby", id + "-help")) }
    let hint: String =
      switch kind {
      case .lines: context.say("One entry per line.", de: "Ein Eintrag pro Zeile.")
      case .json: context.say("As JSON.", de: "Als JSON.")
      case .time: context.zoneHelp
      default: ""
      }
    let texts = [help, hint].filter { !$0.isEmpty }.joined(separator: " ")
    let helpText = texts.isEmpty ? HTML.empty : tag(.p, .class("help"), .id(id + "-help"), text: texts)
    if kind == .boolean {
      if schema["default"]?.boolValue == true { common.append(.flag(.checked)) }
      return tag(.div, .class("field check")) {
        HTML.element(.input, [.with(.type, "checkbox")] + common, [])
        tag(.label, .with(.forID, id), text: title)
        helpText
      }
    }
    if kind == .choices {
      return choices(name, schema, id, title: title, help: helpText)
    }
    // A field that may be empty has to be filled in only if the schema says so.
    if isRequired { common.append(.flag(.required)) }
    return tag(.div, .class("field")) {
      tag(.label, .with(.forID, id)) {
        title
        if isRequired { star }
      }
      input(kind, schema, common, isRequired: isRequired)
      helpText
    }
  }

  private var star: HTML {
    .group([
      tag(.span, .class("star"), .aria("hidden", "true"), text: " *"),
      tag(.span, .class("hidden"), text: context.say(" (required)", de: " (nötig)")),
    ])
  }

  private func input(_ kind: Kind, _ schema: Value, _ common: [Attribute], isRequired: Bool) -> HTML {
    let start = schema["default"] ?? .null
    func plain(_ type: String, _ more: [Attribute] = []) -> HTML {
      let text = start.stringValue ?? (start == .null ? "" : start.jsonString)
      return .element(.input, [.with(.type, type)] + common + more + [.with(.value, text)], [])
    }
    switch kind {
    case .text:
      var more: [Attribute] = []
      if let length = schema["maxLength"]?.intValue { more.append(.with(.maxlength, "\(length)")) }
      if let length = schema["minLength"]?.intValue { more.append(.with(.minlength, "\(length)")) }
      let type =
        switch schema["format"]?.stringValue {
        case "email": "email"
        case "uri", "url": "url"
        default: schema["writeOnly"]?.boolValue == true ? "password" : "text"
        }
      return plain(type, more)
    case .integer: return plain("number", bounds(schema) + [.with(.step, "1")])
    case .number: return plain("number", bounds(schema) + [.with(.step, "any")])
    case .time:
      return .element(
        .input,
        [.with(.type, "datetime-local")] + common + [
          .with(.step, "1"), .with(.value, context.fieldTime(start.stringValue ?? "")),
        ], [])
    case .date: return plain("date")
    case .file: return .element(.input, [.with(.type, "file")] + common, [])
    case .long: return .element(.textarea, common + [.with(.rows, "6")], [.text(start.stringValue ?? "")])
    case .lines:
      let lines = (start.listValue ?? []).map { $0.stringValue ?? $0.jsonString }.joined(separator: "\n")
      return .element(.textarea, common + [.with(.rows, "4")], [.text(lines)])
    case .json:
      return .element(
        .textarea, common + [.with(.rows, "4"), .class("code"), .with(.spellcheck, "false")],
        [.text(start == .null ? "" : PageContext.pretty(start))])
    case .choice:
      let words = schema["enum"]?.listValue ?? []
      var options: [HTML] = []
      if !isRequired || start == .null { options.append(tag(.option, .with(.value, ""), text: "–")) }
      options += words.filter { $0 != .null }.map { word in
        var attributes: [Attribute] = [.with(.value, word.jsonString)]
        if word == start { attributes.append(.flag(.selected)) }
        return .element(.option, attributes, [.text(word.stringValue ?? word.jsonString)])
      }
      return .element(.select, common, options)
    case .boolean, .choices: return .empty
    }
  }

  private func bounds(_ schema: Value) -> [Attribute] {
    var bounds: [Attribute] = []
    if let least = schema["minimum"] { bounds.append(.with(.min, least.jsonString)) }
    if let most = schema["maximum"] { bounds.append(.with(.max, most.jsonString)) }
    return bounds
  }

  private func choices(_ name: String, _ schema: Value, _ id: String, title: String, help: HTML) -> HTML {
    let chosen = Set(schema["default"]?.listValue ?? [])
    return tag(.fieldset, .class("field"), .data("field", name), .data("kind", Kind.choices.rawValue)) {
      tag(.legend, text: title)
      for (number, word) in (schema["items"]?["enum"]?.listValue ?? []).enumerated() {
        tag(.div, .class("check")) {
          HTML.element(
            .input,
            [.with(.type, "checkbox"), .id("\(id)-\(number)"), .with(.value, word.jsonString)]
              + (chosen.contains(word) ? [.flag(.checked)] : []), [])
          tag(.label, .with(.forID, "\(id)-\(number)"), text: word.stringValue ?? word.jsonString)
        }
      }
      help
    }
  }
}
