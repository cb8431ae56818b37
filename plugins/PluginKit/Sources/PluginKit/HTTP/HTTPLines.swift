/// The lines of a body as they arrive.
public struct HTTPLines: AsyncSequence, Sendable {
  /// A line without its end; invalid UTF-8 becomes U+FFFD.
  public typealias Element = String
  /// The failure that ended the body early, or `protocol` for a line that is too long.
  public typealias Failure = ActionError

  let body: HTTPBody
  let limit: Int

  /// Reads the lines.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private var pieces: HTTPBody.AsyncIterator
    private var splitter: LineSplitter
    private var isAtEnd = false

    fileprivate init(_ lines: HTTPLines) {
      pieces = lines.body.makeAsyncIterator()
      splitter = LineSplitter(ending: .newline, limit: lines.limit)
    }

    /// The next line, or `nil` after the last.
    ///
    /// - Throws: ``ActionError`` if the body ended early or the line is too long.
    public mutating func next() async throws(ActionError) -> String? {
      while true {
        if let line = try splitter.next() { return String(decoding: line, as: UTF8.self) }
        if isAtEnd { return try splitter.rest().map { String(decoding: $0, as: UTF8.self) } }
        if let piece = try await pieces.next() { splitter.append(piece) } else { isAtEnd = true }
      }
    }
  }

  /// Begins reading.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}
