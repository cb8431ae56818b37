import Engine
import Foundation
import Glibc
import Hashing
import Localization
import OperatingSystem
import RecipeModel
import RecipePlanning
import RecipeSyntax
import RunStore
public import UseCases

extension Project {
  /// The sync that `sous.yaml` asks for; `nil` if it does not.
  ///
  /// - Throws: ``UseCaseError`` with code `untrusted` if the folder is not trusted.
  public func configuredSync() throws(UseCaseError) -> RecipeSyncOrder? {
    guard var sync = configuration.recipeSync else { return nil }
    try trust.checkSync()
    let order = RecipeSyncOrder(sync)
    if order.isPath, !sync.url.contains("://") { sync.url = configuration.resolve(sync.url) }
    return RecipeSyncOrder(sync)
  }

  /// Takes the recipes of a Git repository over into the first of the served folders: all files, or none.
  ///
  /// - Parameters:
  ///   - order: Where they come from.
  ///   - agree: Called before anything is written; `false` ends the sync.
  /// - Returns: The changes.
  /// - Throws: ``UseCaseError``: `signature_refused`; `sync_conflict` if files were changed here, or the branch was rewritten;
  ///   `invalid_recipe` if a recipe has errors. Nothing was written then.
  public func syncRecipes(
    _ order: RecipeSyncOrder, agree: @Sendable (RecipeSyncReport) -> Bool = { _ in true }
  ) async throws(UseCaseError) -> RecipeSyncReport {
    var order = order
    try order.check()
    if order.isPath, !order.settings.url.contains("://") {
      order.settings.url = CheckedFiles.canonical(workspace.surroundings.resolve(order.settings.url))
    }
    let lock = try syncLock()
    defer { lock.release() }
    var state = try await workspace.readingFile({ try await $0.recipeSync() }, ifMissing: { nil })
    if let intent = RecipeSyncIntent(at: intentPath) {
      // Nothing is written into a folder that the configuration does not name any more.
      if intent.root == syncFolder { state = try await finish(intent, state, order) } else { unlink(intentPath) }
    }
    let found = try await RecipeSyncSource(order, workspace, state).read()
    var report = try look(found, state)
    try refuseRewritten(found, state, order)
    guard !order.isDryRun else { return report }
    try refuse(report, order)
    if report.changes.isEmpty, state?.commit == found.commit.hash, state?.source == order.source {
      report.isApplied = true
      return report
    }
    if !report.changes.isEmpty, !agree(report) { return report }
    try await apply(report, found, order)
    report.isApplied = true
    return report
  }

  private var syncFolder: String { servedFolders.first ?? CheckedFiles.canonical("recipes") }

  /// The file that says what a sync is about to replace.
  private var intentPath: String { workspace.stateFolder + "/recipes-sync.json" }

  private func syncLock() throws(UseCaseError) -> FileLock {
    let path = workspace.stateFolder + "/recipes-sync.lock"
    try? FileManager.default.createDirectory(atPath: workspace.stateFolder, withIntermediateDirectories: true)
    let lock: FileLock?
    do {
      lock = try FileLock(path: path)
    } catch {
      throw Self.failure(path, error.code)
    }
    guard let lock else {
      throw .runState(.init("another sync is under way", de: "eine andere Synchronisierung läuft gerade"))
    }
    return lock
  }

  // MARK: - Looking

  private func look(_ found: RecipeSyncSource.Found, _ state: RecipeSyncState?) throws(UseCaseError) -> RecipeSyncReport
  {
    let synced = state?.files ?? [:]
    let wanted = found.contents.mapValues { ContentHash.hexadecimal(of: $0) }
    let files = RecipeFileSet(root: syncFolder, leaving: Set(synced.keys).subtracting(wanted.keys))
    let plan = RecipeSyncPlan(
      wanted: wanted, synced: synced, local: try files.digests(Set(wanted.keys).union(synced.keys)))
    var report = RecipeSyncReport(
      folder: syncFolder, former: state?.commit, commit: found.commit.hash, author: found.commit.author,
      subject: found.commit.subject,
      changes: plan.changes, others: found.others, isSigned: found.isSigned)
    report.problems = problems(found.contents, plan)
    return report
  }

