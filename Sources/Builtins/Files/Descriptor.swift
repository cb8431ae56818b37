import Glibc

/// An open file descriptor; closed when nobody has it any more.
final class Descriptor: Sendable {
  let number: Int32

  init(_ number: Int32) { self.number = number }

  deinit { close(number) }

  /// Writes all bytes where the descriptor stands.
  ///
  /// - Returns: 0, or an errno value.
  func write(_ bytes: [UInt8]) -> Int32 {
    bytes.withUnsafeBytes { buffer in
      var rest = buffer[...]
      while !rest.isEmpty {
        let count = Glibc.write(number, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return count < 0 ? errno : EIO }
        rest = rest.dropFirst(count)
      }
      return 0
    }
  }
}
