import Engine
import Expressions
import Foundation
import Glibc
import Localization
import Plans
import RunLogSchema
import TestSupport
import Testing

@testable import RunStore

@Suite(.timeLimit(.minutes(5)))
struct DatabaseFileTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func open(
    _ name: String = "sous.db", _ change: (inout RunStore.Configuration) -> Void = { _ in }
  ) throws(RunStoreError) -> RunStore {
    var configuration = RunStore.Configuration()
    change(&configuration)
    return try RunStore(path: folder(name), time: ManualTime(), configuration: configuration)
  }

  private func code(_ body: () throws(RunStoreError) -> some Any) -> RunStoreError.Code? {
    do {
      _ = try body()
      return nil
    } catch {
      return error.code
    }
  }

  // MARK: - New files

  @Test func foldersAndFilesArePrivate() async throws {
    let store = try open("state/deep/.sous/sous.db")
    try await store.record([SampleRun.started("01AAA")], durability: .committed)
    #expect(folder.permissions("state") == 0o700)
    #expect(folder.permissions("state/deep/.sous") == 0o700)
    for file in ["sous.db", "sous.db-wal", "sous.db-shm"] {
      #expect(folder.permissions("state/deep/.sous/\(file)") == 0o600)
    }
  }

  @Test func settingsOfTheFileAreAsDocumented() async throws {
    try await open().close()
    let probe = try DatabaseProbe(folder("sous.db"))
    #expect(try await probe.text("PRAGMA journal_mode") == "wal")
    #expect(try await probe.number("PRAGMA auto_vacuum") == 2)
    #expect(try await probe.number("PRAGMA user_version") == Migration.current)
    #expect(try await probe.number("PRAGMA application_id") == 0x534F_5553)
    #expect(try await probe.text("PRAGMA integrity_check") == "ok")
    let lax = try await probe.texts(
      "SELECT name FROM pragma_table_list WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND strict = 0")
    #expect(lax == [])
    // A run goes with all that belongs to it.
    #expect(try await probe.number("SELECT count(*) FROM pragma_foreign_key_list('attempts')") == 2)
  }

  @Test func deletingARunDeletesWhatBelongsToIt() async throws {
    let store = try open()
    try await store.record(SampleRun.complete("01AAA"), durability: .committed)
    let probe = try DatabaseProbe(store.path)
    try await probe.execute("PRAGMA foreign_keys = ON; DELETE FROM runs")
    for table in ["steps", "attempts", "outputs", "logs"] {
      #expect(try await probe.number("SELECT count(*) FROM \(table)") == 0)
    }
  }

  @Test func anEmptyFileBecomesARunLog() async throws {
    #expect(FileManager.default.createFile(atPath: folder("sous.db"), contents: Data()))
    let store = try open()
    try await store.record([SampleRun.started("01AAA")], durability: .committed)
    #expect(try await store.runs().count == 1)
  }

  @Test func reopeningKeepsWhatIsThere() async throws {
    let first = try open()
    try await first.record(SampleRun.complete("01AAA"), durability: .committed)
    try await first.close()
    let second = try open()
    #expect(try await second.run("01AAA").summary.attemptCount == 6)
    try await second.close()
    #expect(!FileManager.default.fileExists(atPath: folder("sous.db-wal")))
    #expect(try await RunStore(readingFrom: folder("sous.db")).runs().count == 1)
  }

  // MARK: - Versions

  @Test func anOlderSchemaIsBroughtUpToDateWithItsRows() async throws {
    let old = try open()
    try await old.record(SampleRun.complete("01AAA"), durability: .committed)
    try await old.close()
    let addition = Migration(
      version: Migration.next, sql: "ALTER TABLE runs ADD COLUMN cost REAL; CREATE TABLE notes (text TEXT) $STRICT")
    let new = try open { $0.migrations.append(addition) }
    #expect(try await new.run("01AAA").steps[1].attempts.count == 5)
    try await new.close()
    let probe = try DatabaseProbe(folder("sous.db"))
    #expect(try await probe.number("PRAGMA user_version") == Migration.next)
    #expect(try await probe.number("SELECT count(*) FROM runs WHERE cost IS NULL") == 1)
    #expect(code { () throws(RunStoreError) in try open() } == .newerSchema)
  }

  /// Step 12 was there with and without what the daemon keeps beside schedules.
  @Test(arguments: [(12, ""), (15, ""), (15, "ALTER TABLE schedules ADD COLUMN retired_at TEXT")])
  func aLogOfAnyPublishedVersionServes(version: Int, change: String) async throws {
    try await open { $0.migrations.removeAll { $0.version > version } }.close()
    let probe = try DatabaseProbe(folder("sous.db"))
    #expect(try await probe.number("PRAGMA user_version") == version)
    try await probe.execute(
      """
      \(change);
      INSERT INTO schedules (source, recipe, digest, revision, cursor, paused, runs)
      VALUES ('/r/a.yaml#1', 'a', 'd', 7, '2026-11-01T00:00:00.000Z', 1, 41)
      """)
    let store = try open()
    let schedule = try #require(try await store.schedules().first)
    #expect(schedule.source == "/r/a.yaml#1" && schedule.revision == 7 && schedule.isPaused)
    #expect(schedule.counts.run == 41)
    _ = try await store.adopt([ScheduleAdoption(path: "/r/a.yaml", schedules: [])])
    #expect(try await store.schedules().isEmpty)
    try await store.keep(ServerRecord(id: "a", host: "h", pid: 7, beganAt: SampleRun.start))
    #expect(try await store.servers().map(\.id) == ["a"])
    try await store.keepServedRecipes([("/r/a.yaml", "name: a", [:])])
    #expect(try await store.servedRecipe("/r/a.yaml")?.source == "name: a")
    try await store.close()
  }

  /// Runs of earlier versions say only by their paths, names and triggers where their recipes come from.
  @Test(arguments: [
    ("outbox:mail", "mail", "send", RecipeOrigin.outbox), ("outbox:plan", "plan", "retry", .outbox),
    ("/w/reminder.yaml", "dentist", "remind", .reminder), ("/w/reminder.yaml", "dentist", "reminder", .reminder),
    ("reminder.yaml", "dentist", "retry", .reminder), ("/f/reminder.yaml", "water", "reminder", .file),
    ("/w/recipes/water.yaml", "water", "reminder", .file), ("sous:failure-notice", "failure-notice", "notice", .notice),
    ("mail-undo-01AAA.yaml", "mail-undo", "undo", .undo), ("/w/snooze.yaml", "snooze", "manual", .snooze),
    ("/w/note-from-mail.yaml", "note-from-mail", "manual", .note), ("/w/revise.yaml", "note-revision", "manual", .note),
    ("/w/revise.yaml", "revise", "manual", .file), ("/w/digest.yaml", "digest", "schedule", .file),
  ])
  func runsOfAnEarlierVersionKnowWhereTheirRecipesComeFrom(
    path: String, recipe: String, trigger: String, origin: RecipeOrigin
  ) async throws {
    try await open { $0.migrations.removeAll { $0.version > 20 } }.close()
    let columns = "id, recipe, path, fingerprint, trigger, status, started_at, queued_at, inputs"
    let rest = "'f00d', '\(trigger)', 'waiting', '2026-11-01T00:00:00.000Z', '2026-11-01T00:00:00.000Z'"
    try await DatabaseProbe(folder("sous.db")).execute(
      """
      INSERT INTO runs (\(columns)) VALUES ('01AAA', '\(recipe)', '\(path)', \(rest), '{"uid":"4","folder":"INBOX","until":"x"}');
      INSERT INTO runs (\(columns)) VALUES ('01BBB', 'water', '/f/reminder.yaml', 'f00d', 'schedule', 'waiting',
        '2026-11-01T00:00:00.000Z', '2026-11-01T00:00:00.000Z', '{}');
      INSERT INTO concluded_runs (run, path, recipe, status, at)
        VALUES ('01AAA', '\(path)', '\(recipe)', 'failed', '2026-11-01T00:00:00.000Z')
      """)
    let store = try open()
    let start = try await store.snapshot(of: RunID(rawValue: "01AAA")).start
    #expect(start.recipeOrigin == origin && start.path == path && start.trigger == trigger)
    #expect(try await store.concludedRuns(limit: 10).map(\.recipeOrigin) == [origin])
    #expect(try await store.runs().count == 2)
    try await store.close()
  }

  @Test(arguments: RecipeOrigin.allCases) func whereARecipeComesFromIsRecorded(origin: RecipeOrigin) async throws {
    let store = try open()
    guard case .runStarted(var start) = SampleRun.started("01AAA") else { return }
    start.recipeOrigin = origin
    try await store.record([.runStarted(start)], durability: .committed)
    #expect(try await store.snapshot(of: start.run).start.recipeOrigin == origin)
    try await store.close()
  }

  @Test func aMigrationThatFailsChangesNothing() async throws {
    try await open().close()
    let broken = Migration(version: Migration.next, sql: "CREATE TABLE notes (text TEXT); CREATE TABLE runs (id TEXT)")
    #expect(code { () throws(RunStoreError) in try open { $0.migrations.append(broken) } } != nil)
    let probe = try DatabaseProbe(folder("sous.db"))
    #expect(try await probe.number("PRAGMA user_version") == Migration.current)
    #expect(try await probe.texts("SELECT name FROM sqlite_master WHERE name = 'notes'") == [])
    try await open().close()
  }

  @Test func readingBringsAnOlderSchemaUpToDate() async throws {
    let old = try open()
    try await old.record([SampleRun.started("01AAA")], durability: .committed)
    try await old.close()
    var configuration = RunStore.Configuration()
    configuration.migrations.append(Migration(version: Migration.next, sql: "ALTER TABLE runs ADD COLUMN cost REAL"))
    let store = try RunStore(readingFrom: folder("sous.db"), configuration: configuration)
    #expect(try await store.runs().count == 1)
  }

  @Test func aFileOfANewerSousIsRefusedByName() async throws {
    try await open().close()
    try await DatabaseProbe(folder("sous.db")).execute("PRAGMA user_version = 99")
    let error = #expect(throws: RunStoreError.self) { try open() }
    #expect(error?.code == .newerSchema)
    for text in [error?.message.english, error?.message.german] {
      #expect(text?.contains("9") == true)
      #expect(text?.contains("\(Migration.current)") == true)
    }
    #expect(code { () throws(RunStoreError) in try RunStore(readingFrom: folder("sous.db")) } == .newerSchema)
  }

  @Test(arguments: [1, 10]) func aFileThatIsTooOldIsRefusedByNameAndLeftAlone(version: Int) async throws {
    try await open().close()
    let probe = try DatabaseProbe(folder("sous.db"))
    try await probe.execute("PRAGMA user_version = \(version)")
    let error = #expect(throws: RunStoreError.self) { try open() }
    #expect(error?.code == .outdatedSchema)
    for text in [error?.message.english, error?.message.german] {
      #expect(text?.contains("\(version)") == true)
      #expect(text?.contains("\(Migration.current)") == true)
    }
    #expect(code { () throws(RunStoreError) in try RunStore(readingFrom: folder("sous.db")) } == .outdatedSchema)
    #expect(try await probe.number("PRAGMA user_version") == version)
  }

  // MARK: - Files that do not fit

  @Test(arguments: [String(repeating: "This is a text. ", count: 100), "x", "short"])
  func aFileThatIsNoDatabaseIsRefusedAndLeftAlone(content: String) throws {
    let data = Data(content.utf8)
    #expect(FileManager.default.createFile(atPath: folder("sous.db"), contents: data))
    #expect(code { () throws(RunStoreError) in try open() } == .notADatabase)
    #expect(code { () throws(RunStoreError) in try RunStore(readingFrom: folder("sous.db")) } == .notADatabase)
    #expect(FileManager.default.contents(atPath: folder("sous.db")) == data)
  }

  @Test func theDatabaseOfAnotherProgramIsRefusedAndLeftAlone() async throws {
    try await DatabaseProbe(folder("sous.db")).execute("CREATE TABLE runs (id TEXT)")
    #expect(code { () throws(RunStoreError) in try open() } == .foreignDatabase)
    let probe = try DatabaseProbe(folder("sous.db"))
    #expect(try await probe.text("PRAGMA journal_mode") == "delete")
  }

  @Test func aFolderInPlaceOfTheFileIsATypedError() throws {
    try FileManager.default.createDirectory(atPath: folder("sous.db"), withIntermediateDirectories: false)
    #expect(code { () throws(RunStoreError) in try open() } == .notReadable)
  }

  @Test func readingWhereNothingHasRunYetCreatesNothing() {
    #expect(code { () throws(RunStoreError) in try RunStore(readingFrom: folder("none/sous.db")) } == .missing)
    #expect(!FileManager.default.fileExists(atPath: folder("none")))
  }

  @Test func aFolderThatCannotBeMadeIsNamed() throws {
    #expect(FileManager.default.createFile(atPath: folder("file"), contents: Data()))
    let error = #expect(throws: RunStoreError.self) { try open("file/.sous/sous.db") }
    #expect(error?.code == .folderNotCreatable)
    #expect(error?.path == folder("file/.sous"))
  }

  // MARK: - Permissions

  @Test func foldersAndFilesThatMayNotBeWrittenAreTypedErrors() async throws {
    try await open().close()
    chmod(folder("sous.db"), 0o444)
    chmod(folder.path, 0o555)
    defer { chmod(folder.path, 0o755) }
    try Privileges.without {
      #expect(code { () throws(RunStoreError) in try open() } == .readOnly)
      #expect(code { () throws(RunStoreError) in try open("other.db") } == .readOnly)
      #expect(code { () throws(RunStoreError) in try open("new/sous.db") } == .folderNotCreatable)
    }
  }

  @Test func anOutdatedFileThatMayNotBeWrittenNamesTheRemedy() async throws {
    // A writer that stays keeps the files that a reader needs in a folder it may not write.
    let writer = try open()
    chmod(folder("sous.db"), 0o444)
    chmod(folder("sous.db-wal"), 0o444)
    chmod(folder("sous.db-shm"), 0o666)
    chmod(folder.path, 0o555)
    defer { chmod(folder.path, 0o755) }
    var configuration = RunStore.Configuration()
    configuration.migrations.append(Migration(version: Migration.next, sql: "ALTER TABLE runs ADD COLUMN cost REAL"))
    let settings = configuration
    try Privileges.without {
      let found = code { () throws(RunStoreError) in
        try RunStore(readingFrom: folder("sous.db"), configuration: settings)
      }
      #expect(found == .outdatedSchema)
    }
    try await writer.close()
  }

  // MARK: - Backup

  @Test func aBackupIsCompleteWhileRunsGoOn() async throws {
    let store = try open()
    try await store.record(SampleRun.complete("01AAA"), durability: .committed)
    async let writing: Void = {
      for number in 0..<200 {
        try await store.record([SampleRun.log("01AAA", "\(number)")], durability: .committed)
      }
    }()
    try await store.backup(to: folder("copy.db"))
    try await writing
    #expect(folder.permissions("copy.db") == 0o600)
    let copy = try RunStore(readingFrom: folder("copy.db"))
    #expect(try await copy.run("last").summary.attemptCount == 6)
    #expect(try await store.logs(of: RunID(rawValue: "01AAA")).count == 203)
    // The copy is a run log like any other.
    let opened = try open("copy.db")
    try await opened.record([SampleRun.started("01BBB")], durability: .committed)
    #expect(try await opened.runs().count == 2)
  }

  @Test func aBackupOverwritesNothing() async throws {
    let store = try open()
    #expect(FileManager.default.createFile(atPath: folder("copy.db"), contents: Data("mine".utf8)))
    var error = await #expect(throws: RunStoreError.self) { try await store.backup(to: folder("copy.db")) }
    #expect(error?.code == .destinationExists)
    #expect(FileManager.default.contents(atPath: folder("copy.db")) == Data("mine".utf8))
    error = await #expect(throws: RunStoreError.self) { try await store.backup(to: folder("none/copy.db")) }
    #expect(error?.code == .notReadable)
    // Unless it is told to, and nothing but the copy is left then.
    try await store.backup(to: folder("copy.db"), replaces: true)
    #expect(try await RunStore(readingFrom: folder("copy.db")).runs().isEmpty)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix("partial") } == [])
  }

  /// Paths that lead to the run log, to what SQLite keeps beside it, or to another run log at work.
  static let ownPlaces = [
    "sous.db", "sous.db-wal", "sous.db-shm", "sous.db-journal", "link.db", "twin.db", "sub/../sous.db", "door/sous.db",
    "other.db",
  ]

  @Test(arguments: ownPlaces) func aBackupNeverTakesThePlaceOfARunLogAtWork(_ name: String) async throws {
    let (store, other) = (try open(), try open("other.db"))
    try await store.record(SampleRun.complete("01AAA"), durability: .committed)
    try await other.record(SampleRun.complete("01BBB"), durability: .committed)
    let files = FileManager.default
    try files.createDirectory(atPath: folder("sub"), withIntermediateDirectories: true)
    try files.createSymbolicLink(atPath: folder("door"), withDestinationPath: ".")
    try files.createSymbolicLink(atPath: folder("link.db"), withDestinationPath: "sous.db")
    try files.linkItem(atPath: folder("sous.db"), toPath: folder("twin.db"))
    for replaces in [false, true] {
      let error = await #expect(throws: RunStoreError.self) {
        try await store.backup(to: folder(name), replaces: replaces)
      }
      #expect(error?.code == .destinationInUse)
    }
    try await store.record([SampleRun.log("01AAA", "still here")], durability: .synced)
    #expect(try await store.check(isThorough: true) == [])
    #expect(try await other.check(isThorough: true) == [])
    try await store.close()
    try await other.close()
  }
}

extension Migration {
  /// The version that this program writes.
  fileprivate static var current: Int { all.last?.version ?? 0 }
  /// The version of a step that comes after all there are.
  fileprivate static var next: Int { current + 1 }
}
