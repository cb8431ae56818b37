import PluginKit
import PluginKitTesting
import TestSupport
import Testing

@testable import IMAPPlugin

@Suite(.timeLimit(.minutes(5)))
struct CompressionTests {
  @Test(arguments: [1, 7, 1000, 1 << 20])
  func whatIsCompressedComesBackInPiecesOfAnySize(_ size: Int) throws {
    let text = Array(String(repeating: "* 1 FETCH (UID 1 FLAGS (\\Seen))\r\n", count: 20_000).utf8)
    let parts = [text, [], Array("x".utf8), text.reversed()]
    let deflate = try Deflate()
    let inflate = try Inflate([])
    var got: [UInt8] = []
    for part in parts {
      let bytes = try deflate.compress(part)
      #expect(bytes.count < 1000 || bytes.count < part.count / 20)
      for start in stride(from: 0, to: bytes.count, by: size) {
        inflate.append(Array(bytes[start..<min(start + size, bytes.count)]))
        while let piece = try inflate.next(upTo: 1000) { got += piece }
      }
    }
    #expect(got == Array(parts.joined()))
    #expect(try inflate.next() == nil)
  }

  @Test func whatArrivedWithTheAnswerIsNotLost() throws {
    var reader = ResponseReader()
    let deflate = try Deflate()
    reader.append(Array("s5 OK begin\r\n".utf8) + (try deflate.compress(Array("* BYE\r\n".utf8))))
    #expect(try reader.next() == Array("s5 OK begin".utf8))
    let inflate = try Inflate(reader.takeRest())
    #expect(try inflate.next() == Array("* BYE\r\n".utf8))
    #expect(reader.isEmpty)
  }

  @Test func theEndOfTheFormatIsNoEndOfAConnection() throws {
    // An empty last block.
    let inflate = try Inflate([0x03, 0x00])
    #expect(throws: ProtocolFault.self) { try inflate.next() }
  }

  private static let options = """
    protocol imap {
      mail_plugins = quota imap_quota imap_zlib
    }
    """

  @Test(.enabled(if: DovecotServer.program != nil, "Dovecot is not installed"), arguments: [true, false])
  func aServerAndThePluginCompressBothWays(_ isWanted: Bool) async throws {
    let server = try DovecotServer(Self.options)
    let account = try TestAccount(server, ["compress": .bool(isWanted)])
    let text = String(repeating: "Die gleiche Zeile noch einmal.\n", count: 60_000)
    let uid = try await account.store(TestAccount.message("lang", text: text))
    let raw = try await account.call("mail.raw", ["folder": "INBOX", "uid": .string(uid)])
    #expect(try #require(raw["size"]?.integer) > 1_800_000)
    let received = await account.plugin.plugin.account.connections.bytesReceived
    #expect((received < 200_000) == isWanted)
    // Events come over a connection that is compressed, too.
    let first = Task { try await account.plugin.events(of: "mail.new", ["fields": ["subject"]], count: 1) }
    let context = account.plugin.callContext()
    try await eventually { try await !context.state.keys(prefix: "watch.").isEmpty }
    try await account.store(TestAccount.message("neu"))
    #expect(try await first.value.first?.event["message"]?["subject"] == "neu")
    server.stop()
  }
}
