/// Cuts bytes into lines, each of which is one message.
public struct LineSplitter: Sendable {
  /// A part of the input.
  public enum Part: Sendable, Equatable {
    /// A line without its end.
    case line([UInt8])
    /// A line that was longer than the limit; its bytes are gone.
    case tooLong
  }

  /// The most bytes of a line.
  public let limit: Int
  private var buffer: [UInt8] = []
  private var isSkipping = false
  private var parts: [Part] = []

  /// Creates a splitter.
  public init(limit: Int) { self.limit = limit }

  /// Adds bytes.
  ///
  /// - Returns: The lines that are complete now; empty lines are left out.
  public mutating func append(_ bytes: some Collection<UInt8>) -> [Part] {
    for byte in bytes {
      if byte == 0x0A {
        endLine()
      } else if !isSkipping {
        buffer.append(byte)
        if buffer.count > limit {
          buffer = []
          isSkipping = true
        }
      }
    }
    defer { parts = [] }
    return parts
  }

  /// The last line if the input ends without a line feed.
  public mutating func finish() -> [Part] {
    endLine()
    defer { parts = [] }
    return parts
  }

  private mutating func endLine() {
    defer {
      buffer = []
      isSkipping = false
    }
    if isSkipping { return parts.append(.tooLong) }
    if buffer.last == 0x0D { buffer.removeLast() }
    if buffer.contains(where: { $0 != 0x20 && $0 != 0x09 }) { parts.append(.line(buffer)) }
  }
}
