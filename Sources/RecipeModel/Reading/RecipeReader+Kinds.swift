import Localization
import Plans
import RecipeSyntax
import Schemas

extension RecipeReader {
  /// The recipe; `nil` where the document is none, or one of a kind that cannot be read. What is wrong with parts of it
  /// is left out and reported.
  package func recipe() -> Recipe? {
    guard let root = document.root else { return nil }
    guard let anyMap = root.mapping else {
      reader.mismatch(root, "recipe", wanted: SchemaType.object.name)
      return nil
    }
    var kind = RecipeKind.general
    if let node = anyMap["kind"] {
      guard let named = self.kind(node) else { return nil }
      guard RecipeDefinitions.kinds.contains(where: { $0.kind == named }) else {
        reader.report(
          .notSupported,
          LocalizedText(
            "recipes of kind '\(named.rawValue)' are not yet supported by this version",
            de: "Rezepte der Art '\(named.rawValue)' unterstützt diese Version noch nicht"),
          at: node.range)
        return nil
      }
      kind = named
    }
    let definition = RecipeDefinitions.root(of: .recipe, kind: kind.rawValue)
    guard
      let map = kind == .general
        ? reader.map(root, "recipe", keys: definition.keyNames) : reader.map(root, "recipe", definition)
    else { return nil }
    var recipe = Recipe(document: document, name: Self.defaultName(document.source.path))
    recipe.kind = kind
    readCommon(map, &recipe)
    switch kind {
    case .general:
      let failing = map["on_failure"].map { stepsOnFailure($0) } ?? []
      recipe.steps = arrange(
        steps(map, root).map { withDefaults($0, recipe.stepDefaults) },
        onFailure: failing.map { withDefaults($0, recipe.stepDefaults) })
      if let node = map["outputs"], !node.isNull { recipe.outputs = outputs(node) }
    case .chain: ChainReader(reader: reader).read(map, &recipe)
    case .mailFilter: MailFilterReader(reader: reader).read(map, &recipe)
    case .reminder: ReminderReader(reader: reader).read(map, &recipe)
    case .send: SendReader(reader: reader).read(map, &recipe)
    case .answer: return nil
    }
    return recipe
  }

  private func kind(_ node: Node) -> RecipeKind? {
    guard let text = reader.string(node, "kind") else { return nil }
    if let kind = RecipeKind(rawValue: text) { return kind }
    let known = RecipeKind.allCases.map(\.rawValue)
    reader.report(
      .unknownKind,
      LocalizedText(
        "unknown kind of recipe '\(text)'; known are \(known.joined(separator: ", "))",
        de: "unbekannte Art von Rezept '\(text)'; bekannt sind \(known.joined(separator: ", "))"),
      at: node.range, suggestion: reader.suggestion(for: text, among: known))
    return nil
  }
}
