import PluginKit
import PluginKitTesting
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ByteStreamTests {
  let host = InMemoryHost()

  func stream(_ script: @escaping @Sendable (ScriptedPeer) async throws -> Void) async throws -> ByteStream {
    host.accept(script)
    return try await host.open(Mailman.self).plugin.context.streams.open(host: "mail.example", port: 143, tls: .none)
  }

  @Test func aDialogueWithTLSInTheMiddleWorks() async throws {
    host.accept { peer in
      #expect(peer.request == StreamRequest(host: "mail.example", port: 143, tls: .none))
      try await peer.send("* ready\r\n")
      #expect(try await peer.readLine() == "STARTTLS")
      try await peer.send("go ahead\r\n")
      try await peer.acceptTLS()
      #expect(try await peer.readLine() == "SAY hällo")
      for piece in ["1", "0\r", "\n01234", "56", "789"] { try await peer.send(piece) }
      #expect(try await peer.readLine() == nil)
    }
    let output = try await host.open(Mailman.self).call("mailman.dialogue", ["text": "hällo"])
    #expect(output == ["text": "* ready|0123456789|true"])
  }

  @Test func plainBytesBeforeTLSAreRefused() async throws {
    let stream = try await stream { peer in
      try await peer.send("go ahead\r\nEVIL injected\r\n")
      try await peer.acceptTLS()
    }
    _ = try await stream.readLine()
    await #expect(throws: ActionError(.protocol, "")) { try await stream.startTLS() }
    await #expect(throws: ActionError(.protocol, "")) { try await stream.read() }
  }

  @Test func readsEndWithTheStream() async throws {
    let stream = try await stream { try await $0.send("ab\nc") }
    #expect(try await stream.readLine() == "ab")
    #expect(try await stream.read() == Array("c".utf8))
    #expect(try await stream.read() == nil)
    #expect(try await stream.readLine() == nil)
    await #expect(throws: ActionError(.io, "")) { try await stream.read(exactly: 1) }
    await #expect(throws: ActionError(.io, "")) { try await stream.write("x") }
  }

  @Test func aStreamThatBreaksGivesWhatArrivedBefore() async throws {
    let stream = try await stream { peer in
      try await peer.send("ab")
      throw ActionError(.io, "reset")
    }
    #expect(try await stream.read(exactly: 2) == Array("ab".utf8))
    await #expect(throws: ActionError(.io, "")) { try await stream.read() }
  }

  @Test func aHalfLineAtTheEndIsAnError() async throws {
    let stream = try await stream { try await $0.send("half") }
    await #expect(throws: ActionError(.io, "")) { try await stream.readLine() }
  }

  @Test(arguments: [(10, true), (9, false)])
  func aLineBeyondTheLimitIsRefused(limit: Int, fits: Bool) async throws {
    for text in ["0123456789\r\n", "0123456789\n"] {
      let stream = try await stream { peer in for byte in text.utf8 { try await peer.send([byte]) } }
      if fits {
        #expect(try await stream.readLine(limit: limit) == "0123456789")
      } else {
        await #expect(throws: ActionError(.protocol, "")) { try await stream.readLine(limit: limit) }
      }
    }
  }

  @Test func marksOfSeveralBytesAreFoundAcrossPieces() async throws {
    let stream = try await stream { peer in for piece in ["a\r\n.\r", "\n.\r\nrest"] { try await peer.send(piece) } }
    #expect(try await stream.read(until: Array("\r\n.\r\n".utf8)) == Array("a".utf8))
    #expect(try await stream.read(until: Array("\r\n".utf8)) == Array(".".utf8))
  }

  @Test func aLongLineComesThroughTheWindow() async throws {
    let stream = try await stream { peer in
      for _ in 0..<50 { try await peer.send([UInt8](repeating: 0x61, count: 100_000)) }
      try await peer.send("\nnext\n")
    }
    #expect(try await stream.readLine(limit: 6 << 20)?.utf8.count == 5_000_000)
    #expect(try await stream.readLine() == "next")
  }

  @Test func aLongBodyComesThroughTheWindow() async throws {
    let stream = try await stream { peer in
      for _ in 0..<50 { try await peer.send([UInt8](repeating: 0x61, count: 100_000)) }
    }
    #expect(try await stream.read(exactly: 5_000_000).count == 5_000_000)
  }

  @Test func aReadThatIsCancelledLeavesTheStream() async throws {
    let (asked, signal) = AsyncStream<Void>.makeStream()
    let stream = try await stream { peer in
      #expect(try await peer.readLine() == "go on")
      try await peer.send("here\n")
    }
    let reading = Task {
      signal.finish()
      return try await stream.readLine()
    }
    for await _ in asked {}
    reading.cancel()
    await #expect(throws: ActionError(.cancelled, "")) { try await reading.value }
    try await stream.write("go on\n")
    #expect(try await stream.readLine() == "here")
  }

  @Test func deadlinesFollowTheClockOfTheHost() async throws {
    let clock = try host.open(Mailman.self).plugin.context.clock
    let stream = try await stream { _ = try await $0.readLine() }
    let reading = Task {
      try await clock.withTimeout(.seconds(30)) {
        try await clock.withTimeout(.seconds(60)) { try await stream.readLine() }
      }
    }
    // Deadlines count from when they are set; time is moved until they are over.
    let mover = Task {
      while !Task.isCancelled {
        host.advance(by: .seconds(31))
        await Task.yield()
      }
    }
    await #expect(throws: ActionError(.timeout, "")) { try await reading.value }
    mover.cancel()
    #expect(try await clock.withTimeout(.seconds(1)) { 7 } == 7)
  }

  @Test func whatCannotBeOpenedSaysWhy() async throws {
    let streams = try host.open(Mailman.self).plugin.context.streams
    await #expect(throws: ActionError(.auth, "")) { try await streams.open(host: "evil.example", port: 25) }
    await #expect(throws: ActionError(.refused, "")) { try await streams.open(host: "mail.example", port: 25) }
    await #expect(throws: ActionError(.invalidInput, "")) { try await streams.open(host: "mail.example", port: 0) }
  }
}
