import Localization
import RecipeSyntax
import Schemas

/// Puts a prompt together from the files of a catalog, and collects what is wrong with them.
struct PromptReading {
  let catalog: PromptCatalog
  let language: String
  private(set) var diagnostics: [Diagnostic] = []
  private var seen: [String: CatalogFile] = [:]

  init(catalog: PromptCatalog, language: String) {
    self.catalog = catalog
    self.language = language
  }

  /// Keywords with the files that they come from.
  private struct Words {
    var sources: [KeywordSource] = []
    var pairs: [CatalogKeyword] = []
    var documents: [YAMLDocument] = []

    static func + (left: Words, right: Words) -> Words {
      Words(
        sources: left.sources + right.sources, pairs: left.pairs + right.pairs,
        documents: left.documents + right.documents)
    }
  }

  mutating func preset(_ name: String) -> PromptPreset? {
    guard let file = file(name, isFolder: false) else { return nil }
    switch file.kind {
    case .preset, .item:
      guard let preset = target(of: file) else { return nil }
      let words = itemWords(file) + self.words(preset)
      guard let prompt = preset.placed("prompt", in: language) else { return nil }
      return PromptPreset(
        name: name, summary: (file.text("description", in: language) ?? preset.text("description", in: language)),
        task: preset.map["task"]?.string, keywords: words.sources, pairs: words.pairs,
        system: preset.placed("system", in: language), prompt: prompt,
        documents: words.documents + [file.document, preset.document])
    case .composition: return composition(file)
    case .folder, .cookbook:
      diagnostics.append(
        Diagnostic(
          .unknownPrompt,
          LocalizedText("'\(name)' is a cookbook and no prompt", de: "'\(name)' ist ein Kochbuch und kein Prompt"),
          path: file.document.source.path, range: nil))
      return nil
    }
  }

  // MARK: Compositions

  private mutating func composition(_ file: CatalogFile) -> PromptPreset? {
    guard let node = file.map["elements"] else { return nil }
    var items = Words()
    var presets = Words()
    var parts: [String] = []
    var systems: [PlacedText] = []
    var task: String?
    for (place, name) in file.elements.enumerated() {
      if let folder = folder(name) {
        items = items + folderWords(folder.name) + words(folder)
        parts.append("# " + CatalogFile.escaped(folder.title(in: language)))
        continue
      }
      guard let element = self.file(name, isFolder: false), let preset = target(of: element),
        let prompt = preset.placed("prompt", in: language)
      else {
        report(file, node.sequence?[place], name)
        return nil
      }
      items = items + itemWords(element)
      presets = presets + words(preset)
      presets.documents += [element.document, preset.document]
      // A blank is what an imported preset without a text has in its file.
      parts.append(prompt.text == " " ? "" : prompt.text)
      if let system = preset.placed("system", in: language), !systems.contains(where: { $0.text == system.text }) {
        systems.append(system)
      }
      task = task ?? preset.map["task"]?.string
    }
    let words = items + presets + cookbookWords(file.name) + self.words(file)
    let prompt = parts.joined(separator: CatalogFile.escaped(file.separator))
    guard !prompt.isEmpty else {
      report(file, node, nil)
      return nil
    }
    return PromptPreset(
      name: file.name, summary: file.text("description", in: language), task: task,
      keywords: words.sources, pairs: words.pairs,
      system: systems.isEmpty
        ? nil
        : PlacedText(text: systems.map(\.text).joined(separator: "\n\n"), node: node, document: file.document),
      prompt: PlacedText(text: prompt, node: node, document: file.document),
      documents: words.documents + [file.document])
  }

  private mutating func report(_ file: CatalogFile, _ node: Node?, _ name: String?) {
    // A file that is wrong has been reported.
    guard diagnostics.isEmpty else { return }
    let message =
      name.map {
        LocalizedText("the catalog has no prompt '\($0)'", de: "der Katalog hat keinen Prompt '\($0)'")
          + Suggestion.text(for: $0, among: catalog.names)
      } ?? LocalizedText("the composition is empty", de: "die Komposition ist leer")
    diagnostics.append(Diagnostic(.unknownPrompt, message, path: file.document.source.path, range: node?.range))
  }

  /// The folder that an element names; `nil` where it names something else.
  private mutating func folder(_ name: String) -> CatalogFile? {
    guard name.hasSuffix("/") else { return nil }
    let name = String(PromptCatalog.split(String(name.dropLast())).name)
    if let file = file(name, isFolder: true) { return file }
    // A folder needs no file of its own.
    guard diagnostics.isEmpty, catalog.names.contains(where: { $0.hasPrefix(name + "/") }) else { return nil }
    return CatalogFile.read(name, isFolder: true, SourceText(path: name + "/folder.yaml", text: "")).file
  }

  // MARK: Files

  /// The preset behind a file.
  private mutating func target(of file: CatalogFile) -> CatalogFile? {
    guard file.kind == .item, let node = file.map["preset"], let name = file.target else {
      return file.kind == .preset ? file : nil
    }
    if let preset = self.file(name, isFolder: false), preset.kind == .preset { return preset }
    report(file, node, name)
    return nil
  }

  private mutating func file(_ name: String, isFolder: Bool) -> CatalogFile? {
    let plain = PromptCatalog.split(name).name
    // What is no name could lead out of the catalog.
    guard PromptCatalog.isName("./" + plain) else { return nil }
    let key = CatalogFile.path(of: plain, isFolder: isFolder)
    if let known = seen[key] { return known }
    let (file, problems) = catalog.file(plain, isFolder: isFolder)
    diagnostics += problems
    seen[key] = file
    return file
  }

  // MARK: Keywords

  /// Those of an item's folders and its own.
  private mutating func itemWords(_ file: CatalogFile) -> Words {
    let own = file.kind == .item ? words(file) : words(file, file.map["item"]?.mapping?["keywords"])
    return folderWords(file.name, isBundled: BundledPrompts.isBundled(file)) + own
  }

  /// Those of the folders above, the outermost first.
  ///
  /// What comes with Sous needs the keywords that its folders have there, whatever a project says of these folders besides.
  private mutating func folderWords(_ name: String, isBundled: Bool = false) -> Words {
    var words = Words()
    var folder = ""
    for part in name.split(separator: "/").dropLast() {
      folder += (folder.isEmpty ? "" : "/") + part
      let file = self.file(folder, isFolder: true)
      if isBundled, file.map({ !BundledPrompts.isBundled($0) }) ?? true, let bundled = BundledPrompts.folder(folder) {
        words = words + self.words(bundled)
      }
      if let file { words = words + self.words(file) }
    }
    return words
  }

  /// Those of the cookbooks that a composition stands in, in their order.
  private mutating func cookbookWords(_ name: String) -> Words {
    var books: [CatalogFile] = []
    for candidate in catalog.names where candidate.hasPrefix("cookbooks/") {
      guard let book = file(candidate, isFolder: false), book.kind == .cookbook else { continue }
      if book.recipes.contains(where: { PromptCatalog.split($0).name == name }) { books.append(book) }
    }
    books.sort { ($0.order ?? .max, $0.name) < ($1.order ?? .max, $1.name) }
    return books.reduce(Words()) { $0 + words($1) }
  }

  private mutating func words(_ file: CatalogFile) -> Words { words(file, file.map["keywords"]) }

  private mutating func words(_ file: CatalogFile, _ node: Node?) -> Words {
    let reader = FieldReader(file.document)
    let sources = file.keywordSources(node, in: language, reader)
    diagnostics += reader.diagnostics
    return Words(sources: sources, pairs: file.pairs(node, in: language), documents: [file.document])
  }
}
