/// A place in a source file: half-open, from `start` up to but without `end`.
public struct SourceRange: Sendable, Hashable {
  /// One position in a text.
  public struct Position: Sendable, Hashable, Comparable {
    /// The line, counted from 1.
    public var line: Int
    /// The column in Unicode scalars, counted from 1.
    public var column: Int
    /// The offset in UTF-8 bytes from the start of the file, counted from 0.
    public var offset: Int

    /// Creates a position.
    public init(line: Int, column: Int, offset: Int) {
      self.line = line
      self.column = column
      self.offset = offset
    }

    /// Whether one position lies before another.
    public static func < (left: Position, right: Position) -> Bool { left.offset < right.offset }
  }

  /// Where the range begins.
  public var start: Position
  /// The first position after the range.
  public var end: Position

  /// Creates a range.
  public init(start: Position, end: Position) {
    self.start = start
    self.end = end
  }
}
