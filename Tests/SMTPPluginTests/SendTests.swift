import PluginKit
import PluginKitTesting
import Testing

@testable import SMTPPlugin

@Suite(.timeLimit(.minutes(5)))
struct SendTests {
  let host = InMemoryHost()
  private let settings: JSONValue = ["host": "mx.example.org", "tls": "none", "from": "me@example.org"]
  private let mail: JSONValue = ["to": ["you@example.org"], "subject": "Hello", "text": "Text\n.\n"]

  private func plugin(
    _ server: PlayedServer, _ more: [String: JSONValue] = [:]
  ) throws -> InMemoryHost.OpenPlugin<SMTPPlugin> {
    server.take(streamsOf: host)
    guard case .object(var members) = settings else { throw ActionError(.parse, "no settings") }
    for (name, value) in more { members[name] = value }
    return try host.open(SMTPPlugin.self, configuration: .object(members))
  }

  @Test func messageArrivesAsItWasWritten() async throws {
    let server = PlayedServer()
    let output = try await plugin(server).call("mail.send", mail, key: "run-1.send")
    #expect(output["message_id"] == "<run-1.send@example.org>")
    #expect(output["accepted"] == ["you@example.org"])
    #expect(output["refused"] == [])
    #expect(output["queue_id"] == "Q1")
    let lines = try #require(server.mails.first?.lines)
    #expect(lines.contains("Message-ID: <run-1.send@example.org>"))
    #expect(lines.suffix(2) == ["Text", ".."])
  }

