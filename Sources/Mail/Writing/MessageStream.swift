import Localization

/// A message that is being written piece by piece: says what comes next, reads nothing itself.
///
/// ```swift
/// var stream = try message.stream(messageID: id, date: date)
/// while let step = try stream.next() {
///   switch step {
///   case .bytes(let bytes): send(bytes)
///   case .read(let source, let count): try stream.supply(read(source, count))
///   }
/// }
/// ```
public struct MessageStream: Sendable {
  /// The next piece.
  public enum Step: Sendable, Hashable {
    /// Bytes of the message, at most about 100 KB of a file.
    case bytes([UInt8])
    /// Call ``MessageStream/supply(_:)`` with the next bytes of a source, at most so many, before the next step.
    case read(source: Int, count: Int)
  }

  enum Piece: Sendable {
    case bytes([UInt8])
    /// To be written in base64.
    case base64([UInt8])
    case source(Int, size: Int)
  }

  /// The size of the whole message in bytes: what SMTP's `SIZE` and IMAP's literals want to know beforehand.
  public let size: Int

  private var pieces: ArraySlice<Piece>
  /// How much of the piece at the front is written, before encoding.
  private var position = 0
  /// Bytes that were supplied and do not fill a line yet.
  private var held: [UInt8] = []
  private var isWaiting = false

  /// Bytes of a file that are written at once: whole lines of 57, which base64 makes 76.
  private static let step = 57 * 1024

  init(pieces: [Piece]) {
    self.pieces = pieces[...]
    size = pieces.reduce(0) { sum, piece in
      switch piece {
      case .bytes(let bytes): sum + bytes.count
      case .base64(let bytes): sum + MessageStream.encodedSize(bytes.count)
      case .source(_, let size): sum + MessageStream.encodedSize(size)
      }
    }
  }

  private static func encodedSize(_ count: Int) -> Int {
    let digits = (count + 2) / 3 * 4
    return digits + max(0, (digits + 75) / 76 - 1) * 2
  }

  /// The next step, or `nil` at the end.
  ///
  /// - Throws: ``MailError/Code/wrongContent`` where a step asked for bytes and none were supplied.
  public mutating func next() throws(MailError) -> Step? {
    if isWaiting { throw MessageStream.wrongContent() }
    while let piece = pieces.first {
      switch piece {
      case .bytes(let bytes):
        advance()
        if !bytes.isEmpty { return .bytes(bytes) }
      case .base64(let bytes):
        if position >= bytes.count {
          advance()
          continue
        }
        let end = min(position + MessageStream.step, bytes.count)
        defer { position = end }
        return .bytes(MessageStream.lines(bytes[position..<end], isFirst: position == 0))
      case .source(let source, let size):
        if position >= size {
          advance()
          continue
        }
        // Held bytes belong to the next line.
        let left = size - position - held.count
        if left > 0, held.count < MessageStream.step {
          isWaiting = true
          return .read(source: source, count: min(left, MessageStream.step))
        }
        return .bytes(takeHeld(isLast: left == 0))
      }
    }
    return nil
  }

  /// Takes the bytes of a source that the last step asked for.
  ///
  /// - Throws: ``MailError/Code/wrongContent`` if their number is wrong, because the file has changed.
  public mutating func supply(_ bytes: [UInt8]) throws(MailError) {
    guard isWaiting, case .source(_, let size)? = pieces.first, !bytes.isEmpty,
      bytes.count <= size - position - held.count
    else { throw MessageStream.wrongContent() }
    isWaiting = false
    held += bytes
  }

  private mutating func advance() {
    pieces.removeFirst()
    position = 0
  }

  private mutating func takeHeld(isLast: Bool) -> [UInt8] {
    let count = isLast ? held.count : held.count / 57 * 57
    let output = MessageStream.lines(held[..<count], isFirst: position == 0)
    position += count
    held.removeFirst(count)
    return output
  }

  private static func lines(_ bytes: ArraySlice<UInt8>, isFirst: Bool) -> [UInt8] {
    let encoded = Base64.encode(bytes, lineLength: 76)
    return isFirst ? encoded : [UInt8.carriageReturn, UInt8.lineFeed] + encoded
  }

  /// The whole message, where all of its content is in memory.
  mutating func wholeBytes() throws(MailError) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(size)
    while let step = try next() {
      guard case .bytes(let bytes) = step else { throw MessageStream.wrongContent() }
      output += bytes
    }
    return output
  }

  private static func wrongContent() -> MailError {
    MailError(
      .wrongContent,
      LocalizedText(
        "The content of an attachment is missing, or it is not as long as it was before. Attach the file again.",
        de: "Der Inhalt eines Anhangs fehlt oder ist nicht so lang wie zuvor. Die Datei muss neu angehängt werden."),
      field: "attachments")
  }
}
