import Engine
import Foundation
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
    let state = try await workspace.readingFile({ try await $0.recipeSync() }, ifMissing: { nil })
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
    let files = RecipeFileSet(root: syncFolder)
    let synced = state?.files ?? [:]
    let wanted = found.contents.mapValues { ContentHash.hexadecimal(of: $0) }
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
    try await withRecipeLock {
      try? FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
      var files = RecipeFileSet(root: root)
      var before: [RecipeVersionDraft] = []
      for change in report.changes {
        let (path, old) = (files.absolute(change.path), try files.bytes(change.path))
        guard old.map({ ContentHash.hexadecimal(of: $0) }) == change.seen else { throw Self.changedMeanwhile(path) }
        guard let old, Self.isRecipe(change.path) else { continue }
        before.append(draft(path, String(decoding: old, as: UTF8.self), .file))
      }
      let names = Dictionary(before.map { ($0.path, $0.recipe) }) { $1 }
      try await workspace.recordingRunLog { store in
        try await store.keepRecipeVersions(before, most: versionCount)
        try files.replace(report.changes.map { ($0.path, found.contents[$0.path]) })
        // A recipe has its name once the recipes that it runs are there.
        let after = report.changes.filter { Self.isRecipe($0.path) }.map { change in
          let (path, writer) = (files.absolute(change.path), found.writers[change.path] ?? found.commit)
          return draft(
            path, found.contents[change.path].map { String(decoding: $0, as: UTF8.self) },
            RecipeVersion.Source(origin: "sync", actor: writer.author, commit: writer.hash), name: names[path] ?? "")
        }
        // Without this, the next sync finds the files as they should be, and keeps the state then.
        try await store.keep(state, after, most: versionCount)
      }
    }
  }

  /// Tests beside recipes have no history of their own.
  private static func isRecipe(_ path: String) -> Bool {
    !path.hasSuffix(".test.yaml") && !path.hasSuffix(".test.yml")
  }

  private static func changedMeanwhile(_ path: String) -> UseCaseError {
    UseCaseError(.syncConflict, .init("\(path) was changed meanwhile", de: "\(path) wurde inzwischen geändert"))
  }
}
