import Foundation
import Localization
import Plans
import RecipeSyntax

extension EngineSettings.Traces {
  /// Reads `engine.traces`: a URL, or a map with `url` and `headers`.
  static func read(_ node: Node, _ reader: FieldReader) -> EngineSettings.Traces? {
    let field = "engine.traces"
    guard !node.isNull else { return nil }
    guard node.mapping != nil, node.mapping?["secret"] == nil else {
      return address(node, field, reader).map { EngineSettings.Traces(url: $0) }
    }
    guard let map = reader.map(node, field, RecipeDefinitions.traces), let written = map["url"],
      let url = address(written, "\(field).url", reader)
    else { return nil }
    var traces = EngineSettings.Traces(url: url)
    var names: Set<String> = []
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
      let name = entry.name.lowercased()
      guard !ownFields.contains(name), names.insert(name).inserted else {
        reader.report(
          .invalidValue,
          names.contains(name)
            ? LocalizedText(
              "the header field '\(entry.name)' is given twice",
              de: "das Header-Feld '\(entry.name)' ist zweimal angegeben")
            : LocalizedText(
              "the header field '\(entry.name)' is set by Sous", de: "das Header-Feld '\(entry.name)' setzt Sous selbst"
            ),
          at: entry.nameRange)
        continue
      }
      traces.headers.append(Header(name: entry.name, value: value))
    }
    if traces.headers.contains(where: { !$0.value.secretNames.isEmpty }), isOpen(url) {
      reader.report(
        .invalidValue,
        LocalizedText(
          "'\(field).headers' holds a secret, which goes over https only",
          de: "'\(field).headers' enthält ein Geheimnis, das nur über https geht"),
        at: written.range)
    }
    return traces
  }

  /// Fields of the header that every request has, and those that belong to the connection.
  private static let ownFields: Set<String> = [
    "content-type", "content-length", "content-encoding", "host", "transfer-encoding", "connection", "te", "trailer",
    "upgrade",
    "expect",
  ]

  /// The URL of the collector. One without a secret must be whole: scheme, host, and a port that exists.
  private static func address(_ node: Node, _ field: String, _ reader: FieldReader) -> SecretText? {
    guard let url = PingTargets.url(node, field, reader) else { return nil }
    guard url.secretNames.isEmpty else { return url }
    let text = url.filled { _ in "" }
    guard let parts = URLComponents(string: text), let host = parts.host, !host.isEmpty, parts.user == nil,
      parts.password == nil, parts.fragment == nil, parts.port.map({ (1...65_535).contains($0) }) ?? true,
      !text.utf8.contains(where: { $0 <= 0x20 || $0 >= 0x7F })
    else {
      reader.report(
        .invalidValue,
        LocalizedText(
          "'\(field)' is not the URL of a collector, such as http://127.0.0.1:4318/v1/traces",
          de: "'\(field)' ist keine URL eines Collectors wie http://127.0.0.1:4318/v1/traces"), at: node.range)
      return nil
    }
    return url
  }

  /// Whether others can read a request to a URL without secrets on its way.
  private static func isOpen(_ url: SecretText) -> Bool {
    guard url.secretNames.isEmpty, let parts = URLComponents(string: url.filled { _ in "" }) else { return false }
    let isHere = ["localhost", "127.0.0.1", "[::1]", "::1"].contains(parts.host?.lowercased() ?? "")
    return parts.scheme?.lowercased() == "http" && !isHere
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
