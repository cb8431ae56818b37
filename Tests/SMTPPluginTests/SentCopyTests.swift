import Foundation
import PluginKit
import PluginKitTesting
import Synchronization
import Testing

@testable import SMTPPlugin

/// Copies of what was sent, in a folder of Dovecot, a server that nobody here wrote.
@Suite(
  .enabled(if: Dovecot.path != nil && getuid() == 0, "needs Dovecot, and to be root"), .serialized,
  .timeLimit(.minutes(10)))
struct SentCopyTests {
  private let mail: JSONValue = ["to": ["you@example.org"], "subject": "Grüße", "text": "Text\n.\n"]

  private func plugin(
    _ host: InMemoryHost, _ server: PlayedServer, _ dovecot: Dovecot, sent: JSONObject = [:], user: String = "ada"
  ) throws -> InMemoryHost.OpenPlugin<SMTPPlugin> {
    server.take(streamsOf: host)
    host.connectStreams { [imapPort = dovecot.imapPort] request in request.port == 25 ? nil : imapPort }
    var copies: JSONObject = ["host": "imap.example.org", "tls": "none"]
    for (name, value) in sent { copies[name] = value }
    return try host.open(
      SMTPPlugin.self,
      configuration: [
        "host": "localhost", "tls": "none", "from": "me@example.org", "user": .string(user), "password": "secret",
        "sent": .object(copies),
      ])
  }

  @Test func copyIsWhatWasSent() async throws {
    let (server, dovecot, host) = (PlayedServer(["AUTH PLAIN"]), try Dovecot(), InMemoryHost())
    let plugin = try plugin(host, server, dovecot)
    for key in ["a", "b"] { _ = try await plugin.call("mail.send", mail, key: key) }
    let copies = dovecot.messages(of: "ada", in: "Gesendet")
    #expect(copies.count == 2 && server.mails.count == 2)
    let copy = try #require(copies.first { $0.contains("<a@example.org>") })
    let sent = server.mails[0].lines.map { $0.hasPrefix(".") ? String($0.dropFirst()) : $0 }
    #expect(copy.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) == sent + [""])
    #expect(host.log.isEmpty)
  }

  @Test func copyOfATextWithoutALastLineEndIsStored() async throws {
    let (server, dovecot, host) = (PlayedServer(["AUTH PLAIN"]), try Dovecot(), InMemoryHost())
    let mail: JSONValue = ["to": ["you@example.org"], "subject": "Short", "text": "No line end"]
    _ = try await plugin(host, server, dovecot).call("mail.send", mail, key: "a")
    #expect(dovecot.messages(of: "ada", in: "Gesendet").count { $0.contains("No line end") } == 1)
    #expect(host.log.isEmpty, "\(host.log)")
  }

  @Test func folderIsMadeWhereItIsMissing() async throws {
    let (server, dovecot, host) = (PlayedServer(["AUTH PLAIN"]), try Dovecot(sentFolder: nil), InMemoryHost())
    _ = try await plugin(host, server, dovecot, sent: ["folder": "Büro"]).call("mail.send", mail)
    #expect(dovecot.messages(of: "ada", in: "B&APw-ro").count == 1)
    _ = try await plugin(host, server, dovecot).call("mail.send", mail, key: "other")
    #expect(dovecot.messages(of: "ada", in: "Sent").count == 1)
  }

  @Test func copyThatFailsIsToldAndMadeUpFor() async throws {
    let (server, dovecot, host) = (PlayedServer(["AUTH PLAIN"]), try Dovecot(), InMemoryHost())
    let wrong = try plugin(host, server, dovecot, sent: ["password": "wrong"])
    _ = try await wrong.call("mail.send", mail, key: "a")
    #expect(host.log.contains { $0.level == .warning && $0.message.contains("<a@example.org> was sent") })
    #expect(dovecot.messages(of: "ada", in: "Gesendet").isEmpty)
    // Asked again, as after a crash, the message is not sent again; the copy is stored, once.
    let right = try plugin(host, server, dovecot)
    #expect(try await right.verify("mail.send", mail, key: "a")["verdict"] == "done")
    _ = try await right.call("mail.send", mail, key: "a", attempt: 2)
    #expect(server.mails.count == 1 && dovecot.messages(of: "ada", in: "Gesendet").count == 1)
  }

  /// A service that keeps copies itself shows by one that it has taken a message.
  @Test func copyThatIsThereProvesThatAMessageWasSent() async throws {
    let (server, dovecot, host) = (PlayedServer(["AUTH PLAIN"]), try Dovecot(), InMemoryHost())
    let plugin = try plugin(host, server, dovecot)
    _ = try await plugin.call("mail.send", mail, key: "a")
    // Another message of the same Message-ID whose reply is lost: greeting, EHLO, AUTH, MAIL, RCPT, DATA, content.
    let other = InMemoryHost()
    server.set(.breaksBeforeAnswer(6))
    let second = try self.plugin(other, server, dovecot)
    await #expect(throws: ActionError(.io, "")) { try await second.call("mail.send", mail, key: "a") }
    #expect(try await second.verify("mail.send", mail, key: "a")["verdict"] == "done")
    let found = try await second.call("mail.verify", ["message_id": "<a@example.org>"])
    #expect(found["found"] == true)
    #expect(dovecot.messages(of: "ada", in: "Gesendet").count == 1)
    // One that is not there proves nothing.
    server.set(.breaksBeforeAnswer(6))
    await #expect(throws: ActionError(.io, "")) { try await second.call("mail.send", mail, key: "lost") }
    #expect(try await second.verify("mail.send", mail, key: "lost")["verdict"] == "unknown")
  }

  @Test func testSaysWhatIsWrongWithTheCopies() async throws {
    let (server, dovecot, host) = (PlayedServer(["AUTH PLAIN"]), try Dovecot(), InMemoryHost())
    _ = try await plugin(host, server, dovecot).call("smtp.test")
    let error = await #expect(throws: ActionError(.server, "")) {
      try await plugin(host, server, dovecot, sent: ["password": "wrong"]).call("smtp.test")
    }
    #expect(error?.message.contains("imap.example.org") == true)
  }

  @Test(.enabled(if: Dovecot.hasLMTP, "needs dovecot-lmtpd")) func messageGoesIntoMailboxesByLMTP() async throws {
    let (dovecot, host) = (try Dovecot(), InMemoryHost())
    host.connectStreams { [port = dovecot.lmtpPort] _ in port }
    let plugin = try host.open(
      SMTPPlugin.self,
      configuration: ["host": "localhost", "protocol": "lmtp", "tls": "none", "from": "me@example.org"])
    let large = String(repeating: "QUJD", count: 100_000)
    for (key, files) in [("small", []), ("large", [["content": .string(large)] as JSONValue])] {
      let mail: JSONValue = [
        "to": ["ada@example.org", "tim@example.org"], "subject": "s", "text": "t", "attachments": .array(files),
      ]
      let output = try await plugin.call("mail.send", mail, key: key)
      #expect(output["accepted"] == ["ada@example.org", "tim@example.org"])
    }
    for user in ["ada", "tim"] {
      let messages = dovecot.messages(of: user)
      #expect(messages.count == 2 && messages.contains { $0.contains("Message-ID: <large@example.org>") })
    }
  }
}
