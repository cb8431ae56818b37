import Foundation
import PluginKit
import PluginKitTesting
import Synchronization
import Testing

@testable import SMTPPlugin

/// An IMAP server for copies that goes wrong: no copy is doubled, nothing waits or grows without end.
@Suite(.timeLimit(.minutes(5)))
struct SentFaultTests {
  /// What the server does with a message.
  private enum Fault: Sendable {
    /// It stores the first one and hangs up; the folder shows it some seconds later.
    case losesAnswer
    /// It asks for the message and says nothing more.
    case fallsSilent
    /// It never ends the answer to APPEND.
    case floods
  }

  /// A folder, and what the server has seen.
  private final class Mailbox: Sendable {
    struct State {
      var stored: [String] = []
      var appends = 0
      var searches = 0
      var flood = 0
      var isStalled = false
    }
    let fault: Fault
    let state = Mutex(State())

    init(_ fault: Fault) { self.fault = fault }

    func play(_ peer: ScriptedPeer) async throws {
      try await peer.send("* OK\r\n")
      while let line = try await peer.readLine() {
        let words = line.split(separator: " ")
        guard words.count > 1 else { return }
        let tag = words[0]
        switch words[1].uppercased() {
        case "CAPABILITY": try await peer.send("* CAPABILITY IMAP4rev1\r\n\(tag) OK\r\n")
        case "LIST": try await peer.send("* LIST () \"/\" Sent\r\n\(tag) OK\r\n")
        case "UID":
          let isShown = state.withLock { state in
            state.searches += 1
            // Searches 1 and 2 are before the message has arrived.
            return !state.stored.isEmpty && state.searches > 2
          }
          try await peer.send("* SEARCH\(isShown ? " 7" : "")\r\n\(tag) OK\r\n")
        case "APPEND":
          if try await append(line, String(tag), peer) { return }
        default: try await peer.send("\(tag) OK\r\n")
        }
      }
    }

    /// - Returns: Whether the connection ends.
    private func append(_ line: String, _ tag: String, _ peer: ScriptedPeer) async throws -> Bool {
      let size = Int(line.split(separator: "{").last?.dropLast() ?? "") ?? 0
      let number = state.withLock { state in
        state.appends += 1
        return state.appends
      }
      switch fault {
      case .floods:
        while true {
          try await peer.send(String(repeating: "* 1 EXISTS\r\n", count: 400))
          state.withLock { $0.flood += 4800 }
        }
      case .fallsSilent:
        try await peer.send("+ go\r\n")
        state.withLock { $0.isStalled = true }
        while try await peer.readLine() != nil {}
        return true
      case .losesAnswer:
        try await peer.send("+ go\r\n")
        let text = String(decoding: try await peer.read(exactly: size + 2), as: UTF8.self)
        state.withLock { $0.stored.append(text) }
        guard number > 1 else { return true }
        try await peer.send("\(tag) OK\r\n")
        return false
      }
    }
  }

  private let mail: JSONValue = ["to": ["you@example.org"], "subject": "Hi", "text": "Text"]

  private func plugin(
    _ host: InMemoryHost, _ server: PlayedServer, _ mailbox: Mailbox?
  ) throws -> InMemoryHost.OpenPlugin<SMTPPlugin> {
    host.accept { peer in
      if peer.request.port == 25 { try await server.play(peer) } else { try await mailbox?.play(peer) }
    }
    return try host.open(
      SMTPPlugin.self,
      configuration: [
        "host": "localhost", "tls": "none", "from": "me@example.org", "user": "ada", "password": "secret",
        "sent": ["host": "localhost", "tls": "none"], "timeouts": ["data": 5, "command": 5],
      ])
  }

  /// Lets the time pass for the plugin while something holds.
  private func passTime(_ host: InMemoryHost, while holds: @escaping @Sendable () -> Bool) -> Task<Void, Never> {
    Task {
      while !Task.isCancelled {
        if holds() { host.advance(by: .seconds(6)) }
        try? await Task.sleep(for: .milliseconds(5))
      }
    }
  }

