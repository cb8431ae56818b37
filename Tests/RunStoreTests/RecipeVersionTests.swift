import Engine
import Expressions
import Foundation
import TestSupport
import Testing

@testable import RunStore

/// The history of recipes in the run log.
@Suite(.timeLimit(.minutes(2)))
struct RecipeVersionTests {
  private let folder: TemporaryFolder
  private let time = ManualTime()
  private let store: RunStore

  init() throws {
    folder = try TemporaryFolder()
    store = try RunStore(path: folder("sous.db"), time: time)
  }

  private func draft(
    _ text: String?, _ source: RecipeVersion.Source = .file, path: String = "/r/a.yaml", restored: Int? = nil
  ) -> RecipeVersionDraft {
    RecipeVersionDraft(path: path, recipe: "a", text: text, source, restored: restored)
  }

  private let anna = RecipeVersion.Source(origin: "session", actor: "anna")

  @Test func aTextIsKeptOnceWithItsWriter() async throws {
    #expect(try await store.keepRecipeVersions([draft("one")], most: 10) == [1])
    #expect(try await store.keepRecipeVersions([draft("one")], most: 10) == [1])
    #expect(try await store.keepRecipeVersions([draft("two"), draft("one", anna, restored: 1)], most: 10) == [2, 3])
    let versions = try await store.recipeVersions(of: "/r/a.yaml", limit: 10)
    #expect(versions.map(\.number) == [3, 2, 1])
    #expect(versions.map(\.source) == [anna, .file, .file] && versions.map(\.restored) == [1, nil, nil])
    #expect(versions[0].digest == versions[2].digest && versions[0].bytes == 3)
    #expect(try await store.recipeVersion(2, of: "/r/a.yaml")?.text == "two")
    #expect(try await store.recipeVersion(4, of: "/r/a.yaml") == nil)
    #expect(try await store.recipeVersions(of: "/r/a.yaml", below: 3, limit: 1).map(\.number) == [2])
    // The blob of a text that came back is stored once.
    #expect(try await DatabaseProbe(store.path).number("SELECT count(*) FROM blobs") == 2)
    try await store.close()
  }

  /// The daemon may notice the file before its writer has kept the version.
  @Test func aWriterClaimsTheVersionThatTheDaemonHasNoticed() async throws {
    try await store.keepRecipeVersions([draft("one"), draft("two")], most: 10)
    try await store.keepRecipeVersions([draft("two", anna)], most: 10)
    try await store.keepRecipeVersions([draft("two")], most: 10)
    #expect(try await store.recipeVersions(of: "/r/a.yaml", limit: 10).map(\.source) == [anna, .file])
    // Another writer of the same text has changed nothing.
    try await store.keepRecipeVersions([draft("two", RecipeVersion.Source(origin: "token", actor: "eva"))], most: 10)
    #expect(try await store.recipeVersions(of: "/r/a.yaml", limit: 1).map(\.source) == [anna])
    try await store.close()
  }

  @Test func anErasedUserIsNoWriterAnyMore() async throws {
    let author = RecipeVersion.Source(origin: "sync", actor: "anna", commit: "abc")
    try await store.keepRecipeVersions([draft("one", anna), draft("two", author)], most: 10)
    #expect(try await store.names(user: "anna"))
    #expect(try await store.removeStarter("anna") == 0)
    #expect(try await store.recipeVersions(of: "/r/a.yaml", limit: 10).map(\.source) == [author, anna])
    #expect(try await store.removeStarter("anna", erasesHistory: true) == 1)
    // The author of a commit is not a user of the server.
    let nobody = RecipeVersion.Source(origin: "session")
    #expect(try await store.recipeVersions(of: "/r/a.yaml", limit: 10).map(\.source) == [author, nobody])
    #expect(try await !store.names(user: "anna"))
    try await store.close()
  }

  @Test func aDeletionIsAVersionWithoutText() async throws {
    #expect(try await store.keepRecipeVersions([draft(nil, anna)], most: 10) == [0])
    try await store.keepRecipeVersions([draft("one"), draft(nil, anna), draft(nil, anna)], most: 10)
    let deleted = try #require(try await store.recipeVersion(2, of: "/r/a.yaml"))
    #expect(deleted.text == nil && deleted.version.digest == nil && deleted.version.source == anna)
    #expect(try await store.recipeFiles(named: "a") == ["/r/a.yaml"])
    #expect(try await store.keepRecipeVersions([draft("one")], most: 10) == [3])
    try await store.close()
  }

