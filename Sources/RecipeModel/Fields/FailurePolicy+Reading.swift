import Localization
package import Plans
package import RecipeSyntax

extension FailurePolicy {
  static let everyBounds = 2...10_000
  private static let digestBounds = 60.0...(31 * 86_400.0)

  /// Reads a policy.
  ///
  /// - Parameters:
  ///   - node: A map, `true`, or `false` to tell nothing.
  ///   - field: The key, for messages.
  package static func read(_ node: Node, _ field: String, _ reader: FieldReader) -> FailurePolicy? {
    var policy = FailurePolicy()
    if node.isNull { return nil }
    guard node.mapping != nil else {
      guard let isOn = reader.bool(node, field) else { return nil }
      policy.isOn = isOn
      return policy
    }
    guard let map = reader.map(node, field, RecipeDefinitions.failurePolicy) else { return nil }
    if let value = map["first"].flatMap({ reader.bool($0, "\(field).first") }) { policy.first = value }
    policy.every = map["every"].flatMap { reader.integer($0, "\(field).every", in: everyBounds) }
    if let value = map["recovery"].flatMap({ reader.bool($0, "\(field).recovery") }) { policy.recovery = value }
    policy.digest = map["digest"].flatMap { digest($0, field, reader) }
    policy.providers = map["provider"].flatMap { reader.strings($0, "\(field).provider")?.map(\.value) }
    policy.mail = map["mail"].flatMap { reader.strings($0, "\(field).mail")?.map(\.value) } ?? []
    return policy
  }

  private static func digest(_ node: Node, _ field: String, _ reader: FieldReader) -> Double? {
    guard let seconds = reader.duration(node, "\(field).digest") else { return nil }
    guard digestBounds.contains(seconds) else {
      reader.report(
        .invalidValue,
        LocalizedText(
          "'\(field).digest' is between a minute and a month: 1h, 1d",
          de: "'\(field).digest' liegt zwischen einer Minute und einem Monat: 1h, 1d"), at: node.range)
      return nil
    }
    return seconds
  }
}

extension RecipeDefinitions {
  static let failurePolicy = MappingDefinition(
    .failurePolicy, "Who is told that runs fail and work again, and when.",
    de: "Wem wann gesagt wird, dass Läufe fehlschlagen und wieder gelingen.",
    [
      KeyDefinition(
        "first", .boolean, "The first failure of a recipe; default: true.",
        de: "Der erste Fehlschlag eines Rezepts; Vorgabe: true."),
      KeyDefinition(
        "every", .integer(FailurePolicy.everyBounds), "Every so many failures in a row; default: none.",
        de: "Jeder so vielte Fehlschlag in Folge; Vorgabe: keiner."),
      KeyDefinition(
        "recovery", .boolean, "That it works again; default: true.", de: "Dass es wieder gelingt; Vorgabe: true."),
      KeyDefinition(
        "digest", .duration, "Gathers what there is to tell into one message in so much time: `1h`, `1d`.",
        de: "Sammelt in so viel Zeit, was zu sagen ist, in einer Nachricht: `1h`, `1d`."),
      KeyDefinition(
        "provider", .names(.provider), "The provider; a list is a fallback order. Default: that of `notify`.",
        de: "Der Provider für `notify`; eine Liste ist eine Ausweichreihenfolge. Vorgabe: der Standard."),
      KeyDefinition(
        "mail", .texts, "Addresses that get it by mail, through the default for `mail.transport`.",
        de: "Adressen, die es per Mail bekommen, über den Standard für `mail.transport`."),
    ])

  /// The key of recipes of every kind.
  static let notifyKey = KeyDefinition(
    "notify", .any([.boolean, .mapping(.failurePolicy), .null]),
    "Who is told that its runs fail and work again, instead of `engine.on_failure`; `false` for nobody.",
    de: "Wem gesagt wird, dass seine Läufe fehlschlagen und wieder gelingen, statt `engine.on_failure`; `false` für "
      + "niemanden.")
}
