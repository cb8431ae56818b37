import Plans
public import RecipeSyntax

/// The prompts that come with Sous.
public struct BundledPrompts: PromptSource {
  /// Files that are left out, by the names that ``OfferedPrompts`` has.
  private let missing: Set<String>

  /// Creates the source with all of them.
  public init() { missing = [] }

  /// Creates the source without those that a project was given as files.
  init(without names: Set<String>) { missing = names }

  /// The names of the presets.
  public var names: [String] {
    Self.files.keys.filter { !$0.hasSuffix("folder.yaml") && !missing.contains(Self.offeredName(of: $0)) }
      .map { String($0.dropLast(5)) }.sorted()
  }

  /// A file; messages name it `<bundled>/mail/summary.yaml`.
  public func text(_ file: String) -> SourceText? {
    guard missing.isEmpty || !missing.contains(Self.offeredName(of: file)) else { return nil }
    return Self.files[file].map { SourceText(path: "<bundled>/" + file, text: $0) }
  }

  /// How the list of what a project was given names a file.
  package static func offeredName(of file: String) -> String {
    file.hasSuffix("/folder.yaml") ? String(file.dropLast(11)) : String(file.dropLast(5))
  }

  /// The files by their paths below the catalog.
  package static let files: [String: String] = mailFiles.merging(replyFiles) { $1 }.merging(noteFiles) { $1 }
    .merging(generalFiles) { $1 }

  /// Whether a file comes with Sous.
  static func isBundled(_ file: CatalogFile) -> Bool { file.document.source.path.hasPrefix("<bundled>/") }

  /// What comes with Sous for a folder.
  package static func folder(_ name: String) -> CatalogFile? {
    files[name + "/folder.yaml"].flatMap {
      CatalogFile.read(name, isFolder: true, SourceText(path: "<bundled>/" + name + "/folder.yaml", text: $0)).file
    }
  }
}
