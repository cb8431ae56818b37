import Expressions
import Localization
package import Plans
package import RecipeSyntax

extension RecipeTool {
  /// Reads `tool`: `true`, or a map with a name, a description and the approval.
  ///
  /// - Returns: `nil` if the recipe is not a tool.
  package static func read(_ node: Node, _ reader: FieldReader) -> RecipeTool? {
    guard !node.isNull else { return nil }
    guard node.mapping != nil else { return reader.bool(node, "tool") == true ? RecipeTool() : nil }
    guard let map = reader.map(node, "tool", RecipeDefinitions.recipeTool) else { return nil }
    var tool = RecipeTool()
    if let written = map["name"], let name = reader.name(written, "tool.name")?.value {
      if isName(name) {
        tool.name = name
      } else {
        reader.report(
          .invalidName,
          LocalizedText(
            "the name of a tool has 1 to 64 letters without accents, digits, '_' and '-'",
            de: "der Name eines Werkzeugs hat 1 bis 64 Buchstaben ohne Akzente, Ziffern, '_' und '-'"),
          at: written.range)
      }
    }
    tool.summary = map["description"].flatMap { reader.name($0, "tool.description")?.value }
    if let written = map["approve"] {
      if case .bool(let isNeeded)? = written.scalar?.value {
        tool.approval = isNeeded ? .always : .never
      } else {
        tool.approval = reader.choice(written, "tool.approve", of: Approval.self)
      }
    }
    return tool
  }
}

extension RecipeDefinitions {
  static let recipeTool = MappingDefinition(
    .recipeTool, "How assistants call the recipe.", de: "Wie Assistenten das Rezept aufrufen.",
    [
      KeyDefinition(
        "name", .text, "Its name for the assistant; absent: made from the recipe's name.",
        de: "Wie der Assistent es nennt; fehlt es: aus dem Namen des Rezepts gebildet."),
      KeyDefinition(
        "description", .text, "Its purpose, for the assistant; absent: the recipe's description.",
        de: "Wofür es da ist, für den Assistenten; fehlt es: die Beschreibung des Rezepts."),
      KeyDefinition(
        "approve", .any([.boolean, .words(of: RecipeTool.Approval.self)]),
        "Whether a person has to approve each call; absent: yes if a step changes or sends something.",
        de: "Ob ein Mensch jedem Aufruf zustimmen muss; fehlt es: wenn ein Schritt etwas ändert oder sendet."),
    ])

  /// The key of recipes of every kind.
  static let recipeToolKey = KeyDefinition(
    "tool", .any([.boolean, .mapping(.recipeTool)]),
    "Opens the recipe to assistants as a tool of its own (`sous mcp`): `true`, or a map.",
    de: "Öffnet das Rezept für Assistenten als eigenes Werkzeug (`sous mcp`): `true` oder eine Map.")
}
