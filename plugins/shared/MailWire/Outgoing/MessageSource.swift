import Localization
public import Mail
public import PluginKit

/// The bytes of a message, piece by piece.
public protocol MessageSource: Sendable {
  /// The next piece, not empty; `nil` after the last.
  mutating func next() async throws(ActionError) -> [UInt8]?
}

/// A message that is in memory as a whole.
public struct WholeSource: MessageSource {
  private static let pieceSize = 64 << 10

  private let bytes: [UInt8]
  private var sent = 0

  /// Cuts a message into pieces.
  public init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The next piece.
  public mutating func next() async throws(ActionError) -> [UInt8]? {
    guard sent < bytes.count else { return nil }
    let end = min(sent + Self.pieceSize, bytes.count)
    defer { sent = end }
    return Array(bytes[sent..<end])
  }
}

/// A message that is written while it goes out, so that its files are never in memory as a whole.
public struct ComposedSource: MessageSource {
  /// Pieces are gathered up to this size.
  private static let pieceSize = 64 << 10

  /// The size of the message in bytes.
  public let size: Int
  /// Whether some bytes are beyond ASCII.
  public let is8Bit: Bool
  private var stream: MessageStream
  private var contents: AttachmentContents

  /// Begins to write a message.
  ///
  /// - Parameters:
  ///   - message: The message, with the files of `contents`.
  ///   - messageID: Its identifier without angle brackets.
  ///   - seconds: When it is written, since 1970.
  ///   - contents: Where its files are read.
  /// - Throws: `invalid_input` where a header would break.
  public init(
    _ message: OutgoingMessage, messageID: String, seconds: Int, contents: AttachmentContents
  ) async throws(ActionError) {
    do throws(MailError) {
      stream = try message.stream(messageID: messageID, date: MessageDate(secondsSinceEpoch: seconds))
    } catch {
      throw ActionError(error)
    }
    self.contents = contents
    size = stream.size
    // All else is written in ASCII: headers in encoded words, texts in quoted-printable, files in Base64.
    let addresses = [message.from] + message.replyTo + message.to + message.cc
    is8Bit =
      addresses.contains { $0.sent.utf8.contains { $0 >= 0x80 } }
      || message.attachments.contains { $0.type.lowercased() == "message/rfc822" && $0.data.contains { $0 >= 0x80 } }
  }

  /// The next piece.
  ///
  /// - Throws: The error of reading a file or blob; `invalid_input` where one has another size than it had.
  public mutating func next() async throws(ActionError) -> [UInt8]? {
    var gathered: [UInt8] = []
    while gathered.count < Self.pieceSize {
      let step: MessageStream.Step?
      do throws(MailError) { step = try stream.next() } catch { throw ActionError(error) }
      switch step {
      case .bytes(let bytes): if gathered.isEmpty { gathered = bytes } else { gathered += bytes }
      case .read(let source, let count):
        let bytes = try await contents.read(source, upTo: count)
        do throws(MailError) { try stream.supply(bytes) } catch { throw ActionError(error) }
      case nil: return gathered.isEmpty ? nil : gathered
      }
    }
    return gathered
  }
}

extension ActionError {
  fileprivate init(_ error: MailError) {
    self.init(.invalidInput, error.message.english, german: error.message.german)
  }
}
