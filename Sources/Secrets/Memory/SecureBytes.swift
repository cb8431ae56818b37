import COpenSSL
import Glibc
import Localization

// Unchecked: a pointer to memory that is written before the initialiser returns, and only read from then on.
/// Bytes of a secret in memory of their own: kept out of swap and core dumps as far as the system lets them, and
/// overwritten before they are given back.
///
/// Never copied behind the scenes, as an array or a string would be. The bytes do not change once it is made.
public final class SecureBytes: @unchecked Sendable {
  /// How many bytes there are.
  public let count: Int
  private let memory: UnsafeMutableRawBufferPointer

  /// Makes memory and lets it be filled.
  ///
  /// - Parameters:
  ///   - capacity: The most bytes it will hold.
  ///   - fill: Writes the bytes and returns how many there are.
  /// - Throws: ``SecretError/Code/system`` if there is no memory, and what `fill` throws.
  init(capacity: Int, fill: (UnsafeMutableRawBufferPointer) throws(SecretError) -> Int) throws(SecretError) {
    let memory = try SecureBytes.allocate(max(0, capacity))
    self.memory = memory
    do {
      let count = try fill(UnsafeMutableRawBufferPointer(rebasing: memory[..<max(0, capacity)]))
      self.count = min(max(0, count), max(0, capacity))
    } catch {
      // The memory is given back by `deinit`, which runs for an object whose properties are all set.
      count = 0
      throw error
    }
  }

  /// Copies bytes that the caller will overwrite.
  convenience init(copying bytes: UnsafeRawBufferPointer) throws(SecretError) {
    try self.init(capacity: bytes.count) { memory throws(SecretError) in
      memory.copyMemory(from: bytes)
      return bytes.count
    }
  }

  /// Copies bytes that are not secret, or that another owner overwrites.
  convenience init(_ bytes: [UInt8]) throws(SecretError) {
    try self.init(capacity: bytes.count) { memory throws(SecretError) in
      memory.copyBytes(from: bytes)
      return bytes.count
    }
  }

  /// Copies the UTF-8 bytes of a text.
  public convenience init(_ text: String) throws(SecretError) {
    try self.init(Array(text.utf8))
  }

  deinit {
    OPENSSL_cleanse(memory.baseAddress, memory.count)
    munmap(memory.baseAddress, memory.count)
  }

  /// Lets the bytes be read.
  func withBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(UnsafeRawBufferPointer(rebasing: memory[..<count]))
  }

  /// Whether there are none.
  public var isEmpty: Bool { count == 0 }

  /// The bytes as a text, in memory that is no longer protected; `nil` if they are not UTF-8.
  public var text: String? {
    withBytes { bytes in String(validating: bytes, as: UTF8.self) }
  }

  /// The same bytes without one line end at their end.
  func withoutLineEnd() throws(SecretError) -> SecureBytes {
    let kept = withBytes { bytes in
      guard bytes.last == UInt8(ascii: "\n") else { return bytes.count }
      return bytes.dropLast().last == UInt8(ascii: "\r") ? bytes.count - 2 : bytes.count - 1
    }
    if kept == count { return self }
    return try slice(0..<kept)
  }

  /// A copy of some of the bytes; the range is cut to what there is.
  func slice(_ range: Range<Int>) throws(SecretError) -> SecureBytes {
    try withBytes { bytes throws(SecretError) in
      try SecureBytes(copying: UnsafeRawBufferPointer(rebasing: bytes[range.clamped(to: 0..<bytes.count)]))
    }
  }

  /// Whether both hold the same bytes; the time that takes does not tell where they differ.
  public func isEqual(to other: SecureBytes) -> Bool {
    guard count == other.count else { return false }
    return withBytes { left in
      other.withBytes { right in CRYPTO_memcmp(left.baseAddress, right.baseAddress, count) == 0 }
    }
  }

  /// Whole pages, so that locking and unlocking never affects memory of another owner.
  private static func allocate(_ count: Int) throws(SecretError) -> UnsafeMutableRawBufferPointer {
    let page = max(1, sysconf(Int32(_SC_PAGESIZE)))
    let (rounded, isTooMuch) = count.addingReportingOverflow(page)
    let size = rounded / page * page
    guard !isTooMuch, let memory = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
      memory != MAP_FAILED
    else {
      throw SecretError(
        .system,
        LocalizedText("there is no memory for a secret", de: "für ein Geheimnis ist kein Speicher da"))
    }
    // Both are best effort: the first is limited by RLIMIT_MEMLOCK.
    mlock(memory, size)
    madvise(memory, size, MADV_DONTDUMP)
    return UnsafeMutableRawBufferPointer(start: memory, count: size)
  }
}
