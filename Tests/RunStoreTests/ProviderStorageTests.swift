import Engine
import Foundation
import Hashing
import TestSupport
import Testing

@testable import RunStore

@Suite(.timeLimit(.minutes(5)))
struct ProviderStorageTests {
  let folder: TemporaryFolder
  let time = ManualTime()
  let store: RunStore

  init() throws {
    folder = try TemporaryFolder()
    store = try RunStore(path: folder("sous.db"), time: time)
  }

  private func set(_ key: String, _ value: String, ifVersion: UInt64? = nil, of provider: String = "home") throws {
    try store.commitState(
      of: provider, [ProviderStateChange(key: key, value: Array(value.utf8), expectedVersion: ifVersion)])
  }

  private func value(_ key: String, of provider: String = "home") throws -> String? {
    try store.state(of: provider, key: key).map { String(decoding: $0.value, as: UTF8.self) }
  }

  private func code(_ body: () throws -> Void) -> StorageFailure.Code? {
    do {
      try body()
      return nil
    } catch {
      return (error as? StorageFailure)?.code
    }
  }

  // MARK: - State

  @Test func stateOutlivesTheStore() async throws {
    try set("cursor", "42")
    try await store.close()
    let again = try RunStore(path: folder("sous.db"), time: time)
    #expect(try again.state(of: "home", key: "cursor")?.value == Array("42".utf8))
    try await again.close()
  }

  @Test func eachProviderHasItsOwnSpace() throws {
    try set("token", "a", of: "home")
    try set("token", "b", of: "work")
    #expect(try value("token", of: "home") == "a")
    #expect(try value("token", of: "work") == "b")
    #expect(try value("token", of: "other") == nil)
  }

  @Test func versionsAreNeverUsedTwice() throws {
    try set("key", "one")
    let first = try #require(try store.state(of: "home", key: "key")?.version)
    try store.commitState(of: "home", [ProviderStateChange(key: "key", value: nil)])
    #expect(try value("key") == nil)
    try set("key", "one")
    let second = try #require(try store.state(of: "home", key: "key")?.version)
    #expect(first != 0 && second != first)
  }

  @Test func commitThatMeetsAnotherVersionChangesNothing() throws {
    try set("a", "1")
    let version = try #require(try store.state(of: "home", key: "a")?.version)
    try set("a", "2", ifVersion: version)
    let outcome = code {
      try store.commitState(
        of: "home",
        [
          ProviderStateChange(key: "b", value: [1]),
          ProviderStateChange(key: "a", value: [3], expectedVersion: version),
        ])
    }
    #expect(outcome == .conflict)
    #expect(try value("a") == "2")
    #expect(try value("b") == nil)
    #expect(code { try set("a", "3", ifVersion: 0) } == .conflict)
    #expect(code { try set("c", "3", ifVersion: 0) } == nil)
  }

  @Test func keysComeInTheOrderOfTheirBytes() throws {
    for key in ["mail/ö", "mail/b", "mail/a", "mail", "mailbox", "note"] { try set(key, "") }
    #expect(try store.stateKeys(of: "home", prefix: "mail/") == ["mail/a", "mail/b", "mail/ö"])
    #expect(try store.stateKeys(of: "home", prefix: "") == ["mail", "mail/a", "mail/b", "mail/ö", "mailbox", "note"])
    #expect(try store.stateKeys(of: "work", prefix: "") == [])
  }

  @Test func oneProviderCannotFillTheDatabase() throws {
    let megabyte = [UInt8](repeating: 7, count: 1 << 20)
    for part in 0..<8 {
      let changes = (0..<7).map { ProviderStateChange(key: "\(part).\($0)", value: megabyte) }
      try store.commitState(of: "home", changes)
    }
    let more = (0..<8).map { ProviderStateChange(key: "more.\($0)", value: megabyte) }
    #expect(code { try store.commitState(of: "home", more) } == .tooLarge)
    #expect(try store.stateKeys(of: "home", prefix: "more") == [])
    // What is overwritten or removed counts no longer.
    let removals = (0..<7).map { ProviderStateChange(key: "0.\($0)", value: nil) }
    try store.commitState(of: "home", removals + more.prefix(7))
    try store.commitState(of: "work", more)
  }

  // MARK: - Blobs

  @Test(arguments: [[0], [1], [262_144], [262_143, 1, 1], [300_000, 10, 262_134, 262_144], [1_000_000, 1_000_000]])
  func blobComesBackWhole(sizes: [Int]) throws {
    let number = try store.createBlob()
    var whole: [UInt8] = []
    for size in sizes {
      let piece = (0..<size).map { UInt8(truncatingIfNeeded: ($0 &+ whole.count) &* 31) }
      try store.append(piece, toBlob: number)
      whole += piece
    }
    let hash = ContentHash.hexadecimal(of: whole)
    #expect(code { _ = try store.readBlob(hash: hash, offset: 0, length: 1) } == .absent)
    #expect(try store.finishBlob(number) == hash)
    #expect(try store.readBlob(hash: hash, offset: 0, length: whole.count + 5) == whole)
    for (offset, length) in [(0, 10), (262_140, 10), (262_144, 5), (100, 600_000), (whole.count, 10)] {
      let expected = offset < whole.count ? Array(whole[offset..<min(whole.count, offset + length)]) : []
      #expect(try store.readBlob(hash: hash, offset: UInt64(offset), length: length) == expected)
    }
    #expect(try store.readBlob(hash: hash, offset: .max, length: 10) == [])
  }

