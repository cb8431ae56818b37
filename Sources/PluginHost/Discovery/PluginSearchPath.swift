import Foundation
import Localization
import OperatingSystem
import Plans
public import PluginBoundary
import RecipeModel
import RecipeSyntax
import Schemas

/// The folders plugins are looked for in, first match first.
public struct PluginSearchPath: Sendable, Hashable {
  /// Who put a folder on the path.
  public enum Origin: String, Sendable, CaseIterable {
    /// `plugins.paths` of the configuration.
    case project
    /// The environment variable `SOUS_PLUGIN_PATH`.
    case environment
    /// The user's data folder.
    case user
    /// Sous itself.
    case bundled
  }

  /// One folder.
  public struct Folder: Sendable, Hashable {
    /// Where it is.
    public var path: String
    /// Who put it on the path.
    public var origin: Origin
    /// Whether the folder may contain libraries that are not plugins.
    public var isShared: Bool

    /// Creates a folder.
    public init(_ path: String, origin: Origin, shared isShared: Bool = false) {
      self.path = path
      self.origin = origin
      self.isShared = isShared
    }
  }

  /// The folders, most important first. They need not exist.
  public var folders: [Folder]
  /// The files that the project's lock demands. Of these the user's folder keeps versions beside the newest one.
  public var pins: PluginPins?

  /// Creates a search path.
  public init(folders: [Folder]) {
    self.folders = folders
  }

