import Engine
import Recipes
public import RunStore

extension Workspace {
  /// Looks for damage in the run log, and for what cannot be in a journal.
  ///
  /// - Parameter isQuick: Whether what takes long on a large file is left out.
  /// - Returns: What was found. Whoever may only read has everything looked at but the index of searches.
  public func checkRunLog(isQuick: Bool) async throws(UseCaseError) -> [CheckFinding] {
    let findings = try await readingFile { try await $0.check(isThorough: !isQuick) }
    guard !isQuick, findings.isEmpty else { return findings }
    do throws(UseCaseError) {
      return try await changingRunLog { try await $0.checkSearch() }
    } catch {
      guard (error.cause as? RunStoreError)?.code == .readOnly else { throw error }
      return findings
    }
  }

  /// Copies the run log as it stands at one moment, also while runs go on.
  ///
  /// - Parameters:
  ///   - file: The copy; it appears when it is complete.
  ///   - replaces: Whether a file that is there is replaced.
  /// - Returns: The size of the copy in bytes.
  public func backUpRunLog(to file: String, replaces: Bool) async throws(UseCaseError) -> Int {
    try requireForeign(file)
    let path = surroundings.resolve(file)
    return try await readingFile { log in
      try await log.backup(to: path, replaces: replaces)
      let copy = try RunStore(readingFrom: path)
      let bytes = copy.fileSizes().database
      try await copy.close()
      return bytes
    }
  }

  /// Removes what the configuration's retention no longer keeps.
  ///
  /// - Parameter isDryRun: Whether it is only told what would be removed.
  public func pruneRunLog(isDryRun: Bool) async throws(UseCaseError) -> PruneReport {
    let policy = RetentionPolicy(try Project(self).configuration.engine.retention)
    let now = SystemTime().now
    if isDryRun { return try await readingFile { try await $0.prunable(policy, at: now) } }
    return try await changingRunLog { try await $0.prune(policy, at: now, isThorough: true) }
  }

  /// Gives what the run log no longer needs back to the file system.
  ///
  /// - Parameter reindexes: Whether the index of searches is made anew.
  /// - Returns: The bytes that were given back.
  public func vacuumRunLog(reindexes: Bool) async throws(UseCaseError) -> Int {
    try await changingRunLog { store in
      if reindexes { try await store.rebuildSearch() }
      return try await store.vacuum()
    }
  }
}
