import Localization

/// A part to be written.
indirect enum Entity {
  /// Header lines without the final empty one, and a body that is encoded already.
  case leaf(header: HeaderWriter, body: [UInt8])
  /// A subtype, its parameters beside the boundary, and the parts.
  case multipart(String, [(name: String, value: String)], [Entity])

  /// A text in UTF-8, in the encoding that leaves it readable at the least cost.
  static func text(_ text: String, subtype: String) throws(MailError) -> Entity {
    var header = HeaderWriter()
    try header.parameterized("Content-Type", "text/\(subtype)", [("charset", "utf-8")])
    let bytes = text.utf8WithNetworkLineEnds
    let encoding = encoding(for: bytes)
    header.plain("Content-Transfer-Encoding", encoding)
    return .leaf(header: header, body: encode(bytes, as: encoding))
  }

  /// A file.
  static func file(_ file: OutgoingAttachment, disposition: String) throws(MailError) -> Entity {
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
    let isMessage = type == "message/rfc822" && longestLine(file.data) <= 998 && !file.data.contains(0)
    let isASCII = file.data.allSatisfy { $0 < 0x80 }
    header.plain("Content-Transfer-Encoding", isMessage ? (isASCII ? "7bit" : "8bit") : "base64")
    try header.parameterized("Content-Disposition", disposition, file.name.isEmpty ? [] : [("filename", file.name)])
    if let contentID = file.contentID { try header.messageIDs("Content-ID", [contentID]) }
    let body = isMessage ? file.data.withNetworkLineEnds : Base64.encode(file.data, lineLength: 76)
    return .leaf(header: header, body: body)
  }

  /// The part with its header.
  ///
  /// - Parameter boundarySeed: What the boundaries are derived from. Each holds `=_`, which neither base64 nor
  ///   quoted-printable can contain; for the rest the text is looked through.
  func encoded(boundarySeed: String) -> [UInt8] {
    var counter = 0
    return encoded(boundarySeed: boundarySeed, counter: &counter)
  }

  private func encoded(boundarySeed: String, counter: inout Int) -> [UInt8] {
    switch self {
    case .leaf(var header, let body):
      header.end()
      return header.bytes + body
    case .multipart(let subtype, let parameters, let parts):
      let own = counter
      counter += 1
      let contents = parts.map { $0.encoded(boundarySeed: boundarySeed, counter: &counter) }
      var attempt = 0
      var boundary = Entity.boundary(seed: boundarySeed, number: own, attempt: attempt)
      while contents.contains(where: { Entity.contains(boundary, in: $0) }) {
        attempt += 1
        boundary = Entity.boundary(seed: boundarySeed, number: own, attempt: attempt)
      }
      var output = Array("Content-Type: multipart/\(subtype);\r\n boundary=\"\(boundary)\"".utf8)
      for parameter in parameters { output += Array(";\r\n \(parameter.name)=\"\(parameter.value)\"".utf8) }
      output += Array("\r\n\r\n".utf8)
      for content in contents {
        output += Array("--\(boundary)\r\n".utf8) + content + Array("\r\n".utf8)
      }
      return output + Array("--\(boundary)--\r\n".utf8)
    }
  }

  private static func boundary(seed: String, number: Int, attempt: Int) -> String {
    // FNV-1a: spread evenly and the same on every machine; nothing depends on its being hard to guess.
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in "\(seed)/\(number)/\(attempt)".utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    let digits = String(hash, radix: 36)
    return "=_\(number)_\(digits)"
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
