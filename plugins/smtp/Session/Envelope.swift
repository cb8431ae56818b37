import Mail
import PluginKit

/// From whom and to whom a message goes, and what the server is to know of it (RFC 5321, section 2.3.1).
struct Envelope: Sendable, Hashable {
  /// The events that delivery reports should cover (RFC 3461).
  struct Notification: Sendable, Hashable {
    /// `never`, or of `success`, `failure`, `delay`; empty for the server's own idea.
    var events: [String] = []
    /// Whether a report holds the whole message.
    var returnsMessage = false
    /// Names the message in reports; printable ASCII.
    var identifier: String?
  }

  /// The address that reports go to.
  let sender: String
  /// The recipients' addresses; the caller removes duplicates.
  let recipients: [String]
  /// The size of the message in bytes, or a little more; `nil` if unknown.
  var size: Int?
  /// Whether the message holds bytes beyond ASCII.
  var is8Bit = false
  /// Whether it may only go on over connections with TLS (RFC 8689).
  var requiresTLS = false
  /// The events that reports should cover.
  var notification = Notification()

  /// - Throws: `invalid_input` for an address that would break a command, and without recipients.
  init(sender: String, recipients: [String]) throws(ActionError) {
    for address in [sender] + recipients { try Self.check(address) }
    let beyondASCII = [sender] + recipients
    localBeyondASCII = beyondASCII.first { address in
      !address.isASCII && !Address(address: address).localPart.isASCII
    }
    guard !recipients.isEmpty else {
      throw ActionError(
        .invalidInput, "The message has no recipient.", german: "Die Nachricht hat keinen Empfänger.")
    }
    self.sender = sender
    self.recipients = recipients
  }

  /// The first address with characters beyond ASCII before its `@`, which only SMTPUTF8 can carry (RFC 6531). Domains have a
  /// form in ASCII, which is used if there is none.
  private let localBeyondASCII: String?

  private func written(_ address: String) -> String {
    guard localBeyondASCII == nil, !address.isASCII else { return address }
    return Address(address: address).withASCIIDomain?.address ?? address
  }

  private static func check(_ address: String) throws(ActionError) {
    let isPlain =
      address.utf8.count <= 320 && address.utf8.contains(0x40)
      && address.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x3C && $0 != 0x3E }
    if isPlain { return }
    let isClean =
      !address.isEmpty && address.utf8.count <= 320 && address.contains("@")
      && address.unicodeScalars.allSatisfy { scalar in
        scalar.value > 0x20 && scalar.value != 0x7F && scalar != "<" && scalar != ">"
          && !scalar.properties.isWhitespace && scalar.properties.generalCategory != .control
      }
    let mailbox = Address(address: address)
    guard isClean, mailbox.domain.utf8.allSatisfy({ $0 < 0x80 }) || mailbox.withASCIIDomain != nil else {
      throw ActionError(
        .invalidInput,
        "'\(address.filter { !$0.isNewline }.prefix(100))' cannot be used in an envelope: it is not an address.",
        german: "'\(address.filter { !$0.isNewline }.prefix(100))' kann nicht im Umschlag stehen: keine Mailadresse.")
    }
  }

  /// The command MAIL.
  ///
  /// - Throws: `unsupported` where the message needs what the server cannot do; `invalid_input` if it is too large.
  func mailCommand(for features: ServerFeatures, isEncrypted: Bool) throws(ActionError) -> String {
    var command = "MAIL FROM:<\(written(sender))>"
    if let limit = features.sizeLimit, let size, size > limit { throw .tooLarge(size, limit) }
    if features.takesSize, let size { command += " SIZE=\(size)" }
    if let localBeyondASCII {
      guard features.takesUTF8 else { throw .noUTF8(localBeyondASCII) }
      command += " SMTPUTF8"
    }
    if is8Bit {
      guard features.takes8Bit else { throw .unable("8BITMIME", "bytes beyond ASCII", "Bytes jenseits von ASCII") }
      command += " BODY=8BITMIME"
    }
    if requiresTLS {
      guard features.requiresTLS, isEncrypted else {
        throw .unable(
          "REQUIRETLS", "messages that must stay encrypted", "Nachrichten, die verschlüsselt bleiben müssen")
      }
      command += " REQUIRETLS"
    }
    if features.notifies, !notification.events.isEmpty {
      command += " RET=\(notification.returnsMessage ? "FULL" : "HDRS")"
      if let identifier = notification.identifier { command += " ENVID=\(Self.xtext(identifier))" }
    }
    return command
  }

  /// The command RCPT for one recipient.
  func recipientCommand(_ address: String, for features: ServerFeatures) -> String {
    let address = written(address)
    var command = "RCPT TO:<\(address)>"
    if features.notifies, !notification.events.isEmpty {
      command += " NOTIFY=\(notification.events.map { $0.uppercased() }.joined(separator: ","))"
      if address.isASCII { command += " ORCPT=rfc822;\(Self.xtext(address))" }
    }
    return command
  }

  /// Text as RFC 3461, section 4 wants it.
  static func xtext(_ text: String) -> String {
    text.utf8.map { byte in
      (0x21...0x7E).contains(byte) && byte != 0x2B && byte != 0x3D
        ? String(Unicode.Scalar(byte)) : "+" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }.joined()
  }
}

extension String {
  fileprivate var isASCII: Bool { utf8.allSatisfy { $0 < 0x80 } }
}

extension ActionError {
  static func tooLarge(_ size: Int, _ limit: Int) -> ActionError {
    ActionError(
      .invalidInput, "The message has \(size) bytes; the mail server takes \(limit).",
      german: "Die Nachricht hat \(size) Byte; der Mailserver nimmt \(limit).",
      advice: "Send a link to the files instead.",
      adviceGerman: "Stattdessen einen Link auf die Dateien verschicken.")
  }

  fileprivate static func noUTF8(_ address: String) -> ActionError {
    ActionError(
      .unsupported,
      "The mail server takes no address like '\(address)', with characters beyond ASCII before the @: it does not offer "
        + "SMTPUTF8.",
      german: "Der Mailserver nimmt keine Adresse wie '\(address)' mit Zeichen jenseits von ASCII vor dem @: "
        + "Er bietet kein SMTPUTF8.",
      advice: "Ask the recipient for an address in ASCII.",
      adviceGerman: "Den Empfänger nach einer Adresse in ASCII fragen.")
  }

  fileprivate static func unable(_ keyword: String, _ english: String, _ german: String) -> ActionError {
    ActionError(
      .unsupported, "The mail server does not take \(english): it does not offer \(keyword).",
      german: "Der Mailserver nimmt keine \(german): Er bietet kein \(keyword).")
  }
}
