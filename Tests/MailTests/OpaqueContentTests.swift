import Testing

@testable import Mail

/// Parts that enclose others in a format of their own.
struct OpaqueContentTests {
  // MARK: S/MIME

  private static func der(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
    [tag, 0x82, UInt8(content.count >> 8), UInt8(content.count & 0xFF)] + content
  }

  private static let signedData: [UInt8] = [6, 9, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 7, 2]
  private static let data: [UInt8] = [6, 9, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 7, 1]

  /// Signed data without signers (RFC 5652 §5.1), which encloses a text.
  private static func signed(_ entity: String, inPieces: Bool = false) -> [UInt8] {
    let bytes = Array(entity.utf8)
    let whole = der(4, bytes)
    // Programs that sign while they write state no length (BER).
    let pieces = [0x24, 0x80] + der(4, Array(bytes.prefix(9))) + der(4, Array(bytes.dropFirst(9))) + [0, 0]
    let content = der(0x30, data + der(0xA0, inPieces ? pieces : whole))
    let body = der(0x30, [2, 1, 1, 0x31, 0] + content + [0x31, 0])
    return der(0x30, signedData + der(0xA0, body))
  }

  private static func message(_ type: String, _ content: [UInt8], before: String = "") -> Message {
    let part = "Content-Type: \(type)\r\nContent-Transfer-Encoding: base64\r\n\r\n"
    let header = "From: a@example.com\r\nMIME-Version: 1.0\r\n"
    let body = Array(part.utf8) + Base64.encode(content, lineLength: 76)
    if before.isEmpty { return Message(parsing: Array(header.utf8) + body) }
    let start = header + "Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\n\(before)\r\n--b\r\n"
    return Message(parsing: Array(start.utf8) + body + Array("\r\n--b--\r\n".utf8))
  }

  private static let entity = """
    Content-Type: multipart/mixed; boundary=i\r\n\r\n--i\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nRechnung über 5 €\r
    --i\r\nContent-Type: application/pdf; name=r.pdf\r\nContent-Transfer-Encoding: base64\r\n\r\nAQID\r\n--i--\r\n
    """

  @Test(arguments: [
    "application/pkcs7-mime; smime-type=signed-data; name=smime.p7m", "application/x-pkcs7-mime; name=smime.p7m",
    "application/octet-stream; name=smime.p7m",
  ])
  func textAndFilesOfAnOpaqueSignatureAreSeen(type: String) {
    for inPieces in [false, true] {
      let message = Self.message(type, Self.signed(Self.entity, inPieces: inPieces))
      #expect(message.textBody == "Rechnung über 5 €")
      #expect(message.attachments.map(\.name) == ["r.pdf"])
      #expect(message.attachments.map(\.partNumber) == ["1.2"])
      #expect(message.attachments.first?.part.decodedBytes == [1, 2, 3])
    }
  }

  @Test func anOpaqueSignatureMayBeInAMultipartAndInAnother() {
    let inner = Array("Content-Type: application/pkcs7-mime; smime-type=signed-data\r\n\r\n".utf8)
    let text = Self.signed("Content-Type: text/plain\r\n\r\nInside")
    let outer = Self.message("application/pkcs7-mime", Self.signed(""), before: "Before")
    #expect(outer.textBody == "Before" && outer.attachments.count == 1)
    let once = Self.message("application/pkcs7-mime; smime-type=signed-data", text, before: "Before")
    #expect(once.textBody == "Before\nInside")
    let header = String(decoding: inner, as: UTF8.self).replacing(
      "\r\n\r\n", with: "\r\nContent-Transfer-Encoding: base64\r\n\r\n")
    let twice = Self.signed(header + String(decoding: Base64.encode(text), as: UTF8.self))
    #expect(Self.message("application/pkcs7-mime", twice).textBody == "Inside")
  }

  @Test func whatIsEncryptedOrBrokenStaysAFile() {
    let type = "application/pkcs7-mime; smime-type=enveloped-data; name=smime.p7m"
    #expect(Self.message(type, Self.signed("\r\nx")).attachments.map(\.name) == ["smime.p7m"])
    let whole = Self.signed(Self.entity)
    for count in stride(from: 0, to: whole.count, by: 7) {
      let message = Self.message("application/pkcs7-mime; name=smime.p7m", Array(whole.prefix(count)))
      #expect(message.attachments.map(\.name) == ["smime.p7m"] && message.textBody.isEmpty)
    }
  }

  // MARK: winmail.dat

  private static func number(_ value: Int, _ count: Int = 4) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  private static func attribute(_ level: UInt8, _ name: Int, _ content: [UInt8]) -> [UInt8] {
    [level] + number(name) + number(content.count) + content + number(content.reduce(0) { $0 + Int($1) }, 2)
  }

  private static func property(_ type: Int, _ tag: Int, _ value: [UInt8]) -> [UInt8] {
    let padding = [UInt8](repeating: 0, count: (4 - value.count % 4) % 4)
    return number(type, 2) + number(tag, 2) + number(1) + number(value.count) + value + padding
  }

  private static func utf16(_ text: String) -> [UInt8] { text.utf16.flatMap { number(Int($0), 2) } + [0, 0] }

  private static let winmail: [UInt8] =
    number(0x223E_9F78) + [1, 0] + attribute(1, 0x0006_9007, number(1252) + number(0))
    + attribute(
      1, 0x0006_9003,
      number(2) + number(3, 2) + number(0x3FDE, 2) + number(65001)
        + property(0x102, 0x1013, Array("<p>Grüße</p>".utf8)))
    + attribute(2, 0x0006_9002, [UInt8](repeating: 0, count: 14))
    + attribute(2, 0x0001_8010, Array("RECHNU~1.PDF".utf8) + [0])
    + attribute(2, 0x0006_800F, [1, 2, 3])
    + attribute(2, 0x0006_9005, number(1) + property(0x1F, 0x3707, utf16("Rechnung für März.pdf")))
    + attribute(2, 0x0006_9002, [UInt8](repeating: 0, count: 14))
    + attribute(2, 0x0001_8010, [0x80, 0x2E, 0x74, 0x78, 0x74, 0])
    + attribute(2, 0x0006_800F, [4])

  @Test func filesAndTextOfWinmailAreSeen() {
    let alone = Self.message("application/ms-tnef; name=winmail.dat", Self.winmail)
    #expect(alone.textBody == "Grüße")
    #expect(alone.attachments.map(\.name) == ["Rechnung für März.pdf", "€.txt"])
    #expect(alone.attachments.map(\.type) == ["application/pdf", "text/plain"])
    #expect(alone.attachments.map(\.part.decodedBytes) == [[1, 2, 3], [4]])
    // Beside the text of the message it is not said twice.
    let beside = Self.message("application/octet-stream; name=winmail.dat", Self.winmail, before: "Text")
    #expect(beside.textBody == "Text" && beside.attachments.count == 2)
  }

  @Test func whatIsCutOrNoWinmailNeverTraps() {
    for count in 0..<Self.winmail.count {
      let message = Self.message("application/ms-tnef; name=winmail.dat", Array(Self.winmail.prefix(count)))
      #expect(message.attachments.count + (message.textBody.isEmpty ? 0 : 1) >= 1)
    }
    for index in Self.winmail.indices {
      var damaged = Self.winmail
      damaged[index] = 0xFF
      _ = Self.message("application/ms-tnef; name=winmail.dat", damaged).attachments.count
    }
  }
}
