/// Reads the tokens of a JSON text (RFC 8259), one after another.
///
/// Knows no values: who uses it decides what arrays and objects become. Allocates only what it returns, and room for
/// strings with escape sequences, which it uses again.
public struct JSONCursor: ~Copyable {
  @usableFromInline let base: UnsafePointer<UInt8>
  /// The length of the text in bytes.
  public let count: Int
  /// The byte to be read next.
  public var position = 0
  /// Whether half of a surrogate pair becomes U+FFFD; it is a fault otherwise.
  let repairsSurrogates: Bool
  /// Where strings with escape sequences are put together.
  var scratch = JSONBuffer(capacity: 0)

  /// Begins at the first of so many bytes, which must stay where they are.
  public init(_ base: UnsafePointer<UInt8>, count: Int, repairsSurrogates: Bool = false) {
    self.base = base
    self.count = count
    self.repairsSurrogates = repairsSurrogates
  }

  /// The byte to be read next; `nil` at the end.
  @inlinable @inline(__always)
  public var peek: UInt8? { position < count ? base[position] : nil }

  /// The byte at an offset; `nil` beyond the end.
  public subscript(offset: Int) -> UInt8? { 0..<count ~= offset ? base[offset] : nil }

  /// Goes to the next byte that is no blank.
  @inlinable @inline(__always)
  public mutating func skipBlanks() {
    guard position < count, base[position] <= 0x20 else { return }
    // One space, as behind a colon.
    if base[position] == 0x20, position + 1 < count, base[position + 1] > 0x20 {
      position += 1
    } else {
      skipAllBlanks()
    }
  }

  @usableFromInline
  mutating func skipAllBlanks() {
    while position < count {
      switch base[position] {
      case 0x20, 0x0A, 0x0D, 0x09: position += 1
      default: return
      }
      // Lines of texts for people begin with many spaces.
      while count - position >= 8 {
        let others = word(at: position) ^ 0x2020_2020_2020_2020
        guard others == 0 else {
          position += others.trailingZeroBitCount >> 3
          break
        }
        position += 8
      }
    }
  }

  /// Whether a byte comes next; it is read then.
  @inlinable @inline(__always)
  public mutating func take(_ byte: UInt8) -> Bool {
    guard position < count, base[position] == byte else { return false }
    position += 1
    return true
  }

  /// Reads `true`, `false` or `null`; anything else stays unread.
  @inlinable @inline(__always)
  public mutating func constant() -> JSONConstant? {
    guard count - position >= 4 else { return nil }
    switch UInt32(littleEndian: UnsafeRawPointer(base + position).loadUnaligned(as: UInt32.self)) {
    case 0x6575_7274:
      position += 4
      return .true
    case 0x6C6C_756E:
      position += 4
      return .null
    case 0x736C_6166 where count - position > 4 && base[position + 4] == UInt8(ascii: "e"):
      position += 5
      return .false
    default: return nil
    }
  }

  func fault(_ reason: JSONFault.Reason, at offset: Int, from start: Int? = nil) -> JSONFault {
    JSONFault(reason: reason, offset: offset, start: start ?? offset)
  }

  /// Eight bytes as a number, the first of them the lowest.
  @inline(__always)
  func word(at index: Int) -> UInt64 {
    UInt64(littleEndian: UnsafeRawPointer(base + index).loadUnaligned(as: UInt64.self))
  }
}

/// A value that is a word.
public enum JSONConstant: Sendable {
  case null
  case `true`
  case `false`
}
