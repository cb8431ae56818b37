import Mail
import MailWire
import PluginKit

/// Who writes: what a provider adds to the messages of recipes.
struct Account: Sendable {
  /// The author where a message names none, with the display name.
  let sender: Address?
  /// Where answers go where a message does not say.
  let replyTo: String?
  /// Text under every message.
  let signature: SMTPConfiguration.Signature?

  /// - Throws: `invalid_input` for what is not an address.
  init(_ configuration: SMTPConfiguration) throws(ActionError) {
    // A user name that is an address is the account's own in all cases that people meet.
    let from = configuration.from ?? configuration.user.flatMap { $0.contains("@") ? $0 : nil }
    var sender = try from.map { text throws(ActionError) in try Composer.address(text, "from") }
    if let name = configuration.displayName, sender?.name == nil || sender?.name == "" { sender?.name = name }
    self.sender = sender
    replyTo = configuration.replyTo
    if let replyTo { _ = try Composer.address(replyTo, "reply_to") }
    signature = configuration.signature
  }

  /// The message with what the account adds.
  func completing(_ mail: OutgoingMail) -> OutgoingMail {
    var mail = mail
    if mail.replyTo == nil { mail.replyTo = replyTo }
    if let sender, let from = mail.from, let name = sender.name, !name.isEmpty,
      Address.comparable(from) == sender.comparable
    {
      mail.from = nil
    }
    guard let signature else { return mail }
    let text = signature.text
    if let html = mail.html {
      let mark = signature.html ?? text.map { Self.html($0) }
      if let mark { mail.html = Self.inserting(mark, into: html) }
    }
    if let text, let body = mail.text {
      // RFC 3676, section 4.3: the line that programs know a signature by.
      mail.text = body + (body.isEmpty || body.hasSuffix("\n") ? "" : "\n") + "\n-- \n" + text
    }
    return mail
  }

  private static func html(_ text: String) -> String {
    let escaped = text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    return "<div>-- <br>" + escaped.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "<br>")
      + "</div>"
  }

  private static func inserting(_ mark: String, into html: String) -> String {
    // The last end of a body; ASCII only, so that positions in the lower-case text hold.
    let bytes = Array(html.utf8)
    let tag = Array("</body".utf8)
    guard bytes.count >= tag.count else { return html + mark }
    for start in stride(from: bytes.count - tag.count, through: 0, by: -1)
    where bytes[start] == tag[0]
      && zip(bytes[start...], tag).allSatisfy({ $0 | ($0 >= 0x41 && $0 <= 0x5A ? 0x20 : 0) == $1 })
    {
      return String(decoding: bytes[..<start], as: UTF8.self) + mark + String(decoding: bytes[start...], as: UTF8.self)
    }
    return html + mark
  }
}
