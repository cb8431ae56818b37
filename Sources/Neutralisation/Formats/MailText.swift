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
}
