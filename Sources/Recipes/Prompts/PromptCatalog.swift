import Expressions
import Localization

/// The prompts that recipes can name: files in folders, the project's over those that come with Sous.
///
/// A preset is `FOLDER/NAME.yaml` with `prompt` and, where wanted, `description`, `task`, `keywords` and `system`. A folder
/// may have a `folder.yaml` whose `keywords` all its presets inherit; folders nest.
public struct PromptCatalog: Sendable {
  private let sources: [any PromptSource]

  /// Creates a catalog.
  ///
  /// - Parameter sources: Where to look, first choice first; a file hides those of the same name further back.
  public init(_ sources: [any PromptSource]) {
    self.sources = sources
  }

  /// The prompts that come with Sous.
  public static let bundled = PromptCatalog([BundledPrompts()])

  /// A project's prompts over those that come with Sous.
  ///
  /// - Parameter directory: The folder of `sous.yaml`, whose `catalog/` is looked at.
  public static func project(in directory: String) -> PromptCatalog {
    PromptCatalog([PromptFolder(path: Configuration.resolve("catalog", in: directory)), BundledPrompts()])
  }

  /// The names of all presets, sorted.
  public var names: [String] { Set(sources.flatMap(\.names)).sorted() }

  /// Whether a text has the form of a preset's name: words of letters, digits, `_` and `-` with slashes between.
  public static func isName(_ text: String) -> Bool {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    return parts.count >= 2 && parts.count <= 5 && text.utf8.count <= 200
      && parts.allSatisfy { part in
        !part.isEmpty && part.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
      }
  }

  /// A preset, and what is wrong with its files.
  ///
  /// - Returns: `nil` without diagnostics where there is no such preset.
  func preset(_ name: String) -> (preset: PromptPreset?, diagnostics: [Diagnostic]) {
    var diagnostics: [Diagnostic] = []
    guard let source = text(name + ".yaml", &diagnostics) else { return (nil, diagnostics) }
    var keywords: [KeywordSource] = []
    var folder = ""
    for part in name.split(separator: "/").dropLast() {
      folder += part + "/"
      if let source = text(folder + "folder.yaml", &diagnostics) {
        keywords += Self.folderKeywords(source, &diagnostics)
      }
    }
    let (document, problems) = YAMLDocument.parse(source)
    diagnostics += problems
    guard let document, let root = document.root else { return (nil, diagnostics) }
    let reader = FieldReader(document)
    guard let map = reader.map(root, "preset", keys: RecipeDefinitions.preset.keyNames) else {
      return (nil, diagnostics + reader.diagnostics)
    }
    guard let node = map["prompt"] else {
      reader.report(
        .missingKey, LocalizedText("the preset has no 'prompt'", de: "dem Preset fehlt 'prompt'"),
        at: map.entries.first?.nameRange ?? root.range)
      return (nil, diagnostics + reader.diagnostics)
    }
    let prompt = reader.name(node, "prompt")
    if let node = map["keywords"] { keywords += KeywordReader(reader: reader).keywords(node) }
    let system = map["system"].flatMap { node in
      reader.string(node, "system").map { PlacedText(text: $0, node: node, document: document) }
    }
    let summary = map["description"].flatMap { reader.string($0, "description") }
    let task = map["task"].flatMap { reader.name($0, "task") }
    if let task, !StepTask.names.contains(task.value) {
      reader.report(
        .invalidValue,
        LocalizedText(
          "'task' is one of \(StepTask.names.joined(separator: ", "))",
          de: "'task' ist eines von \(StepTask.names.joined(separator: ", "))"),
        at: task.range, suggestion: reader.suggestion(for: task.value, among: StepTask.names))
    }
    guard let prompt else { return (nil, diagnostics + reader.diagnostics) }
    let preset = PromptPreset(
      name: name, summary: summary, task: task?.value, keywords: keywords, system: system,
      prompt: PlacedText(text: prompt.value, node: node, document: document))
    return (preset, diagnostics + reader.diagnostics)
  }

  private static func folderKeywords(_ source: SourceText, _ diagnostics: inout [Diagnostic]) -> [KeywordSource] {
    let (document, problems) = YAMLDocument.parse(source, allowsEmpty: true)
    diagnostics += problems
    guard let document, let root = document.root, !root.isNull else { return [] }
    let reader = FieldReader(document)
    var keywords: [KeywordSource] = []
    if let map = reader.map(root, "folder", keys: RecipeDefinitions.folder.keyNames), let node = map["keywords"] {
      keywords = KeywordReader(reader: reader).keywords(node)
    }
    diagnostics += reader.diagnostics
    return keywords
  }

  private func text(_ file: String, _ diagnostics: inout [Diagnostic]) -> SourceText? {
    for source in sources {
      do throws(Diagnostic) {
        if let text = try source.text(file) { return text }
      } catch {
        diagnostics.append(error)
        return nil
      }
    }
    return nil
  }
}
