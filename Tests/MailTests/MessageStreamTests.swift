import Foundation
import Localization
import SeededRandom
import Testing

@testable import Mail

struct MessageStreamTests {
  private let date = MessageDate(secondsSinceEpoch: 0)

  private func message(_ attachments: [OutgoingAttachment]) -> OutgoingMessage {
    var message = OutgoingMessage(from: Address(address: "a@example.org"), subject: "s", text: "Grüße")
    message.attachments = attachments
    return message
  }

  /// The message is the same whether the file is in memory or comes in pieces of any size.
  @Test(arguments: [0, 1, 56, 57, 58, 1000, 58_368, 58_369, 200_000], [1, 57, 1000, 100_000])
  func filesComeInPieces(size: Int, pieceSize: Int) throws {
    guard size < 1000 || pieceSize > 1 else { return }
    let data = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
    let whole = try message([OutgoingAttachment(name: "x", data: data)]).encoded(messageID: "1@x", date: date)
    var stream = try message([OutgoingAttachment(name: "x", source: 7, size: size)]).stream(
      messageID: "1@x", date: date)
    var written: [UInt8] = []
    var position = 0
    while let step = try stream.next() {
      switch step {
      case .bytes(let bytes):
        #expect(bytes.count <= 100_000)
        written += bytes
      case .read(let source, let count):
        #expect(source == 7)
        let end = min(position + min(count, pieceSize), size)
        try stream.supply(Array(data[position..<end]))
        position = end
      }
    }
    #expect(written == whole && stream.size == whole.count)
    #expect(Message(parsing: written).attachments.first?.part.decodedBytes == data)
  }