  /// The recipes with errors, each with its first one.
  private func problems(
    _ contents: [String: [UInt8]], _ plan: RecipeSyncPlan
  ) -> [(path: String, message: LocalizedText)] {
    var texts: [String: [UInt8]?] = [:]
    for (path, bytes) in contents { texts[syncFolder + "/" + path] = bytes }
    for change in plan.changes where change.action == .delete { texts[syncFolder + "/" + change.path] = .some(nil) }
    let recipes = SyncedRecipes(texts: texts)
    return contents.keys.sorted().compactMap { path in
      guard !path.hasSuffix(".test.yaml"), !path.hasSuffix(".test.yml"), let bytes = contents[path] else { return nil }
      let planning = planning(SourceText(path: syncFolder + "/" + path, bytes: bytes), with: recipes)
      guard planning.hasErrors, let error = planning.diagnostics.first(where: { $0.severity == .error }) else {
        return nil
      }
      let line = error.range.map { ":\($0.start.line)" } ?? ""
      return (path, LocalizedText(verbatim: "\(path)\(line): ") + error.message)
    }
  }

  private func refuseRewritten(
    _ found: RecipeSyncSource.Found, _ state: RecipeSyncState?, _ order: RecipeSyncOrder
  ) throws(UseCaseError) {
    guard let state, !order.isForced, !state.files.isEmpty else { return }
    guard state.source == order.source else {
      throw UseCaseError(
        .syncConflict,
        .init(
          "the recipes came from another repository, branch or folder until now; --force takes these instead",
          de:
            "die Rezepte kamen bisher aus einem anderen Repository, Branch oder Ordner; --force nimmt stattdessen diese"
        ))
    }
    guard found.isForward else {
      throw UseCaseError(
        .syncConflict,
        .init(
          "the branch does not contain the commit \(state.commit.prefix(12)) of the last sync: it was rewritten; --force takes it",
          de:
            "der Branch enthält den Commit \(state.commit.prefix(12)) der letzten Synchronisierung nicht: er wurde neu "
            + "geschrieben; --force nimmt ihn"))
    }
  }

  private func refuse(_ report: RecipeSyncReport, _ order: RecipeSyncOrder) throws(UseCaseError) {
    if let first = report.problems.first {
      let more = report.problems.dropFirst().prefix(9).reduce(LocalizedText(verbatim: "")) {
        $0 + LocalizedText(verbatim: "\n  ") + $1.message
      }
      throw UseCaseError(
        .invalidRecipe,
        LocalizedText(
          "recipes of the repository have errors, so nothing was written:\n  ",
          de: "Rezepte des Repositorys haben Fehler, daher wurde nichts geschrieben:\n  ") + first.message + more)
    }
    let conflicts = report.changes.filter { $0.conflict != nil }.map(\.path)
    guard conflicts.isEmpty || order.isForced else {
      let list = conflicts.prefix(10).joined(separator: ", ") + (conflicts.count > 10 ? " …" : "")
      throw UseCaseError(
        .syncConflict,
        .init(
          "files here differ from the last sync, so nothing was written: \(list); --force replaces them",
          de:
            "Dateien hier weichen von der letzten Synchronisierung ab, daher wurde nichts geschrieben: \(list); --force "
            + "ersetzt sie"))
    }
  }

  // MARK: - Writing

  private func apply(
    _ report: RecipeSyncReport, _ found: RecipeSyncSource.Found, _ order: RecipeSyncOrder
  ) async throws(UseCaseError) {
    let root = syncFolder
    let digests = found.contents.mapValues { ContentHash.hexadecimal(of: $0) }
    let state = RecipeSyncState(
      source: order.source, commit: found.commit.hash, at: SystemTime().now, files: digests)
    let intent = RecipeSyncIntent(
      root: root, folder: order.folder, state: state,
      changes: report.changes.map { change in
        let writer = found.writers[change.path] ?? found.commit
        return RecipeSyncIntent.Change(
          path: change.path, before: change.seen, after: digests[change.path], author: writer.author,
          commit: writer.hash)
      })
    try await withRecipeLock {
      try? FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
      let files = RecipeFileSet(root: root, leaving: Set(intent.changes.filter { $0.after == nil }.map(\.path)))
      for change in intent.changes {
        guard try files.bytes(change.path).map({ ContentHash.hexadecimal(of: $0) }) == change.before else {
          throw Self.changedMeanwhile(files.absolute(change.path))
        }
      }
      try await replace(intent.changes, of: intent, found.contents, files)
    }
  }

