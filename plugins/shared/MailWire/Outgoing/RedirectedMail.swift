import Localization
public import Mail
public import PluginKit

/// A message that is redirected unchanged: RFC 5228, 4.2, with the fields of RFC 5322, 3.6.6.
///
/// Text, files and signatures stay what they were; on top come `Resent-` fields. `Return-Path` is left out, which is the
/// business of the last server (RFC 5321, 4.4).
public struct RedirectedMail: Sendable {
  /// The largest message in bytes.
  public static let sizeLimit = 64 << 20
  /// A message that has come through so many servers goes round in a circle (RFC 5321, 6.3, wants 100 at least for a server;
  /// real paths are shorter).
  private static let mostHops = 50

  /// The message as it goes over the wire: lines end with CRLF.
  public let bytes: [UInt8]
  /// Its `Resent-Message-ID`, without angle brackets: by this it is known which step sent it.
  public let messageID: String
  /// The addresses it goes to, each once.
  public let recipients: [String]
  /// Who sends it on, for the envelope.
  public let sender: Address

  /// Whether some bytes are beyond ASCII.
  public var is8Bit: Bool { bytes.contains { $0 >= 0x80 } }

  /// Makes the message out of one that is kept as a blob.
  ///
  /// - Parameters:
  ///   - mail: The input of the recipe: `blob`, `to` and perhaps `from`.
  ///   - composer: Knows who sends it on where the recipe does not say.
  ///   - blobs: Where the message is read.
  ///   - key: The step's idempotency key, which the identifier follows from.
  ///   - seconds: The present, since 1970.
  /// - Throws: `invalid_input` for addresses that are none, a message that is too large, and one that goes round in a
  ///   circle; what reading the blob throws.
  public init(
    _ mail: OutgoingMail, _ composer: Composer, blobs: BlobStore, key: String, seconds: Int
  ) async throws(ActionError) {
    guard let blob = mail.blob else { throw ActionError(.invalidInput, "There is no message to redirect.") }
    sender = try composer.sender(mail)
    messageID = Composer.messageID(key: key, sender: sender)
    var seen: Set<String> = []
    recipients = try Composer.addresses(mail.to ?? [], "to").map(\.address)
      .filter { seen.insert(Address.comparable($0)).inserted }
    guard !recipients.isEmpty else {
      throw ActionError(
        .invalidInput, "'to' names no recipient.", german: "'to' nennt keinen Empfänger.",
        advice: "Give at least one address.", adviceGerman: "Mindestens eine Adresse angeben.")
    }
    var message: [UInt8] = []
    var pieces = blobs.pieces(of: blob).makeAsyncIterator()
    while let piece = try await pieces.next() {
      message += piece
      guard message.count <= Self.sizeLimit else {
        throw ActionError(
          .invalidInput, "The message has more than \(Self.sizeLimit >> 20) MiB.",
          german: "Die Nachricht hat mehr als \(Self.sizeLimit >> 20) MiB.")
      }
    }
    let header = HeaderLines(message)
    try Self.checkLoop(header, sender.address, recipients)
    var fields = "Resent-From: <\(sender.address)>\r\n"
    fields += "Resent-To: \(recipients.map { "<\($0)>" }.joined(separator: ",\r\n "))\r\n"
    fields += "Resent-Date: \(MessageDate(secondsSinceEpoch: seconds).rfc5322)\r\n"
    fields += "Resent-Message-ID: <\(messageID)>\r\n"
    var bytes = Array(fields.utf8)
    bytes.reserveCapacity(bytes.count + message.count)
    for field in header.fields where field.name != "return-path" { bytes += message[field.range] }
    bytes += message[header.end...]
    self.bytes = bytes
  }

  /// Refuses a message that this address has sent on to the same recipient before, or that comes from there.
  private static func checkLoop(
    _ header: HeaderLines, _ sender: String, _ recipients: [String]
  ) throws(ActionError) {
    let hops = header.fields.count { $0.name == "received" }
    let isOwn = header.values(of: "resent-from").contains { $0.contains(Address.comparable(sender)) }
    let before = header.values(of: "resent-to") + header.values(of: "delivered-to")
    let again = recipients.first { recipient in
      isOwn && before.contains { $0.contains(Address.comparable(recipient)) }
        || header.values(of: "delivered-to").contains(Address.comparable(recipient))
    }
    guard hops <= mostHops, again == nil else {
      throw ActionError(
        .invalidInput, "The message goes round in a circle: it came from where it would be redirected to.",
        german: "Die Nachricht läuft im Kreis: Sie kam von dort, wohin sie umgeleitet würde.",
        advice: "Look at the forwarding rules of both mailboxes.",
        adviceGerman: "Die Weiterleitungen beider Postfächer ansehen.")
    }
  }
}

/// The ranges of the fields in a header.
private struct HeaderLines {
  private static let mostFields = 2000

  /// The fields with their names in lower case, each with its line ends.
  private(set) var fields: [(name: String, range: Range<Int>)] = []
  /// Where the empty line begins that ends the header.
  private(set) var end = 0
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    var start = 0
    while start < bytes.count, fields.count < Self.mostFields {
      let next = (bytes[start...].firstIndex(of: 0x0A) ?? bytes.count - 1) + 1
      let line = bytes[start..<next]
      guard let first = line.first, first != 0x0D, first != 0x0A else { break }
      if first == 0x20 || first == 0x09, let last = fields.indices.last {
        fields[last].range = fields[last].range.lowerBound..<next
      } else {
        guard let colon = line.firstIndex(of: 0x3A) else { break }
        let name = String(decoding: bytes[start..<colon], as: UTF8.self).lowercased()
        fields.append((name.filter { !$0.isWhitespace }, start..<next))
      }
      start = next
    }
    end = start
  }

  /// The values of a field in lower case, without spaces around them.
  func values(of name: String) -> [String] {
    fields.filter { $0.name == name }.map { field in
      let text = String(decoding: bytes[field.range].prefix(4000), as: UTF8.self).lowercased()
      let value = text.drop { $0 != ":" }.dropFirst()
      return DomainName.unicode(
        in: String(value.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed()))
    }
  }
}