  /// A run and a version of the same text share it, and neither takes it from the other.
  @Test func aRunAndAVersionShareTheText() async throws {
    let probe = try DatabaseProbe(store.path)
    var start = SampleRun.started("01A")
    if case .runStarted(var entry) = start {
      entry.source = "one"
      start = .runStarted(entry)
    }
    try await store.record([start, SampleRun.finished("01A")], durability: .committed)
    try await store.keepRecipeVersions([draft("one"), draft("two")], most: 10)
    #expect(try await probe.number("SELECT count(*) FROM blobs") == 2)
    _ = try await store.prune(RetentionPolicy(age: 1), at: SampleRun.start.adding(seconds: 1e6), isThorough: true)
    #expect(try await store.runs(RunFilter(limit: 10)).isEmpty)
    #expect(try await store.recipeVersion(1, of: "/r/a.yaml")?.text == "one")
    #expect(try await store.check(isThorough: true).isEmpty)
    try await store.close()
  }

  @Test func aForgottenTextIsInNoPageOfTheFile() async throws {
    let text = "password: " + String(repeating: "hunter2 ", count: 2000)
    try await store.keepRecipeVersions([draft("one"), draft(text), draft("three"), draft("one")], most: 10)
    let probe = try DatabaseProbe(store.path)
    // The text of version 1 is that of version 4 too.
    #expect(try await store.forgetRecipeVersions([1, 2], of: "/r/a.yaml") == 1)
    #expect(try await store.recipeVersions(of: "/r/a.yaml", limit: 10).map(\.number) == [4, 3])
    #expect(try await store.recipeVersion(4, of: "/r/a.yaml")?.text == "one")
    #expect(try await probe.number("SELECT count(*) FROM blobs") == 2)
    try await store.close()
    let bytes = try Data(contentsOf: URL(fileURLWithPath: store.path))
    #expect(bytes.range(of: Data("hunter2".utf8)) == nil)
  }

  @Test func theHistoryOfADeletedRecipeGoesWithItsLastRuns() async throws {
    try await store.record([SampleRun.started("01A")], durability: .committed)
    let name = try #require(try await store.runs(RunFilter(limit: 1)).first?.recipe)
    func deleted(_ path: String, _ recipe: String) -> [RecipeVersionDraft] {
      ["one", nil].map { RecipeVersionDraft(path: path, recipe: recipe, text: $0, .file) }
    }
    try await store.keepRecipeVersions(
      deleted("/r/gone.yaml", "gone") + deleted("/r/ran.yaml", name) + [draft("kept")], most: 10)
    let policy = RetentionPolicy(age: 1e9)
    func files() async throws -> [String] {
      try await DatabaseProbe(store.path).texts("SELECT DISTINCT path FROM recipe_versions ORDER BY path")
    }
    // Without a bound in time, and before it has passed, a deleted recipe can come back.
    _ = try await store.prune(RetentionPolicy(), at: time.now.adding(seconds: 2e9), isThorough: true)
    _ = try await store.prune(policy, at: time.now, isThorough: true)
    #expect(try await files() == ["/r/a.yaml", "/r/gone.yaml", "/r/ran.yaml"])
    let at = max(time.now, SampleRun.start)
    // A run that has not ended is kept.
    let report = try await store.prune(policy, at: at.adding(seconds: 1.1e9), isThorough: true)
    #expect(try await files() == ["/r/a.yaml", "/r/ran.yaml"])
    #expect(report.versions == 2)
    try await store.record([SampleRun.finished("01A")], durability: .committed)
    _ = try await store.prune(policy, at: at.adding(seconds: 1.2e9), isThorough: true)
    #expect(try await files() == ["/r/a.yaml"])
    try await store.close()
  }

  @Test func onlyTheNewestVersionsOfEachFileAreKept() async throws {
    for number in 1...6 {
      try await store.keepRecipeVersions([draft("text \(number)"), draft("b", path: "/r/b.yaml")], most: 4)
    }
    #expect(try await store.recipeVersions(of: "/r/a.yaml", limit: 10).map(\.number) == [6, 5, 4, 3])
    let probe = try DatabaseProbe(store.path)
    #expect(try await probe.number("SELECT count(*) FROM blobs") == 5)
    // A smaller bound counts for versions that are there.
    var policy = RetentionPolicy()
    policy.versions = 2
    let report = try await store.prune(policy, at: time.now, isThorough: true)
    #expect(report.versions == 2 && report.blobs == 2)
    #expect(try await store.recipeVersions(of: "/r/a.yaml", limit: 10).map(\.number) == [6, 5])
    #expect(try await store.recipeVersions(of: "/r/b.yaml", limit: 10).map(\.number) == [1])
    try await store.close()
  }

  @Test func aRenamedFileTakesItsHistoryAlong() async throws {
    try await store.keepRecipeVersions([draft("one"), draft("two")], most: 10)
    _ = try await store.adopt([ScheduleAdoption(path: "/r/b.yaml", schedules: [], former: "/r/a.yaml")])
    #expect(try await store.recipeVersions(of: "/r/a.yaml", limit: 10).isEmpty)
    #expect(try await store.recipeVersions(of: "/r/b.yaml", limit: 10).map(\.number) == [2, 1])
    try await store.close()
  }
}
