import Engine
import Foundation
import Glibc
import TestSupport
import Testing

@testable import RunStore

@Suite(.timeLimit(.minutes(2)))
struct FileWatchTests {
  let folder: TemporaryFolder
  let time = ManualTime()

  init() throws { folder = try TemporaryFolder() }

  private func open() throws(RunStoreError) -> RunStore { try RunStore(path: folder("sous.db"), time: time) }

  /// What can happen to the files of a run log under a process.
  enum Mishap: String, CaseIterable, Sendable {
    case deleted, deletedWithLog, moved, replaced, emptied, logDeleted, folderMoved
  }

  private func inflict(_ mishap: Mishap) throws {
    let files = FileManager.default
    switch mishap {
    case .deleted: try files.removeItem(atPath: folder("sous.db"))
    case .deletedWithLog: for name in ["", "-wal", "-shm"] { try files.removeItem(atPath: folder("sous.db" + name)) }
    case .moved: try files.moveItem(atPath: folder("sous.db"), toPath: folder("old.db"))
    case .replaced:
      try files.copyItem(atPath: folder("sous.db"), toPath: folder("copy.db"))
      #expect(rename(folder("copy.db"), folder("sous.db")) == 0)
    case .emptied: #expect(truncate(folder("sous.db"), 0) == 0)
    case .logDeleted: try files.removeItem(atPath: folder("sous.db-wal"))
    case .folderMoved: try files.moveItem(atPath: folder.path, toPath: folder.path + "-moved")
    }
  }

  @Test(arguments: Mishap.allCases, [Durability.committed, .synced])
  func nothingIsAcknowledgedThatGoesIntoALostFile(_ mishap: Mishap, durability: Durability) async throws {
    let store = try open()
    try await store.record([SampleRun.started("01AAA")], durability: .synced)
    try inflict(mishap)
    defer { try? FileManager.default.removeItem(atPath: folder.path + "-moved") }
    for _ in 0..<2 {
      let error = await #expect(throws: RunStoreError.self) {
        try await store.record([SampleRun.attemptStarted("01AAA", step: 1)], durability: durability)
      }
      #expect(error?.code == .replaced)
      #expect(error?.fault == .lasting)
    }
    try? await store.close()
  }

  @Test(arguments: Mishap.allCases.filter { $0 != .logDeleted })
  func anIdleProcessNoticesThatTheFileIsLost(_ mishap: Mishap) async throws {
    let store = try open()
    try await store.record([SampleRun.started("01AAA")], durability: .synced)
    #expect(try await store.claim(limit: 1, at: time.now) == [])
    let reader = try RunStore(readingFrom: folder("sous.db"))
    try inflict(mishap)
    defer { try? FileManager.default.removeItem(atPath: folder.path + "-moved") }
    for store in [store, reader] {
      let error = await #expect(throws: RunStoreError.self) { try await store.runs() }
      #expect(error?.code == .replaced)
    }
    let error = await #expect(throws: RunStoreError.self) { try await store.claim(limit: 1, at: time.now) }
    #expect(error?.code == .replaced)
    try? await store.close()
  }

  @Test func aFileThatIsPutBackIsGoneOnWith() async throws {
    let store = try open()
    try await store.record([SampleRun.started("01AAA")], durability: .synced)
    try inflict(.moved)
    await #expect(throws: RunStoreError.self) {
      try await store.record([SampleRun.log("01AAA", "a")], durability: .synced)
    }
    try FileManager.default.moveItem(atPath: folder("old.db"), toPath: folder("sous.db"))
    try await store.record([SampleRun.log("01AAA", "b")], durability: .synced)
    try await store.close()
  }

  @Test(arguments: [Mishap.deletedWithLog, .moved]) func noNewLogIsMadeWhereAProcessOfTheOldOneLives(
    _ mishap: Mishap
  ) async throws {
    let old = try open()
    try await old.record([SampleRun.started("01AAA")], durability: .synced)
    try inflict(mishap)
    if mishap == .moved { try? FileManager.default.removeItem(atPath: folder("sous.db-wal")) }
    let error = #expect(throws: RunStoreError.self) { try open() }
    #expect(error?.code == .predecessor)
    #expect(!FileManager.default.fileExists(atPath: folder("sous.db")))
    // Once it has ended, one is made.
    old.abandon()
    try await open().close()
  }

  @Test func severalProcessesShareALog() async throws {
    let (first, second) = (try open(), try open())
    try await first.record([SampleRun.started("01AAA")], durability: .synced)
    try await second.record([SampleRun.started("01BBB")], durability: .synced)
    try await first.close()
    #expect(try await second.runs().count == 2)
    try await second.close()
  }

  @Test(arguments: [true, false]) func anEmptiedFileBesideItsLastEntriesIsRefused(isDeleted: Bool) async throws {
    let store = try open()
    try await store.record([SampleRun.started("01AAA")], durability: .synced)
    store.abandon()
    // What a process leaves that was killed.
    #expect(FileManager.default.createFile(atPath: folder("sous.db-wal"), contents: Data(repeating: 7, count: 9000)))
    if isDeleted { unlink(folder("sous.db")) } else { truncate(folder("sous.db"), 0) }
    for open in [{ () throws -> RunStore in try self.open() }, { try RunStore(readingFrom: folder("sous.db")) }] {
      let error = #expect(throws: RunStoreError.self) { try open() }
      #expect(error?.code == .emptied)
    }
    #expect(FileManager.default.contents(atPath: folder("sous.db-wal"))?.count == 9000)
  }

  @Test(arguments: ["", "state"]) func aFolderThatMayNotBeReadIsNoMissingLog(part: String) async throws {
    let path = folder("state/sous.db")
    try await RunStore(path: path, time: time).close()
    let closed = part.isEmpty ? folder.path : folder(part)
    chmod(closed, 0o600)
    defer { chmod(closed, 0o700) }
    try Privileges.without {
      let reading = #expect(throws: RunStoreError.self) { try RunStore(readingFrom: path) }
      #expect(reading?.code == .notReadable)
      let writing = #expect(throws: RunStoreError.self) { try RunStore(path: path, time: time) }
      #expect([.notReadable, .readOnly, .folderNotCreatable].contains(writing?.code))
    }
  }
}
