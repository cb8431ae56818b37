import Localization
package import Plans
package import RecipeSyntax

extension PingTargets {
  /// Reads `ping`: one URL, or a map with a URL for each signal.
  ///
  /// - Parameter field: The key, for messages.
  package static func read(_ node: Node, _ field: String, _ reader: FieldReader) -> PingTargets? {
    guard !node.isNull else { return nil }
    if let map = node.mapping, map["secret"] == nil {
      guard let map = reader.map(node, field, RecipeDefinitions.ping) else { return nil }
      var urls: [Signal: SecretText] = [:]
      for signal in Signal.allCases {
        urls[signal] = map[signal.rawValue].flatMap { url($0, "\(field).\(signal.rawValue)", reader) }
      }
      return urls.isEmpty ? nil : PingTargets(urls: urls)
    }
    guard let url = url(node, field, reader) else { return nil }
    return PingTargets(
      urls: Dictionary(uniqueKeysWithValues: Signal.allCases.map { ($0, url) }), isShared: true)
  }

  /// A URL: a text with `{{ secrets.NAME }}`, or `{ secret: NAME }`.
  package static func url(_ node: Node, _ field: String, _ reader: FieldReader) -> SecretText? {
    if let map = node.mapping {
      guard map.entries.count == 1, let name = map["secret"]?.string, SecretText.isName(name) else {
        report(node, field, reader)
        return nil
      }
      return SecretText(secret: name)
    }
    guard let text = reader.name(node, field)?.value else { return nil }
    let url = SecretText(text)
    let hasExpression = url.parts.contains { if case .text(let text, _) = $0 { text.contains("{{") } else { false } }
    let isWeb = ["http://", "https://"].contains { url.beginning.lowercased().hasPrefix($0) }
    guard !hasExpression, isWeb || url.beginning.isEmpty && !url.secretNames.isEmpty else {
      report(node, field, reader)
      return nil
    }
    return url
  }

  private static func report(_ node: Node, _ field: String, _ reader: FieldReader) {
    reader.report(
      .invalidValue,
      LocalizedText(
        "'\(field)' is a URL that begins with https://; it may hold {{ secrets.NAME }} or be { secret: NAME }",
        de: "'\(field)' ist eine URL, die mit https:// beginnt; sie darf {{ secrets.NAME }} enthalten oder "
          + "{ secret: NAME } sein"), at: node.range)
  }
}

extension RecipeDefinitions {
  static let ping = MappingDefinition(
    .ping, "The URLs of a monitoring service that learns how runs go.",
    de: "Die URLs eines Überwachungsdienstes, der erfährt, wie Läufe ausgehen.",
    [
      KeyDefinition("start", .anything, "When a run begins.", de: "Wenn ein Lauf beginnt."),
      KeyDefinition("success", .anything, "When a run has succeeded.", de: "Wenn ein Lauf gelungen ist."),
      KeyDefinition(
        "failure", .anything, "When a run has failed or needs attention.",
        de: "Wenn ein Lauf gescheitert ist oder Aufmerksamkeit braucht."),
    ])

  /// The key of recipes of every kind.
  static let pingKey = KeyDefinition(
    "ping", .any([.text, .mapping(.ping), .map(.anything)]),
    "A URL of a monitoring service such as healthchecks.io: `/start` when a run begins, the URL itself when it has succeeded, "
      + "`/fail` when it has failed; or a URL for each of `start`, `success` and `failure`.",
    de:
      "Eine URL eines Überwachungsdienstes wie healthchecks.io: `/start`, wenn ein Lauf beginnt, die URL selbst, wenn er "
      + "gelungen ist, `/fail`, wenn er gescheitert ist; oder eine URL für jedes von `start`, `success` und `failure`.")

  static let daemonPing = MappingDefinition(
    .daemonPing, "The URL of a monitoring service that learns that the daemon is alive.",
    de: "Die URL eines Überwachungsdienstes, der erfährt, dass der Dienst läuft.",
    [
      KeyDefinition("url", .anything, "The URL.", de: "Die URL.", isRequired: true),
      KeyDefinition(
        "every", .duration, "The time between two requests, from 10s to 1d; default: 1m.",
        de: "Die Zeit zwischen zwei Anfragen, von 10s bis 1d; Vorgabe: 1m."),
    ])
}
