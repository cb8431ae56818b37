import PluginKit
import PluginKitTesting
import Synchronization
import Testing

@testable import SMTPPlugin

/// Servers that want to harm: each ends in an error of its own kind, soon, and nothing is sent.
@Suite(.timeLimit(.minutes(5)))
struct HostileServerTests {
  let host = InMemoryHost()
  private let mail: JSONValue = ["to": ["you@example.org"], "subject": "Hello", "text": "Text"]

  private func plugin(tls: String = "none") throws -> InMemoryHost.OpenPlugin<SMTPPlugin> {
    try host.open(
      SMTPPlugin.self,
      configuration: [
        "host": "mx.example.org", "tls": .string(tls), "user": "me@example.org", "password": "secret",
      ])
  }

  @Test(arguments: ["2", "250-x\r\n", "250-" + String(repeating: "y", count: 10_000) + "\r\n", "250 a\u{0}b\r\n"])
  func serverThatNeverEndsIsLeft(_ piece: String) async throws {
    let sent = Mutex(0)
    host.accept { peer in
      while true {
        try await peer.send(String(repeating: piece, count: max(1, 4096 / piece.utf8.count)))
        sent.withLock { $0 += 4096 }
      }
    }
    await #expect(throws: ActionError(.protocol, "")) { try await plugin().call("mail.send", mail) }
    #expect(sent.withLock { $0 } < 4 << 20)
  }

  @Test func repliesThatNobodyHadAskedForAreNotTakenForAnswers() async throws {
    let commands = Mutex<[String]>([])
    host.accept { peer in
      try await peer.send("220 x\r\n")
      _ = try await peer.readLine()
      try await peer.send("250 x\r\n" + String(repeating: "250 yes\r\n", count: 10_000))
      while let line = try await peer.readLine() { commands.withLock { $0.append(line) } }
    }
    let open = try host.open(SMTPPlugin.self, configuration: ["host": "mx.example.org", "tls": "none"])
    await #expect(throws: ActionError(.protocol, "")) { try await open.call("mail.send", mail, key: "a") }
    #expect(!commands.withLock { $0 }.contains { $0.hasPrefix("MAIL") })
    #expect(try await open.verify("mail.send", mail, key: "a")["verdict"] == "not_done")
  }

  /// What is said about a message before the server has it says nothing.
  @Test func verdictBeforeTheMessageDoesNotCount() async throws {
    host.accept { peer in
      try await peer.send("220 x\r\n")
      while let line = try await peer.readLine() {
        let isData = line.hasPrefix("DATA")
        try await peer.send(isData ? "354 go\r\n250 2.0.0 queued as Q1\r\n" : "250 ok\r\n")
      }
    }
    let open = try host.open(
      SMTPPlugin.self, configuration: ["host": "mx.example.org", "tls": "none", "from": "me@example.org"])
    await #expect(throws: ActionError(.protocol, "")) { try await open.call("mail.send", mail, key: "a") }
    #expect(try await open.verify("mail.send", mail, key: "a")["verdict"] == "not_done")
  }

  /// CVE-2011-0411 and its like: what stands behind the answer to STARTTLS was not sent by whom TLS names.
  @Test func plainTextBehindSTARTTLSEndsTheConnection() async throws {
    let commands = Mutex<[String]>([])
    host.accept { peer in
      try await peer.send("220 x\r\n")
      _ = try await peer.readLine()
      try await peer.send("250-x\r\n250 STARTTLS\r\n")
      _ = try await peer.readLine()
      try await peer.send("220 go\r\n250-x\r\n250 AUTH PLAIN\r\n235 welcome\r\n")
      try? await peer.acceptTLS()
      while let line = try await peer.readLine() { commands.withLock { $0.append(line) } }
    }
    await #expect(throws: ActionError(.protocol, "")) { try await plugin(tls: "starttls").call("mail.send", mail) }
    #expect(commands.withLock { $0 }.isEmpty)
  }

  @Test func strippedSTARTTLSKeepsThePassword() async throws {
    let commands = Mutex<[String]>([])
    host.accept { peer in
      try await peer.send("220 x\r\n")
      while let line = try await peer.readLine() {
        commands.withLock { $0.append(line) }
        try await peer.send("250-x\r\n250 AUTH PLAIN LOGIN\r\n")
      }
    }
    await #expect(throws: ActionError(.auth, "")) { try await plugin(tls: "starttls").call("mail.send", mail) }
    #expect(commands.withLock { $0.allSatisfy { $0.hasPrefix("EHLO") || $0 == "QUIT" } })
  }

  @Test func serverThatDripsIsLeftInTime() async throws {
    let isOver = Flag()
    host.accept { [host] peer in
      // A byte in a while, so that silence alone would never be noticed.
      try await peer.send("220-")
      while !isOver.isSet {
        try await peer.send("x")
        host.advance(by: .seconds(5))
        for _ in 0..<20 { await Task.yield() }
      }
    }
    await #expect(throws: ActionError(.timeout, "")) { try await plugin().call("mail.send", mail) }
    isOver.set()
  }

  @Test func wordsOfAServerCarryNoControls() async throws {
    host.accept { peer in try await peer.send("554 \u{1B}[2J\u{7}bad\r\n") }
    let error = await #expect(throws: ActionError.self) { try await plugin().call("mail.send", mail) }
    #expect(error?.message.contains("554 [2Jbad") == true)
    #expect(error?.message.unicodeScalars.contains { $0.value < 0x20 } == false)
  }

  @Test func passwordIsInNoErrorAndNoLog() async throws {
    let server = PlayedServer(["AUTH PLAIN"], fault: .answers(2, "535 no"))
    server.take(streamsOf: host)
    let error = await #expect(throws: ActionError(.auth, "")) { try await plugin().call("mail.send", mail) }
    #expect(error.map { "\($0)" }?.contains("secret") == false)
    #expect(!host.log.contains { $0.message.contains("secret") })
  }
}
