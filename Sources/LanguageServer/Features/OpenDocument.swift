import RecipeModel
import RecipeSyntax
import Schemas

/// A file that is open in the editor.
struct OpenDocument: Sendable {
  /// The kind of file.
  enum Sort: Sendable {
    case recipe
    case configuration
    case preset
    /// A test of a recipe.
    case test
    /// Nothing of Sous.
    case other
  }

  /// What `kind` of a recipe can be.
  static let recipeKinds = ["general", "chain", "mail-filter", "reminder", "send"]

  let uri: String
  let path: String
  /// Whether the command line names it as the configuration.
  let isNamedConfiguration: Bool
  var version: Int64?
  var buffer: TextBuffer
  /// The top of the file when it was last valid YAML.
  private(set) var tree: Node?
  /// The current file; `nil` if it is not YAML.
  private(set) var yaml: YAMLDocument?

  init(uri: String, path: String, version: Int64?, text: String, isNamedConfiguration: Bool = false) {
    self.uri = uri
    self.path = path
    self.isNamedConfiguration = isNamedConfiguration
    self.version = version
    buffer = TextBuffer(text)
    readTree()
  }

  mutating func readTree() {
    yaml = YAMLDocument.parse(source).document
    if let root = yaml?.root { tree = root }
  }

  var source: SourceText { SourceText(path: path, bytes: buffer.bytes) }

  var outline: Outline { Outline(buffer) }

  /// The kind of file, by its name and, for a recipe, by its top-level keys.
  var sort: Sort {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    if name == "sous.yaml" || isNamedConfiguration { return .configuration }
    if name.hasSuffix(".test.yaml") || name.hasSuffix(".test.yml") { return .test }
    if path.contains("/catalog/"), name != "folder.yaml" { return .preset }
    let outline = outline
    if let kind = outline.text([.key("kind")]) {
      return Self.recipeKinds.contains(kind) || kind.isEmpty ? .recipe : .other
    }
    let keys = Set(outline.keys(below: []).map(\.name))
    if keys.contains("steps") || path.contains("/workflows/") || keys.isEmpty { return .recipe }
    return keys.isSubset(of: RecipeDefinitions.root(of: .recipe).keyNames) ? .recipe : .other
  }

  /// The table of keys that applies; `nil` if none does.
  var file: RecipeDefinitions.File? {
    switch sort {
    case .recipe: .recipe
    case .configuration: .configuration
    case .preset: .preset
    case .test: .test
    case .other: nil
    }
  }
}
