import Foundation
import Localization
import Plans
import Providers
public import RecipePlanning
import RecipeTesting

/// The files that somebody names for checking, each once.
public struct CheckedFiles: Sendable {
  /// What is in a file, as its name says.
  public enum Kind: Sendable {
    /// A recipe of any kind.
    case recipe
    /// Tests of a recipe.
    case tests
    /// A `sous.yaml`.
    case configuration
  }

  /// A file to check.
  public struct File: Sendable {
    /// The file as the user named it, or as it lies below the folder that the user named.
    public var path: String
    /// What is in it.
    public var kind: Kind
  }

  /// The files, in the order in which they were named.
  public private(set) var files: [File] = []
  /// How the user spells each file, by its canonical path.
  private var spellings: [String: String] = [:]

  /// Finds the files.
  ///
  /// - Parameter paths: Files, and folders whose recipes and tests are meant: those below it but for hidden ones,
  ///   prompts of a `catalog` and configurations.
  /// - Throws: ``UseCaseError`` for a folder without any.
  public init(_ paths: [String]) throws(UseCaseError) {
    for path in paths {
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else {
        add(path)
        continue
      }
      let found = Self.files(in: path)
      if found.isEmpty {
        throw .wrongInput(.init("no recipe in \(path)", de: "kein Rezept in \(path)"))
      }
      for name in found { add(path.hasSuffix("/") ? path + name : path + "/" + name) }
    }
  }

  /// A file as the user spells it; one that was not named keeps the spelling it has.
  public func spelling(of path: String) -> String {
    spellings[Self.canonical(path)] ?? path
  }

  /// The one path of a file that it has however it is spelled, symbolic links followed.
  public static func canonical(_ path: String) -> String {
    URL(fileURLWithPath: path).resolvingSymlinksInPath().standardizedFileURL.path
  }

  private mutating func add(_ path: String) {
    let canonical = Self.canonical(path)
    guard spellings[canonical] == nil else { return }
    spellings[canonical] = path
    files.append(File(path: path, kind: Self.kind(of: path)))
  }

  private static func kind(of path: String) -> Kind {
    if RecipeTester.isTestFile(path) { return .tests }
    return (path as NSString).lastPathComponent == "sous.yaml" ? .configuration : .recipe
  }

  private static func files(in folder: String) -> [String] {
    let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    return names.filter { name in
      (name.hasSuffix(".yaml") || name.hasSuffix(".yml")) && kind(of: name) != .configuration
        && !name.split(separator: "/").contains { $0.hasPrefix(".") || $0 == "catalog" }
    }.sorted()
  }
}

extension Workspace {
  /// What is wrong with a file; nothing runs.
  ///
  /// - Parameters:
  ///   - file: A recipe, a test file with the recipe that it tests, or a configuration.
  ///   - project: What recipes are planned with; a configuration that is to be checked may be wrong and needs none.
  public func planning(_ file: CheckedFiles.File, _ project: Project?) -> Planning {
    switch file.kind {
    case .recipe:
      guard let project else { return Planning(diagnostics: [], sources: [:]) }
      var planning = project.planning(file.path)
      let providers = Set(planning.plan?.steps.flatMap(\.providers).map { ProviderRoute($0).provider } ?? [])
      planning.diagnostics += providers.sorted().flatMap { project.providers.missingFences(of: $0) }
      return planning
    case .tests:
      let report = RecipeTester(self).check(file.path)
      return Planning(diagnostics: report.diagnostics, sources: report.sources)
    case .configuration: return Project.checking(configuration: file.path, surroundings)
    }
  }
}
