#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Cuts the bytes of a server into responses (RFC 9051 §4.3, §7): a line, and the literals and lines that go on from it.
///
/// Bytes go in as they arrive, in pieces of any size; whole responses come out. Responses that are too long, too large or
/// contain a NUL outside a literal are refused before they are stored.
struct ResponseReader: Sendable {
  /// How much is accepted, in bytes.
  struct Limits: Sendable {
    /// A line, or the part of one before or behind a literal.
    var line = 1 << 20
    /// A line with the results of a search, with removed messages, or with the description of a message.
    var listing = 16 << 20
    /// A literal.
    var literal = 40 << 20
    /// A response with its literals.
    var response = 48 << 20
    /// Literals in one response.
    var literals = 20_000
  }

  private let limits: Limits
  private var buffer: [UInt8] = []
  /// The first byte of the response that is being read.
  private var start = 0
  /// The first byte of its current line.
  private var lineStart = 0
  /// Before this byte of the line there is no LF.
  private var searched = 0
  private var literals = 0

  init(limits: Limits = Limits()) { self.limits = limits }

  /// Whether nothing has arrived behind the last response that was taken.
  var isEmpty: Bool { start == buffer.count }

  /// Gives away what has arrived behind the last response, as it is not text of the protocol.
  mutating func takeRest() -> [UInt8] {
    let rest = Array(buffer[start...])
    self = ResponseReader(limits: limits)
    return rest
  }

  /// Takes what has arrived.
  mutating func append(_ bytes: [UInt8]) {
    if start == buffer.count {
      buffer = bytes
      move(by: start)
    } else {
      if start > 1 << 16 {
        buffer.removeSubrange(..<start)
        move(by: start)
      }
      buffer += bytes
    }
  }

  private mutating func move(by count: Int) {
    start -= count
    lineStart -= count
    searched -= count
  }

  /// The next whole response without its final CR and LF; `nil` while more bytes are needed.
  mutating func next() throws(ProtocolFault) -> [UInt8]? {
    while true {
      // The end of a literal may be still to come.
      guard searched < buffer.count else { return nil }
      guard let end = lineEnd(from: searched) else {
        searched = buffer.count
        guard buffer.count - lineStart <= lineLimit else { throw lineTooLong }
        guard isAboutMessage || !holdsNUL(lineStart, buffer.count) else { throw ProtocolFault(.nul, "in a line") }
        return nil
      }
      guard end - lineStart <= lineLimit else { throw lineTooLong }
      guard end > lineStart, buffer[end - 1] == 0x0D else { throw ProtocolFault(.lineEnd, "LF without CR") }
      guard isAboutMessage || !holdsNUL(lineStart, end) else { throw ProtocolFault(.nul, "in a line") }
      if !isText, let size = try literalSize(end - 1) {
        literals += 1
        guard size <= limits.literal, end + 1 - start + size <= limits.response, literals <= limits.literals else {
          throw ProtocolFault(.tooLarge, "a literal of \(size) bytes")
        }
        lineStart = end + 1 + size
        searched = lineStart
        continue
      }
      guard end - start <= limits.response else { throw ProtocolFault(.tooLarge, "a response") }
      let response = Array(buffer[start..<(end - 1)])
      start = end + 1
      lineStart = start
      searched = start
      literals = 0
      return response
    }
  }

  private var lineTooLong: ProtocolFault { ProtocolFault(.lineTooLong, "more than \(lineLimit) bytes without CRLF") }

  private func lineEnd(from index: Int) -> Int? {
    buffer.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress, let found = memchr(base + index, 0x0A, bytes.count - index) else {
        return nil
      }
      return UnsafeRawPointer(found) - base
    }
  }

  private func holdsNUL(_ first: Int, _ end: Int) -> Bool {
    buffer.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress, first < end else { return false }
      return memchr(base + first, 0, end - first) != nil
    }
  }

  private func begins(_ text: StaticString) -> Bool {
    let length = text.utf8CodeUnitCount
    guard buffer.count - start >= length else { return false }
    return text.withUTF8Buffer { expected in
      for index in 0..<length {
        let byte = buffer[start + index]
        let upper = byte >= 0x61 && byte <= 0x7A ? byte - 0x20 : byte
        if upper != expected[index] { return false }
      }
      return true
    }
  }

  private var lineLimit: Int {
    isAboutMessage || begins("* SEARCH") || begins("* ESEARCH") || begins("* SORT") || begins("* VANISHED")
      ? limits.listing : limits.line
  }

  /// Whether the response begins with a number and so is about one message. Its sender may have put a NUL into a file name, or
  /// thousands of parts into the message; that must not end the session.
  private var isAboutMessage: Bool {
    guard begins("* "), start + 2 < buffer.count else { return false }
    return buffer[start + 2] >= 0x30 && buffer[start + 2] <= 0x39
  }

  /// Whether the response ends in text for people, in which `{5}` means nothing.
  private var isText: Bool {
    guard lineStart == start, start < buffer.count else { return false }
    // Whatever does not begin with "* " is a tagged response or a continuation: both are text.
    guard begins("* ") else { return true }
    return begins("* OK") || begins("* NO") || begins("* BAD") || begins("* BYE") || begins("* PREAUTH")
  }

  /// The size of the literal that a line announces at its end: `{310}`, `{310+}`, `~{310}`.
  private func literalSize(_ end: Int) throws(ProtocolFault) -> Int? {
    guard end > lineStart, buffer[end - 1] == 0x7D else { return nil }
    var index = end - 2
    if index >= lineStart, buffer[index] == 0x2B { index -= 1 }
    var size = 0
    var scale = 1
    let last = index
    while index >= lineStart, buffer[index] >= 0x30, buffer[index] <= 0x39 {
      guard last - index < 18 else { throw ProtocolFault(.tooLarge, "a literal with a size of more than 18 digits") }
      size += Int(buffer[index] - 0x30) * scale
      scale *= 10
      index -= 1
    }
    guard index < last, index >= lineStart, buffer[index] == 0x7B else { return nil }
    return size
  }
}