  @Test func recipientsAreKeptApart() async throws {
    let server = PlayedServer()
    let mail: JSONValue = [
      "to": ["You <you@example.org>", "nobody@example.org"], "cc": ["later@example.org"], "bcc": ["hidden@example.org"],
      "subject": "", "text": "",
    ]
    let output = try await plugin(server).call("mail.send", mail)
    #expect(output["accepted"] == ["you@example.org", "hidden@example.org"])
    #expect(
      output["refused"] == [
        [
          "address": "nobody@example.org", "reason": "550 5.1.1 no such user", "code": 550, "status": "5.1.1",
          "temporary": false,
        ],
        [
          "address": "later@example.org", "reason": "451 4.2.1 mailbox busy", "code": 451, "status": "4.2.1",
          "temporary": true,
        ],
      ])
    let lines = try #require(server.mails.first?.lines)
    #expect(!lines.contains { $0.contains("hidden@example.org") })
  }

  @Test(arguments: [
    (["nobody@x.org"], ActionError.Kind.notFound), (["later@x.org"], .server),
    (["nobody@x.org", "later@x.org"], .server),
  ])
  func messageThatNobodyGetsFails(_ recipients: [String], _ kind: ActionError.Kind) async throws {
    let server = PlayedServer()
    let plugin = try plugin(server)
    let mail: JSONValue = ["to": .array(recipients.map(JSONValue.string)), "subject": "", "text": ""]
    await #expect(throws: ActionError(kind, "")) { try await plugin.call("mail.send", mail, key: "a") }
    #expect(try await plugin.verify("mail.send", mail, key: "a")["verdict"] == "not_done")
    // The connection still does, after a RSET.
    _ = try await plugin.call("mail.send", self.mail, key: "b")
    #expect(server.connections == 1 && server.mails.count == 1)
    #expect(server.commands.contains("RSET"))
  }

  @Test func connectionIsUsedAgainAndClosedWhenIdle() async throws {
    let server = PlayedServer()
    let plugin = try plugin(server)
    for number in 0..<3 { _ = try await plugin.call("mail.send", mail, key: "k\(number)") }
    #expect(server.connections == 1 && server.mails.count == 3)
    #expect(!server.commands.contains("RSET") && !server.commands.contains("QUIT"))
    host.advance(by: .seconds(60))
    _ = try await plugin.call("mail.send", mail, key: "later")
    #expect(server.connections == 2 && server.mails.count == 4)
  }

  @Test(arguments: [
    PlayedServer.Fault.breaksBeforeAnswer(0), .hangsUpBeforeAnswer(0), .answers(0, "421 4.4.2 timeout"),
  ])
  func connectionThatHasGoneStaleIsReplaced(_ fault: PlayedServer.Fault) async throws {
    let server = PlayedServer()
    let plugin = try plugin(server)
    _ = try await plugin.call("mail.send", mail, key: "a")
    server.set(fault)
    _ = try await plugin.call("mail.send", mail, key: "b")
    #expect(server.connections == 2 && server.mails.count == 2)
  }

  @Test func sameKeyIsSentOnce() async throws {
    let server = PlayedServer()
    let first = try await plugin(server).call("mail.send", mail, key: "a")
    // Another process with the same state.
    let again = try await plugin(server).call("mail.send", mail, key: "a", attempt: 2)
    #expect(again == first)
    #expect(server.mails.count == 1)
  }

  @Test func accountAddsWhatIsItsOwn() async throws {
    let server = PlayedServer()
    let plugin = try plugin(
      server,
      [
        "display_name": "Ada Lovelace", "reply_to": "answers@example.org",
        "signature": ["text": "Ada <3"], "user": "ada", "password": "secret",
      ])
    var mail: JSONObject = ["to": ["you@example.org"], "subject": "s", "text": "Text"]
    mail["html"] = "<html><body><p>Text</p></BODY></html>"
    mail["from"] = "ME@example.org"
    await #expect(throws: ActionError(.auth, "")) { try await plugin.call("mail.send", .object(mail)) }
    let open = try self.plugin(
      server,
      ["display_name": "Ada Lovelace", "reply_to": "answers@example.org", "signature": ["text": "Ada <3"]])
    _ = try await open.call("mail.send", .object(mail))
    let lines = try #require(server.mails.last?.lines)
    #expect(lines.contains("From: Ada Lovelace <me@example.org>"))
    #expect(lines.contains("Reply-To: answers@example.org"))
    #expect(lines.contains("-- ") && lines.contains("Ada <3"))
    #expect(lines.contains("<html><body><p>Text</p><div>-- <br>Ada &lt;3</div></BODY></html>"))
  }

  @Test func switchedOffProviderSendsNothing() async throws {
    let server = PlayedServer()
    let plugin = try plugin(server, ["active": false])
    await #expect(throws: ActionError(.unsupported, "")) { try await plugin.call("mail.send", mail) }
    #expect(server.connections == 0)
  }

  @Test(
    arguments: [
      ["tls": "maybe"], ["auth": "md5"], ["helo": "a b"], ["from": "nobody"], ["reply_to": "x"], ["user": "me"],
    ] as [[String: JSONValue]])
  func unusableSettingsAreRefused(_ settings: [String: JSONValue]) {
    #expect(throws: ActionError(.invalidInput, "")) { try plugin(PlayedServer(), settings) }
  }

  @Test(
    arguments: [
      ([:], 465, StreamRequest.TLS.implicit), (["port": 587], 587, .none), (["tls": "starttls"], 587, .none),
      (["port": 465], 465, .implicit), (["port": 2525], 2525, .none), (["tls": "none"], 25, .none),
      (["tls": "implicit", "port": 10465], 10465, .implicit), (["protocol": "lmtp", "tls": "none"], 24, .none),
    ] as [([String: JSONValue], Int, StreamRequest.TLS)])
  func portAndEncryptionFollowEachOther(
    _ settings: [String: JSONValue], _ port: Int, _ tls: StreamRequest.TLS
  ) async throws {
    let (requests, sink) = AsyncStream<StreamRequest>.makeStream()
    host.accept { peer in
      sink.yield(peer.request)
      throw ActionError(.refused, "")
    }
    var members: JSONObject = ["host": "mx.example.org"]
    for (name, value) in settings { members[name] = value }
    let plugin = try host.open(SMTPPlugin.self, configuration: .object(members))
    await #expect(throws: ActionError(.refused, "")) { try await plugin.call("smtp.test") }
    var iterator = requests.makeAsyncIterator()
    let request = await iterator.next()
    #expect(request?.port == port && request?.tls == tls)
  }

  @Test func signInIsEncryptedBySTARTTLS() async throws {
    let server = PlayedServer(["STARTTLS", "AUTH PLAIN"])
    let plugin = try plugin(server, ["tls": "starttls", "user": "tim", "password": "tanstaaftanstaaf"])
    let report = try await plugin.call("smtp.test")
    #expect(report["signed_in_by"] == "PLAIN" && report["encrypted"] == true)
    #expect(report["greeting"] == "played.example ESMTP")
    #expect(
      server.commands.prefix(5) == [
        "EHLO [127.0.0.1]", "STARTTLS", "EHLO [127.0.0.1]", "AUTH PLAIN AHRpbQB0YW5zdGFhZnRhbnN0YWFm",
        "MAIL FROM:<me@example.org>",
      ])
    #expect(server.mails.isEmpty)
  }

  @Test func testTellsTheServersWords() async throws {
    for (number, text, kind) in [
      (0, "554 5.7.1 your address is listed", ActionError.Kind.auth), (2, "535 5.7.8 wrong password", .auth),
      (3, "553 5.7.1 not your address", .auth),
    ] {
      let server = PlayedServer(["AUTH PLAIN"], fault: .answers(number, text))
      let plugin = try plugin(server, ["user": "tim", "password": "x"])
      let error = await #expect(throws: ActionError(kind, "")) { try await plugin.call("smtp.test") }
      #expect(error?.message.contains(text) == true)
      #expect(error?.messageGerman?.contains(text) == true)
    }
  }

  @Test func verifyFindsWhatWasSent() async throws {
    let server = PlayedServer()
    let plugin = try plugin(server)
    let output = try await plugin.call("mail.send", mail, key: "a")
    let found = try await plugin.call("mail.verify", ["message_id": output["message_id"] ?? .null])
    #expect(found == ["found": true, "evidence": "Q1"])
    #expect(try await plugin.call("mail.verify", ["message_id": "<x@y>"]) == ["found": false, "evidence": .null])
  }

  @Test func onlySoManyConnectionsStandAtATime() async throws {
    let server = PlayedServer()
    let plugin = try plugin(server, ["connections": 3])
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<50 {
        group.addTask { _ = try await plugin.call("mail.send", mail, key: "k\(number)") }
      }
      try await group.waitForAll()
    }
    #expect(server.mails.count == 50 && (1...3).contains(server.connections))
  }
}
