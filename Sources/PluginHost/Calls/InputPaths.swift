import Engine
import Expressions
import Recipes

/// The inputs of a plugin's actions that are paths of files: a recipe may name only files that it may read.
///
/// An input is a path where the schema of the plugin or of the contract says `"format": "path"`.
struct InputPaths: Sendable {
  /// Gives the path of a file, or refuses it.
  typealias Fence = @Sendable (String) throws(ActionFailure) -> String

  private let fence: Fence?
  /// By action the schemas that have paths.
  private let schemas: [String: [Value]]

  /// No path is looked at.
  init() { (fence, schemas) = (nil, [:]) }

  /// Looks through the schemas of a plugin's actions.
  init(_ manifest: PluginManifest, fence: Fence?) {
    self.fence = fence
    var schemas: [String: [Value]] = [:]
    if fence != nil {
      let published = BundledContract.all.flatMap(\.signatures)
      for action in manifest.actions {
        let contract = published.first { $0.name == action.name }?.input.document
        schemas[action.name] = [action.input?.document, contract].compactMap(\.self).filter(Self.hasPath)
      }
    }
    self.schemas = schemas.filter { !$0.value.isEmpty }
  }

  /// The input with each path as the fence gives it.
  ///
  /// - Throws: What the fence throws.
  func fenced(_ input: Value, of action: String) throws(ActionFailure) -> Value {
    guard let fence, let schemas = schemas[action] else { return input }
    var input = input
    for schema in schemas { input = try Self.fenced(input, schema, fence) }
    return input
  }

  private static let alternatives = ["anyOf", "oneOf", "allOf"]

  private static func fenced(_ value: Value, _ schema: Value, _ fence: Fence) throws(ActionFailure) -> Value {
    guard case .map(let members) = schema else { return value }
    var value = value
    for key in alternatives {
      for schema in members[key]?.listValue ?? [] { value = try fenced(value, schema, fence) }
    }
    switch value {
    case .string(let path) where members["format"] == .string("path"): return .string(try fence(path))
    case .list(let elements):
      guard let items = members["items"] else { return value }
      var list: [Value] = []
      for element in elements { list.append(try fenced(element, items, fence)) }
      return .list(list)
    case .map(var map):
      guard case .map(let properties)? = members["properties"] else { return value }
      for (key, entry) in map.entries {
        guard case .string(let name) = key, let schema = properties[name] else { continue }
        map[name] = try fenced(entry, schema, fence)
      }
      return .map(map)
    default: return value
    }
  }

  /// Whether a schema has a path anywhere.
  private static func hasPath(_ schema: Value) -> Bool {
    switch schema {
    case .map(let members):
      members["format"] == .string("path") || members.entries.contains { hasPath($0.value) }
    case .list(let elements): elements.contains(where: hasPath)
    default: false
    }
  }
}
