/// A text to look for, whatever the case.
public struct TextPattern: Sendable, Hashable {
  /// As it was written.
  public let text: String
  private let folded: String
  private let bytes: [UInt8]
  private let isASCII: Bool

  /// Prepares a text.
  public init(_ text: String) {
    self.text = text
    folded = text.lowercased()
    bytes = Array(folded.utf8)
    isASCII = bytes.allSatisfy { $0 < 0x80 }
  }

  /// Whether a text holds the pattern. The empty pattern is in every text.
  public func isFound(in text: String) -> Bool {
    if bytes.isEmpty { return true }
    var text = text
    let quick = text.withUTF8 { buffer -> Bool? in
      if buffer.contains(where: { $0 >= 0x80 }) { return nil }
      return isASCII ? contains(buffer) : false
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

  private static func lower(_ byte: UInt8) -> UInt8 { byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte }
}
