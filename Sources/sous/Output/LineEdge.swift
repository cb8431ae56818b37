import Glibc
import Synchronization

/// The right edge of the lines of a descriptor.
///
/// The width is read for each text, as the window of a terminal can change.
final class LineEdge: Sendable {
  static let output = LineEdge(descriptor: STDOUT_FILENO)
  static let error = LineEdge(descriptor: STDERR_FILENO)

  private let descriptor: Int32
  /// Whether the last text has ended within a line.
  private let isInLine = Atomic(false)

  init(descriptor: Int32) { self.descriptor = descriptor }

  /// The text as it is written next: lines that are wider than the terminal are wrapped. The rest of a line that an earlier text
  /// has begun stays as it is.
  func fitted(_ text: String) -> String {
    let continues = isInLine.load(ordering: .relaxed)
    pass(text)
    guard let columns = Terminal.columns(of: descriptor, getenv("COLUMNS").map { String(cString: $0) }) else {
      return text
    }
    return text.fitted(to: columns, isInLine: continues)
  }

  /// Records that a text is written as it is.
  func pass(_ text: String) {
    if let last = text.unicodeScalars.last { isInLine.store(last != "\n", ordering: .relaxed) }
  }
}
