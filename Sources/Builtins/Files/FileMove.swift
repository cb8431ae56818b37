import CSystemCalls
import Engine
import Expressions
import Glibc
import Localization
import OperatingSystem

/// Moves a file: by its name alone, and onto another file system by a copy.
struct FileMove {
  let from: FolderAccess.Place
  let to: FolderAccess.Place
  let replaces: Bool
  let key: String
  let attempt: Int
  let notes: FileMoveNotes

  /// Finds out the result of a move by comparing its record with the files.
  ///
  /// Another process may have put a file at either place meanwhile. If the result is not certain, there is no verdict.
  ///
  /// - Parameters:
  ///   - from: The old place; `nil` if its folder is gone.
  ///   - to: The new one.
  /// - Throws: ``Engine/ActionFailure`` where a place cannot be looked at.
  static func verdict(
    from: FolderAccess.Place?, to: FolderAccess.Place?, _ notes: FileMoveNotes
  ) throws -> Verdict {
    let here = try from.flatMap { place in try information(of: place) }
    // Without a note nothing has been moved yet.
    guard let source = try notes.source else { return here == nil ? .unknown : .notDone }
    // The old name goes last: if it is still there, the move may be repeated.
    if here?.mark == source { return .notDone }
    guard let to, let there = try information(of: to) else { return .unknown }
    // Numbers are those of one file system.
    var folder = stat()
    let isNear = from.map { fstat($0.folder.number, &folder) == 0 && folder.st_dev == there.device } ?? true
    let copy = try notes.copy
    return there.mark == source && isNear || there.mark == copy
      ? .done(output: ["path": .string(to.path)]) : .unknown
  }

  /// The identity of a file.
  private struct Found {
    /// Its file system.
    var device: dev_t
    /// Unique in its file system over time, and kept when it is renamed: its number, which may be given again, together with
    /// the time of its birth if that is known.
    var mark: Int64
  }

  /// The file at a path; `nil` if there is none.
  private static func information(of place: FolderAccess.Place) throws(ActionFailure) -> Found? {
    var information = stat()
    var number: UInt64 = 0
    var birth: UInt64 = 0
    var error: Int32 = 0
    if fstatat(place.folder.number, place.name, &information, AT_SYMLINK_NOFOLLOW) != 0 { error = errno }
    if error == 0 { error = system_identify(place.folder.number, place.name, &number, &birth) }
    switch error {
    case 0: break
    case ENOENT: return nil
    default: throw .file(place.path, error: error)
    }
    // One number of both: it is noted in one step. The odd factor spreads the file's number over all bits.
    let mark = birth == 0 ? number : number &* 0x9E37_79B9_7F4A_7C15 ^ birth
    return Found(device: information.st_dev, mark: Int64(bitPattern: mark))
  }

  /// Moves it, and brings that to the disk.
  ///
  /// - Throws: ``Engine/ActionFailure``: `not_found`, `failed` where the new name is taken, `unsupported` for a folder that
  ///   would have to be copied, `auth`, `quota`, `io`.
  func run() throws {
    guard !to.realPath.hasPrefix(from.realPath + "/") else {
      throw ActionFailure(
        .invalidInput,
        LocalizedText(
          "'\(from.path)' cannot be moved into itself", de: "'\(from.path)' lässt sich nicht in sich selbst verschieben"
        ))
    }
    guard let source = try Self.information(of: from) else { throw ActionFailure.file(from.path, error: ENOENT) }
    try notes.note(source: source.mark)
    do {
      try AtomicFile.rename(from.name, in: from.folder, to: to.name, in: to.folder, replacing: replaces)
    } catch {
      guard error.code != EXDEV else { return try copy() }
      throw ActionFailure.file(error.code == EEXIST ? to.path : from.path, error: error.code)
    }
    fsync(to.folder.number)
    fsync(from.folder.number)
  }

  private func copy() throws {
    var information = stat()
    guard fstatat(from.folder.number, from.name, &information, AT_SYMLINK_NOFOLLOW) == 0,
      information.st_mode & S_IFMT == S_IFREG, Int(information.st_size) <= BuiltinAction.fileLimit
    else {
      throw ActionFailure(
        .unsupported,
        LocalizedText(
          "'\(from.path)' would have to be copied onto another file system, which works for files up to 64 MiB",
          de: "'\(from.path)' müsste auf ein anderes Dateisystem kopiert werden, was für Dateien bis 64 MiB geht"))
    }
    let source = try OpenFile(reading: from)
    let bytes = try source.read(limit: BuiltinAction.fileLimit)
    do {
      try FileReplacement(place: to, key: key, attempt: attempt).write(bytes, mode: source.mode, replaces: replaces)
    } catch {
      // An earlier attempt may have copied it already.
      guard error.kind == .failed, let old = try? OpenFile(reading: to), old.size == bytes.count,
        (try? old.read(limit: bytes.count)) == bytes
      else { throw error }
    }
    if let copy = try Self.information(of: to) { try notes.note(copy: copy.mark) }
    guard unlinkat(from.folder.number, from.name, 0) == 0 else { throw ActionFailure.file(from.path, error: errno) }
    fsync(from.folder.number)
  }
}

extension FolderAccess {
  /// The place of a file; `nil` if its folder is gone.
  ///
  /// - Throws: As ``place(of:createsFolders:)``.
  func existingPlace(of path: String) throws(ActionFailure) -> Place? {
    do {
      return try place(of: path)
    } catch {
      guard error.kind == .notFound else { throw error }
      return nil
    }
  }
}
