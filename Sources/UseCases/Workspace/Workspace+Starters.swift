public import Engine
import RunStore

extension Workspace {
  /// The runs that a user of the server has started, oldest first; empty if the run log does not exist.
  public func runsStarted(by user: String) async throws(UseCaseError) -> [StartedRun] {
    try await readingFile({ try await $0.runs(startedBy: user) }, ifMissing: { [] })
  }

  /// Removes a user of the server as the owner of runs.
  ///
  /// - Parameter erasesHistory: Whether the user is also removed as the writer of versions of recipes.
  /// - Returns: The number of runs and versions; 0 if the run log does not exist.
  @discardableResult
  public func disownRuns(of user: String, erasesHistory: Bool = false) async throws(UseCaseError) -> Int {
    guard try await readingFile({ try await $0.names(user: user) }, ifMissing: { false }) else { return 0 }
    return try await changingRunLog { try await $0.removeStarter(user, erasesHistory: erasesHistory) }
  }
}