  @Test func wrongContentIsRefused() throws {
    let message = message([OutgoingAttachment(name: "x", source: 1, size: 10)])
    #expect(throws: MailError(.wrongContent, .init(verbatim: ""), field: "")) {
      try message.encoded(messageID: "1@x", date: date)
    }
    for supplied in [0, 11] {
      var stream = try message.stream(messageID: "1@x", date: date)
      while case .bytes? = try stream.next() {}
      #expect(throws: MailError.self) { try stream.supply([UInt8](repeating: 0, count: supplied)) }
    }
  }

  // MARK: Signed messages

  @Test(arguments: [
    (OutgoingMessage.Signature.Form.smime, "application/pkcs7-signature", "sha-256", "smime.p7s"),
    (.openPGP, "application/pgp-signature", "pgp-sha256", "signature.asc"),
  ])
  func signatureCoversTheContent(form: OutgoingMessage.Signature.Form, type: String, hash: String, name: String) throws
  {
    let inner = Array("Subject: ü\r\n\r\nGrüße\r\n".utf8)
    let message = message([
      OutgoingAttachment(name: "ä.pdf", type: "application/pdf", data: [1, 2, 3]),
      OutgoingAttachment(name: "m.eml", type: "message/rfc822", data: inner),
    ])
    var signed: [UInt8] = []
    let bytes = try message.encoded(messageID: "1@x", date: date) { content in
      signed = content
      return OutgoingMessage.Signature(form: form, hash: hash, data: Array("signature".utf8))
    }
    let read = Message(parsing: bytes)
    #expect(read.defects.isEmpty && read.body.contentType.mediaType == "multipart/signed")
    #expect(read.body.contentType.parameter("protocol") == type && read.body.contentType.parameter("micalg") == hash)
    #expect(read.body.parts.count == 2)
    // What is signed is the first part as it stands in the message: RFC 1847 §2.1.
    #expect(Array(read.body.parts[0].source) == signed && signed.allSatisfy { $0 < 0x80 })
    #expect(read.body.parts[1].decodedBytes == Array("signature".utf8))
    #expect(read.body.parts[1].contentType.mediaType == type && read.body.parts[1].fileName == name)
    #expect(read.textBody == "Grüße" && read.attachments.map(\.name) == ["ä.pdf", "m.eml", name])
    let ready = OutgoingMessage.Signature(form: form, hash: hash, data: Array("signature".utf8))
    #expect(try message.encoded(messageID: "1@x", date: date, signature: ready) == bytes)
    #expect(try message.signableContent(messageID: "1@x") == signed)
  }

  // MARK: Reading in pieces

  private func leaves(_ bytes: [UInt8], piece: (Int) -> Int) -> [(number: String, content: [UInt8])] {
    var reader = MessageStreamReader()
    var found: [(String, [UInt8])] = []
    var isOpen = false
    func take(_ events: [MessageStreamReader.Event]) {
      for event in events {
        switch event {
        case .began(let part):
          isOpen = !part.contentType.isMultipart
          if isOpen { found.append((part.number, [])) }
        case .content(let bytes):
          #expect(isOpen)
          found[found.count - 1].1 += bytes
        case .ended: isOpen = false
        }
      }
    }
    var index = 0
    while index < bytes.count {
      let end = min(index + max(1, piece(index)), bytes.count)
      take(reader.read(bytes[index..<end]))
      #expect(reader.heldCount < 1_200_000)
      index = end
    }
    take(reader.finish())
    #expect(!isOpen)
    return found
  }

  private static let wellFormed: [[UInt8]] = {
    var messages: [[UInt8]] = []
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("examples/mailbox")
    for folder in ["cur", "new"] {
      let url = root.appendingPathComponent(folder)
      for name in ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted() {
        if let data = try? Data(contentsOf: url.appendingPathComponent(name)) { messages.append([UInt8](data)) }
      }
    }
    for sample in SharedData.samples { if let bytes = try? SharedData.bytes(sample) { messages.append(bytes) } }
    return messages.filter { Message(parsing: $0).defects.isEmpty }
  }()

  @Test func readingInPiecesGivesTheSameParts() {
    var generator = SeededGenerator(seed: 7)
    #expect(MessageStreamTests.wellFormed.count >= 40)
    for bytes in MessageStreamTests.wellFormed {
      let expected = Message(parsing: bytes).body.leaves
      for size in [1, 7, 100, 4096] {
        if size == 1, bytes.count > 20_000 { continue }
        let found = leaves(bytes) { _ in Int.random(in: 1...size, using: &generator) }
        #expect(found.map(\.number) == expected.map(\.number))
        for (part, leaf) in zip(expected, found) where leaf.content != part.decodedBytes {
          Issue.record("part \(part.number) of \(Message(parsing: bytes).subject) in pieces of up to \(size)")
        }
      }
    }
  }

  @Test(arguments: ["base64", "quoted-printable", "7bit", "x-unknown"])
  func decoderGivesTheSameBytes(encoding: String) {
    var generator = SeededGenerator(seed: 11)
    let pieces = [
      "QUJD", "=", "==", "\r\n", "\n", "=C3=BC", " ", "=\r\n", "x", "-- \nfooter\n", "QUI=", "\t", "=3", "!",
    ]
    for _ in 0..<2000 {
      let text = (0..<Int.random(in: 0...30, using: &generator)).map { _ in
        pieces.randomElement(using: &generator) ?? ""
      }
      let bytes = Array(text.joined().utf8)
      let source = Array("Content-Type: application/x\nContent-Transfer-Encoding: \(encoding)\n\n".utf8) + bytes
      var decoder = TransferDecoder(encoding: encoding)
      var found: [UInt8] = []
      var index = 0
      while index < bytes.count {
        let end = min(index + Int.random(in: 1...9, using: &generator), bytes.count)
        found += decoder.decode(bytes[index..<end])
        index = end
      }
      found += decoder.finish()
      #expect(found == Message(parsing: source).body.decodedBytes, "\(text)")
    }
  }

  @Test(arguments: ["x", "=", "--", "=20", "a: b\n", "\n--b\n", " "])
  func hostileStreamStaysBounded(piece: String) {
    let header = Array(
      "Content-Type: multipart/mixed; boundary=b\nContent-Transfer-Encoding: quoted-printable\n\n--b\n\n".utf8)
    let bytes = header + Array(String(repeating: piece, count: 100_000).utf8)
    let found = leaves(bytes) { _ in 5000 }
    #expect(found.reduce(0) { $0 + $1.content.count } <= bytes.count)
  }
}
