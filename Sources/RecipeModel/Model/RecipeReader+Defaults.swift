import Localization
import Plans
import RecipeSyntax
import Schemas

/// Reads `defaults` and `env` of a recipe, and `repeat` of a step.
extension RecipeReader {
  /// Keys of a step that cannot have a default, and where their value belongs.
  private static let withoutDefault: [String: LocalizedText] = {
    let step = LocalizedText("write it in the step", de: "es gehört in den Schritt")
    let top = LocalizedText(
      "at the top of the recipe it holds for all steps", de: "oben im Rezept gilt es für alle Schritte")
    var places: [String: LocalizedText] = [:]
    for name in RecipeDefinitions.step.keyNames { places[name] = step }
    for name in ["local", "prefer", "keywords"] { places[name] = top }
    for name in RecipeDefinitions.stepDefaults.keyNames { places[name] = nil }
    places["env"] = LocalizedText(
      "write 'env' at the top of the recipe", de: "'env' gehört oben in das Rezept")
    places["environment"] = places["env"]
    return places
  }()

  /// Reads `defaults`: keys of steps, and providers by contract.
  func readDefaults(_ node: Node, besides recipeKeys: Node.Mapping, _ recipe: inout Recipe) {
    guard let map = reader.map(node, "defaults", keys: nil) else { return }
    let own = RecipeDefinitions.stepDefaults.keyNames
    for entry in map.entries {
      if own.contains(entry.name), recipe.kind != .general {
        reader.report(
          .notSupported,
          LocalizedText(
            "'\(entry.name)' under 'defaults' is for recipes of kind 'general'; here 'defaults' names providers by contract",
            de:
              "'\(entry.name)' unter 'defaults' gibt es in Rezepten der Art 'general'; hier nennt 'defaults' Provider nach "
              + "Vertrag"),
          at: entry.nameRange)
      } else if let place = Self.withoutDefault[entry.name] {
        reader.report(
          .unknownKey,
          LocalizedText("'\(entry.name)' cannot be a default: ", de: "'\(entry.name)' kann keine Vorgabe sein: ")
            + place,
          at: entry.nameRange)
      }
    }
    recipe.defaults = Configuration.readDefaults(node, reader) {
      !own.contains($0) && Self.withoutDefault[$0] == nil
    }
    guard recipe.kind == .general else { return }
    if let entry = map.entry("retry") {
      recipe.stepDefaults.retry = RetrySettings.read(entry.value, reader)
      if let other = recipeKeys.entry("retry") {
        reader.report(
          .conflictingKeys,
          LocalizedText(
            "'retry' at the top of the recipe and under 'defaults' both hold for all steps; write one of them",
            de: "'retry' oben im Rezept und unter 'defaults' gelten beide für alle Schritte; eines davon genügt"),
          at: entry.nameRange,
          related: [Diagnostic.Related(LocalizedText("the other one", de: "das andere"), at: other.nameRange)])
      }
    }
    recipe.stepDefaults.timeout = map["timeout"].flatMap { reader.duration($0, "defaults.timeout") }
    recipe.stepDefaults.onError = map["on_error"].flatMap {
      reader.errorPolicy($0, "defaults.on_error")
    }
    recipe.stepDefaults.providers = map["provider"].flatMap { reader.routes($0, "defaults.provider") }
  }

  /// A step with what holds for all steps, except where it says something itself.
  ///
  /// A wait has neither attempts nor a time limit of its own, and the steps of another recipe have their own.
  func withDefaults(_ step: Recipe.Step, _ defaults: Recipe.StepDefaults) -> Recipe.Step {
    var step = step
    if !step.hasErrorPolicy, let policy = defaults.onError { step.onError = policy }
    step.block = step.block?.map { withDefaults($0, defaults) }
    guard let action = step.uses?.value, !ActionSignature.waits.contains(action), action != ActionSignature.recipe.name
    else {
      return step
    }
    if step.timeout == nil { step.timeout = defaults.timeout }
    if let retry = defaults.retry {
      step.retry = step.retry.laid(over: retry)
      step.retriesPrograms = true
    }
    step.undo = step.undo.map { undo in
      var undo = withDefaults(undo, defaults)
      undo.onError = .fail
      return undo
    }
    return step
  }

  /// Reads `env`.
  func environment(_ node: Node) -> [Node.Mapping.Entry] {
    guard !node.isNull, let map = reader.map(node, "env", keys: nil) else { return [] }
    return map.entries.filter { entry in
      let isName = entry.name.utf8.enumerated().allSatisfy { position, byte in
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): position > 0
        default: false
        }
      }
      guard isName, !entry.name.isEmpty else {
        reader.report(
          .invalidName,
          LocalizedText(
            "'\(entry.name)' cannot name a variable: letters, digits and '_', not beginning with a digit",
            de: "'\(entry.name)' kann keine Variable benennen: Buchstaben, Ziffern und '_', keine Ziffer am Anfang"),
          at: entry.nameRange)
        return false
      }
      let isSecret = entry.value.mapping.map { $0.entries.count == 1 && $0["secret"]?.scalar != nil } ?? false
      guard isSecret || entry.value.scalar != nil && !entry.value.isNull else {
        guard !entry.value.isInvalid else { return false }
        reader.report(
          .wrongType,
          LocalizedText(
            "the variable '\(entry.name)' needs a text, a number, true, false or { secret: NAME }",
            de: "die Variable '\(entry.name)' braucht einen Text, eine Zahl, true, false oder { secret: NAME }"),
          at: entry.value.range)
        return false
      }
      return true
    }
  }

  /// Reads `repeat` of a step.
  func repetition(_ entry: Node.Mapping.Entry) -> Recipe.Repetition? {
    guard
      let map = reader.map(entry.value, "repeat", RecipeDefinitions.stepRepetition, missingAt: entry.nameRange),
      let until = map["until"], let every = map["every"].flatMap({ reader.duration($0, "repeat.every") })
    else { return nil }
    var limit: PlanStep.Repetition.Limit?
    if let node = map["limit"] {
      if let scalar = node.scalar, SchemaType(of: scalar.value) == .integer {
        guard let times = reader.integer(node, "repeat.limit", in: 1...1_000_000) else { return nil }
        limit = .times(times)
      } else {
        guard let seconds = reader.duration(node, "repeat.limit") else { return nil }
        limit = .seconds(seconds)
      }
    }
    return Recipe.Repetition(until: until, every: every, limit: limit, place: entry.nameRange)
  }
}
