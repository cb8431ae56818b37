import PluginKit

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// Files that a recipe names by their path, which may lead through symbolic links: it is the user's own word.
enum LocalFile {
  /// Reads a regular file.
  ///
  /// - Returns: The bytes, or `nil` if there are more than `limit`.
  /// - Throws: `not_found` if there is no such file, `invalid_input` for anything but a regular file, `auth` where it may not
  ///   be read, `io`.
  static func read(_ path: String, limit: Int) throws(ActionError) -> [UInt8]? {
    guard !path.utf8.contains(0) else { throw unsuitable(path) }
    // O_NONBLOCK: opening a pipe must not wait for a writer.
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { throw failure(path) }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw failure(path) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw unsuitable(path) }
    guard status.st_size <= limit else { return nil }
    return try content(file, path, limit: limit)
  }

  private static func content(_ file: Int32, _ path: String, limit: Int) throws(ActionError) -> [UInt8]? {
    var bytes: [UInt8] = []
    while true {
      var piece = [UInt8](repeating: 0, count: 256 << 10)
      let count = piece.withUnsafeMutableBytes { systemRead(file, $0) }
      if count < 0 {
        if errno == EINTR { continue }
        throw failure(path)
      }
      if count == 0 { return bytes }
      // The file may grow meanwhile.
      guard count <= limit - bytes.count else { return nil }
      bytes += piece.prefix(count)
    }
  }

  private static func systemRead(_ file: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    #if canImport(Glibc)
      return Glibc.read(file, buffer.baseAddress, buffer.count)
    #else
      return Musl.read(file, buffer.baseAddress, buffer.count)
    #endif
  }

  /// A file that is read piece by piece.
  final class Reader: Sendable {
    /// Its size when it was opened.
    let size: Int
    private let file: Int32
    private let path: String

    /// Opens a regular file.
    ///
    /// - Throws: As ``LocalFile/read(_:limit:)``.
    init(_ path: String) throws(ActionError) {
      guard !path.utf8.contains(0) else { throw LocalFile.unsuitable(path) }
      let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
      guard file >= 0 else { throw LocalFile.failure(path) }
      var status = stat()
      guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
        close(file)
        throw LocalFile.unsuitable(path)
      }
      self.file = file
      self.path = path
      size = Int(status.st_size)
    }

    deinit { close(file) }

    /// The next bytes; none at the end.
    func read(upTo count: Int) throws(ActionError) -> [UInt8] {
      var piece = [UInt8](repeating: 0, count: count)
      while true {
        let count = piece.withUnsafeMutableBytes { LocalFile.systemRead(file, $0) }
        if count >= 0 { return Array(piece.prefix(count)) }
        if errno != EINTR { throw LocalFile.failure(path) }
      }
    }
  }

  private static func unsuitable(_ path: String) -> ActionError {
    ActionError(
      .invalidInput, "'\(path)' is not a regular file and cannot be attached.",
      german: "'\(path)' ist keine gewöhnliche Datei und lässt sich nicht anhängen.")
  }

  private static func failure(_ path: String) -> ActionError {
    let code = errno
    let reason = String(cString: strerror(code))
    switch code {
    case ENOENT, ENOTDIR:
      return ActionError(
        .notFound, "There is no file '\(path)' to attach.", german: "Die Datei '\(path)' zum Anhängen gibt es nicht.")
    case EISDIR, ENXIO, EINVAL: return unsuitable(path)
    case EACCES, EPERM:
      return ActionError(
        .auth, "The file '\(path)' may not be read: \(reason).",
        german: "Die Datei '\(path)' darf nicht gelesen werden: \(reason).")
    default:
      return ActionError(
        .io, "The file '\(path)' cannot be read: \(reason).",
        german: "Die Datei '\(path)' ist nicht lesbar: \(reason).")
    }
  }
}