  /// Replaces files of a sync, keeps their versions, and keeps the state of the sync.
  ///
  /// - Parameter changes: The changes that are left to do.
  private func replace(
    _ changes: [RecipeSyncIntent.Change], of intent: RecipeSyncIntent, _ contents: [String: [UInt8]],
    _ files: RecipeFileSet
  ) async throws {
    var before: [RecipeVersionDraft] = []
    for change in changes where Self.isRecipe(change.path) {
      guard let old = try files.bytes(change.path) else { continue }
      before.append(draft(files.absolute(change.path), String(decoding: old, as: UTF8.self), .file))
    }
    let names = Dictionary(before.map { ($0.path, $0.recipe) }) { $1 }
    let path = intentPath
    try await workspace.recordingRunLog { [before] store in
      var files = files
      try await store.keepRecipeVersions(before, most: versionCount)
      do {
        try intent.store(at: path)
      } catch {
        throw Self.failure(path, (error as? SystemError)?.code ?? EIO)
      }
      do {
        try files.replace(changes.map { ($0.path, contents[$0.path]) })
      } catch {
        // The files are as before, so nothing is left to finish. Of an interrupted sync, some are not.
        if changes == intent.changes, files.isRestored { unlink(path) }
        throw error
      }
      // A recipe has its name once the recipes that it runs are there. Of an interrupted sync, the versions of the files that it has
      // written are missing too; a version with the text of the last one is not kept twice.
      let after = intent.changes.filter { Self.isRecipe($0.path) }.compactMap { change -> RecipeVersionDraft? in
        let file = files.absolute(change.path)
        // A user may have changed the file since the interrupted sync.
        let bytes = try? files.bytes(change.path)
        guard bytes.map({ ContentHash.hexadecimal(of: $0) }) == change.after else { return nil }
        return draft(
          file, bytes.map { String(decoding: $0, as: UTF8.self) },
          RecipeVersion.Source(origin: "sync", actor: change.author, commit: change.commit),
          name: names[file] ?? "")
      }
      // If this fails, the intent stays, and the next sync keeps the state.
      try await store.keep(intent.state, after, most: versionCount)
      unlink(path)
    }
  }

  /// Finishes a sync that was interrupted, so that all files are of its commit.
  ///
  /// - Returns: The state afterwards.
  private func finish(
    _ intent: RecipeSyncIntent, _ former: RecipeSyncState?, _ order: RecipeSyncOrder
  ) async throws(UseCaseError) -> RecipeSyncState? {
    let files = RecipeFileSet(root: intent.root, leaving: Set(intent.changes.filter { $0.after == nil }.map(\.path)))
    let local = try files.digests(intent.changes.map(\.path))
    guard !order.isDryRun else { return intent.partialState(former, local) }
    // Read from the copy of the repository, whose commit was checked before the intent was stored.
    guard let contents = try? await RecipeSyncSource.contents(of: intent, workspace),
      intent.changes.allSatisfy({ contents[$0.path].map { ContentHash.hexadecimal(of: $0) } == $0.after })
    else {
      // Without the copy, the files that were written count as synced, and those that were not as before.
      let state = intent.partialState(former, local)
      try await workspace.recordingRunLog { try await $0.keep(state, [], most: versionCount) }
      unlink(intentPath)
      return state
    }
    try await withRecipeLock {
      files.removeStaged(intent.changes.map(\.path))
      try await replace(intent.left(local), of: intent, contents, files)
    }
    return intent.state
  }

  /// Tests beside recipes have no history of their own.
  private static func isRecipe(_ path: String) -> Bool {
    !path.hasSuffix(".test.yaml") && !path.hasSuffix(".test.yml")
  }

  private static func changedMeanwhile(_ path: String) -> UseCaseError {
    UseCaseError(.syncConflict, .init("\(path) was changed meanwhile", de: "\(path) wurde inzwischen geändert"))
  }
}
