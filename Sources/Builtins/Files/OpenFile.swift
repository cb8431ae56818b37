import Engine
import Expressions
import Glibc
import Localization

/// A regular file that is open.
struct OpenFile {
  let descriptor: Descriptor
  private let path: String
  /// What the system knows of it.
  let information: stat

  /// Opens a file to read it; no link is followed, and nothing that is no file blocks.
  ///
  /// - Throws: ``Engine/ActionFailure`` of kind `not_found`, `auth`, `failed` for what is no file, `io`.
  init(reading place: FolderAccess.Place) throws(ActionFailure) {
    try self.init(place, flags: O_RDONLY)
  }

  /// Opens a file.
  ///
  /// - Parameter flags: Those of `open`, without the ones that are always set.
  init(_ place: FolderAccess.Place, flags: Int32) throws(ActionFailure) {
    let number = openat(
      place.folder.number, place.name, flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o666)
    guard number >= 0 else {
      throw .file(place.path, error: errno, isLink: FolderAccess.isLink(place.name, in: place.folder))
    }
    descriptor = Descriptor(number)
    path = place.path
    var information = stat()
    guard fstat(number, &information) == 0 else { throw .file(path, error: errno) }
    guard information.st_mode & S_IFMT == S_IFREG else {
      throw ActionFailure(.failed, LocalizedText("'\(path)' is no file", de: "'\(path)' ist keine Datei"))
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
    var bytes: [UInt8] = []
    bytes.reserveCapacity(min(count, max(0, size - offset) + 1))
    var buffer = [UInt8](repeating: 0, count: min(count, 256 << 10))
    while bytes.count < count {
      let wanted = min(buffer.count, count - bytes.count)
      let got = pread(descriptor.number, &buffer, wanted, offset + bytes.count)
      if got < 0, errno == EINTR { continue }
      guard got >= 0 else { throw .file(path, error: errno) }
      if got == 0 { break }
      bytes += buffer[..<got]
    }
    return bytes
  }
}

extension stat {
  /// When the file was last written, as RFC 3339.
  var modified: String {
    Timestamp(seconds: Int64(st_mtim.tv_sec), nanoseconds: Int32(clamping: st_mtim.tv_nsec)).rfc3339
  }
}
