internal import CRE2

/// Searches bytes for a run of bytes.
struct ByteSearch {
  let needle: [UInt8]

  init(_ needle: [UInt8]) {
    self.needle = needle
  }

  /// The first place at or after a position, `nil` if there is none.
  func first(in bytes: [UInt8], from start: Int) -> Int? {
    guard start >= 0, start <= bytes.count, !needle.isEmpty else { return nil }
    return bytes.withUnsafeBufferPointer { haystack in
      needle.withUnsafeBufferPointer { sought in
        guard let base = haystack.baseAddress, let part = sought.baseAddress,
          let match = cre2_find(base + start, haystack.count - start, part, sought.count)
        else { return nil }
        return match - base
      }
    }
  }
}
