import Foundation
import Localization

/// The files that a command line names for checking, each once.
struct CheckedFiles {
  /// What is in a file, as its name says.
  enum Kind {
    case recipe
    case tests
    case configuration
  }

  /// A file to check.
  struct File {
    /// The file as the user named it, or as it lies below the folder that the user named.
    var path: String
    var kind: Kind
  }

  private(set) var files: [File] = []
  /// How the user spells each file, by its canonical path.
  private var spellings: [String: String] = [:]

  /// Finds the files.
  ///
  /// - Parameter paths: Files, and folders whose recipes and tests are meant: those below it but for hidden ones,
  ///   prompts of a `catalog` and configurations.
  /// - Throws: ``CommandError`` for a folder without any.
  init(_ paths: [String]) throws(CommandError) {
    for path in paths {
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else {
        add(path)
        continue
      }
      let found = Self.files(in: path)
      if found.isEmpty {
        throw CommandError(ExitStatus.wrongInput, .init("no recipe in \(path)", de: "kein Rezept in \(path)"))
      }
      for name in found { add(path.hasSuffix("/") ? path + name : path + "/" + name) }
    }
  }

  /// A file as the user spells it; one that was not named keeps the spelling it has.
  func spelling(of path: String) -> String {
    spellings[Self.canonical(path)] ?? path
  }

  /// The one path of a file that it has however it is spelled, symbolic links followed.
  static func canonical(_ path: String) -> String {
    URL(fileURLWithPath: path).resolvingSymlinksInPath().standardizedFileURL.path
  }

  private mutating func add(_ path: String) {
    let canonical = Self.canonical(path)
    guard spellings[canonical] == nil else { return }
    spellings[canonical] = path
    files.append(File(path: path, kind: Self.kind(of: path)))
  }

  private static func kind(of path: String) -> Kind {
    if path.hasSuffix(".test.yaml") || path.hasSuffix(".test.yml") { return .tests }
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
