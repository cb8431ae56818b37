/// A body of type multipart/form-data, RFC 7578: fields and files, as services take uploads.
///
/// ```swift
/// var form = MultipartForm()
/// form.append("model", "whisper-1")
/// form.append("file", audio, filename: "speech.mp3", contentType: "audio/mpeg")
/// let request = HTTPRequest.form(form, to: url)
/// ```
///
/// The boundary comes from the contents, so that the same form is the same bytes every time.
public struct MultipartForm: Sendable {
  private struct Part: Sendable {
    let head: [UInt8]
    let content: [UInt8]
  }
  private var parts: [Part] = []

  /// Creates a form without fields.
  public init() {}

  /// Adds a field.
  public mutating func append(_ name: String, _ value: String) {
    parts.append(
      Part(
        head: Array("Content-Disposition: form-data; name=\"\(MultipartForm.escape(name))\"\r\n\r\n".utf8),
        content: Array(value.utf8)))
  }

  /// Adds a file.
  public mutating func append(_ name: String, _ content: [UInt8], filename: String, contentType: String) {
    let head =
      "Content-Disposition: form-data; name=\"\(MultipartForm.escape(name))\"; "
      + "filename=\"\(MultipartForm.escape(filename))\"\r\n"
      + "Content-Type: \(MultipartForm.escape(contentType))\r\n\r\n"
    parts.append(Part(head: Array(head.utf8), content: content))
  }

  /// The value of the header field Content-Type.
  public var contentType: String { "multipart/form-data; boundary=\(boundary)" }

  /// The body.
  public var body: [UInt8] {
    let boundary = Array(boundary.utf8)
    let lineEnd: [UInt8] = [0x0D, 0x0A]
    let dashes: [UInt8] = [0x2D, 0x2D]
    var bytes: [UInt8] = []
    bytes.reserveCapacity(parts.reduce(128) { $0 + $1.head.count + $1.content.count + boundary.count + 8 })
    for part in parts {
      bytes += dashes
      bytes += boundary
      bytes += lineEnd
      bytes += part.head
      bytes += part.content
      bytes += lineEnd
    }
    return bytes + dashes + boundary + dashes + lineEnd
  }

  /// A name of 64 bits of the contents, and further ones until none occurs in them.
  private var boundary: String {
    // FNV-1a: spreads well, and a collision is harmless here.
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for part in parts {
      for byte in part.head { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
      for byte in part.content { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    }
    while true {
      let digits = String(hash, radix: 16)
      let candidate = "sous-form-" + String(repeating: "0", count: 16 - digits.count) + digits
      let bytes = Array(candidate.utf8)
      if !parts.contains(where: { MultipartForm.occurs(bytes, in: $0.content) }) { return candidate }
      hash = hash &* 0x100_0000_01b3 &+ 1
    }
  }

  private static func occurs(_ needle: [UInt8], in content: [UInt8]) -> Bool {
    guard let first = needle.first, content.count >= needle.count else { return false }
    return content.withUnsafeBufferPointer { content in
      (0...(content.count - needle.count)).contains { start in
        content[start] == first && content[start..<(start + needle.count)].elementsEqual(needle)
      }
    }
  }

  /// As the HTML standard writes names in such a form.
  private static func escape(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "%22"
      case "\r": result += "%0D"
      case "\n": result += "%0A"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}

extension HTTPRequest {
  /// A request whose body is a form, with its Content-Type.
  public static func form(
    _ form: MultipartForm, to url: String, method: HTTPMethod = .post, headers: HTTPHeaders = [:]
  ) -> HTTPRequest {
    var request = HTTPRequest(method: method, url: url, headers: headers, body: form.body)
    request.headers["content-type"] = form.contentType
    return request
  }
}
