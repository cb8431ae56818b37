internal import OperatingSystem

/// The lines of standard input or of a file, each as soon as it is complete.
public struct InputLines {
  /// A line without its line feed.
  public enum Line {
    /// All of it.
    case complete([UInt8])
    /// One that exceeds the limit; its bytes are dropped.
    case tooLong
  }

  /// The longest line in bytes.
  public static let limit = 64 << 20

  private let descriptor: Int32
  private var buffer: [UInt8] = []
  /// Up to where the buffer was searched for a line feed.
  private var searched = 0
  private var start = 0
  private var isAtEnd = false
  private var isAtBeginning = true
  private var isSkipping = false

  /// Reads from an open file, which stays open.
  public init(from descriptor: Int32) { self.descriptor = descriptor }

  /// Waits for the next line; `nil` at the end of the input.
  public mutating func next() -> Line? {
    while true {
      if let feed = buffer[searched...].firstIndex(of: 0x0A) {
        var line = Array(buffer[start..<feed])
        if line.last == 0x0D { line.removeLast() }
        start = feed + 1
        searched = start
        if isSkipping {
          isSkipping = false
          return .tooLong
        }
        return .complete(line)
      }
      searched = buffer.count
      if isAtEnd {
        guard start < buffer.count || isSkipping else { return nil }
        let line = Array(buffer[start...])
        start = buffer.count
        defer { isSkipping = false }
        return isSkipping ? .tooLong : .complete(line)
      }
      buffer.removeFirst(start)
      start = 0
      if buffer.count > Self.limit {
        isSkipping = true
        buffer = []
      }
      searched = buffer.count
      fill()
    }
  }

  private mutating func fill() {
    let chunk = (try? Descriptor.read(from: descriptor, upTo: 1 << 16)) ?? []
    if isAtBeginning, buffer.count + chunk.count >= 3 || chunk.isEmpty {
      buffer = (buffer + chunk).withoutByteOrderMark
      isAtBeginning = false
    } else {
      buffer += chunk
    }
    isAtEnd = chunk.isEmpty
  }
}
