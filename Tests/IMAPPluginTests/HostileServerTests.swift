import Foundation
import PluginKit
import PluginKitTesting
import Synchronization
import Testing

@testable import IMAPPlugin

/// Servers that nobody should trust, played in memory.
@Suite(.timeLimit(.minutes(5)))
struct HostileServerTests {
  private func account(_ settings: JSONObject = [:]) throws -> (InMemoryHost, InMemoryHost.OpenPlugin<IMAPPlugin>) {
    let host = InMemoryHost()
    let standard: JSONObject = ["host": "mail.example.com", "user": "anna", "password": "geheim-17"]
    let plugin = try host.open(
      IMAPPlugin.self, configuration: .object(standard.merging(settings) { _, other in other }))
    return (host, plugin)
  }

  /// Signs the plugin in, and then hands over.
  private static func serve(
    _ peer: ScriptedPeer, capabilities: String = "IMAP4rev1 AUTH=PLAIN SASL-IR ESEARCH",
    _ body: (ScriptedPeer, _ tag: String, _ command: String) async throws -> Void
  ) async throws {
    try await peer.send("* OK [CAPABILITY \(capabilities)] ready\r\n")
    while let line = try await peer.readLine() {
      let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
      let command = parts.count > 1 ? parts[1] : ""
      if command.hasPrefix("AUTHENTICATE") {
        try await peer.send("\(parts[0]) OK [CAPABILITY \(capabilities)] in\r\n")
      } else if command == "CAPABILITY" {
        try await peer.send("* CAPABILITY \(capabilities)\r\n\(parts[0]) OK done\r\n")
      } else if command == #"LIST "" """# {
        try await peer.send("* LIST () \"/\" \"\"\r\n\(parts[0]) OK done\r\n")
      } else if command.hasPrefix("EXAMINE") {
        try await peer.send(
          "* 3 EXISTS\r\n* OK [UIDVALIDITY 7] x\r\n* OK [UIDNEXT 4] x\r\n\(parts[0]) OK [READ-ONLY] open\r\n")
      } else {
        try await body(peer, parts[0], command)
      }
    }
  }

  @Test(arguments: [
    "* OK [CAPABILITY IMAP4rev1] no STARTTLS\r\n", "* PREAUTH [CAPABILITY IMAP4rev1 STARTTLS] welcome\r\n",
  ])
  func strippedEncryptionGetsNoPassword(_ greeting: String) async throws {
    let (host, plugin) = try account(["tls": "starttls"])
    let seen = Mutex("")
    host.accept { peer in
      try await peer.send(greeting)
      while let line = try await peer.readLine() { seen.withLock { $0 += line + "\n" } }
    }
    await #expect(throws: ActionError(.auth, "")) { _ = try await plugin.call("mail.search") }
    #expect(!seen.withLock { $0 }.contains("AUTHENTICATE") && !seen.withLock { $0 }.contains("LOGIN"))
  }

  @Test func whatIsPutBehindStartTLSIsRefused() async throws {
    let (host, plugin) = try account(["tls": "starttls"])
    host.accept { peer in
      try await peer.send("* OK [CAPABILITY IMAP4rev1 STARTTLS AUTH=PLAIN] ready\r\n")
      guard let line = try await peer.readLine() else { return }
      #expect(line.hasSuffix("STARTTLS"))
      try await peer.send("\(line.prefix { $0 != " " }) OK begin\r\n* CAPABILITY IMAP4rev1 AUTH=LOGIN\r\n")
      #expect(try await peer.readLine() == nil)
    }
    await #expect(throws: ActionError(.protocol, "")) { _ = try await plugin.call("mail.search") }
  }

  @Test func capabilitiesFromBeforeEncryptionAreForgotten() async throws {
    let (host, plugin) = try account(["tls": "starttls"])
    host.accept { peer in
      try await peer.send("* OK [CAPABILITY IMAP4rev1 STARTTLS AUTH=LOGIN] ready\r\n")
      guard let line = try await peer.readLine() else { return }
      try await peer.send("\(line.prefix { $0 != " " }) OK begin\r\n")
      try await peer.acceptTLS()
      guard let next = try await peer.readLine() else { return }
      #expect(next.hasSuffix("CAPABILITY"))
      try await peer.send("* CAPABILITY IMAP4rev1 LOGINDISABLED\r\n\(next.prefix { $0 != " " }) OK done\r\n")
      #expect(try await peer.readLine() == nil)
    }
    await #expect(throws: ActionError(.auth, "")) { _ = try await plugin.call("mail.search") }
  }

  @Test(arguments: [
    "* 1 FETCH (BODY[] {10000000000}\r\n", "* OK x\u{0}y\r\n", "s999 OK somebody else's\r\n", "+ what?\r\n",
    "nonsense\r\n", "* \r\n",
    "* ESEARCH ALL 1:4294967295\r\n",
  ])
  func whatIsNoIMAPEndsInAnError(_ text: String) async throws {
    let (host, plugin) = try account()
    host.accept { peer in
      try await Self.serve(peer) { peer, _, _ in try await peer.send(text) }
    }
    await #expect(throws: ActionError(.protocol, "")) { _ = try await plugin.call("mail.search") }
  }

  @Test func whatIsNotCompressedAsAgreedEndsInAnError() async throws {
    let (host, plugin) = try account()
    host.accept { peer in
      try await Self.serve(peer, capabilities: "IMAP4rev1 AUTH=PLAIN SASL-IR COMPRESS=DEFLATE") { peer, tag, command in
        // What comes behind that is compressed.
        guard command == "COMPRESS DEFLATE" else { return }
        try await peer.send("\(tag) OK begin\r\n* OK in plain text\r\n")
      }
    }
    await #expect(throws: ActionError(.protocol, "")) { _ = try await plugin.call("mail.search") }
  }

  /// A few bytes stand for very many.
  @Test func linesWithoutEndThatWereCompressedAreCutShort() async throws {
    let (host, plugin) = try account()
    let sent = Mutex(0)
    host.accept { peer in
      try await Self.serve(peer, capabilities: "IMAP4rev1 AUTH=PLAIN SASL-IR COMPRESS=DEFLATE") { peer, tag, _ in
        try await peer.send("\(tag) OK begin\r\n")
        let deflate = try Deflate()
        let line = [UInt8](repeating: 0x61, count: 64 << 20)
        while true {
          let piece = try deflate.compress(line)
          try await peer.send(piece)
          sent.withLock { $0 += piece.count }
        }
      }
    }
    await #expect(throws: ActionError(.protocol, "")) { _ = try await plugin.call("mail.search") }
    // The host takes a MiB in advance.
    #expect(sent.withLock { $0 } < 4 << 20)
  }

  @Test func linesWithoutEndAreCutShort() async throws {
    let (host, plugin) = try account()
    let sent = Mutex(0)
    host.accept { peer in
      try await Self.serve(peer) { peer, _, _ in
        let piece = [UInt8](repeating: 0x61, count: 1 << 16)
        while true {
          try await peer.send(piece)
          sent.withLock { $0 += piece.count }
        }
      }
    }
    await #expect(throws: ActionError(.protocol, "")) { _ = try await plugin.call("mail.search") }
    #expect(sent.withLock { $0 } < 4 << 20)
  }

  /// Somebody else has taken the message between two commands: the server has nothing to move, and says no more than OK.
  @Test func whatTheServerDoesNotNameWasNotMoved() async throws {
    let (host, plugin) = try account()
    host.accept { peer in
      try await Self.serve(peer, capabilities: "IMAP4rev1 AUTH=PLAIN SASL-IR MOVE UIDPLUS") { peer, tag, command in
        var answer = ""
        if command.hasPrefix("SELECT") { answer = "* 1 EXISTS\r\n* OK [UIDVALIDITY 7] x\r\n* OK [UIDNEXT 4] x\r\n" }
        if command.hasPrefix("LIST") { answer = "* LIST () \"/\" INBOX\r\n* LIST () \"/\" A\r\n" }
        if command.hasPrefix("STATUS") { answer = "* STATUS A (UIDNEXT 9 UIDVALIDITY 7 MESSAGES 0)\r\n" }
        if command.hasPrefix("UID FETCH") {
          answer =
            "* 1 FETCH (UID 1 RFC822.SIZE 5 INTERNALDATE \"01-Jul-2025 10:00:00 +0000\" "
            + "BODY[HEADER.FIELDS (MESSAGE-ID)] \"\")\r\n"
        }
        try await peer.send(answer + "\(tag) OK done\r\n")
      }
    }
    let output = try await plugin.call("mail.move", ["folder": "INBOX", "uids": ["7.1"], "to": "A"])
    #expect(output["moved"] == 0 && output["missing"] == ["7.1"])
  }

  /// Each response is as it should be, and none is what was asked for.
  @Test func newsWithoutEndIsCutShort() async throws {
    let (host, plugin) = try account()
    let words = "* OK " + String(repeating: "x", count: 60_000) + "\r\n"
    let news = Array("* 5 EXISTS\r\n* 4 FETCH (UID 4 FLAGS ())\r\n\(words)".utf8)
    host.accept { peer in
      try await Self.serve(peer) { peer, _, _ in while true { try await peer.send(news) } }
    }
    await #expect(throws: ActionError(.protocol, "")) { _ = try await plugin.call("mail.search") }
    // A command whose literal waits for the server ends as well.
    await #expect(throws: ActionError(.protocol, "")) { _ = try await plugin.call("mail.search", ["subject": "ü"]) }
  }

  @Test func dripsDoNotKeepACallAlive() async throws {
    let (host, plugin) = try account(["command_timeout": 10])
    host.accept { peer in
      try await Self.serve(peer) { peer, _, _ in
        while true {
          try await peer.send("x")
          host.advance(by: .seconds(1))
          await Task.yield()
        }
      }
    }
    await #expect(throws: ActionError(.timeout, "")) { _ = try await plugin.call("mail.search") }
  }

  /// Whole responses at times do not either, with a literal that waits for the server or without.
  @Test(arguments: ["a", "ü"]) func signsOfLifeDoNotKeepACallAlive(_ subject: String) async throws {
    let (host, plugin) = try account(["command_timeout": 10])
    host.accept { peer in
      try await Self.serve(peer) { peer, _, _ in
        while true {
          try await peer.send("* OK Still here\r\n")
          host.advance(by: .milliseconds(100))
          await Task.yield()
        }
      }
    }
    await #expect(throws: ActionError(.timeout, "")) {
      _ = try await plugin.call("mail.search", ["subject": .string(subject)])
    }
  }

  @Test func messagesThatWereNotAskedForAreNotPassedOn() async throws {
    let (host, plugin) = try account()
    host.accept { peer in
      try await Self.serve(peer) { peer, tag, command in
        if command.hasPrefix("UID SEARCH") {
          try await peer.send("* ESEARCH (TAG \"\(tag)\") UID ALL 1,3\r\n\(tag) OK done\r\n")
        } else {
          try await peer.send(
            "* 4 EXISTS\r\n* 2 FETCH (UID 2 FLAGS (\\Seen))\r\n* 1 FETCH (UID 1 FLAGS (\\Seen))\r\n* 3 FETCH (FLAGS ())\r\n"
              + "* 3 FETCH (UID 3 FLAGS (\\Flagged))\r\n\(tag) OK done\r\n")
        }
      }
    }
    let page = try await plugin.call("mail.search", ["fields": ["flags"], "order": "oldest"])
    #expect(
      page["messages"] == [
        ["uid": "7.1", "folder": "INBOX", "flags": ["\\Seen"]],
        ["uid": "7.3", "folder": "INBOX", "flags": ["\\Flagged"]],
      ])
  }

  /// A server that knows pieces says where each begins: without that nobody knows where bytes belong, and a message is not
  /// cut off in silence. Nothing behind the first piece is the end.
  @Test(arguments: [("BODY[] {3}\r\nabc", Int?.none), ("BODY[] NIL", 1 << 20), ("BODY[] \"\"", 1 << 20)])
  func piecesSayWhereTheyBegin(_ second: String, _ size: Int?) async throws {
    let (host, plugin) = try account()
    host.accept { peer in
      try await Self.serve(peer) { peer, tag, command in
        if command.contains("<0.") {
          try await peer.send("* 1 FETCH (UID 1 BODY[]<0> {\(1 << 20)}\r\n")
          try await peer.send([UInt8](repeating: 0x61, count: 1 << 20))
          try await peer.send(")\r\n\(tag) OK done\r\n")
        } else {
          try await peer.send("* 1 FETCH (UID 1 \(second))\r\n\(tag) OK done\r\n")
        }
      }
    }
    let input: JSONValue = ["folder": "INBOX", "uid": "7.1"]
    if let size {
      #expect(try await plugin.call("mail.raw", input)["size"] == .integer(Int64(size)))
    } else {
      await #expect(throws: ActionError(.protocol, "")) { _ = try await plugin.call("mail.raw", input) }
    }
  }

  @Test func serversThatSayByeAreTakenAtTheirWord() async throws {
    let (host, plugin) = try account()
    host.accept { peer in try await peer.send("* BYE Too many connections\r\n") }
    let error = await #expect(throws: ActionError.self) { _ = try await plugin.call("mail.search") }
    #expect(error?.kind == .rateLimited)
    #expect(error?.message.contains("Too many connections") == true)
  }

  @Test func unencryptedConnectionsWantToBeAskedFor() throws {
    let (_, plugin) = try account()
    #expect(plugin.plugin.account.settings.tls == .implicit && plugin.plugin.account.settings.port == 993)
    #expect(throws: ActionError(.invalidInput, "")) { try account(["tls": "maybe"]) }
    #expect(throws: ActionError(.invalidInput, "")) { try account(["password": .null]) }
  }
}
