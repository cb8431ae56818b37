internal import CRE2

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

// Swift compares strings by canonical equivalence; the expression language compares code points (`"é"` written in two
// ways is two strings), which for valid UTF-8 is the same as comparing bytes.
extension String {
  /// Calls the closure with the UTF-8 bytes, without copying where the string has them at hand.
  @inline(__always)
  func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    if let result = utf8.withContiguousStorageIfAvailable(body) { return result }
    var copy = self
    return copy.withUTF8(body)
  }

  /// Whether both strings have the same UTF-8 bytes.
  @inline(__always)
  func hasSameBytes(as other: String) -> Bool {
    utf8.count == other.utf8.count
      && withBytes { left in
        other.withBytes { right in
          guard let first = left.baseAddress, let second = right.baseAddress else { return left.isEmpty }
          return memcmp(first, second, left.count) == 0
        }
      }
  }

  /// Whether this string comes before another in the order of code points.
  func isBefore(_ other: String) -> Bool {
    withBytes { left in other.withBytes { right in left.lexicographicallyPrecedes(right) } }
  }

  /// Feeds the UTF-8 bytes into a hasher.
  @inline(__always)
  func hashBytes(into hasher: inout Hasher) {
    withBytes { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    hasher.combine(0xFF as UInt8)
  }

  /// Whether the bytes of another string occur in this one.
  @inline(__always)
  func containsBytes(of other: String) -> Bool {
    withBytes { haystack in
      other.withBytes { needle in
        guard let text = haystack.baseAddress, let sought = needle.baseAddress, !needle.isEmpty else {
          return needle.isEmpty
        }
        return cre2_find(text, haystack.count, sought, needle.count) != nil
      }
    }
  }

  /// Whether this string begins with the bytes of another.
  func hasBytePrefix(_ other: String) -> Bool {
    withBytes { text in
      other.withBytes { prefix in text.count >= prefix.count && text.prefix(prefix.count).elementsEqual(prefix) }
    }
  }

  /// Whether this string ends with the bytes of another.
  func hasByteSuffix(_ other: String) -> Bool {
    withBytes { text in
      other.withBytes { suffix in text.count >= suffix.count && text.suffix(suffix.count).elementsEqual(suffix) }
    }
  }
}