  @Test func copyWhoseAnswerIsLostIsNotStoredTwice() async throws {
    let (server, mailbox, host) = (PlayedServer(["AUTH PLAIN"]), Mailbox(.losesAnswer), InMemoryHost())
    let plugin = try plugin(host, server, mailbox)
    for attempt in 1...2 { _ = try await plugin.call("mail.send", mail, key: "a", attempt: attempt) }
    let state = mailbox.state.withLock { $0 }
    #expect(server.mails.count == 1 && state.stored.count == 1 && state.appends == 1)
    #expect(host.log.count { $0.level == .warning } == 1, "\(host.log)")
  }

  @Test func serverThatFallsSilentIsLeft() async throws {
    let (server, mailbox, host) = (PlayedServer(["AUTH PLAIN"]), Mailbox(.fallsSilent), InMemoryHost())
    let time = passTime(host) { mailbox.state.withLock { $0.isStalled } }
    defer { time.cancel() }
    _ = try await plugin(host, server, mailbox).call("mail.send", mail, key: "a")
    #expect(server.mails.count == 1)
    #expect(host.log.contains { $0.level == .warning && $0.message.contains("was sent") }, "\(host.log)")
  }

  /// A message that is more than the buffers of both sides hold.
  @Test func serverThatReadsNoMoreIsLeft() async throws {
    let (server, host, stalled) = (PlayedServer(["AUTH PLAIN"]), InMemoryHost(), try StalledServer())
    host.connectStreams { [port = stalled.port] request in request.port == 25 ? nil : port }
    let time = passTime(host) { stalled.isStalled }
    defer { time.cancel() }
    let text = String(repeating: String(repeating: "A long text. ", count: 5) + "\n", count: 32_000)
    let mail: JSONValue = ["to": ["you@example.org"], "subject": "Hi", "text": .string(text)]
    _ = try await plugin(host, server, nil).call("mail.send", mail, key: "a")
    #expect(server.mails.count == 1)
    #expect(host.log.contains { $0.level == .warning && $0.message.contains("was sent") }, "\(host.log)")
  }

  @Test func answersWithoutEndAreLeft() async throws {
    let (server, mailbox, host) = (PlayedServer(["AUTH PLAIN"]), Mailbox(.floods), InMemoryHost())
    _ = try await plugin(host, server, mailbox).call("mail.send", mail, key: "a")
    #expect(server.mails.count == 1 && mailbox.state.withLock { $0.flood } < 8 << 20)
    #expect(host.log.contains { $0.level == .warning && $0.message.contains("was sent") }, "\(host.log)")
  }
}

/// An IMAP server on a port of this computer that asks for a message and reads nothing of it.
private final class StalledServer: Sendable {
  let port: Int
  private let listener: Int32
  private let state = Mutex((isStalled: false, connection: Int32(-1)))

  var isStalled: Bool { state.withLock { $0.isStalled } }

  init() throws {
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    // Small, so that little is under way when nobody reads.
    var size: Int32 = 64 << 10
    setsockopt(listener, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let found = withUnsafeMutablePointer(to: &address) { [listener] pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, length) == 0 && listen(listener, 1) == 0 && getsockname(listener, $0, &length) == 0
      }
    }
    port = Int(UInt16(bigEndian: address.sin_port))
    try #require(found)
    Thread { [self] in serve() }.start()
  }

  deinit {
    close(listener)
    let connection = state.withLock { $0.connection }
    if connection >= 0 { close(connection) }
  }

  private func serve() {
    let connection = accept(listener, nil, nil)
    guard connection >= 0 else { return }
    state.withLock { $0.connection = connection }
    func say(_ text: String) { _ = Array(text.utf8).withUnsafeBytes { write(connection, $0.baseAddress, $0.count) } }
    say("* OK\r\n")
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while read(connection, &byte, 1) == 1 {
      guard byte == 0x0A else {
        line.append(byte)
        continue
      }
      let words = String(decoding: line, as: UTF8.self).split(separator: " ")
      line = []
      guard words.count > 1 else { return }
      if words[1] == "CAPABILITY" { say("* CAPABILITY IMAP4rev1\r\n") }
      if words[1] == "APPEND" {
        say("+ go\r\n")
        return state.withLock { $0.isStalled = true }
      }
      say("\(words[0]) OK\r\n")
    }
  }
}
