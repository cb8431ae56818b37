import PluginKit

/// Cuts what a server sends into replies. Pure, and bounded whatever comes.
struct ReplyReader: Sendable {
  /// The longest line in bytes. RFC 5321 has 512, RFC 4954 has 12288 for challenges.
  static let longestLine = 12_288
  /// The most lines of a reply.
  static let mostLines = 512
  /// The most bytes of a reply.
  static let longestReply = 64 << 10

  private var bytes: [UInt8] = []
  private var start = 0
  /// How far the line that has not ended yet has been looked through.
  private var searched = 0
  private var code: Int?
  private var status: EnhancedStatus?
  private var lines: [String] = []
  private var size = 0

  /// Whether everything that has come has been made into replies.
  var isEmpty: Bool { start == bytes.count && lines.isEmpty }

  /// Takes what has arrived.
  mutating func feed(_ piece: [UInt8]) {
    if start == bytes.count {
      bytes = piece
    } else {
      bytes.removeSubrange(..<start)
      bytes += piece
    }
    searched = max(0, searched - start)
    start = 0
  }

  /// The next reply that has come as a whole.
  ///
  /// - Returns: `nil` if more has to come.
  /// - Throws: `protocol` for what is not a reply, and beyond the limits.
  mutating func next() throws(ActionError) -> Reply? {
    while let line = try nextLine() {
      if let reply = try take(line) { return reply }
    }
    return nil
  }

  private mutating func nextLine() throws(ActionError) -> ArraySlice<UInt8>? {
    guard let end = bytes[max(start, searched)...].firstIndex(of: 0x0A) else {
      searched = bytes.count
      guard bytes.count - start <= Self.longestLine else {
        throw Self.fault("a line without end", "eine Zeile ohne Ende")
      }
      return nil
    }
    guard end - start <= Self.longestLine else { throw Self.fault("a line without end", "eine Zeile ohne Ende") }
    let line = bytes[start..<end]
    start = end + 1
    searched = start
    return line.last == 0x0D ? line.dropLast() : line
  }

  private mutating func take(_ line: ArraySlice<UInt8>) throws(ActionError) -> Reply? {
    guard !line.contains(0) else { throw Self.fault("a NUL byte", "ein NUL-Byte") }
    let digits = line.prefix(3)
    let number = digits.reduce(0) { $0 * 10 + Int($1 & 15) }
    guard digits.count == 3, digits.allSatisfy({ (0x30...0x39).contains($0) }), (200..<600).contains(number) else {
      throw Self.fault("a line without a code", "eine Zeile ohne Code")
    }
    let mark = line.dropFirst(3).first
    guard mark == nil || mark == 0x20 || mark == 0x2D else {
      throw Self.fault("a line without a code", "eine Zeile ohne Code")
    }
    guard code == nil || code == number else {
      throw Self.fault("two codes in one reply", "zwei Codes in einer Antwort")
    }
    size += line.count
    guard lines.count < Self.mostLines, size <= Self.longestReply else {
      throw Self.fault("a reply without end", "eine Antwort ohne Ende")
    }

    var text = Substring(decoding: line.dropFirst(4), as: UTF8.self)
    if let (found, rest) = EnhancedStatus.leading(text), found.kind == number / 100 {
      if status == nil { status = found }
      text = rest
    }
    code = number
    lines.append(String(text))
    guard mark != 0x2D else { return nil }
    defer { (code, status, lines, size) = (nil, nil, [], 0) }
    return Reply(number, status: status, lines)
  }

  private static func fault(_ english: String, _ german: String) -> ActionError {
    ActionError(
      .protocol, "The mail server does not keep to the protocol: it sent \(english).",
      german: "Der Mailserver hält sich nicht an das Protokoll: Er schickte \(german).")
  }
}
