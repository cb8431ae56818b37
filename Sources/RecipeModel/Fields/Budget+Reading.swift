import Localization
package import Plans
package import RecipeSyntax

extension Budget {
  /// Reads a budget.
  ///
  /// - Parameter isOfRecipe: Whether it stands in a recipe: `cost` and `tokens` without a period are then those of a run,
  ///   otherwise of a day.
  package static func read(_ node: Node, _ field: String, isOfRecipe: Bool, _ reader: FieldReader) -> Budget? {
    guard let map = reader.map(node, field, RecipeDefinitions.budget) else { return nil }
    var budget = Budget()
    func period(_ key: String) -> Bound? {
      map[key].flatMap { node in
        reader.map(node, "\(field).\(key)", RecipeDefinitions.budgetBound).flatMap {
          bound(of: $0, "\(field).\(key)", reader)
        }
      }
    }
    budget.run = period("run")
    budget.day = period("day")
    budget.month = period("month")
    guard let own = bound(of: map, field, reader) else { return budget }
    let key = isOfRecipe ? "run" : "day"
    if let entry = map.entry(key) {
      reader.report(
        .conflictingKeys,
        LocalizedText(
          "'cost' and 'tokens' of '\(field)' are those of '\(key)', which stands beside them",
          de: "'cost' und 'tokens' von '\(field)' sind die von '\(key)', das daneben steht"),
        at: entry.nameRange)
    }
    if isOfRecipe { budget.run = own } else { budget.day = own }
    return budget
  }

  private static func bound(of map: Node.Mapping, _ field: String, _ reader: FieldReader) -> Bound? {
    let bound = Bound(
      cost: map["cost"].flatMap { reader.number($0, "\(field).cost", in: RecipeDefinitions.costBounds) },
      tokens: map["tokens"].flatMap { reader.integer($0, "\(field).tokens", in: RecipeDefinitions.tokenBounds) })
    return bound == Bound() ? nil : bound
  }
}

extension RecipeDefinitions {
  static let costBounds = 0.0...1_000_000_000.0
  static let tokenBounds = 0...1_000_000_000_000

  private static let boundKeys = [
    KeyDefinition(
      "cost", .number(costBounds), "Money, in the currency of the prices.", de: "Geld, in der Währung der Preise."),
    KeyDefinition(
      "tokens", .integer(tokenBounds), "Tokens, asked and answered together.",
      de: "Tokens, gefragte und geantwortete zusammen."),
  ]

  package static let budget = MappingDefinition(
    .budget, "The limit for calls of language models; a call that would exceed it does not begin.",
    de: "Was Aufrufe von Sprachmodellen brauchen dürfen; ein Aufruf, der darüber käme, beginnt nicht.",
    boundKeys + [
      KeyDefinition(
        "run", .mapping(.budgetBound), "For each run, with the runs that its steps run.",
        de: "Für jeden Lauf, mit den Läufen, die seine Schritte ausführen."),
      KeyDefinition("day", .mapping(.budgetBound), "For each day.", de: "Für jeden Tag."),
      KeyDefinition("month", .mapping(.budgetBound), "For each month.", de: "Für jeden Monat."),
    ])

  static let budgetBound = MappingDefinition(
    .budgetBound, "The limit of one period.", de: "Was in einem Zeitraum gebraucht werden darf.", boundKeys)

  static let budgetKey = KeyDefinition(
    "budget", .mapping(.budget),
    "The limit for calls of language models: `cost` and `tokens` of a run, and of all runs in a `day` or `month`.",
    de: "Was Aufrufe von Sprachmodellen brauchen dürfen: `cost` und `tokens` eines Laufs, und aller Läufe an einem Tag "
      + "(`day`) oder in einem Monat (`month`).")
}
