public import Glibc

/// An open file descriptor; closed when its last reference is gone.
public final class Descriptor: Sendable {
  /// The number of the descriptor. It is valid for as long as this object lives.
  public let number: Int32

  /// Takes over an open descriptor.
  public init(_ number: Int32) { self.number = number }

  /// Opens a file, closed on exec.
  ///
  /// - Parameters:
  ///   - path: The file; relative to `folder` if one is given.
  ///   - flags: The flags of open(2), without `O_CLOEXEC`.
  ///   - mode: The permissions of a file that is made; the mask of the process (umask) applies.
  /// - Throws: ``SystemError`` if the file cannot be opened.
  public init(
    opening path: String, in folder: Descriptor? = nil, _ flags: Int32, mode: mode_t = 0o600
  ) throws(SystemError) {
    let start = folder?.number ?? AT_FDCWD
    number = try uninterrupted { openat(start, path, flags | O_CLOEXEC, mode) }
  }

  /// Makes a file without a name, for reading and writing. Its bytes are gone when the descriptor is closed.
  ///
  /// - Parameter folder: The folder on whose disk the bytes are stored.
  /// - Throws: ``SystemError`` if the folder does not exist or may not be written.
  public convenience init(namelessIn folder: String) throws(SystemError) {
    let name = "\(folder)/sous-\(String(UInt64.random(in: 0 ... .max), radix: 36))"
    try self.init(opening: name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW)
    unlink(name)
  }

  deinit { close(number) }

  /// What the system knows about the file.
  public var status: stat {
    get throws(SystemError) {
      var status = stat()
      try uninterrupted { fstat(number, &status) }
      return status
    }
  }

  /// Writes all bytes. See ``write(_:to:)``.
  public func write(_ bytes: [UInt8]) throws(SystemError) { try Self.write(bytes, to: number) }

  /// Reads some bytes. See ``read(from:upTo:)``.
  public func read(upTo limit: Int) throws(SystemError) -> [UInt8] { try Self.read(from: number, upTo: limit) }

  /// Reads to the end, in pieces. See ``readPieces(from:at:pieceSize:_:)``.
  public func readPieces(_ take: (ArraySlice<UInt8>) -> Bool) throws(SystemError) {
    try Self.readPieces(from: number, take)
  }

  /// Reads to the end, or to a limit. See ``readAll(from:at:limit:)``.
  public func readAll(at offset: Int? = nil, limit: Int) throws(SystemError) -> [UInt8] {
    try Self.readAll(from: number, at: offset, limit: limit)
  }

  /// Writes the contents of the file to the disk (fsync). The name of a new file is part of its folder: see ``AtomicFile``.
  ///
  /// - Throws: ``SystemError`` if the disk is full or broken.
  public func synchronize() throws(SystemError) { try uninterrupted { fsync(number) } }
}
