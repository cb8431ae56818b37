public import RunStore

extension Workspace {
  /// The runs that a user of the server has started, oldest first; empty if there is no run log.
  public func runsStarted(by user: String) async throws(UseCaseError) -> [StartedRun] {
    try await readingFile({ try await $0.runs(startedBy: user) }, ifMissing: { [] })
  }

  /// Removes a user of the server as the owner of runs.
  ///
  /// - Returns: The number of runs; 0 if there is no run log.
  @discardableResult
  public func disownRuns(of user: String) async throws(UseCaseError) -> Int {
    guard try await !runsStarted(by: user).isEmpty else { return 0 }
    return try await changingRunLog { try await $0.removeStarter(user) }
  }
}
