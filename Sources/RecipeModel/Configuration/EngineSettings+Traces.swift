import Localization
import Plans
import RecipeSyntax

extension EngineSettings.Traces {
  /// Reads `engine.traces`: a URL, or a map with `url` and `headers`.
  static func read(_ node: Node, _ reader: FieldReader) -> EngineSettings.Traces? {
    let field = "engine.traces"
    guard !node.isNull else { return nil }
    guard node.mapping != nil, node.mapping?["secret"] == nil else {
      return PingTargets.url(node, field, reader).map { EngineSettings.Traces(url: $0) }
    }
    guard let map = reader.map(node, field, RecipeDefinitions.traces), let written = map["url"],
      let url = PingTargets.url(written, "\(field).url", reader)
    else { return nil }
    var traces = EngineSettings.Traces(url: url)
    for entry in map["headers"].flatMap({ reader.map($0, "\(field).headers", keys: nil) })?.entries ?? [] {
      guard let value = header(entry.value) else {
        reader.report(
          .invalidValue,
          LocalizedText(
            "'\(field).headers.\(entry.name)' is one line of text, which may hold {{ secrets.NAME }}, or { secret: NAME }",
            de: "'\(field).headers.\(entry.name)' ist eine Zeile Text, die {{ secrets.NAME }} enthalten darf, oder "
              + "{ secret: NAME }"), at: entry.value.range)
        continue
      }
      guard isName(entry.name) else {
        reader.report(
          .invalidValue,
          LocalizedText(
            "'\(entry.name)' cannot be the name of a header field",
            de: "'\(entry.name)' kann kein Name eines Header-Felds sein"), at: entry.nameRange)
        continue
      }
      traces.headers.append(Header(name: entry.name, value: value))
    }
    return traces
  }

  private static func header(_ node: Node) -> SecretText? {
    if let map = node.mapping {
      guard map.entries.count == 1, let name = map["secret"]?.string, SecretText.isName(name) else { return nil }
      return SecretText(secret: name)
    }
    guard let text = node.string, !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { return nil }
    let value = SecretText(text)
    let hasExpression = value.parts.contains { if case .text(let text, _) = $0 { text.contains("{{") } else { false } }
    return hasExpression ? nil : value
  }

  /// Whether a text is a token of HTTP (RFC 9110, section 5.6.2).
  private static func isName(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { $0.isNameByte || "!#$%&'*+-.^`|~".utf8.contains($0) }
  }
}

extension RecipeDefinitions {
  static let traces = MappingDefinition(
    .traces, "The collector of OpenTelemetry that gets the traces of runs.",
    de: "Der Collector von OpenTelemetry, der die Traces von Läufen erhält.",
    [
      KeyDefinition(
        "url", .anything, "Where it takes OTLP/HTTP: `http://127.0.0.1:4318/v1/traces`.",
        de: "Wo er OTLP/HTTP annimmt: `http://127.0.0.1:4318/v1/traces`.", isRequired: true),
      KeyDefinition(
        "headers", .map(.anything), "Further fields of the header; a value may be `{ secret: NAME }`.",
        de: "Weitere Felder des Headers; ein Wert darf `{ secret: NAME }` sein."),
    ])
}
