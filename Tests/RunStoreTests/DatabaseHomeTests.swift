import Engine
import Expressions
import Foundation
import Localization
import TestSupport
import Testing

@testable import RunStore

/// What tells a copied run log from the original.
@Suite(.timeLimit(.minutes(5)))
struct DatabaseHomeTests {
  let folder: TemporaryFolder
  let time = ManualTime()

  init() throws { folder = try TemporaryFolder() }

  private func open(_ name: String) throws -> RunStore { try RunStore(path: folder(name), time: time) }

  /// Makes a run log, with a run that somebody works on, one that waits and one that has ended.
  private func make(_ name: String, isUnfinished: Bool = true) async throws {
    let store = try open(name)
    try await store.record([SampleRun.started("01A"), SampleRun.finished("01A")], durability: .committed)
    if isUnfinished {
      try await store.record(
        [
          SampleRun.started("01B"),
          .runParked(run: RunID(rawValue: "01B"), until: Timestamp(seconds: 0), at: SampleRun.start),
          SampleRun.started("01C"),
        ], durability: .committed)
    }
    try await store.close()
  }

  private func copy(_ name: String, to other: String) throws {
    try FileManager.default.createDirectory(
      atPath: (folder(other) as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: folder(name), toPath: folder(other))
  }

  @Test(arguments: [
    (DatabaseHome(file: "1@8", path: "/a/sous.db", machine: "m"), DatabaseHome.Relation.original),
    (DatabaseHome(file: "1@8", path: "/elsewhere/sous.db", machine: "container"), .original),
    (DatabaseHome(file: "2@8", path: "/a/sous.db", machine: "m"), .restored),
    (DatabaseHome(file: "2@8", path: "/a/sous.db", machine: "other"), .copy),
    (DatabaseHome(file: "2@8", path: "/b/sous.db", machine: "m"), .copy),
  ])
  func aFileIsTheOriginalUnlessItIsAnotherInAnotherPlace(found: DatabaseHome, relation: DatabaseHome.Relation) {
    #expect(found.relation(to: DatabaseHome(file: "1@8", path: "/a/sous.db", machine: "m")) == relation)
    #expect(found.relation(to: nil) == .original)
  }

  @Test func runsOfACopyGoOnOnlyWhenItIsAdopted() async throws {
    try await make("sous.db")
    try copy("sous.db", to: "copy/sous.db")
    let copy = try open("copy/sous.db")
    for run in ["01D", "01E"] {
      await #expect(throws: RunStoreError(.copied, .init(verbatim: ""))) { try await copy.requireOriginal() }
      // Something new may run in it.
      try await copy.record([SampleRun.started(run), SampleRun.finished(run)], durability: .committed)
    }
    let adopted = try await copy.adopt()
    #expect(adopted == (wasCopy: true, unfinished: 2))
    try await copy.requireOriginal()
    #expect(try await copy.claim(limit: 9, at: time.now).count == 2)
    #expect(try await copy.adopt().wasCopy == false)
    try await copy.close()
    try await open("sous.db").requireOriginal()
  }

  @Test func runsThatAProcessOfTheOriginalWorksOnAreFreeInACopyThatIsAdopted() async throws {
    let original = try open("sous.db")
    try await original.record([SampleRun.started("01A")], durability: .committed)
    try await original.backup(to: folder("copy.db"))
    let copy = try open("copy.db")
    #expect(try await copy.adopt() == (wasCopy: true, unfinished: 1))
    #expect(try await copy.claim(limit: 9, at: time.now).map(\.rawValue) == ["01A"])
    try await original.record([SampleRun.finished("01A")], durability: .committed)
    try await original.close()
    try await copy.close()
  }

  @Test func whoeverWorksWithACopyKeepsItsRunsWhenItIsAdopted() async throws {
    try await make("sous.db")
    try copy("sous.db", to: "copy.db")
    let (worker, other) = (try open("copy.db"), try open("copy.db"))
    try await worker.record([SampleRun.started("01D")], durability: .committed)
    #expect(try await other.adopt() == (wasCopy: true, unfinished: 3))
    #expect(try await other.claim(limit: 9, at: time.now).map(\.rawValue).sorted() == ["01B", "01C"])
    try await worker.record([SampleRun.finished("01D")], durability: .committed)
    try await worker.close()
    try await other.close()
  }

  private func started(_ id: String, isQueued: Bool) throws -> JournalEntry {
    guard case .runStarted(var start) = SampleRun.started(id) else { throw CancellationError() }
    start.group = "g"
    start.isQueued = isQueued
    return .runStarted(start)
  }

  @Test(arguments: [RunStatus.running, .interrupted, .waiting])
  func aRunOfTheOriginalIsNotBroughtToItsEndForItsGroup(status: RunStatus) async throws {
    let original = try open("sous.db")
    try await original.record([started("01A", isQueued: false)], durability: .committed)
    switch status {
    case .interrupted: try await original.record([SampleRun.finished("01A", status)], durability: .committed)
    case .waiting:
      try await original.record(
        [.runParked(run: RunID(rawValue: "01A"), until: nil, at: time.now)], durability: .committed)
    default: break
    }
    try await original.backup(to: folder("copy.db"))
    try await original.close()
    let copy = try open("copy.db")
    try await copy.record([started("01X", isQueued: true)], durability: .committed)
    await #expect(throws: RunStoreError(.copied, .init(verbatim: ""))) {
      try await copy.claim(RunID(rawValue: "01X"), at: time.now)
    }
    _ = try await copy.adopt()
    #expect(
      try await copy.claim(RunID(rawValue: "01X"), at: time.now)
        == (status == .waiting ? .groupTaken(by: RunID(rawValue: "01A")) : .groupLeft(by: RunID(rawValue: "01A"))))
    try await copy.close()
  }

  @Test func runsOfOneGroupThatBeganInACopyWaitForEachOther() async throws {
    try await make("sous.db")
    try copy("sous.db", to: "copy.db")
    let copy = try open("copy.db")
    try await copy.record([started("01D", isQueued: false), started("01E", isQueued: true)], durability: .committed)
    #expect(
      try await copy.claim(RunID(rawValue: "01E"), at: time.now) == .groupTaken(by: RunID(rawValue: "01D")))
    try await copy.record([SampleRun.finished("01D")], durability: .committed)
    #expect(try await copy.claim(RunID(rawValue: "01E"), at: time.now) == .claimed)
    try await copy.close()
  }

  @Test(arguments: [RunStatus.interrupted, .waiting])
  func aRunThatBeganInACopyAndWasPutDownIsTheCopysOwn(status: RunStatus) async throws {
    try await make("sous.db")
    try copy("sous.db", to: "copy.db")
    let copy = try open("copy.db")
    let (left, next) = (RunID(rawValue: "01D"), RunID(rawValue: "01E"))
    try await copy.record([started("01D", isQueued: false), started("01E", isQueued: true)], durability: .committed)
    try await copy.record(
      [
        status == .waiting
          ? .runParked(run: left, until: Timestamp(seconds: 0), at: SampleRun.start) : SampleRun.finished("01D", status)
      ], durability: .committed)
    #expect(try await copy.claim(next, at: time.now) == .groupLeft(by: left))
    #expect(try await copy.claim(left, at: time.now) == .claimed)
    try await copy.record([SampleRun.finished("01D")], durability: .committed)
    #expect(try await copy.claim(next, at: time.now) == .claimed)
    try await copy.close()
  }

  @Test func aCopyInWhichNothingCanGoOnIsARunLogLikeAnyOther() async throws {
    try await make("sous.db", isUnfinished: false)
    try copy("sous.db", to: "copy.db")
    let copy = try open("copy.db")
    try await copy.requireOriginal()
    try await copy.record([SampleRun.started("01B")], durability: .committed)
    try await copy.requireOriginal()
    try await copy.close()
  }

  @Test func aFileThatIsMovedOrRestoredGoesOn() async throws {
    try await make("sous.db")
    try FileManager.default.createDirectory(atPath: folder("new"), withIntermediateDirectories: true)
    try FileManager.default.moveItem(atPath: folder("sous.db"), toPath: folder("new/sous.db"))
    let moved = try open("new/sous.db")
    try await moved.requireOriginal()
    try await moved.record([SampleRun.started("01D"), SampleRun.finished("01D")], durability: .committed)
    try await moved.backup(to: folder("backup.db"))
    try await moved.close()
    // The copy has another inode, as the original keeps its own.
    try FileManager.default.moveItem(atPath: folder("new/sous.db"), toPath: folder("old.db"))
    try FileManager.default.moveItem(atPath: folder("backup.db"), toPath: folder("new/sous.db"))
    let restored = try open("new/sous.db")
    try await restored.requireOriginal()
    #expect(try await restored.claim(limit: 9, at: time.now).count == 2)
    try await restored.requireOriginal()
    try await restored.close()
  }

  @Test func runLogsOfEarlierVersionsGoOn() async throws {
    try await make("sous.db")
    let probe = try DatabaseProbe(folder("sous.db"))
    try await probe.execute("DELETE FROM home")
    let store = try open("sous.db")
    try await store.requireOriginal()
    #expect(try await store.claim(limit: 9, at: time.now).count == 2)
    #expect(try await probe.number("SELECT count(*) FROM home") == 1)
    try await store.close()
  }
}
