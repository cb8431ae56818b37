import PluginKit

/// The bytes of a message, piece by piece.
protocol MessageSource: Sendable {
  /// How many bytes there are, or a little more; `nil` where nobody knows.
  var size: Int? { get }
  /// Whether some are beyond ASCII.
  var is8Bit: Bool { get }
  /// The next piece, not empty; `nil` after the last.
  mutating func next() async throws(ActionError) -> [UInt8]?
}

/// A message in memory.
struct MemorySource: MessageSource {
  let size: Int?
  let is8Bit: Bool
  private var bytes: [UInt8]?

  init(_ bytes: [UInt8]) {
    size = bytes.count
    is8Bit = bytes.contains { $0 >= 0x80 }
    self.bytes = bytes
  }

  mutating func next() async throws(ActionError) -> [UInt8]? {
    defer { bytes = nil }
    return bytes
  }
}
