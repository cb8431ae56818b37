import Glibc

/// A node in the tree of a message's body: a text, a file, a multipart or an enclosed message.
public struct Part: Sendable {
  /// The content.
  public indirect enum Content: Sendable {
    /// Text or data: see ``Part/text`` and ``Part/decodedBytes``.
    case leaf
    /// The parts of a multipart, in order.
    case multipart([Part])
    /// An enclosed message (`message/rfc822`).
    case message(Message)
  }

  /// The number by which IMAP names the part (RFC 9051 §6.4.5.1), such as `2.1`; empty for a multipart at the top.
  public let number: String
  /// The part as it came, header and body, as a signature covers it (RFC 1847).
  public let source: ArraySlice<UInt8>
  /// The part's header; for the part at the top, the message's.
  public let headers: Headers
  /// The media type; `text/plain` where the header names none, `message/rfc822` inside a digest.
  public let contentType: ContentType
  /// The body as it came, still in its transfer encoding.
  public let rawBody: ArraySlice<UInt8>
  /// The content.
  public let content: Content

  /// How the part wants to be shown, or `nil` if it does not say.
  public var disposition: ContentDisposition? {
    guard let field = headers.first("Content-Disposition") else { return nil }
    let value = ParameterizedValue(parsing: field.rawValue).value.lowercased()
    if value.isEmpty { return nil }
    return value == "inline" ? .inline : .attachment
  }

  /// The name of the file, from `filename*`, `filename`, `name*` or `name`, without folders; `nil` if there is none.
  public var fileName: String? {
    let disposition = headers.first("Content-Disposition").map { ParameterizedValue(parsing: $0.rawValue) }
    for candidate in [
      disposition?.parameter("filename"), disposition?.parameter("name"), contentType.parameter("name"),
    ] {
      if let candidate, let name = Part.lastPathComponent(candidate) { return name }
    }
    return nil
  }

  /// The `Content-ID` without angle brackets, by which HTML refers to the part.
  public var contentID: String? { headers.first("Content-ID").flatMap { $0.messageIDs.first } }

  /// How the body is encoded for transport.
  var transferEncoding: TransferEncoding { TransferEncoding(headers: headers) }

  /// The body without its transfer encoding. Decoded at each access.
  public var decodedBytes: [UInt8] {
    switch transferEncoding {
    case .base64: Base64.decode(rawBody).bytes
    case .quotedPrintable: QuotedPrintable.decode(rawBody)
    case .uuencode: UUDecoder.decode(rawBody)
    case .identity, .unknown: Array(rawBody)
    }
  }

  /// The size of ``decodedBytes`` in bytes.
  public var decodedSize: Int {
    switch transferEncoding {
    case .base64: Base64.decodedCount(rawBody)
    case .quotedPrintable: QuotedPrintable.decode(rawBody).count
    case .uuencode: UUDecoder.decode(rawBody).count
    case .identity, .unknown: rawBody.count
    }
  }

  /// The text of a `text/*` part: decoded, lines ended by LF, flowed paragraphs joined; `nil` for other types. HTML stays
  /// HTML.
  public var text: String? {
    guard contentType.type == "text" else { return nil }
    let bytes = decodedTextBytes
    let label = contentType.parameter("charset") ?? (contentType.subtype == "html" ? HTMLText.charset(in: bytes) : nil)
    let text = Charset.decode(bytes[...], label: label).text.withPlainLineEnds.withoutByteOrderMark
    guard contentType.mediaType == "text/plain", contentType.parameter("format")?.lowercased() == "flowed" else {
      return text
    }
    return FlowedText.unflow(text, deletesSpace: contentType.parameter("delsp")?.lowercased() == "yes")
  }

  /// The bytes of a text; those that claim to be base64 and are plainly not stay as they came.
  private var decodedTextBytes: [UInt8] {
    guard case .base64 = transferEncoding else { return decodedBytes }
    let decoded = Base64.decode(rawBody)
    let isNoise = decoded.foreignCount > 0 && decoded.bytes.contains { $0 < 0x20 && $0 != 0x1B && !$0.isMailWhitespace }
    return isNoise ? Array(rawBody) : decoded.bytes
  }

  /// The parts inside a multipart; empty for anything else.
  public var parts: [Part] {
    if case .multipart(let parts) = content { return parts }
    return []
  }

  /// The name without folders of either kind of system and without control characters; `nil` if nothing is left.
  private static func lastPathComponent(_ name: String) -> String? {
    let scalars = name.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }
    let last = String.UnicodeScalarView(scalars).split { $0 == "/" || $0 == "\\" }.last
    let component = last.map { String($0).trimmingASCIIWhitespace } ?? ""
    return component.isEmpty || component == "." || component == ".." ? nil : component
  }
}

extension Part {
  /// The parts without parts of their own, in order; enclosed messages count as one and are not looked into.
  public var leaves: [Part] {
    guard case .multipart(let parts) = content else { return [self] }
    return parts.flatMap(\.leaves)
  }
}

extension String {
  /// The text without the mark by which some editors begin a file.
  fileprivate var withoutByteOrderMark: String {
    unicodeScalars.first == "\u{FEFF}" ? String(unicodeScalars.dropFirst()) : self
  }

  /// The text with CRLF and CR made LF, and without NUL, which no text needs and much software stumbles over.
  var withPlainLineEnds: String {
    var text = self
    return text.withUTF8 { source -> String? in
      guard let base = source.baseAddress,
        memchr(base, CInt(UInt8.carriageReturn), source.count) != nil || memchr(base, 0, source.count) != nil
      else { return nil }
      return String(unsafeUninitializedCapacity: source.count) { output in
        var count = 0
        var previous: UInt8 = 0
        for byte in source {
          switch byte {
          case 0: break
          case UInt8.carriageReturn:
            output[count] = UInt8.lineFeed
            count += 1
          case UInt8.lineFeed where previous == UInt8.carriageReturn: break
          default:
            output[count] = byte
            count += 1
          }
          previous = byte
        }
        return count
      }
    } ?? self
  }
}
