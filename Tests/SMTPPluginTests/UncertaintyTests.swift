import PluginKit
import PluginKitTesting
import Testing

@testable import SMTPPlugin

/// What is known when a connection breaks: the table of ``SendRecord``, played through.
@Suite(.timeLimit(.minutes(5)))
struct UncertaintyTests {
  let host = InMemoryHost()
  private let mail: JSONValue = ["to": ["you@example.org", "nobody@example.org"], "subject": "Hello", "text": "Text"]

  private func plugin(_ server: PlayedServer) throws -> InMemoryHost.OpenPlugin<SMTPPlugin> {
    server.take(streamsOf: host)
    return try host.open(
      SMTPPlugin.self, configuration: ["host": "mx.example.org", "tls": "none", "from": "me@example.org"])
  }

  /// Greeting, EHLO, MAIL, RCPT, RCPT, DATA, the message.
  private static let answers = 7

  @Test(arguments: [["PIPELINING"], []] as [[String]])
  func brokenConnectionIsJudgedRightAtEveryAnswer(_ keywords: [String]) async throws {
    for number in 0..<Self.answers {
      for fault in [
        PlayedServer.Fault.breaksBeforeAnswer(number), .hangsUpBeforeAnswer(number), .breaksAfterAnswer(number),
        .answers(number, "what is this"),
      ] {
        let server = PlayedServer(keywords, fault: fault)
        let key = "k\(keywords.count).\(fault)".filter { $0.isLetter || $0.isNumber }
        let error = await error(of: server, key: key)
        let isLast = number == Self.answers - 1
        if isLast, fault == .breaksAfterAnswer(number) {
          #expect(error == nil)
        } else {
          #expect([.io, .protocol].contains(error?.kind), "\(fault): \(String(describing: error))")
        }
        // Whoever has to look for the message is told its name.
        if isLast, let error { #expect(error.message.contains("<\(key)@example.org>")) }
        // Asked by a process that has the provider's state only.
        let verdict = try await plugin(server).verify("mail.send", mail, key: key)["verdict"]
        let expected: JSONValue = error == nil ? "done" : isLast ? "unknown" : "not_done"
        // Behind the go-ahead it is a matter of moments whether the plugin sees the end before it sends the message.
        let isRace = number == Self.answers - 2 && fault == .breaksAfterAnswer(number)
        #expect(verdict == expected || isRace && verdict == "unknown", "\(fault)")
        // What may be tried again has surely not been sent.
        #expect(server.mails.count == (isLast ? 1 : 0), "\(fault)")
        guard verdict == "not_done" else { continue }
        server.set(nil)
        _ = try await plugin(server).call("mail.send", mail, key: key, attempt: 2)
        #expect(server.mails.count == 1, "\(fault)")
      }
    }
  }

  private func error(of server: PlayedServer, key: String) async -> ActionError? {
    do throws(ActionError) {
      let plugin: InMemoryHost.OpenPlugin<SMTPPlugin>
      do { plugin = try self.plugin(server) } catch { return ActionError(.invalidInput, "\(error)") }
      _ = try await plugin.call("mail.send", mail, key: key)
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: [
    ("451 4.3.0 try later", ActionError.Kind.server), ("554 5.6.0 not this", .invalidInput),
    ("552 5.3.4 too large", .invalidInput), ("421 4.3.2 shutting down", .server),
  ])
  func refusedMessageIsNotSent(_ answer: String, _ kind: ActionError.Kind) async throws {
    let server = PlayedServer(fault: .answers(Self.answers - 1, answer))
    let plugin = try plugin(server)
    await #expect(throws: ActionError(kind, "")) { try await plugin.call("mail.send", mail, key: "a") }
    #expect(try await plugin.verify("mail.send", mail, key: "a")["verdict"] == "not_done")
  }

  @Test func replyThatComesAfterTheCallWasCancelledCounts() async throws {
    let server = PlayedServer(fault: .waits(Self.answers - 1))
    let plugin = try plugin(server)
    let call = Task { try await plugin.call("mail.send", mail, key: "a") }
    await server.hasReachedWait()
    call.cancel()
    await #expect(throws: ActionError(.cancelled, "")) { try await call.value }
    // Whoever asks now waits for the reply.
    async let verdict = plugin.verify("mail.send", mail, key: "a")
    server.goOn()
    #expect(try await verdict["verdict"] == "done")
    #expect(try await plugin.verify("mail.send", mail, key: "a")["output"]?["queue_id"] == "Q1")
    #expect(server.mails.count == 1)
  }

  @Test func serverThatNeverSaysLeavesItOpen() async throws {
    let server = PlayedServer(fault: .waits(Self.answers - 1))
    let plugin = try plugin(server)
    let isOver = Flag()
    let call = Task {
      defer { isOver.set() }
      return try await plugin.call("mail.send", mail, key: "a")
    }
    await server.hasReachedWait()
    // More than once, as the plugin may not have begun to wait yet.
    while !isOver.isSet {
      host.advance(by: .seconds(300))
      await Task.yield()
    }
    await #expect(throws: ActionError(.timeout, "")) { try await call.value }
    #expect(try await plugin.verify("mail.send", mail, key: "a")["verdict"] == "unknown")
    server.goOn()
  }

  @Test func whatAPersonSaysWasNotSentIsSentAgain() async throws {
    let server = PlayedServer(fault: .breaksBeforeAnswer(Self.answers - 1))
    let plugin = try plugin(server)
    await #expect(throws: ActionError(.io, "")) { try await plugin.call("mail.send", mail, key: "a") }
    server.set(nil)
    _ = try await plugin.call("mail.send", mail, key: "a", attempt: 2)
    #expect(server.mails.count == 2)
    #expect(try await plugin.verify("mail.send", mail, key: "a")["verdict"] == "done")
  }

  /// What makes up the Message-ID is a digest for some keys, and could be the whole of another.
  @Test func twoStepsWithOneMessageIDAreTwoMessages() async throws {
    let server = PlayedServer()
    let plugin = try plugin(server)
    let first = try await plugin.call("mail.send", mail, key: "a b")
    let messageID = try #require(first["message_id"]?.string)
    let other = String(messageID.dropFirst().prefix { $0 != "@" })
    let second = try await plugin.call("mail.send", mail, key: other)
    #expect(second["message_id"] == first["message_id"])
    #expect(second["queue_id"] == "Q2" && server.mails.count == 2)
  }

  @Test func messageIsKnownAgainWhenTheSenderHasChanged() async throws {
    let server = PlayedServer()
    _ = try await plugin(server).call("mail.send", mail, key: "a")
    let moved = try host.open(
      SMTPPlugin.self, configuration: ["host": "mx.example.org", "tls": "none", "from": "me@moved.example"])
    #expect(try await moved.verify("mail.send", mail, key: "a")["verdict"] == "done")
    let again = try await moved.call("mail.send", mail, key: "a", attempt: 2)
    #expect(again["message_id"] == "<a@example.org>" && server.mails.count == 1)
  }

  /// A run that goes on elsewhere may count its attempts anew.
  @Test func firstAttemptThatIsNoneSendsNothing() async throws {
    let server = PlayedServer()
    let first = try await plugin(server).call("mail.send", mail, key: "a")
    let again = try await plugin(server).call("mail.send", mail, key: "a", attempt: 1)
    #expect(again == first && server.mails.count == 1)
  }

  @Test func keyThatWasNeverUsedIsNotDone() async throws {
    #expect(try await plugin(PlayedServer()).verify("mail.send", mail, key: "never")["verdict"] == "not_done")
  }

  @Test func oldRecordsAreRemovedAndOpenOnesKept() async throws {
    let server = PlayedServer()
    let plugin = try plugin(server)
    _ = try await plugin.call("mail.send", mail, key: "sent")
    server.set(.breaksBeforeAnswer(Self.answers - 3))
    await #expect(throws: ActionError.self) { try await plugin.call("mail.send", mail, key: "open") }
    server.set(nil)
    host.advance(by: .seconds(86_400 * (SendLedger.keptDays + 2)))
    let later = try self.plugin(server)
    await later.plugin.ledger.prune()
    #expect(try await later.plugin.ledger.record(of: "sent") == nil)
    #expect(try await later.plugin.ledger.record(messageID: "sent@example.org") == nil)
    #expect(try await later.plugin.ledger.record(of: "open")?.stage == .sending)
    #expect(!host.stateValues.keys.contains { $0.hasSuffix("sent") || $0.hasSuffix("sent@example.org") })
  }
}
