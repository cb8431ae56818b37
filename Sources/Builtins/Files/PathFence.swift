public import Engine
import Glibc
import OperatingSystem

/// Applies the rules of `file.*` to all other paths: inputs of plugins' actions that are files (attachments, recordings),
/// settings that are paths, and files that a command writes.
///
/// A path from a recipe must be in a folder of `files: folders` and must not belong to Sous. A path that a person has typed
/// may be anywhere else than in Sous's own places.
public struct PathFence: Sendable {
  let files: FolderAccess

  /// The path of a file that a recipe names, if it may be read.
  ///
  /// - Parameter path: Absolute, or from the current folder.
  /// - Returns: The path without links.
  /// - Throws: ``Engine/ActionFailure``: `auth` if the path is outside the folders or protected, `not_found`, `invalid_input`,
  ///   `io`.
  public func readable(_ path: String) throws(ActionFailure) -> String {
    let place = try files.place(of: Self.absolute(path))
    let file = try OpenFile(reading: place)
    try files.checkContent(of: file, at: place)
    return place.realPath
  }

  /// Why a recipe may not use a path; looks at folders and links only, so that a plan can be checked.
  ///
  /// - Parameters:
  ///   - path: Absolute, or from the folder of the configuration.
  ///   - isChanged: Whether the file or folder is changed.
  /// - Returns: The reason, of kind `auth`; `nil` if nothing that is known now is against it.
  public func refusal(of path: String, isChanged: Bool) -> ActionFailure? {
    do {
      try files.check(path, isChanged: isChanged)
      return nil
    } catch {
      return error.kind == .auth ? error : nil
    }
  }

  /// Why Sous does not read a file that a person has named: it holds secrets or belongs to the run log.
  ///
  /// - Parameter path: Absolute, or from the current folder.
  /// - Returns: The reason, of kind `auth`; `nil` if the file may be read.
  public func objection(reading path: String) -> ActionFailure? {
    guard let real = Self.real(path) else { return nil }
    let protected = files.protected
    if let kind = protected.closed(real), kind == .secret || files.isInStore(real) { return .protected(path, kind) }
    return linked(real, path, isRead: true)
  }

  /// Why Sous does not write a file that a person or a setting names: it holds secrets, the configuration or code.
  ///
  /// - Parameter path: Absolute, or from the current folder.
  /// - Returns: The reason, of kind `auth`; `nil` if the file may be written.
  public func objection(writing path: String) -> ActionFailure? {
    guard let real = Self.real(path) else { return nil }
    let protected = files.protected
    if let kind = protected.fixed(real), kind != .executed, kind != .state || files.isInStore(real) {
      return .protected(path, kind)
    }
    return linked(real, path, isRead: false)
  }

  /// The objection to a hard link of a file that belongs to Sous.
  private func linked(_ real: String, _ path: String, isRead: Bool) -> ActionFailure? {
    var facts = stat()
    guard stat(real, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG, facts.st_nlink > 1,
      let kind = files.protected.owned(facts, isRead: isRead), kind != .executed
    else { return nil }
    return .protected(path, kind)
  }

  private static func absolute(_ path: String) -> String {
    guard !path.isEmpty, !path.hasPrefix("/"), let current = getcwd(nil, 0) else { return path }
    defer { free(current) }
    return String(cString: current) + "/" + path
  }

  /// The path without links; if the file is missing, its folder's path without links and its name. `nil` if the folder is
  /// missing too.
  private static func real(_ path: String) -> String? {
    let path = absolute(path)
    if let found = SystemPath.resolved(path) { return found }
    guard let slash = path.lastIndex(of: "/") else { return nil }
    let folder = slash == path.startIndex ? "/" : String(path[..<slash])
    guard let parent = SystemPath.resolved(folder) else { return nil }
    return (parent == "/" ? "" : parent) + "/" + path[path.index(after: slash)...]
  }
}

extension FolderAccess {
  /// Whether a path is the run log, the vault or the notes, or lies in a cache or among the grants of trust. A person may keep
  /// other files beside these.
  fileprivate func isInStore(_ real: String) -> Bool {
    let caches = own.filter { $0.kind == .state }.compactMap { SystemPath.resolved($0.path) }
    if caches.contains(where: { real == $0 || real.hasPrefix($0 + "/") }) { return true }
    guard let state = state.flatMap(SystemPath.resolved), real.hasPrefix(state + "/") else { return false }
    let name = real.dropFirst(state.count + 1)
    return ["sous.db", "notes.db", "vault"].contains { name.hasPrefix($0) }
  }
}
