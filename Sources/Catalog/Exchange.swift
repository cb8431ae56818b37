import Expressions
package import Localization

/// The JSON form in which other programs keep a catalog, `CatalogExport` version 1.
package enum Exchange {
  /// The arrays of the form.
  enum Section: String, CaseIterable {
    case items = "menuItems"
    case presets
    case recipes
    case cookbooks
    case entries = "recipeMenuItems"

    /// Other names that the array has, and those of older storage.
    var spellings: [String] {
      switch self {
      case .items: ["menuItems", "menuitems", "config.ai.preprompt.menu", "config.ai.preprompts.menu"]
      case .presets: ["presets", "config.ai.preprompts"]
      case .recipes: ["recipes", "config.ai.preprompt.recipes", "config.ai.preprompts.recipes"]
      case .cookbooks: ["cookbooks", "config.ai.preprompt.cookbooks", "config.ai.preprompts.cookbooks"]
      case .entries:
        [
          "recipeMenuItems", "recipemenuitems", "config.ai.preprompt.recipemenu", "config.ai.preprompts.recipemenu",
          "config.ai.preprompt.recipe menu",
        ]
      }
    }
  }

  /// The file beside the presets that keeps what they have no place for: the order of the arrays, unknown fields.
  package static let file = "exchange.json"

  /// An object of an array.
  struct Object {
    /// What stands there, with the usual spelling of its fields.
    var fields: ValueMap
    /// `menuItems[3]`, for messages.
    var place: String

    func text(_ name: String) -> String { fields[name]?.stringValue ?? "" }
    /// A UUID in capitals; two that differ in case alone are the same.
    func id(_ name: String) -> String? { fields[name]?.stringValue?.uppercased() }
    var id: String { id("id") ?? "" }
    var order: Int { fields["sortOrder"]?.intValue.map { Int($0) } ?? 0 }
  }

  /// What was read.
  struct Content {
    var objects: [Section: [Object]] = [:]
    /// What stands beside the arrays.
    var rest = ValueMap()
    /// What a person should know although it is no mistake.
    var remarks: [LocalizedText] = []

    subscript(section: Section) -> [Object] { objects[section] ?? [] }
  }
}

/// What an import has done, or would do.
package struct ImportResult: Sendable {
  /// How many objects of each array there are: `menuItems` …
  package var counts: [(name: String, count: Int)]
  /// What a person should know although it is no mistake.
  package var remarks: [LocalizedText]
  /// The files that are new or changed, below the catalog.
  package var files: [String]
}
