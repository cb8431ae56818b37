import Access
public import Expressions
public import Localization

/// The description of the API for readers and for other programs.
public enum APIReference {
  /// The OpenAPI document.
  ///
  /// - Parameters:
  ///   - version: The version of the program.
  ///   - language: The language of summaries.
  public static func document(version: String, in language: Language) -> Value {
    APIDocument.document(version: version, origin: "http://127.0.0.1:8768", in: language)
  }

  /// The operations as a page of Markdown, in groups by the first folder of their paths.
  public static func page(in language: Language) -> String {
    var text =
      LocalizedText(
        "# The operations of the API\n\nMade from the description of the API by 'sous schema api.md'. See [The server](server.md) for "
          + "sign-in, errors, pages, events and repeated requests.\n",
        de:
          "# Die Operationen der API\n\nAus der Beschreibung der API, durch 'sous schema api.md'. Anmeldung, Fehler, Seiten, "
          + "Ereignisse und wiederholte Anfragen: [Der Server](server.md).\n"
      ).string(in: language)
    var groups: [String] = []
    for route in APIDocument.routes where !groups.contains(route.group) { groups.append(route.group) }
    for group in groups {
      text += "\n## \(group)\n"
      for route in APIDocument.routes where route.group == group { text += section(route, language) }
    }
    return text
  }

  private static func section(_ route: Route, _ language: Language) -> String {
    var text = "\n### \(route.method.rawValue) \(Route.base)\(route.path)\n\n"
    text += route.summary.string(in: language) + " " + right(route.right).string(in: language) + "\n"
    let parameters = route.parameters.filter { $0.place == .query }
    if !parameters.isEmpty {
      text += "\n"
      for parameter in parameters { text += "- `\(parameter.name)`: \(parameter.summary.string(in: language))\n" }
    }
    if case .json(let schema, _)? = route.body, let fields = schema["properties"]?.mapValue, !fields.isEmpty {
      let required = schema["required"]?.listValue ?? []
      let names = fields.entries.map { key, value in
        "`\(key.text)`" + type(value) + (required.contains(.string(key.text)) ? " *" : "")
      }
      let label = LocalizedText("Body (* is required): ", de: "Inhalt (* ist nötig): ").string(in: language)
      text += "\n\(label)\(names.joined(separator: ", ")).\n"
    }
    let answers = route.answers.map { answer(of: $0, language) }.joined(separator: "; ")
    return text + "\n" + LocalizedText("Answer: ", de: "Antwort: ").string(in: language) + answers + ".\n"
  }

  private static func right(_ right: Route.Right) -> LocalizedText {
    switch right {
    case .everyone: LocalizedText("Needs no sign-in.", de: "Braucht keine Anmeldung.")
    case .signedIn: LocalizedText("Needs sign-in.", de: "Braucht eine Anmeldung.")
    case .may(let verb, let object):
      LocalizedText(
        "Needs the right `\(object.rawValue): \(verb.rawValue)`.",
        de: "Braucht das Recht `\(object.rawValue): \(verb.rawValue)`.")
    }
  }

  private static func type(_ schema: Value) -> String {
    if let words = schema["enum"]?.listValue { return " (\(words.compactMap(\.stringValue).joined(separator: ", ")))" }
    if schema["format"] == "date-time" { return " (RFC 3339)" }
    return schema["type"]?.stringValue.map { " (\($0))" } ?? ""
  }

  private static func answer(of answer: Route.Answer, _ language: Language) -> String {
    switch answer {
    case .json(let schema, let status): "\(status) " + name(schema)
    case .empty: "204"
    case .text(let type): "200 `\(type)`"
    case .file: LocalizedText("200 or 206, the contents", de: "200 oder 206, der Inhalt").string(in: language)
    case .events: LocalizedText("200 server-sent events", de: "200 Server-sent Events").string(in: language)
    }
  }

  /// A schema in a word: its name, or the names of its fields.
  private static func name(_ schema: Value) -> String {
    if let reference = schema["$ref"]?.stringValue { return String(reference.split(separator: "/").last ?? "") }
    if let items = schema["properties"]?["items"]?["items"] {
      return "`{items: [\(name(items).filter { $0 != "`" })], next}`"
    }
    guard let fields = schema["properties"]?.mapValue, !fields.isEmpty else {
      return schema["type"]?.stringValue ?? "JSON"
    }
    return "`{\(fields.keys.map(\.text).joined(separator: ", "))}`"
  }
}
