public import Engine
public import RunStore

extension Workspace {
  /// Reads the run log.
  ///
  /// - Parameters:
  ///   - body: What to read.
  ///   - ifMissing: The answer where nothing has run yet; without it that is an error.
  public func runLog<Answer>(
    _ body: (any RunLogReader) async throws -> Answer, ifMissing: (() -> Answer)? = nil
  ) async throws(UseCaseError) -> Answer {
    try await readingFile(body, ifMissing: ifMissing)
  }

  /// Reads the run log, also what only its file can tell.
  package func readingFile<Answer>(
    _ body: (RunStore) async throws -> Answer, ifMissing: (() -> Answer)? = nil
  ) async throws(UseCaseError) -> Answer {
    do {
      let log = try RunStore(readingFrom: database)
      return try await closing(log, body)
    } catch let error as RunStoreError where error.code == .missing {
      if let ifMissing { return ifMissing() }
      throw UseCaseError(error)
    } catch {
      throw UseCaseError(error)
    }
  }

  /// Reads the run log; where words are looked for, after what was recorded since has been taken into the index, or,
  /// where that may not be written, after it has been looked through without it.
  public func searchingRunLog<Answer>(
    for words: SearchWords?, _ body: (any RunLogReader) async throws -> Answer, ifMissing: (() -> Answer)? = nil
  ) async throws(UseCaseError) -> Answer {
    let unindexed = try await unindexed(words)
    return try await runLog(
      { log in
        if let unindexed { try await log.searchWithoutIndex(unindexed) }
        return try await body(log)
      }, ifMissing: ifMissing)
  }

  /// Seconds that bringing the index of searches up to date may take.
  private static var patienceForIndex: Double { 2 }

  /// Brings the index of searches up to date, as far as that is soon done.
  ///
  /// - Returns: The words that have to be looked for beside the index, as it is not up to date; else `nil`.
  public func unindexed(_ words: SearchWords?) async throws(UseCaseError) -> SearchWords? {
    guard let words else { return nil }
    do {
      let isUpToDate = try await changingRunLog { try await $0.updateSearch(within: Self.patienceForIndex) }
      return isUpToDate ? nil : words
    } catch  where error.cause is RunStoreError {
      let code = (error.cause as? RunStoreError)?.code
      if code == .missing { return nil }
      if code == .readOnly || code == .diskFull || code == .locked { return words }
      throw error
    } catch {
      return words
    }
  }

  /// Works on a run log that is there; makes none.
  public func changingRunLog<Answer>(
    _ body: (RunStore) async throws -> Answer
  ) async throws(UseCaseError) -> Answer {
    try await mapErrors { try await RunStore(readingFrom: database).close() }
    return try await recordingRunLog(body)
  }

  /// Works on the run log, which is made where there is none, and closes it, whatever comes of it.
  public func recordingRunLog<Answer>(
    _ body: (RunStore) async throws -> Answer
  ) async throws(UseCaseError) -> Answer {
    try await mapErrors { try await closing(RunStore(path: database, time: SystemTime()), body) }
  }

  private func closing<Answer>(_ log: RunStore, _ body: (RunStore) async throws -> Answer) async throws -> Answer {
    let answer: Answer
    do {
      answer = try await body(log)
    } catch {
      try? await log.close()
      throw error
    }
    try await log.close()
    return answer
  }
}
