/// Takes the transfer encoding off a body that comes in pieces; gives the same bytes as ``Part/decodedBytes``.
public struct TransferDecoder: Sendable {
  private let encoding: TransferEncoding
  /// Bytes whose line or group is not complete yet.
  private var held: [UInt8] = []
  /// In base64: padding has come, and only whole lines of base64 are taken from there on.
  private var isAfterPadding = false
  private var isAtLineStart = false
  private var isFinished = false
  private var uuDecoder = UUDecoder()

  /// A line longer than this is not waited for.
  private static let lineLimit = 65_536

  /// Creates a decoder by the name of an encoding, as IMAP's `BODYSTRUCTURE` gives it.
  public init(encoding name: String) {
    encoding = TransferEncoding(name: name)
  }

  init(_ encoding: TransferEncoding) { self.encoding = encoding }

  /// Decodes a piece; holds back incomplete lines and groups, at most about 64 KB.
  public mutating func decode(_ bytes: some Collection<UInt8>) -> [UInt8] {
    switch encoding {
    case .identity, .unknown: return Array(bytes)
    case .quotedPrintable:
      held += bytes
      guard let end = held.lastIndex(of: UInt8.lineFeed) else {
        return held.count > TransferDecoder.lineLimit ? takeLongLine() : []
      }
      defer { held.removeFirst(end + 1) }
      return QuotedPrintable.decode(held[...end])
    case .base64: return decodeBase64(bytes)
    case .uuencode: return decodeUU(bytes)
    }
  }

  /// The rest at the end of the body.
  public mutating func finish() -> [UInt8] {
    defer { held = [] }
    switch encoding {
    case .identity, .unknown: return []
    case .quotedPrintable: return QuotedPrintable.decode(held[...])
    case .uuencode: return uuDecoder.decodeLine(held[...])
    case .base64:
      // A line end changes nothing in base64, and ends the last line.
      let output = decodeBase64(CollectionOfOne(UInt8.lineFeed))
      return isFinished || isAfterPadding ? output : output + Base64.decode(held[...]).bytes
    }
  }

  /// Whole lines; unlike ``Part/decodedBytes`` it cannot know that no `begin` will come, and gives nothing then.
  private mutating func decodeUU(_ bytes: some Collection<UInt8>) -> [UInt8] {
    held += bytes
    var output: [UInt8] = []
    var start = 0
    while start < held.count {
      let (end, next) = held[...].lineEnd(from: start)
      if end == held.count { break }
      output += uuDecoder.decodeLine(held[start..<end])
      start = next
    }
    held.removeFirst(start)
    if held.count > TransferDecoder.lineLimit { held = [] }
    return output
  }

  private mutating func takeLongLine() -> [UInt8] {
    // An escape at the end may be cut in two, and white space there may be at the end of its line.
    var end = held.count
    while end > held.count - 1000,
      held[end - 1].isMailWhitespace || held[(max(0, end - 3))..<end].contains(UInt8(ascii: "="))
    {
      end -= 1
    }
    defer { held.removeFirst(end) }
    return QuotedPrintable.decode(held[..<end])
  }

  private mutating func decodeBase64(_ bytes: some Collection<UInt8>) -> [UInt8] {
    if isFinished { return [] }
    held += bytes
    var output: [UInt8] = []
    while !isFinished, !held.isEmpty {
      if isAfterPadding {
        guard let end = held.firstIndex(of: UInt8.lineFeed) else {
          // No line of base64 is that long, and none that begins otherwise goes on.
          if held.count > TransferDecoder.lineLimit { isFinished = true }
          break
        }
        let line = Array(held[...end])
        held.removeFirst(end + 1)
        takeLineAfterPadding(line)
      } else if let padding = held.firstIndex(of: UInt8(ascii: "=")) {
        output += Base64.decode(held[..<padding]).bytes
        held.removeFirst(padding + 1)
        isAfterPadding = true
        isAtLineStart = false
      } else {
        output += takeGroups()
        break
      }
    }
    return output
  }

  /// Whole groups of four digits; the rest waits.
  private mutating func takeGroups() -> [UInt8] {
    let digits = held.count { Base64.isDigit($0) }
    var surplus = digits % 4
    var end = held.count
    while surplus > 0, end > 0 {
      end -= 1
      if Base64.isDigit(held[end]) { surplus -= 1 }
    }
    defer { held.removeFirst(end) }
    return Base64.decode(held[..<end]).bytes
  }

  private mutating func takeLineAfterPadding(_ line: [UInt8]) {
    let content = line[...].trimmingMailWhitespace
    let rest = content.drop { $0 == UInt8(ascii: "=") || $0.isMailWhitespace }
    if rest.isEmpty {
      isAtLineStart = true
      return
    }
    guard isAtLineStart, Base64.isLine(rest) else {
      isFinished = true
      return
    }
    isAfterPadding = false
    isAtLineStart = false
    held = Array(rest) + [UInt8.lineFeed] + held
  }
}
