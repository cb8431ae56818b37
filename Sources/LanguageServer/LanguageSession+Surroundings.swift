import Plans
public import RecipeModel
public import RecipePlanning
public import RecipeSyntax
public import Schemas

extension LanguageSession {
  /// The access of the session to files and configuration.
  public struct Surroundings: Sendable {
    /// Makes a planner for a configuration.
    public var planner: @Sendable (Configuration) -> Planner
    /// Reads a file; `nil` if there is none that can be read.
    public var read: @Sendable (String) -> SourceText?
    /// The configuration that applies to everything, as an absolute path; `nil` if the nearest `sous.yaml` does.
    public var configurationPath: String?
    /// The names of the recipes in a folder.
    public var recipes: @Sendable (String) -> [String] = { _ in [] }
    /// The ids of the plugins that a configuration can name.
    public var plugins: @Sendable (Configuration) -> [String] = { _ in [] }
    /// The schema of the settings of a provider's plugin; `nil` if it is not known.
    public var settings: @Sendable (ConfiguredProvider, Configuration) -> Schema? = { _, _ in nil }
    /// Finds what is wrong with a test file without running it: the file, what plans recipes, what reads them.
    public var testProblems: @Sendable (SourceText, Planner, (String) -> SourceText?) -> [Diagnostic] = {
      source, _, _ in
      YAMLDocument.parse(source).diagnostics
    }

    /// Creates surroundings without plugins and recipes beside those that are open.
    public init(
      planner: @escaping @Sendable (Configuration) -> Planner, read: @escaping @Sendable (String) -> SourceText?
    ) {
      self.planner = planner
      self.read = read
    }
  }

  /// A configuration with what was made of it.
  struct Project: Sendable {
    var configuration: Configuration
    var source: SourceText?
    var planner: Planner
  }

  // MARK: Projects

  /// The project of the configuration for a document: the one of the command line, the nearest above the document, or that of
  /// the first open folder which has one.
  mutating func project(of document: OpenDocument) -> Project {
    let source = configuration(for: document)
    let key = source?.path ?? ""
    var project: Project
    if let known = projects[key] {
      project = known
    } else {
      let configuration = source.map { Configuration.parse($0).configuration } ?? .empty
      project = Project(
        configuration: configuration, source: source, planner: surroundings.planner(configuration))
      projects[key] = project
    }
    // Open documents override files on the disk.
    let open = Dictionary(documents.values.map { ($0.path, $0.source) }) { first, _ in first }
    project.planner.recipes = OpenRecipes(open: open, read: surroundings.read)
    if let source {
      let catalog = FileAddress.folder(of: source.path) + "/catalog"
      project.planner.prompts = PromptCatalog([
        OpenPrompts(folder: catalog, open: open), PromptFolder(path: catalog), BundledPrompts(),
      ])
    }
    return project
  }

  private func configuration(for document: OpenDocument) -> SourceText? {
    if document.sort == .configuration { return document.source }
    if let named = surroundings.configurationPath { return text(named) }
    for start in [FileAddress.folder(of: document.path)] + folders {
      var folder = start
      while true {
        if let source = text(folder + "/sous.yaml") { return source }
        guard folder.contains("/") else { break }
        folder = FileAddress.folder(of: folder)
      }
    }
    return nil
  }

  /// The text of a file as it is in the editor, or else on the disk.
  func text(_ path: String) -> SourceText? {
    guard path.hasPrefix("/") else { return nil }
    return documents.values.first { $0.path == path }?.source ?? surroundings.read(path)
  }
}

/// Recipes as they are in the editor, or else on the disk.
private struct OpenRecipes: RecipeSource {
  let open: [String: SourceText]
  let read: @Sendable (String) -> SourceText?

  func text(_ path: String) -> SourceText? { open[path] ?? read(path) }
}

/// The files of a prompt catalog that are open in the editor.
private struct OpenPrompts: PromptSource {
  let folder: String
  let open: [String: SourceText]

  var names: [String] {
    open.keys.filter { $0.hasPrefix(folder + "/") && $0.hasSuffix(".yaml") && !$0.hasSuffix("/folder.yaml") }
      .map { String($0.dropFirst(folder.count + 1).dropLast(5)) }.filter { PromptCatalog.isName($0) }.sorted()
  }

  func text(_ file: String) -> SourceText? { open[folder + "/" + file] }
}
