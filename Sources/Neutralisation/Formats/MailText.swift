import Mail

/// A message as a text: the fields that people read, an empty line, what it says.
enum MailText {
  /// The text of a message. Attachments are named and not taken along: what is in them cannot be looked through.
  static func text(of source: [UInt8]) -> String {
    let message = Message(parsing: source)
    var lines: [String] = []
    for name in ["From", "Sender", "To", "Cc", "Reply-To", "Date", "Subject"] {
      if let value = message.headers[name], !value.isEmpty { lines.append("\(name): \(value)") }
    }
    for attachment in message.attachments { lines.append("Attachment: \(attachment.name ?? "")") }
    return lines.joined(separator: "\n") + "\n\n" + message.textBody
  }

  /// Decodes what a text has of bodies in Base64, behind the field that says so: a message within other words.
  static func decodeBodies(_ source: inout [UInt8]) {
    let field = Array("content-transfer-encoding: base64".utf8)
    var output: [UInt8] = []
    var (index, copied) = (0, 0)
    while index + field.count < source.count {
      guard source[index] | 0x20 == field[0],
        zip(source[index..<index + field.count], field).allSatisfy({ $0 == $1 || $0 | 0x20 == $1 })
      else {
        index += 1
        continue
      }
      index += field.count
      let (body, end) = body(of: source, behind: index)
      index = end
      guard let body else { continue }
      let message = Array("Content-Transfer-Encoding: base64\nContent-Type: text/plain; charset=utf-8\n\n".utf8)
      let text = Message(parsing: message + source[body]).textBody
      output += source[copied..<body.lowerBound]
      output += text.utf8
      copied = body.upperBound
    }
    guard copied > 0 else { return }
    output += source[copied...]
    source = output
  }

  /// The lines of Base64 behind the empty line that ends a header, and where to go on: a field before that place has the
  /// same body, so nothing is looked at twice.
  private static func body(of source: [UInt8], behind start: Int) -> (body: Range<Int>?, end: Int) {
    var index = start
    var lineStart = start
    var first: Int?
    while index <= source.count {
      guard index == source.count || source[index] == 0x0A else {
        index += 1
        continue
      }
      let line = source[lineStart..<index].filter { $0 > 0x20 }
      if let first {
        let isCode = !line.isEmpty && line.allSatisfy(isBase64)
        if !isCode { return (lineStart > first ? first..<lineStart : nil, lineStart) }
        if index == source.count { return (first..<index, index) }
      } else if line.isEmpty, lineStart > start {
        first = index + 1
      }
      index += 1
      lineStart = index
    }
    return (nil, source.count)
  }

  private static func isBase64(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x2B
      || byte == 0x2F || byte == 0x3D
  }
}
