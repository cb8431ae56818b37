import Engine
import Expressions
import Glibc
import Localization
import OperatingSystem

/// A regular file that is open.
struct OpenFile {
  let descriptor: Descriptor
  private let path: String
  /// Its metadata.
  let information: stat

  /// Opens a file to read it; no link is followed, and nothing that is not a file blocks.
  ///
  /// - Throws: ``Engine/ActionFailure`` of kind `not_found`, `auth`, `failed` for what is not a file, `io`.
  init(reading place: FolderAccess.Place) throws(ActionFailure) {
    try self.init(place, flags: O_RDONLY)
  }

  /// Opens a file.
  ///
  /// - Parameter flags: Those of `open`, without the ones that are always set.
  init(_ place: FolderAccess.Place, flags: Int32) throws(ActionFailure) {
    do {
      descriptor = try Descriptor(
        opening: place.name, in: place.folder, flags | O_NOFOLLOW | O_NONBLOCK, mode: 0o666)
    } catch {
      throw .file(place.path, error: error.code, isLink: FolderAccess.isLink(place.name, in: place.folder))
    }
    path = place.path
    let information: stat
    do {
      information = try descriptor.status
    } catch {
      throw .file(path, error: error.code)
    }
    guard information.st_mode & S_IFMT == S_IFREG else {
      throw ActionFailure(.failed, LocalizedText("'\(path)' is not a file", de: "'\(path)' ist keine Datei"))
    }
    self.information = information
  }

  /// The size in bytes when it was opened.
  var size: Int { Int(information.st_size) }
  /// The permissions.
  var mode: mode_t { information.st_mode & 0o7777 }
  /// When it was last written, as RFC 3339.
  var modified: String { information.modified }

  /// Reads from the start to the end.
  ///
  /// - Parameter limit: The most bytes; a file that has grown beyond is a failure.
  func read(limit: Int) throws(ActionFailure) -> [UInt8] {
    let bytes = try read(from: 0, count: limit &+ 1)
    guard bytes.count <= limit else { throw .file(path, error: EFBIG) }
    return bytes
  }

  /// Reads a part; fewer bytes come only at the end.
  func read(from offset: Int, count: Int) throws(ActionFailure) -> [UInt8] {
    do {
      return try descriptor.readAll(at: offset, limit: count)
    } catch {
      throw .file(path, error: error.code)
    }
  }
}

extension stat {
  /// When the file was last written, as RFC 3339.
  var modified: String {
    Timestamp(seconds: Int64(st_mtim.tv_sec), nanoseconds: Int32(clamping: st_mtim.tv_nsec)).rfc3339
  }
}
