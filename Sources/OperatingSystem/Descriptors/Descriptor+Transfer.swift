internal import Glibc

// Descriptors that others own, such as standard output, are named by their numbers.
extension Descriptor {
  /// Writes all bytes. Waits if the descriptor is non-blocking and takes no more.
  ///
  /// - Throws: ``SystemError``, such as `ENOSPC` or `EPIPE`; some of the bytes may be written then.
  public static func write(_ bytes: [UInt8], to number: Int32) throws(SystemError) {
    try bytes.withUnsafeBufferPointer { bytes throws(SystemError) in
      try write(UnsafeRawBufferPointer(bytes), to: number)
    }
  }

  /// Writes all bytes of a piece of memory. Waits if the descriptor is non-blocking and takes no more.
  ///
  /// - Throws: ``SystemError``, such as `ENOSPC` or `EPIPE`; some of the bytes may be written then.
  public static func write(_ bytes: UnsafeRawBufferPointer, to number: Int32) throws(SystemError) {
    var offset = 0
    while offset < bytes.count {
      do throws(SystemError) {
        let count = try uninterrupted {
          Glibc.write(number, bytes.baseAddress.map { $0 + offset }, bytes.count - offset)
        }
        guard count > 0 else { throw SystemError(EIO) }
        offset += count
      } catch {
        // Another program that shares the descriptor can have made it non-blocking.
        guard error.code == EAGAIN else { throw error }
        var wait = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
        poll(&wait, 1, -1)
      }
    }
  }

  /// Reads some bytes.
  ///
  /// - Parameter limit: The most bytes.
  /// - Returns: The bytes; none at the end.
  /// - Throws: ``SystemError``, `EAGAIN` if the descriptor is non-blocking and has none.
  public static func read(from number: Int32, upTo limit: Int) throws(SystemError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: limit)
    let count = try uninterrupted { Glibc.read(number, &bytes, limit) }
    bytes.removeLast(limit - count)
    return bytes
  }

  /// Reads until the memory is full or the file ends.
  ///
  /// - Returns: How many bytes were read.
  /// - Throws: ``SystemError`` if the file cannot be read.
  public static func fill(
    _ memory: UnsafeMutableRawBufferPointer, from number: Int32
  ) throws(SystemError) -> Int {
    var filled = 0
    while filled < memory.count {
      let count = try uninterrupted {
        Glibc.read(number, memory.baseAddress.map { $0 + filled }, memory.count - filled)
      }
      if count == 0 { break }
      filled += count
    }
    return filled
  }

  /// Reads to the end, in pieces.
  ///
  /// - Parameters:
  ///   - offset: Where to begin in bytes; `nil` for where the descriptor is.
  ///   - pieceSize: The most bytes of a piece.
  ///   - take: Gets each piece; returns `false` to stop.
  /// - Throws: ``SystemError`` if the file cannot be read.
  public static func readPieces(
    from number: Int32, at offset: Int? = nil, pieceSize: Int = 256 << 10, _ take: (ArraySlice<UInt8>) -> Bool
  ) throws(SystemError) {
    var piece = [UInt8](repeating: 0, count: pieceSize)
    var done = 0
    while true {
      let count = try uninterrupted { () -> Int in
        guard let offset else { return Glibc.read(number, &piece, pieceSize) }
        return pread(number, &piece, pieceSize, off_t(offset + done))
      }
      guard count > 0, take(piece[..<count]) else { return }
      done += count
    }
  }

  /// Reads to the end, or to a limit.
  ///
  /// - Parameters:
  ///   - offset: Where to begin in bytes; `nil` for where the descriptor is.
  ///   - limit: The most bytes. Ask for one byte more than is allowed to notice a file that is too large.
  /// - Returns: At most `limit` bytes; fewer only at the end.
  /// - Throws: ``SystemError`` if the file cannot be read.
  public static func readAll(from number: Int32, at offset: Int? = nil, limit: Int) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    guard limit > 0 else { return [] }
    try readPieces(from: number, at: offset, pieceSize: min(limit, 64 << 10)) { piece in
      bytes += piece.prefix(limit - bytes.count)
      return bytes.count < limit
    }
    return bytes
  }
}
