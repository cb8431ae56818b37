/// A connection through the host: bytes in order, both ways.
///
/// One task reads and one writes at a time. A read that is cancelled, by ``HostClock/withTimeout(_:_:)`` for instance,
/// leaves the stream as it was. Letting go of the stream closes it.
public final class ByteStream: Sendable {
  /// How much may wait to be sent before ``write(_:)-([UInt8])`` waits.
  static let highWater: UInt64 = 1 << 20

  /// How much a long line may grow before it is reported to the host that more may come.
  private static let acknowledgement = 256 << 10

  private let state: ByteStreamState
  private let control: any StreamControl

  init(_ state: ByteStreamState, _ control: any StreamControl) {
    self.state = state
    self.control = control
  }

  deinit { control.close() }

  /// Whether ``startTLS()`` is done. `false` for a stream with TLS from the start.
  public var hasStartedTLS: Bool { (try? state.with { $0.isSecured }) ?? false }

  /// The bytes that have arrived, at least one; `nil` at the end.
  ///
  /// - Throws: The failure that ended the stream; `cancelled`.
  public func read(upTo limit: Int = 64 << 10) async throws(ActionError) -> [UInt8]? {
    let (piece, news) = try await state.wait { state throws(ActionError) -> (bytes: [UInt8], news: Int)? in
      let count = min(max(1, limit), state.unread.count)
      if count == 0 { return state.isAtEnd && state.failure == nil ? ([], 0) : nil }
      return state.take(count)
    }
    if piece.isEmpty { return nil }
    if news > 0 { control.consumed(news) }
    return piece
  }

  /// So many bytes, no fewer.
  ///
  /// - Throws: `io` if the stream ends before; the failure that ended it; `cancelled`.
  public func read(exactly count: Int) async throws(ActionError) -> [UInt8] {
    guard count > 0 else { return [] }
    // More bytes than fit the host's window are taken in parts.
    var bytes: [UInt8] = []
    while bytes.count < count {
      guard let piece = try await read(upTo: count - bytes.count) else { throw ActionError.endedEarly }
      if bytes.isEmpty { bytes = piece } else { bytes += piece }
    }
    return bytes
  }

  /// Bytes up to a mark, without the mark, which is taken as well.
  ///
  /// - Parameters:
  ///   - mark: At least one byte.
  ///   - limit: The most bytes before the mark.
  /// - Returns: The bytes; `nil` if the stream ends in good order with nothing before it.
  /// - Throws: `protocol` if there is no mark within the limit; `io` if the stream ends before; the failure that ended it;
  ///   `cancelled`.
  public func read(until mark: [UInt8], limit: Int = 64 << 10) async throws(ActionError) -> [UInt8]? {
    guard let last = mark.last else { return [] }
    var searched = 0
    while true {
      let step = try await state.wait { state throws(ActionError) -> Search? in
        let unread = state.unread
        var index = unread.startIndex + searched
        while let end = unread[index...].firstIndex(of: last) {
          let length = end + 1 - unread.startIndex - mark.count
          if length >= 0, unread[...end].suffix(mark.count).elementsEqual(mark) {
            guard length <= limit else { throw ActionError.noMark(limit) }
            let (bytes, news) = state.take(length + mark.count)
            return .found(bytes, news)
          }
          index = end + 1
        }
        searched = unread.count
        guard unread.count < limit + mark.count else { throw ActionError.noMark(limit) }
        if state.isAtEnd, state.failure == nil, unread.isEmpty { return .end }
        // Bytes within the limit may come, even if the host's window is smaller.
        let news = unread.count - state.acknowledged
        guard news > ByteStream.acknowledgement else { return nil }
        state.acknowledged = unread.count
        return .goesOn(news)
      }
      switch step {
      case .found(let bytes, let news):
        if news > 0 { control.consumed(news) }
        return bytes.dropLast(mark.count)
      case .goesOn(let news): control.consumed(news)
      case .end: return nil
      }
    }
  }

  private enum Search {
    case found([UInt8], Int)
    case goesOn(Int)
    case end
  }

  /// A line without its LF, or CR and LF.
  ///
  /// - Parameter limit: The longest line in bytes, without its end.
  /// - Returns: The line, invalid UTF-8 as U+FFFD; `nil` at the end.
  /// - Throws: As ``read(until:limit:)``.
  public func readLine(limit: Int = 64 << 10) async throws(ActionError) -> String? {
    // One more for a CR.
    guard var line = try await read(until: [0x0A], limit: limit + 1) else { return nil }
    if line.last == 0x0D { line.removeLast() }
    guard line.count <= limit else { throw ActionError.noMark(limit) }
    return String(decoding: line, as: UTF8.self)
  }

  /// Sends bytes. Returns at once while little waits to be sent, otherwise when that has gone.
  ///
  /// - Throws: The failure that ended the stream; `cancelled`.
  public func write(_ bytes: [UInt8]) async throws(ActionError) {
    // In parts, so that a slow receiver shows before everything is in the host's memory.
    var start = 0
    repeat {
      _ = try await state.wait { state throws(ActionError) -> Bool? in
        if let failure = state.failure { throw failure }
        guard !state.isAtEnd else { throw ActionError.endedEarly }
        state.awaitsRoom = state.written - min(state.written, state.sent) >= ByteStream.highWater
        return state.awaitsRoom ? nil : true
      }
      let end = min(bytes.count, start + Int(ByteStream.highWater))
      guard end > start else { return }
      try state.with { $0.written += UInt64(end - start) }
      control.write(start == 0 && end == bytes.count ? bytes : Array(bytes[start..<end]))
      start = end
    } while start < bytes.count
  }

  /// Sends text as UTF-8.
  ///
  /// - Throws: As ``write(_:)-([UInt8])``.
  public func write(_ text: String) async throws(ActionError) { try await write(Array(text.utf8)) }

  /// Begins TLS on a plain stream, after the bytes written before; all later bytes are encrypted, both ways.
  ///
  /// - Throws: `protocol` if unencrypted bytes have arrived and were not read: they may not be from the server;
  ///   `auth` if the certificate cannot be trusted; otherwise the failure that ended the stream.
  public func startTLS() async throws(ActionError) {
    let isClean = try state.with { state in
      state.isSecuring = true
      if state.unread.isEmpty { return true }
      _ = state.take(state.unread.count)
      state.failure = .plainTextBeforeTLS
      return false
    }
    guard isClean else {
      control.close()
      throw ActionError.plainTextBeforeTLS
    }
    control.startTLS()
    _ = try await state.wait { $0.isSecured ? true : nil }
  }

  /// Closes the stream when what was written has been sent. A second time it does nothing.
  public func close() { control.close() }

  /// Closes the stream for a reason, which readers and writers get from now on; for time limits, for instance.
  public func close(throwing reason: ActionError) {
    state.change { if $0.failure == nil { $0.failure = reason } }
    control.close()
  }
}

extension ActionError {
  fileprivate static func noMark(_ limit: Int) -> ActionError {
    ActionError(
      .protocol, "The other side sent more than \(limit) bytes without the end of a line.",
      german: "Die Gegenseite schickte mehr als \(limit) Byte ohne Zeilenende.")
  }
}
