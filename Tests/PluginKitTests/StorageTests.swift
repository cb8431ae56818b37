import PluginKit
import PluginKitTesting
import Testing

@Suite(.timeLimit(.minutes(5)))
struct StorageTests {
  let host = InMemoryHost()

  struct Cursor: Codable, Equatable, Sendable { var lastSeen: Int }

  func state() throws -> StateStore { try host.open(Mailman.self).plugin.context.state }

  @Test func secretsAreThoseOfTheConfigurationUntilRotated() async throws {
    let mailman = try host.open(
      Mailman.self, configuration: ["password": "p1", "accounts": [["key": "k0", "name": "n"]]])
    #expect(try await mailman.call("mailman.secret", ["text": "password"]) == ["text": "p1"])
    #expect(try await mailman.call("mailman.secret", ["text": "accounts.0.key"]) == ["text": "k0"])
    host.setSecret("password", "p2")
    #expect(try await mailman.call("mailman.secret", ["text": "password"]) == ["text": "p2"])
  }

  @Test(
    arguments: [("user", .auth), ("accounts.0.name", .auth), ("accounts.3.key", .notFound)]
      as [(String, ActionError.Kind)])
  func otherValuesAreNoSecrets(name: String, kind: ActionError.Kind) async throws {
    let mailman = try host.open(
      Mailman.self, configuration: ["user": "u", "accounts": [["key": "k0", "name": "n"]]])
    await #expect(throws: ActionError(kind, "")) { try await mailman.call("mailman.secret", ["text": .string(name)]) }
  }

  @Test func valuesKeepTheirType() async throws {
    let state = try state()
    #expect(try await state.value(Cursor.self, for: "cursor") == nil)
    try await state.set(Cursor(lastSeen: 7), for: "cursor")
    #expect(try await state.value(for: "cursor") == Cursor(lastSeen: 7))
    #expect(host.stateValues == ["cursor": ["last_seen": 7]])
    await #expect(throws: ActionError(.parse, "")) { try await state.value(Int.self, for: "cursor") }
    try await state.remove("cursor")
    try await state.remove("cursor")
    #expect(host.stateValues == [:])
  }

  @Test func keysComeInByteOrder() async throws {
    let state = try state()
    for key in ["b/2", "a", "b/10", "bé", "b"] { try await state.set(true, for: key) }
    #expect(try await state.keys(prefix: "b") == ["b", "b/10", "b/2", "bé"])
    #expect(try await state.keys() == ["a", "b", "b/10", "b/2", "bé"])
  }

  @Test func whatIsTooLargeIsRefused() async throws {
    let state = try state()
    await #expect(throws: ActionError(.invalidInput, "")) {
      try await state.set(String(repeating: "x", count: 1 << 20), for: "key")
    }
    await #expect(throws: ActionError(.io, "")) { try await state.set(1, for: "") }
  }

  @Test func transactionsThatMeetAConflictAreDoneAgain() async throws {
    host.setState("number", 41)
    host.conflict(times: 3)
    #expect(try await host.open(Mailman.self).call("mailman.count") == ["number": 42])
    #expect(host.stateValues["number"] == 42)
    host.conflict(times: 100)
    await #expect(throws: ActionError(.io, "")) { try await host.open(Mailman.self).call("mailman.count") }
    #expect(host.stateValues["number"] == 42)
  }

  @Test func transactionsLoseNothingBesideEachOther() async throws {
    let state = try state()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<20 {
        group.addTask {
          try await state.transaction(attempts: 1000) { state in
            try state.set((try await state.value(Int.self, for: "n") ?? 0) + 1, for: "n")
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(host.stateValues == ["n": 20])
  }

  @Test func transactionsSeeTheirOwnChangesAndKeepNothingOnFailure() async throws {
    let state = try state()
    struct Stop: Error {}
    await #expect(throws: ActionError.self) {
      try await state.transaction { state in
        try state.set(1, for: "a")
        #expect(try await state.value(Int.self, for: "a") == 1)
        state.remove("a")
        #expect(try await state.value(Int.self, for: "a") == nil)
        try state.set(2, for: "a")
        throw Stop()
      }
    }
    #expect(host.stateValues == [:])
  }

  @Test func blobsGoInAndOut() async throws {
    let blob = host.addBlob(Array("quiet".utf8))
    let output = try await host.open(Mailman.self).call(
      "mailman.shout", Mailman.File(file: blob), returning: Mailman.File.self)
    #expect(host.bytes(of: output.file) == Array("QUIET".utf8))
  }

  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
  ])
  func blobsAreNamedByTheirDigest(text: String, digest: String) {
    #expect(host.addBlob(Array(text.utf8)).name == "blob:sha256:" + digest)
  }

  @Test func largeBlobsComeInPieces() async throws {
    let bytes = (0..<700_000).map { UInt8(truncatingIfNeeded: $0) }
    let mailman = try host.open(Mailman.self)
    let blobs = mailman.callContext().blobs
    let pieces = AsyncStream { stream in
      for start in stride(from: 0, to: bytes.count, by: 100_000) {
        stream.yield(Array(bytes[start..<(start + 100_000)]))
      }
      stream.finish()
    }
    let blob = try await blobs.write(pieces)
    var sizes: [Int] = []
    for try await piece in blobs.pieces(of: blob) { sizes.append(piece.count) }
    #expect(sizes == [262_144, 262_144, 175_712])
    #expect(try await blobs.read(blob, upTo: 700_000) == bytes)
    await #expect(throws: ActionError(.invalidInput, "")) { try await blobs.read(blob, upTo: 699_999) }
  }

  @Test(arguments: ["blob:sha256:12", "sha256:12", "", "blob:sha256:" + String(repeating: "G", count: 64)])
  func whatIsNoBlobIsRefused(name: String) async throws {
    await #expect(throws: ActionError(.invalidInput, "")) {
      try await host.open(Mailman.self).call("mailman.shout", ["file": .string(name)])
    }
  }
}
