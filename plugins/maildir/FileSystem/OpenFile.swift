#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// An open file that is read from its beginning to its end; it stays the same file if it is renamed meanwhile.
final class OpenFile: Sendable {
  private let descriptor: Int32
  private let path: String

  init(_ descriptor: Int32, _ path: String) {
    self.descriptor = descriptor
    self.path = path
  }

  deinit { close(descriptor) }

  /// What the file system knows about it.
  var status: Directory.Status {
    get throws(FileError) {
      var status = stat()
      guard fstat(descriptor, &status) == 0 else { throw FileError("examine", path) }
      return Directory.Status(status)
    }
  }

  /// The next bytes, at most `count`; none at the end.
  func next(_ count: Int) throws(FileError) -> [UInt8] {
    var piece = [UInt8](repeating: 0, count: count)
    while true {
      let read = piece.withUnsafeMutableBytes { buffer in
        #if canImport(Glibc)
          Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        #else
          Musl.read(descriptor, buffer.baseAddress, buffer.count)
        #endif
      }
      if read >= 0 {
        piece.removeLast(count - read)
        return piece
      }
      guard errno == EINTR else { throw FileError("read", path) }
    }
  }
}
