import Foundation
import Localization
import Plans
import RecipeModel
package import RecipeSyntax

/// A place that names something in the catalog.
package struct CatalogReference: Sendable {
  /// The name that stands there, as it is written.
  package var name: String
  /// The file: of the catalog as it is named there, otherwise as it lies in the project.
  package var path: String
  /// Where the name stands.
  package var range: SourceRange
  /// Whether it is written on one line, so that another name can take its place.
  var isPlain: Bool
  /// The file below the catalog; `nil` for recipes of the project.
  var catalogPath: String?
  /// The text around it.
  var source: SourceText

  /// `recipe.yaml:12`.
  package var place: String { "\(path):\(range.start.line)" }

  init(_ node: Node, _ name: String, _ source: SourceText, catalogPath: String? = nil) {
    self.name = name
    path = source.path
    range = node.range
    isPlain =
      node.scalar.map { $0.style != .literal && $0.style != .folded } ?? false
      && node.range.start.line == node.range.end.line
    self.catalogPath = catalogPath
    self.source = source
  }

  /// What it names: a folder where it ends in `/`.
  var target: CatalogSnapshot.Place {
    let plain = PromptCatalog.split(name).name
    return plain.hasSuffix("/") ? .folder(String(plain.dropLast())) : .file(plain)
  }
}

extension CatalogSnapshot {
  /// What the files of the project's catalog name.
  func references() -> [CatalogReference] {
    files.filter { !bundled.contains($0.key) }.sorted { $0.key < $1.key }.flatMap { path, file in
      let source = file.document.source
      func make(_ node: Node?) -> [CatalogReference] {
        node.flatMap { node in node.string.map { [CatalogReference(node, $0, source, catalogPath: path)] } } ?? []
      }
      func contents(_ node: Node?, _ depth: Int) -> [CatalogReference] {
        guard depth < 64 else { return [] }
        return (node?.sequence ?? []).flatMap { entry in
          make(entry.mapping == nil ? entry : entry.mapping?["recipe"])
            + contents(entry.mapping?["contents"], depth + 1)
        }
      }
      return make(file.map["preset"]) + (file.map["elements"]?.sequence ?? []).flatMap { make($0) }
        + contents(file.map["contents"], 0)
    }
  }
}

extension CatalogStore {
  /// The most recipes that are looked through for names of prompts; of those beyond no one may contain them.
  private static let recipeLimit = 20_000

  /// What the recipes of the project name: `prompt` and `use` with a name of the catalog.
  ///
  /// - Parameter places: What is looked for; files without its names may be wrong.
  /// - Throws: ``CatalogError`` where a recipe cannot be read, as nobody knows what it names.
  func recipeReferences(to places: [CatalogSnapshot.Place]) throws(CatalogError) -> [CatalogReference] {
    let labels = places.map(\.label)
    var found: [CatalogReference] = []
    var count = 0
    let root = project.isEmpty ? "." : project
    guard let files = FileManager.default.enumerator(atPath: root) else { return [] }
    for case let path as String in files {
      let last = (path as NSString).lastPathComponent
      var isFolder: ObjCBool = false
      let full = root == "." ? path : root + "/" + path
      if last.hasPrefix(".") || last == "node_modules" || full == folder || last.hasSuffix(".partial") {
        files.skipDescendants()
        continue
      }
      guard path.hasSuffix(".yaml") || path.hasSuffix(".yml"),
        FileManager.default.fileExists(atPath: full, isDirectory: &isFolder), !isFolder.boolValue
      else { continue }
      count += 1
      let source: SourceText
      do {
        source = try SourceText.read(full)
      } catch {
        throw CatalogError(.storage, LocalizedText(verbatim: full + ": ") + error.message)
      }
      guard source.text.contains("prompt") || source.text.contains("use") else { continue }
      guard count <= Self.recipeLimit else {
        if let label = Self.first(of: labels, in: source) { throw Self.beyondLimit(full, label) }
        continue
      }
      let (document, diagnostics) = YAMLDocument.parse(source)
      if let root = document?.root {
        Self.collect(root, source, &found, 0)
      } else if document == nil, let label = Self.first(of: labels, in: source) {
        throw Self.wrong(full, label, diagnostics.first { $0.severity == .error } ?? diagnostics.first)
      }
    }
    return found
  }

  /// The first of some names that a text contains.
  private static func first(of labels: [String], in source: SourceText) -> String? {
    let text = source.text
    return labels.first { text.contains($0) }
  }

  private static func wrong(_ path: String, _ label: String, _ problem: Diagnostic?) -> CatalogError {
    let place = problem?.range.map { "\(path):\($0.start.line)" } ?? path
    let reason = problem.map { LocalizedText(verbatim: ": ") + $0.message } ?? LocalizedText(verbatim: "")
    return CatalogError(
      .broken,
      LocalizedText(
        "\(place) is no valid YAML and may name '\(label)'; correct the file or remove it, and try again",
        de: "\(place) ist kein gültiges YAML und nennt vielleicht '\(label)'; "
          + "die Datei berichtigen oder entfernen und es noch einmal versuchen") + reason)
  }

  private static func beyondLimit(_ path: String, _ label: String) -> CatalogError {
    CatalogError(
      .storage,
      "\(path) may name '\(label)', but only \(recipeLimit) YAML files of a project are looked through; "
        + "move files that are no recipes out of the project, and try again",
      de: "\(path) nennt vielleicht '\(label)', aber nur \(recipeLimit) YAML-Dateien eines Projekts werden "
        + "durchgesehen; Dateien, die keine Rezepte sind, aus dem Projekt verschieben und es noch einmal versuchen")
  }

  private static func collect(_ node: Node, _ source: SourceText, _ found: inout [CatalogReference], _ depth: Int) {
    guard depth < 64 else { return }
    for element in node.sequence ?? [] { collect(element, source, &found, depth + 1) }
    for entry in node.mapping?.entries ?? [] where !entry.isMerged {
      if entry.name == "prompt" || entry.name == "use", let name = entry.value.string, PromptCatalog.isName(name) {
        found.append(CatalogReference(entry.value, name, source))
      } else {
        collect(entry.value, source, &found, depth + 1)
      }
    }
  }
}
