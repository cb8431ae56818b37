public import Localization
import Plans
package import RecipeSyntax

/// The prompts that recipes can name: files in folders, the project's over those that come with Sous.
///
/// A preset is `FOLDER/NAME.yaml` with `prompt`. A file with `preset` points to one, a file with `elements` makes one prompt
/// of several (``CatalogFile/Kind``). A folder may have a `folder.yaml` whose `keywords` all its presets inherit; folders
/// nest.
public struct PromptCatalog: Sendable {
  private let sources: [any PromptSource]
  /// The language of prompts that have several: the process's own unless the name ends in one, as `mail/summary.de`.
  public var language: Language

  /// Creates a catalog.
  ///
  /// - Parameters:
  ///   - sources: Where to look, first choice first; a file hides those of the same name further back.
  ///   - language: The language of prompts that have several.
  public init(_ sources: [any PromptSource], language: Language = .english) {
    self.sources = sources
    self.language = language
  }

  /// The prompts that come with Sous.
  public static let bundled = PromptCatalog([BundledPrompts()])

  /// A project's prompts over those that come with Sous.
  ///
  /// - Parameter directory: The folder of `sous.yaml`, whose `catalog/` is looked at.
  public static func project(in directory: String) -> PromptCatalog {
    let folder = RecipePath.resolve("catalog", in: directory)
    return PromptCatalog([PromptFolder(path: folder), BundledPrompts(without: OfferedPrompts(folder: folder).names)])
  }

  /// The names of all presets and compositions, sorted.
  public var names: [String] { Set(sources.flatMap(\.names)).sorted() }

  /// Whether a text has the form of a preset's name: words of letters, digits, `_` and `-` with slashes between.
  ///
  /// One that stands in no folder begins with `./`. A language or an extension may follow: `mail/summary.de`.
  public static func isName(_ text: String) -> Bool {
    guard text.utf8.count <= 1000 else { return false }
    let isAtRoot = text.hasPrefix("./")
    var body = isAtRoot ? text.dropFirst(2) : text[...]
    if let suffix = [".yaml", ".yml"].first(where: body.hasSuffix) { body = body.dropLast(suffix.count) }
    body = split(String(body)).name[...]
    let parts = body.split(separator: "/", omittingEmptySubsequences: false)
    return parts.count >= (isAtRoot ? 1 : 2)
      && parts.allSatisfy { part in
        !part.isEmpty && part.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
      }
  }

  /// A name without `./` before it and the language behind it.
  package static func split(_ name: String) -> (name: String, language: Language?) {
    let plain = name.hasPrefix("./") ? String(name.dropFirst(2)) : name
    for language in Language.allCases where plain.hasSuffix("." + language.rawValue) {
      return (String(plain.dropLast(3)), language)
    }
    return (plain, nil)
  }

  /// A preset or a composition, and what is wrong with its files.
  ///
  /// - Returns: `nil` without diagnostics where there is no such preset.
  package func preset(_ name: String) -> (preset: PromptPreset?, diagnostics: [Diagnostic]) {
    let (plain, chosen) = Self.split(name)
    var reading = PromptReading(catalog: self, language: (chosen ?? language).rawValue)
    return (reading.preset(plain), reading.diagnostics)
  }

  /// A file of the catalog, and what is wrong with it.
  ///
  /// - Parameters:
  ///   - name: The name: `mail/summary`; of a folder its path.
  ///   - isFolder: Whether the folder's own file is meant.
  /// - Returns: `nil` without diagnostics where there is none.
  package func file(_ name: String, isFolder: Bool) -> (file: CatalogFile?, diagnostics: [Diagnostic]) {
    let path = CatalogFile.path(of: name, isFolder: isFolder)
    for source in sources {
      do throws(Diagnostic) {
        if let text = try source.text(path) { return CatalogFile.read(name, isFolder: isFolder, text) }
      } catch {
        return (nil, [error])
      }
    }
    return (nil, [])
  }

  /// The presets that are used where none is chosen; more than one is a mistake. A file that cannot be read but says
  /// `default: true` is among them: reading the preset then tells what is wrong.
  package var defaults: [String] {
    names.filter { name in
      let path = CatalogFile.path(of: Self.split(name).name, isFolder: false)
      guard let source = sources.lazy.compactMap({ try? $0.text(path) }).first else { return false }
      guard source.text.contains("default") else { return false }
      if let file = CatalogFile.read(name, isFolder: false, source).file { return file.isDefault }
      return source.text.split(whereSeparator: \.isNewline).contains { line in
        let words = line.split(separator: " ")
        return words.count > 1 && words[0] == "default:" && words[1] == "true"
      }
    }
  }
}
