import CSystemCalls
import Foundation
import Glibc
package import Localization
import OperatingSystem
import RecipeModel
import Schemas

/// A catalog on the disk: `catalog/` beside `sous.yaml`.
///
/// One process changes it at a time. What changes several files makes a copy of the folder beside it (unchanged files by
/// link) and lets both change places, so that nobody sees half of it.
package struct CatalogStore: Sendable {
  /// The folder of the project.
  package let project: String
  /// The folder of the catalog.
  package let folder: String
  /// The language of names and of texts that have several.
  package let language: Language

  /// Names a catalog; it need not be there.
  ///
  /// - Parameters:
  ///   - project: The folder of `sous.yaml`.
  ///   - language: The language of names.
  package init(project: String, language: Language) {
    self.project = project
    self.language = language
    let named = (project == "." || project.isEmpty ? "" : project + "/") + "catalog"
    // A link to a catalog elsewhere stays one.
    folder =
      (try? FileManager.default.destinationOfSymbolicLink(atPath: named)) == nil
      ? named : URL(fileURLWithPath: named).resolvingSymlinksInPath().path
  }

  /// What is there.
  package func snapshot() throws(CatalogError) -> CatalogSnapshot {
    try CatalogSnapshot(folder: folder, language: language)
  }

  /// Changes the catalog while no other process does.
  ///
  /// - Parameter change: What is to be done with what is there; asked once.
  package func change<Answer>(
    _ change: (CatalogSnapshot) throws(CatalogError) -> (changes: CatalogChanges, answer: Answer)
  ) throws(CatalogError) -> Answer {
    let lock = try Self.storing(project) { () throws(SystemError) in
      try FileLock(Descriptor(opening: project.isEmpty ? "." : project, O_RDONLY | O_DIRECTORY), patience: .infinity)
    }
    defer { lock?.release() }
    removeLeftovers()
    let (changes, answer) = try change(try snapshot())
    try apply(changes)
    return answer
  }

  // MARK: What killed processes have left

  /// Removes copies and half-written files of processes that are gone.
  private func removeLeftovers() {
    Self.removeLeftovers(of: folder)
    for case let path as String in FileManager.default.enumerator(atPath: folder) ?? .init()
    where Self.isLeftover(path, ".partial") {
      try? FileManager.default.removeItem(atPath: folder + "/" + path)
    }
  }

  /// Removes what stands beside a file or folder; what was put aside comes back where nothing took its place.
  private static func removeLeftovers(of path: String) {
    let manager = FileManager.default
    let name = (path as NSString).lastPathComponent
    let parent = (path as NSString).deletingLastPathComponent
    let names = (try? manager.contentsOfDirectory(atPath: parent.isEmpty ? "." : parent)) ?? []
    for other in names where other.hasPrefix(name + ".") {
      let found = (parent as NSString).appendingPathComponent(other)
      if isLeftover(other, ".old"), !manager.fileExists(atPath: path) {
        _ = Glibc.rename(found, path)
      } else if isLeftover(other, ".old") || isLeftover(other, ".partial") {
        try? manager.removeItem(atPath: found)
      }
    }
  }

  /// Whether a name ends with the number of a process that is gone: `catalog.123.partial`.
  private static func isLeftover(_ name: String, _ ending: String) -> Bool {
    guard name.hasSuffix(ending),
      let process = name.dropLast(ending.count).split(separator: ".").last.flatMap({ Int32($0) }),
      process > 0
    else { return false }
    return kill(process, 0) != 0 && errno == ESRCH
  }

  // MARK: Writing

  func apply(_ changes: CatalogChanges) throws(CatalogError) {
    var files = changes.files
    if !changes.offered.isEmpty {
      let names = OfferedPrompts(folder: folder).names.union(changes.offered).sorted()
      let head = "# Prompts that came with Sous and are files here, or were deleted: Sous does not bring them back.\n"
      files.updateValue(head + names.map { $0 + "\n" }.joined(), forKey: OfferedPrompts.file)
    }
    // What stands elsewhere is prepared first, so that a full disk is noticed before anything has changed.
    var prepared: [(path: String, file: AtomicFile)] = []
    for (path, text) in changes.others.sorted(by: { $0.key < $1.key }) {
      Self.removeLeftovers(of: path)
      prepared.append((path, try Self.prepare(text, for: path)))
    }
    if files.count == 1, let (path, text) = files.first, let text {
      try writeOne(path, text)
    } else if !files.isEmpty {
      try replace(files)
    }
    for (path, file) in prepared { try Self.storing(path) { () throws(SystemError) in try file.finish() } }
  }

  private func writeOne(_ path: String, _ text: String) throws(CatalogError) {
    let target = folder + "/" + path
    try Self.makeFolder((target as NSString).deletingLastPathComponent)
    let file = try Self.prepare(text, for: target)
    try Self.storing(target) { () throws(SystemError) in try file.finish() }
  }

  /// Puts a changed copy in the place of the folder.
  private func replace(_ files: [String: String?]) throws(CatalogError) {
    let copy = folder + ".\(getpid()).partial"
    try? FileManager.default.removeItem(atPath: copy)
    defer { try? FileManager.default.removeItem(atPath: copy) }
    try Self.makeFolder(copy)
    let manager = FileManager.default
    for case let path as String in manager.enumerator(atPath: folder) ?? .init() {
      guard files[path] == nil else { continue }
      var facts = stat()
      let from = folder + "/" + path
      guard lstat(from, &facts) == 0, facts.st_mode & S_IFMT != S_IFDIR else { continue }
      try Self.makeFolder((copy + "/" + path as NSString).deletingLastPathComponent)
      if link(from, copy + "/" + path) == 0 { continue }
      do {
        try manager.copyItem(atPath: from, toPath: copy + "/" + path)
      } catch {
        throw Self.storage(from, errno)
      }
    }
    let written = files.compactMap { path, text in text.map { (target: copy + "/" + path, path: path, text: $0) } }
    for file in written {
      try Self.makeFolder((file.target as NSString).deletingLastPathComponent)
      try Self.storing(file.target) { () throws(SystemError) in
        let mode = Self.mode(of: folder + "/" + file.path) ?? 0o644
        let descriptor = try Descriptor(opening: file.target, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: mode)
        try descriptor.write(Array(file.text.utf8))
      }
    }
    // All of them are written before the first is waited for: the others are then mostly on the disk already.
    for file in written {
      try Self.storing(file.target) { () throws(SystemError) in
        try Descriptor(opening: file.target, O_RDONLY).synchronize()
      }
      AtomicFile.synchronizeFolder(of: file.target)
    }
    defer { AtomicFile.synchronizeFolder(of: folder) }
    guard manager.fileExists(atPath: folder) else {
      guard rename(copy, folder) == 0 else { throw Self.storage(folder, errno) }
      return
    }
    let code = system_exchange(copy, folder)
    if code == 0 { return }
    guard code == EINVAL || code == ENOSYS else { throw Self.storage(folder, code) }
    // A file system that cannot do it at one moment: the old folder is put aside and comes back where the second step fails.
    let old = folder + ".\(getpid()).old"
    guard rename(folder, old) == 0 else { throw Self.storage(folder, errno) }
    guard rename(copy, folder) == 0 else {
      let code = errno
      _ = rename(old, folder)
      throw Self.storage(folder, code)
    }
    try? manager.removeItem(atPath: old)
  }

  private static func makeFolder(_ path: String) throws(CatalogError) {
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      throw storage(path, errno)
    }
  }

  /// Writes the text of a file beside it, on the disk when this returns. The file gets the mode of the one it replaces.
  private static func prepare(_ text: String, for path: String) throws(CatalogError) -> AtomicFile {
    try storing(path) { () throws(SystemError) in
      let file = try AtomicFile(path, mode: mode(of: path))
      try file.write(Array(text.utf8))
      try file.synchronize()
      return file
    }
  }

  /// The permissions of a file; `nil` if it does not exist.
  private static func mode(of path: String) -> mode_t? {
    var facts = stat()
    return stat(path, &facts) == 0 ? facts.st_mode & 0o777 : nil
  }

  /// Does something with a file whose error names it.
  private static func storing<Result>(
    _ path: String, _ body: () throws(SystemError) -> Result
  ) throws(CatalogError) -> Result {
    do {
      return try body()
    } catch {
      throw storage(path, error.code)
    }
  }

  static func storage(_ path: String, _ code: Int32) -> CatalogError {
    CatalogError(
      .storage,
      LocalizedText("'\(path)' cannot be changed: ", de: "'\(path)' lässt sich nicht ändern: ") + .systemError(code))
  }
}
