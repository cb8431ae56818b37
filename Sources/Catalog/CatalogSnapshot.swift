import Foundation
import Hashing
package import Localization
import Plans
package import RecipeModel
package import RecipeSyntax
import Schemas

/// All files of a catalog as they are at one moment.
package struct CatalogSnapshot: Sendable {
  /// A folder or what a file holds.
  package enum Place: Sendable, Hashable {
    /// A folder by its path; the catalog itself is "".
    case folder(String)
    /// A preset, an item, a composition or a cookbook by its name.
    case file(String)

    /// The name, of a folder without a slash at its end.
    package var name: String {
      switch self {
      case .folder(let name), .file(let name): name
      }
    }

    /// The path of its file below the catalog.
    package var path: String {
      switch self {
      case .folder(let name): CatalogFile.path(of: name, isFolder: true)
      case .file(let name): CatalogFile.path(of: name, isFolder: false)
      }
    }
  }

  /// The most files a catalog may have.
  static let fileLimit = 20_000

  /// The files by their paths below the catalog: `mail/summary.yaml`.
  package private(set) var files: [String: CatalogFile] = [:]
  /// The paths of those that come with Sous.
  package private(set) var bundled: Set<String> = []
  /// The folders.
  package private(set) var folders: Set<String> = []
  /// What is wrong with files.
  package private(set) var problems: [Diagnostic] = []
  /// The texts of all files of the project, also of those that are wrong.
  private(set) var texts: [String: SourceText] = [:]
  /// The language of names: `de`.
  package var language = "en"

  /// Reads a catalog.
  ///
  /// - Parameters:
  ///   - folder: `catalog/` beside `sous.yaml`; it need not be there.
  ///   - language: The language of names.
  /// - Throws: ``CatalogError`` where it has more files than ``fileLimit``.
  package init(folder: String, language: Language) throws(CatalogError) {
    self.language = language.rawValue
    for path in try Self.paths(in: folder) {
      do {
        add(path, try SourceText.read(folder + "/" + path))
      } catch {
        problems.append(error)
      }
    }
    let offered = OfferedPrompts(folder: folder).names
    for (path, text) in BundledPrompts.files where texts[path] == nil {
      guard !offered.contains(BundledPrompts.offeredName(of: path)) else { continue }
      bundled.insert(path)
      read(path, SourceText(path: "<bundled>/" + path, text: text))
    }
  }

  /// Takes files that are not on the disk.
  init(texts: [String: String]) {
    for (path, text) in texts.sorted(by: { $0.key < $1.key }) { add(path, SourceText(path: path, text: text)) }
  }

  private mutating func add(_ path: String, _ source: SourceText) {
    texts[path] = source
    read(path, source)
  }

  private mutating func read(_ path: String, _ source: SourceText) {
    let isFolder = path == "folder.yaml" || path.hasSuffix("/folder.yaml")
    let name = isFolder ? String(path.dropLast(path == "folder.yaml" ? 11 : 12)) : String(path.dropLast(5))
    let (file, diagnostics) = CatalogFile.read(name, isFolder: isFolder, source)
    problems += diagnostics
    if let file { files[path] = file }
    var folder = isFolder ? name : Self.parent(of: name)
    while !folder.isEmpty, folders.insert(folder).inserted { folder = Self.parent(of: folder) }
  }

  /// The YAML files below a folder, hidden ones left out.
  static func paths(in folder: String) throws(CatalogError) -> [String] {
    let manager = FileManager.default
    var found: [String] = []
    var open = [""]
    while let prefix = open.popLast() {
      let names = (try? manager.contentsOfDirectory(atPath: folder + "/" + prefix)) ?? []
      for name in names.sorted() where !name.hasPrefix(".") {
        var isFolder: ObjCBool = false
        guard manager.fileExists(atPath: folder + "/" + prefix + name, isDirectory: &isFolder) else { continue }
        if isFolder.boolValue {
          if prefix.split(separator: "/").count < 64 { open.append(prefix + name + "/") }
        } else if name.hasSuffix(".yaml") {
          found.append(prefix + name)
        }
      }
      guard found.count <= fileLimit else {
        throw CatalogError(
          .storage, "\(folder) has more than \(fileLimit) files", de: "\(folder) hat mehr als \(fileLimit) Dateien")
      }
    }
    return found.sorted()
  }

  /// The folder that something stands in; "" for the catalog itself.
  package static func parent(of name: String) -> String {
    name.lastIndex(of: "/").map { String(name[..<$0]) } ?? ""
  }

  // MARK: Looking

  /// The file of a place; `nil` for a folder without one.
  package func file(_ place: Place) -> CatalogFile? { files[place.path] }

  /// The version of an entry: the hash of its file's text, of no text for a folder without a file.
  package func version(of place: Place) -> String {
    ContentHash.hexadecimal(of: file(place)?.document.source.bytes ?? [])
  }

  /// Refuses to change an entry that has another version.
  func require(_ version: String?, of place: Place) throws(CatalogError) {
    guard let version, version != self.version(of: place) else { return }
    throw CatalogError(
      .changed, "'\(place.label)' was changed meanwhile: read it again and repeat your change",
      de: "'\(place.label)' wurde inzwischen geändert: neu lesen und die Änderung wiederholen")
  }

  /// What people call it.
  package func title(_ place: Place) -> String {
    file(place)?.title(in: language) ?? (place.name.split(separator: "/").last.map(String.init) ?? "")
  }

  /// What stands in a folder, in its order: by number, then by name.
  package func children(of folder: String) -> [Place] {
    let names = files.values.filter { $0.kind != .folder && Self.parent(of: $0.name) == folder }.map {
      Place.file($0.name)
    }
    let inner = folders.filter { Self.parent(of: $0) == folder && $0 != folder }.map { Place.folder($0) }
    return sorted(names + inner)
  }

  private func sorted(_ places: [Place]) -> [Place] {
    let keyed = places.map { ($0, file($0)?.order ?? .max, title($0).lowercased()) }
    return keyed.sorted { ($0.1, $0.2, $0.0.path) < ($1.1, $1.2, $1.0.path) }.map(\.0)
  }

  /// All that is below a folder, at any depth, in the order of the menu.
  package func descendants(of folder: String) -> [Place] {
    var byParent: [String: [Place]] = [:]
    for file in files.values where file.kind != .folder {
      byParent[Self.parent(of: file.name), default: []].append(.file(file.name))
    }
    for inner in folders { byParent[Self.parent(of: inner), default: []].append(.folder(inner)) }
    var result: [Place] = []
    var open = sorted(byParent[folder] ?? []).reversed() + []
    while let place = open.popLast() {
      result.append(place)
      if case .folder(let name) = place { open += sorted(byParent[name] ?? []).reversed() }
    }
    return result
  }

  /// What a person names: by path, `mail/summary`, or by the names that people see, `Mail/Summary`.
  ///
  /// - Throws: ``CatalogError`` with code `not_found` and the nearest name.
  package func find(_ text: String) throws(CatalogError) -> Place {
    var name = PromptCatalog.split(text).name
    if name.hasSuffix(".yaml") { name = String(name.dropLast(5)) }
    if name.isEmpty || name == "/" || name == "." { return .folder("") }
    if name.hasSuffix("/") {
      name = String(name.dropLast())
    } else if files[name + ".yaml"] != nil {
      return .file(name)
    }
    if folders.contains(name) { return .folder(name) }
    let all = descendants(of: "")
    let matches = all.filter {
      titlePath($0).lowercased() == name.lowercased() || $0.name.lowercased() == name.lowercased()
    }
    if let match = matches.first, matches.count == 1 { return match }
    let last = all.filter {
      title($0).lowercased() == name.lowercased()
        || $0.name.split(separator: "/").last?.lowercased() == name.lowercased()
    }
    if let match = last.first, last.count == 1 { return match }
    if matches.count > 1 || last.count > 1 {
      let names = (matches.isEmpty ? last : matches).map(\.name).joined(separator: ", ")
      throw CatalogError(
        .notFound, "several are called '\(text)': \(names)", de: "mehrere heißen '\(text)': \(names)")
    }
    let path = "/" + name + ".yaml"
    if let problem = problems.first(where: { $0.severity == .error && ("/" + $0.path).hasSuffix(path) }) {
      let line = problem.range.map { ":\($0.start.line)" } ?? ""
      throw CatalogError(.broken, LocalizedText(verbatim: problem.path + line + ": ") + problem.message)
    }
    throw CatalogError(
      .notFound,
      LocalizedText("the catalog has no '\(text)'", de: "der Katalog hat kein '\(text)'")
        + Suggestion.text(for: name, among: all.map(\.name)))
  }

  /// The names from the root on, as people see them: `Mail/Reply/Draft`.
  package func titlePath(_ place: Place) -> String { path(to: place).map { title($0) }.joined(separator: "/") }

  /// The folders above something, outermost first, and itself.
  package func path(to place: Place) -> [Place] {
    var result = [place]
    var folder = Self.parent(of: place.name)
    while !folder.isEmpty {
      result.insert(.folder(folder), at: 0)
      folder = Self.parent(of: folder)
    }
    return result
  }

  /// Whether something comes with Sous and is no file of the project.
  package func isBundled(_ place: Place) -> Bool {
    guard case .folder(let name) = place else { return bundled.contains(place.path) }
    return !texts.keys.contains { $0.hasPrefix(name + "/") }
  }
}
