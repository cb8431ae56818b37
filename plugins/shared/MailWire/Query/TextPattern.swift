/// A text to look for, whatever the case.
public struct TextPattern: Sendable, Hashable {
  /// As it was written.
  public let text: String
  private let folded: String
  private let bytes: [UInt8]
  private let isASCII: Bool
  /// Whether other characters count as the same as one of its own: U+037E as `;`, U+1FEF as a grave accent.
  private let hasEquivalents: Bool

  /// Prepares a text.
  public init(_ text: String) {
    self.text = text
    folded = text.lowercased()
    bytes = Array(folded.utf8)
    isASCII = bytes.allSatisfy { $0 < 0x80 }
    hasEquivalents = bytes.contains(0x3B) || bytes.contains(0x60)
  }

  /// Whether a text holds the pattern. The empty pattern is in every text.
  public func isFound(in text: String) -> Bool {
    if bytes.isEmpty { return true }
    var text = text
    let quick = text.withUTF8 { buffer -> Bool? in
      guard buffer.contains(where: { $0 >= 0x80 }) else { return isASCII ? contains(buffer) : false }
      // An accent makes another letter of the one before it. But what has not even the letters has not the pattern.
      return isASCII && !hasEquivalents && !Self.hasKelvin(buffer) && !contains(buffer) ? false : nil
    }
    // Beyond ASCII the same character can be written in several ways.
    return quick ?? text.lowercased().contains(folded)
  }

  private func contains(_ buffer: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let first = bytes.first, buffer.count >= bytes.count else { return false }
    for start in 0...(buffer.count - bytes.count) where Self.lower(buffer[start]) == first {
      var offset = 1
      while offset < bytes.count, Self.lower(buffer[start + offset]) == bytes[offset] { offset += 1 }
      if offset == bytes.count { return true }
    }
    return false
  }

  /// Whether a text may have U+212A, which is `K`.
  private static func hasKelvin(_ buffer: UnsafeBufferPointer<UInt8>) -> Bool {
    buffer.indices.contains { buffer[$0] == 0xE2 && $0 + 1 < buffer.count && buffer[$0 + 1] == 0x84 }
  }

  private static func lower(_ byte: UInt8) -> UInt8 { byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte }
}