  /// The usual folders: those of the project, of `SOUS_PLUGIN_PATH` (colon-separated), `$XDG_DATA_HOME/sous/plugins`, and
  /// beside the executable `../lib/sous/plugins` and its own folder.
  ///
  /// - Parameters:
  ///   - project: `plugins.paths` of the configuration, absolute or relative to the current folder.
  ///   - environment: The environment of the process.
  ///   - executable: The executable, symbolic links resolved.
  public static func standard(
    project: [String] = [], environment: [String: String], executable: String = currentExecutable
  ) -> PluginSearchPath {
    var folders = project.map { Folder($0, origin: .project) }
    folders += (environment["SOUS_PLUGIN_PATH"] ?? "").split(separator: ":")
      .map { Folder(String($0), origin: .environment) }
    if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") {
      folders.append(Folder(data + "/sous/plugins", origin: .user))
    } else if let home = environment["HOME"], !home.isEmpty {
      folders.append(Folder(home + "/.local/share/sous/plugins", origin: .user))
    }
    if let slash = executable.lastIndex(of: "/") {
      let folder = String(executable[..<slash])
      folders.append(Folder(folder + "/../lib/sous/plugins", origin: .bundled))
      folders.append(Folder(folder, origin: .bundled, shared: true))
    }
    return PluginSearchPath(folders: folders)
  }

  /// The executable of this process, symbolic links resolved.
  public static var currentExecutable: String {
    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments.first ?? ""
  }

  /// Finds the library of a plugin, by asking for one file per folder.
  ///
  /// - Returns: The canonical path.
  /// - Throws: ``PluginError`` with the code ``PluginError/Code/missing``, naming every place that was tried.
  public func locate(_ reference: PluginReference) throws(PluginError) -> String {
    switch reference {
    case .path(let path):
      guard let found = LibraryFile.canonicalPath(path) else {
        throw PluginError(
          .missing,
          LocalizedText(
            "There is no plugin library at \(path). Correct 'plugin:' in the configuration.",
            de: "Unter \(path) liegt keine Plugin-Bibliothek. 'plugin:' in der Konfiguration berichtigen."),
          path: path)
      }
      return found
    case .id(let id):
      guard PluginID.isValid(id) else {
        throw PluginError(
          .missing,
          LocalizedText(
            "'\(id)' is no plugin name: lowercase letters, digits, '-' and '_', or a path with a '/'.",
            de: "'\(id)' ist kein Plugin-Name: Kleinbuchstaben, Ziffern, '-' und '_', oder ein Pfad mit '/'."))
      }
      let digests = pins?.digests[id] ?? []
      for folder in folders {
        if let found = Self.library(id, digests, in: folder) { return found }
      }
      let list = folders.map { $0.path + "/lib\(id).so" }.map { "\n  " + $0 }.joined()
      let suggestion = Suggestion.text(for: id, among: ids)
      throw PluginError(
        .missing,
        LocalizedText(
          """
          The plugin '\(id)' is not installed\(suggestion.english). Looked for:\(list)
          If sous.lock names it, 'sous plugins install' installs it again. Otherwise put it into one of these folders, add its \
          folder to plugins.paths, or give its path as 'plugin:'.
          """,
          de: """
            Das Plugin '\(id)' ist nicht installiert\(suggestion.german). Gesucht wurde:\(list)
            Nennt sous.lock es, installiert 'sous plugins install' es neu. Sonst in einen dieser Ordner legen, seinen Ordner in plugins.paths aufnehmen oder seinen Pfad als 'plugin:' angeben.
            """))
    }
  }

  /// The ids of the libraries on the path that could be plugins, by the names of their files and sorted; none is opened.
  public var ids: [String] { Set(candidates().map(\.id)).sorted() }

  /// Whether a library runs inside Sous where the configuration leaves that open: only one that came with it does.
  ///
  /// - Parameter path: The canonical path of the library.
  public func isolation(ofLibraryAt path: String) -> Isolation {
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
    let isBundled = folders.contains { candidate in
      candidate.origin == .bundled && SystemPath.resolved(candidate.path) == folder
    }
    return isBundled ? .inProcess : .process
  }

  /// The origin of the search folder that contains a library; `nil` for a library in none of the folders.
  ///
  /// - Parameter path: The canonical path of the library.
  /// - Returns: The most trusted origin if the folder has several: a folder of Sous stays one if a project names it too.
  public func origin(ofLibraryAt path: String) -> Origin? {
    let folder = Self.parent(of: path)
    let whole = Self.isDigest(folder.split(separator: "/").last ?? "") ? Self.parent(of: folder) : nil
    let origins = Set(
      folders.filter { candidate in
        let real = SystemPath.resolved(candidate.path)
        return real == folder || candidate.origin == .user && whole != nil && real == whole
      }.map(\.origin))
    return Origin.allCases.last(where: origins.contains)
  }

  /// The origin of the folder in which ``locate(_:)`` finds the library of an id, or a symbolic link to it; `nil` if no folder has
  /// one.
  public func origin(ofPlugin id: String) -> Origin? {
    let digests = pins?.digests[id] ?? []
    guard let folder = folders.first(where: { Self.library(id, digests, in: $0) != nil }),
      let path = SystemPath.resolved(folder.path)
    else { return nil }
    return origin(ofLibraryAt: path + "/lib\(id).so")
  }

  /// The canonical paths of the possible plugins in the folders of one origin; opens no library.
  public func libraries(of origin: Origin) -> [String] {
    candidates().filter { $0.folder.origin == origin }.map(\.path)
  }

  /// The SHA-256 of a library, 64 hexadecimal digits; `nil` if it cannot be read.
  public static func digest(ofLibraryAt path: String) -> String? { LibraryFile(path: path)?.digest }

  /// Every library on the path that could be a plugin, most important folder first, sorted by id within a folder. The
  /// same file reached twice is listed once.
  func candidates() -> [Candidate] {
    var seen: Set<String> = []
    var result: [Candidate] = []
    let pinned = folders.contains { $0.origin == .user } ? pins?.digests ?? [:] : [:]
    for folder in folders {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
      let ids = Set(
        names.compactMap { PluginID.ofLibrary(at: $0) } + (folder.origin == .user ? Array(pinned.keys) : []))
      for id in ids.sorted() {
        guard let path = Self.library(id, pinned[id] ?? [], in: folder), seen.insert(path).inserted else { continue }
        result.append(Candidate(id: id, path: path, folder: folder))
      }
    }
    return result
  }

  /// The library of a plugin in a folder: in the user's folder the version that the lock demands, if the folder keeps it, else the
  /// newest one.
  private static func library(_ id: String, _ digests: [String], in folder: Folder) -> String? {
    if folder.origin == .user {
      for digest in digests where isDigest(digest) {
        if let found = LibraryFile.canonicalPath(versionPath(of: id, sha256: digest, in: folder.path)) { return found }
      }
    }
    return LibraryFile.canonicalPath(folder.path + "/lib\(id).so")
  }

  /// The path of a version that the user's folder keeps beside the newest one: a folder named by the SHA-256 of the library.
  package static func versionPath(of id: String, sha256: String, in folder: String) -> String {
    folder + "/" + sha256 + "/lib\(id).so"
  }

  /// Whether a text is a SHA-256 in lower-case hexadecimal digits.
  package static func isDigest(_ text: some StringProtocol) -> Bool {
    text.utf8.count == 64 && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }

  private static func parent(of path: String) -> String {
    path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? ""
  }

  struct Candidate {
    let id: String
    let path: String
    let folder: Folder
  }
}
