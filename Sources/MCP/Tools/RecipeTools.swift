import Expressions
import Localization

/// The tools that recipes are, made from the answers of the API.
enum RecipeTools {
  /// The most bytes of a name.
  private static let longestName = 64

  /// The names of recipes that are tools, by the names of their tools, ordered by these.
  ///
  /// - Parameters:
  ///   - recipes: Recipes as `listRecipes` or `showRecipe` answers them.
  ///   - taken: Names that other tools have.
  static func names(of recipes: [Value], besides taken: Set<String>) -> [(tool: String, recipe: Value)] {
    var taken = taken
    var found: [(tool: String, recipe: Value)] = []
    let open = recipes.filter { $0["tool"]?.mapValue != nil && ($0["problems"]?.listValue ?? []).isEmpty }
    for recipe in open.sorted(by: { ($0["path"]?.stringValue ?? "") < ($1["path"]?.stringValue ?? "") }) {
      let wanted = name(recipe["tool"]?["name"]?.stringValue ?? recipe["name"]?.stringValue ?? "")
      var (name, number) = (wanted, 1)
      while !taken.insert(name).inserted {
        number += 1
        name = String(wanted.prefix(longestName - 4)) + "_\(number)"
      }
      found.append((name, recipe))
    }
    return found.sorted { $0.tool < $1.tool }
  }

  /// A tool.
  ///
  /// - Parameters:
  ///   - name: The name of the tool.
  ///   - recipe: The answer of `showRecipe`.
  static func tool(_ name: String, _ recipe: Value, in language: Language) -> AssistantTool {
    let title = recipe["name"]?.stringValue ?? name
    let summary =
      recipe["tool"]?["description"]?.stringValue ?? recipe["summary"]?.stringValue
      ?? LocalizedText("Runs the recipe '\(title)'.", de: "Führt das Rezept '\(title)' aus.").string(in: language)
    var properties = ValueMap()
    var required: [String] = []
    for input in recipe["inputs"]?.listValue ?? [] {
      guard let name = input["name"]?.stringValue else { continue }
      properties[name] = input["schema"] ?? [:]
      if input["required"]?.boolValue ?? false { required.append(name) }
    }
    return AssistantTool(
      name: name, title: title, summary: summary, input: BuiltInTools.object(properties, required: required),
      output: output(recipe["outputs"]?.listValue ?? []), operation: "runRecipe", work: .recipe(title))
  }

  /// The schema of the outputs; `nil` for a recipe without outputs.
  private static func output(_ outputs: [Value]) -> Value? {
    guard !outputs.isEmpty else { return nil }
    var properties = ValueMap()
    for output in outputs {
      if let name = output["name"]?.stringValue { properties[name] = output["schema"] ?? [:] }
    }
    return [
      "type": "object", "properties": .map(properties),
      "required": .list(properties.keys.map { .string($0.text) }),
    ]
  }

  /// A text as the name of a tool: other characters than letters, digits, `_` and `-` become `_`.
  static func name(_ text: String) -> String {
    var name = ""
    for scalar in text.unicodeScalars.prefix(longestName) {
      let isPlain = scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
      name.unicodeScalars.append(isPlain || scalar == "_" || scalar == "-" ? scalar : "_")
    }
    return name.isEmpty ? "recipe" : name
  }
}
