/// The body of a response, in the pieces in which it arrives.
///
/// Every piece that was taken is reported to the host, so that a slow reader holds the sender up instead of filling the
/// memory. Read once, by one task: what was taken is gone. If the task is cancelled, or no code holds the body any
/// more, the request is cancelled.
public struct HTTPBody: AsyncSequence, Sendable {
  /// A piece as it came, never empty.
  public typealias Element = [UInt8]
  /// The failure that ends a body early: the host's, or kind `cancelled`.
  public typealias Failure = ActionError

  private let owner: Owner

  init(_ transfer: HTTPTransfer) { owner = Owner(transfer) }

  /// Reads the pieces.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let owner: Owner

    /// The next piece, or `nil` after the last.
    ///
    /// - Throws: ``ActionError`` if the body ended early.
    public mutating func next() async throws(ActionError) -> [UInt8]? { try await owner.transfer.nextPiece() }

    /// The next piece, or `nil` after the last.
    ///
    /// - Throws: ``ActionError`` if the body ended early.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(ActionError) -> [UInt8]? {
      try await owner.transfer.nextPiece()
    }
  }

  /// Begins, or goes on, reading.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(owner: owner) }

  /// The whole body.
  ///
  /// - Parameter limit: The largest body in bytes.
  /// - Throws: `protocol` if it is larger, or what ended it early.
  public func collect(upTo limit: Int) async throws(ActionError) -> [UInt8] {
    var bytes: [UInt8] = []
    while let piece = try await owner.transfer.nextPiece() {
      guard piece.count <= limit - bytes.count else {
        owner.transfer.abandon()
        throw ActionError(
          .protocol, "The answer is larger than \(limit) bytes.", german: "Die Antwort ist größer als \(limit) Byte.")
      }
      if bytes.isEmpty { bytes = piece } else { bytes += piece }
    }
    return bytes
  }

  /// The lines of the body: NDJSON, logs. They end with LF or CRLF; the last needs no end.
  ///
  /// - Parameter limit: The longest line in bytes. A longer one fails with `protocol`.
  public func lines(limit: Int = 1 << 20) -> HTTPLines { HTTPLines(body: self, limit: limit) }

  /// The events of a `text/event-stream`, as the HTML standard describes it.
  ///
  /// - Parameters:
  ///   - start: The bytes of the body that have been read already.
  ///   - limit: The largest event, and the longest line, in bytes. A larger one fails with `protocol`.
  public func serverSentEvents(after start: [UInt8] = [], limit: Int = 1 << 20) -> ServerSentEvents {
    ServerSentEvents(body: self, start: start, limit: limit)
  }

  /// Cancels the request when no code holds the body any more.
  fileprivate final class Owner: Sendable {
    let transfer: HTTPTransfer
    init(_ transfer: HTTPTransfer) { self.transfer = transfer }
    deinit { transfer.abandon() }
  }
}