  @Test func sameBytesAreKeptOnce() async throws {
    let hash = ContentHash.hexadecimal(of: [1, 2, 3])
    for _ in 0..<2 {
      let number = try store.createBlob()
      try store.append([1, 2, 3], toBlob: number)
      #expect(try store.finishBlob(number) == hash)
    }
    let probe = try DatabaseProbe(folder("sous.db"))
    #expect(try await probe.number("SELECT count(*) FROM plugin_blobs") == 1)
    #expect(try await probe.number("SELECT count(*) FROM plugin_blob_pieces") == 1)
  }

  @Test func unfinishedBlobsGo() async throws {
    let dropped = try store.createBlob()
    try store.append([1], toBlob: dropped)
    store.discardBlob(dropped)
    #expect(code { try store.append([1], toBlob: dropped) } == .absent)
    #expect(code { _ = try store.finishBlob(dropped) } == .absent)
    let forgotten = try store.createBlob()
    try store.append([1], toBlob: forgotten)
    time.advance(by: 90_000)
    _ = try store.createBlob()
    let probe = try DatabaseProbe(folder("sous.db"))
    #expect(try await probe.number("SELECT count(*) FROM plugin_blob_pieces") == 0)
  }

  /// Makes a blob and returns its hash.
  private func blob(_ bytes: [UInt8]) throws -> String {
    let number = try store.createBlob()
    try store.append(bytes, toBlob: number)
    return try store.finishBlob(number)
  }

  @Test func blobsThatNothingNamesGoAfterADay() async throws {
    let inState = try blob([1])
    let inEvent = try blob([2])
    let unnamed = try blob([3])
    let madeAgain = try blob([4])
    let named = Array("{\"picture\":\"blob:sha256:\(inState)\"}".utf8)
    try store.commitState(of: "home", [ProviderStateChange(key: "last", value: named)])
    let event = Array("[\"x\",\"blob:sha256:\(inEvent)\"]".utf8)
    #expect(try store.accept(TriggerEvent(id: "m1", event: event, cursor: "1"), of: "tidy/0"))
    #expect(try await store.prune(RetentionPolicy(), at: time.now, isThorough: true).blobs == 0)

    time.advance(by: 90_000)
    #expect(try blob([4]) == madeAgain)
    #expect(try await store.prune(RetentionPolicy(), at: time.now, isThorough: true).blobs == 1)
    #expect(code { _ = try store.readBlob(hash: unnamed, offset: 0, length: 1) } == .absent)
    for (hash, byte) in [(inState, 1), (inEvent, 2), (madeAgain, 4)] as [(String, UInt8)] {
      #expect(try store.readBlob(hash: hash, offset: 0, length: 1) == [byte])
    }
    let probe = try DatabaseProbe(folder("sous.db"))
    #expect(try await probe.number("SELECT count(*) FROM plugin_blob_pieces") == 3)

    // A process looks by itself an hour after its first upkeep, and once a day from then on.
    try store.commitState(of: "home", [ProviderStateChange(key: "last", value: nil)])
    #expect(try await store.prune(RetentionPolicy(), at: time.now).blobs == 0)
    time.advance(by: 3_600)
    #expect(try await store.prune(RetentionPolicy(), at: time.now).blobs == 1)
    time.advance(by: 82_800)
    #expect(try await store.prune(RetentionPolicy(), at: time.now).blobs == 0)
    time.advance(by: 3_601)
    #expect(try await store.prune(RetentionPolicy(), at: time.now).blobs == 1)
  }

  // MARK: - Triggers

  @Test func eventsAndTheirCursorAreKeptTogether() async throws {
    #expect(try store.cursor(of: "tidy/0") == nil)
    #expect(try store.accept(TriggerEvent(id: "m1", event: Array("{}".utf8), cursor: "1"), of: "tidy/0"))
    #expect(try store.accept(TriggerEvent(id: "m2", event: Array(#"{"a":1}"#.utf8), cursor: "2"), of: "tidy/0"))
    #expect(try store.accept(TriggerEvent(id: "m1", event: [], cursor: "9"), of: "other"))
    try await store.close()
    let again = try RunStore(path: folder("sous.db"), time: time)
    #expect(try again.cursor(of: "tidy/0") == "2")
    #expect(try again.pendingEvents(of: "tidy/0", limit: 10).map(\.id) == ["m1", "m2"])
    try await again.close()
  }

  @Test func eventThatComesAgainIsDropped() throws {
    let event = TriggerEvent(id: "m1", event: Array("{}".utf8), cursor: "1")
    #expect(try store.accept(event, of: "s"))
    #expect(try !store.accept(TriggerEvent(id: "m1", event: Array("{}".utf8), cursor: "2"), of: "s"))
    #expect(try store.cursor(of: "s") == "2")
    try store.settleEvent("m1", of: "s")
    #expect(try store.pendingEvents(of: "s", limit: 10) == [])
    // Also after it has been dealt with.
    #expect(try !store.accept(event, of: "s"))
    #expect(try store.pendingEvents(of: "s", limit: 10) == [])
  }

  @Test func closedStoreSaysSo() async throws {
    try await store.close()
    #expect(code { try set("a", "b") } == .failed)
    #expect(code { _ = try value("a") } == .failed)
  }
}
