import ArgumentParser
import Builtins
import Expressions
import Localization
import Plans
import RecipeModel
import Schemas
import Server

/// `sous schema`: the JSON Schema of recipes and other files, for editors.
struct SchemaCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "schema",
      abstract: say(
        "Print the JSON Schema of recipes and their tests, for editors, or the description of the server's API.",
        de:
          "Das JSON-Schema der Rezepte und ihrer Tests ausgeben, für Editoren, oder die Beschreibung der API des Servers."
      ))
  }

  @Argument(
    help: ArgumentHelp(
      say(
        "recipe, configuration, preset or test; api for the OpenAPI document, api.md for a page of it.",
        de: "recipe, configuration, preset oder test; api für das OpenAPI-Dokument, api.md für eine Seite daraus."),
      valueName: "file"))
  var file: SchemaFile = .recipe

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() {
    guard let definition = file.definition else {
      if file == .apiPage { return write(APIReference.page(in: Speech.language)) }
      let document = APIReference.document(version: Version.current, in: Speech.language)
      return write((format.json ? document.jsonString : JSONLayout.text(document)) + "\n")
    }
    let catalog = ActionCatalog(BuiltinActions().signatures, contracts: BundledContract.all)
    let schema = RecipeDefinitions.schema(
      of: definition, language: Speech.language,
      names: [
        .action: catalog.signatures.keys.sorted() + [ActionSignature.recipe.name],
        .contract: catalog.contractNames, .prompt: PromptCatalog.bundled.names,
      ])
    // For machines on one line, for the eye and for version control over many.
    writeVerbatim((format.json ? schema.document.jsonString : JSONLayout.text(schema.document)) + "\n")
  }
}

/// The files that have a schema, as the command line names them.
enum SchemaFile: String, ExpressibleByArgument, CaseIterable {
  case recipe
  case configuration
  case preset
  case test
  case api
  case apiPage = "api.md"

  /// The file that people write; `nil` for the description of the API.
  var definition: RecipeDefinitions.File? {
    switch self {
    case .api, .apiPage: nil
    case .recipe: .recipe
    case .configuration: .configuration
    case .preset: .preset
    case .test: .test
    }
  }
}

/// Lays JSON out over lines, with two spaces of indentation.
enum JSONLayout {
  /// The text of a value. Maps and lists that fit into 100 columns are on one line.
  static func text(_ value: Value, indentation: Int = 0) -> String {
    let flat = value.jsonString
    if flat.count + indentation <= 100 { return flat }
    let inner = String(repeating: " ", count: indentation + 2)
    let outer = String(repeating: " ", count: indentation)
    switch value {
    case .map(let map) where map.count > 0:
      let entries = map.entries.map { entry in
        let name: String = if case .string(let name) = entry.key { name } else { "" }
        return inner + Value.string(name).jsonString + ": " + text(entry.value, indentation: indentation + 2)
      }
      return "{\n" + entries.joined(separator: ",\n") + "\n\(outer)}"
    case .list(let elements) where !elements.isEmpty:
      let lines = elements.map { inner + text($0, indentation: indentation + 2) }
      return "[\n" + lines.joined(separator: ",\n") + "\n\(outer)]"
    default: return flat
    }
  }
}
