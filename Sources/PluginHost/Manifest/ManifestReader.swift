import Expressions
import Localization
import PluginBoundary
import RecipeModel
import Schemas

/// Takes the fields of a manifest, or of an object in one, apart.
struct ManifestReader {
  private let members: ValueMap
  private let path: String

  init(_ document: Value, path: String) throws(PluginError) {
    guard case .map(let members) = document else {
      throw PluginError.invalidManifest(path, LocalizedText("it is no JSON object", de: "es ist kein JSON-Objekt"))
    }
    self.members = members
    self.path = path
  }

  private func wrong(_ name: String, _ expected: LocalizedText) -> PluginError {
    PluginError.invalidManifest(
      path, LocalizedText("'\(name)' must be ", de: "'\(name)' muss ") + expected + LocalizedText("", de: " sein"))
  }

  func string(_ name: String) throws(PluginError) -> String {
    guard case .string(let text)? = members[name], !text.isEmpty else {
      throw wrong(name, LocalizedText("a string that is not empty", de: "ein nicht leerer Text"))
    }
    return text
  }

  /// A text with its German translation under `NAME_de`.
  func text(_ name: String) throws(PluginError) -> LocalizedText {
    let english = try string(name)
    guard members[name + "_de"] != nil else { return LocalizedText(verbatim: english) }
    return LocalizedText(english, de: try string(name + "_de"))
  }

  func has(_ name: String) -> Bool { members[name] != nil }

  func flag(_ name: String) throws(PluginError) -> Bool {
    switch members[name] {
    case nil: return false
    case .bool(let flag)?: return flag
    default: throw wrong(name, LocalizedText("true or false", de: "true oder false"))
    }
  }

  func strings(_ name: String) throws(PluginError) -> [String] {
    var result: [String] = []
    for element in try list(name) {
      guard case .string(let text) = element else {
        throw wrong(name, LocalizedText("a list of strings", de: "eine Liste von Texten"))
      }
      result.append(text)
    }
    return result
  }

  func objects(_ name: String) throws(PluginError) -> [ManifestReader] {
    var result: [ManifestReader] = []
    for element in try list(name) {
      guard case .map = element else {
        throw wrong(name, LocalizedText("a list of objects", de: "eine Liste von Objekten"))
      }
      result.append(try ManifestReader(element, path: path))
    }
    return result
  }

  func schema(_ name: String) throws(PluginError) -> Schema? {
    switch members[name] {
    case nil: return nil
    case .map(let document)?: return Schema(document: .map(document))
    default: throw wrong(name, LocalizedText("a JSON Schema", de: "ein JSON-Schema"))
    }
  }

  private func list(_ name: String) throws(PluginError) -> [Value] {
    switch members[name] {
    case nil: return []
    case .list(let elements)?: return elements
    default: throw wrong(name, LocalizedText("a list", de: "eine Liste"))
    }
  }
}
