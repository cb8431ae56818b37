import Localization

/// A part to be written.
indirect enum Entity {
  /// Header lines without the final empty one, and the body.
  case leaf(header: HeaderWriter, body: Body)
  /// Header and body as they are to be sent.
  case finished([UInt8])
  /// A subtype, its parameters beside the boundary, and the parts.
  case multipart(String, [(name: String, value: String)], [Entity])

  /// The content of a part.
  enum Body {
    /// Bytes as they are to be sent.
    case encoded([UInt8])
    /// Content that is written in base64.
    case base64([UInt8])
    /// Content that is supplied while the message is written, and written in base64.
    case source(Int, size: Int)
  }

  /// A text in UTF-8, in the encoding that leaves it readable at the least cost.
  static func text(_ text: String, subtype: String) throws(MailError) -> Entity {
    var header = HeaderWriter()
    try header.parameterized("Content-Type", "text/\(subtype)", [("charset", "utf-8")])
    let bytes = text.utf8WithNetworkLineEnds
    let encoding = encoding(for: bytes)
    header.plain("Content-Transfer-Encoding", encoding)
    return .leaf(header: header, body: .encoded(encode(bytes, as: encoding)))
  }

  /// A file.
  ///
  /// - Parameter isSevenBit: Whether nothing beyond ASCII may occur in it, as if the part is signed (RFC 1847 §2.1).
  static func file(
    _ file: OutgoingAttachment, disposition: String, isSevenBit: Bool = false
  ) throws(MailError) -> Entity {
    let type = file.type.lowercased()
    let pieces = type.split(separator: "/", omittingEmptySubsequences: false)
    guard pieces.count == 2, pieces.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(\.isToken) }),
      pieces[0] != "multipart"
    else {
      throw MailError(
        .invalidMediaType,
        LocalizedText(
          "An attachment's type is not a media type such as application/pdf.",
          de: "Der Typ eines Anhangs ist kein Medientyp wie application/pdf."),
        field: "attachments")
    }
    var header = HeaderWriter()
    try header.parameterized("Content-Type", type, [])
    // RFC 2046 §5.2.1: an enclosed message is not encoded; only one that could not be sent as it is becomes base64.
    var message: [UInt8]?
    if case .bytes(let data) = file.content, type == "message/rfc822", longestLine(data) <= 998, !data.contains(0) {
      message = data
    }
    let isASCII = message?.allSatisfy { $0 < 0x80 } ?? true
    if isSevenBit, !isASCII { message = nil }
    header.plain("Content-Transfer-Encoding", message == nil ? "base64" : isASCII ? "7bit" : "8bit")
    try header.parameterized("Content-Disposition", disposition, file.name.isEmpty ? [] : [("filename", file.name)])
    if let contentID = file.contentID { try header.messageIDs("Content-ID", [contentID]) }
    if let message { return .leaf(header: header, body: .encoded(message.withNetworkLineEnds)) }
    switch file.content {
    case .bytes(let data): return .leaf(header: header, body: .base64(data))
    case .source(let source, let size): return .leaf(header: header, body: .source(source, size: size))
    }
  }

  /// The part with its header, in pieces.
  ///
  /// - Parameter boundarySeed: The seed of the boundaries. Each holds `=_`, which neither base64 nor quoted-printable can
  ///   contain; for the rest the text is looked through.
  func pieces(boundarySeed: String) -> [MessageStream.Piece] {
    var counter = 0
    return pieces(boundarySeed: boundarySeed, counter: &counter)
  }

  private func pieces(boundarySeed: String, counter: inout Int) -> [MessageStream.Piece] {
    switch self {
    case .finished(let bytes):
      return [.bytes(bytes)]
    case .leaf(var header, let body):
      header.end()
      switch body {
      case .encoded(let bytes): return [.bytes(header.bytes + bytes)]
      case .base64(let bytes): return [.bytes(header.bytes), .base64(bytes)]
      case .source(let source, let size): return [.bytes(header.bytes), .source(source, size: size)]
      }
    case .multipart(let subtype, let parameters, let parts):
      let own = counter
      counter += 1
      let contents = parts.map { $0.pieces(boundarySeed: boundarySeed, counter: &counter) }
      var attempt = 0
      var boundary = Entity.boundary(seed: boundarySeed, number: own, attempt: attempt)
      while contents.contains(where: { Entity.contains(boundary, in: $0) }) {
        attempt += 1
        boundary = Entity.boundary(seed: boundarySeed, number: own, attempt: attempt)
      }
      var start = "Content-Type: multipart/\(subtype);\r\n boundary=\"\(boundary)\""
      for parameter in parameters { start += ";\r\n \(parameter.name)=\"\(parameter.value)\"" }
      var output: [MessageStream.Piece] = [.bytes(Array("\(start)\r\n\r\n".utf8))]
      for content in contents {
        output.append(.bytes(Array("--\(boundary)\r\n".utf8)))
        output += content
        output.append(.bytes(Array("\r\n".utf8)))
      }
      output.append(.bytes(Array("--\(boundary)--\r\n".utf8)))
      return output
    }
  }

  private static func boundary(seed: String, number: Int, attempt: Int) -> String {
    // FNV-1a: spread evenly and the same on every machine; nothing depends on its being hard to guess.
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in "\(seed)/\(number)/\(attempt)".utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    let digits = String(hash, radix: 36)
    return "=_\(number)_\(digits)"
  }

  private static func contains(_ boundary: String, in pieces: [MessageStream.Piece]) -> Bool {
    pieces.contains { piece in
      guard case .bytes(let bytes) = piece else { return false }
      return contains(boundary, in: bytes)
    }
  }

  private static func contains(_ boundary: String, in content: [UInt8]) -> Bool {
    let line = Array("--\(boundary)".utf8)
    var index = content.startIndex
    while index < content.endIndex {
      if content[index...].starts(with: line) { return true }
      index = content[...].lineEnd(from: index).next
    }
    return false
  }

  private static func encoding(for bytes: [UInt8]) -> String {
    let beyondASCII = bytes.count { $0 >= 0x80 || ($0 < 0x20 && !$0.isMailWhitespace) }
    if beyondASCII == 0, longestLine(bytes) <= 998, !hasMailboxMark(bytes) { return "7bit" }
    // Quoted-printable triples what it escapes, base64 adds a third to everything.
    return beyondASCII * 6 > bytes.count ? "base64" : "quoted-printable"
  }

  private static func encode(_ bytes: [UInt8], as encoding: String) -> [UInt8] {
    switch encoding {
    case "base64": Base64.encode(bytes, lineLength: 76)
    case "quoted-printable": QuotedPrintable.encode(bytes)
    default: bytes
    }
  }

  private static func longestLine(_ bytes: [UInt8]) -> Int {
    var longest = 0
    var length = 0
    for byte in bytes {
      length = byte == UInt8.lineFeed ? 0 : length + 1
      longest = max(longest, length)
    }
    return longest
  }

  /// A line that starts with `From `, which some mail systems change on the way.
  private static func hasMailboxMark(_ bytes: [UInt8]) -> Bool {
    var index = bytes.startIndex
    while index < bytes.endIndex {
      if bytes[index...].starts(with: "From ".utf8) { return true }
      index = bytes[...].lineEnd(from: index).next
    }
    return false
  }
}

extension String {
  /// The text's bytes with every line end made CRLF.
  var utf8WithNetworkLineEnds: [UInt8] { Array(utf8).withNetworkLineEnds }
}

extension [UInt8] {
  /// The bytes with every line end made CRLF.
  var withNetworkLineEnds: [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(count + count / 40)
    var previous: UInt8 = 0
    for byte in self {
      switch byte {
      case UInt8.carriageReturn:
        output += [UInt8.carriageReturn, UInt8.lineFeed]
      case UInt8.lineFeed:
        if previous != UInt8.carriageReturn { output += [UInt8.carriageReturn, UInt8.lineFeed] }
      default:
        output.append(byte)
      }
      previous = byte
    }
    return output
  }
}
