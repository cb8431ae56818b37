/// Takes the bytes of a connection apart into messages: a `Content-Length` header, an empty line, the content.
///
/// The framing is that of the Language Server Protocol 3.17, "Base Protocol". Bytes may come in any portions.
public struct MessageDecoder: Sendable {
  /// A parsed part of the bytes.
  public enum Part: Sendable, Equatable {
    /// The content of a message.
    case message([UInt8])
    /// A message was larger than the limit and was skipped.
    case tooLarge(Int)
    /// The header cannot be understood; nothing after it can be parsed.
    case malformedHeader
  }

  /// The most bytes that a message may have.
  public let limit: Int
  /// The most bytes that a header may have.
  private static let headerLimit = 8192
  private var buffer: [UInt8] = []
  private var start = 0
  private var skipped = 0
  private var isBroken = false

  /// Creates a decoder.
  ///
  /// - Parameter limit: The most bytes that a message may have.
  public init(limit: Int = 16 << 20) {
    self.limit = limit
  }

  /// Takes further bytes.
  public mutating func append(_ bytes: some Collection<UInt8>) {
    guard !isBroken else { return }
    var bytes = bytes[...]
    let skip = min(skipped, bytes.count)
    skipped -= skip
    bytes = bytes.dropFirst(skip)
    if start > 65_536, start * 2 > buffer.count {
      buffer.removeFirst(start)
      start = 0
    }
    buffer += bytes
  }

  /// The next part; `nil` if more bytes are needed.
  public mutating func next() -> Part? {
    guard !isBroken else { return nil }
    guard let end = headerEnd() else {
      guard buffer.count - start > Self.headerLimit else { return nil }
      return fail()
    }
    guard let length = contentLength(start..<end) else { return fail() }
    let content = end + 4
    if length > limit {
      let present = min(length, buffer.count - content)
      start = content + present
      skipped = length - present
      return .tooLarge(length)
    }
    guard buffer.count - content >= length else { return nil }
    start = content + length
    return .message(Array(buffer[content..<content + length]))
  }

  private mutating func fail() -> Part {
    isBroken = true
    buffer = []
    return .malformedHeader
  }

  /// Where the empty line that ends the header begins.
  private func headerEnd() -> Int? {
    var index = start
    while index + 3 < buffer.count, index - start <= Self.headerLimit {
      if buffer[index] == 13, buffer[index + 1] == 10, buffer[index + 2] == 13, buffer[index + 3] == 10 { return index }
      index += 1
    }
    return nil
  }

  private func contentLength(_ range: Range<Int>) -> Int? {
    let header = String(decoding: buffer[range], as: UTF8.self)
    for line in header.split(separator: "\r\n") {
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2, parts[0].lowercased() == "content-length" else { continue }
      guard let length = Int(parts[1].filter { $0 != " " && $0 != "\t" }), length >= 0 else { return nil }
      return length
    }
    return nil
  }

  /// A message with its header.
  public static func encode(_ content: [UInt8]) -> [UInt8] {
    Array("Content-Length: \(content.count)\r\n\r\n".utf8) + content
  }
}
