public import Engine
internal import GRDB

extension RunStore {
  /// Removes runs that have ended, with all that belongs to them; those to which something unfinished belongs stay.
  ///
  /// - Returns: How many are gone.
  /// - Throws: ``RunStoreError`` where the file cannot be written.
  public func remove(_ runs: [RunID]) async throws -> Int {
    var rest = runs.map(\.rawValue)[...]
    var removed = 0
    while !rest.isEmpty {
      let roots = rest
      let step = try await change { writing in
        var removal = RunRemoval(writing.database)
        let done = try removal.remove(roots: roots)
        return (done: done, runs: removal.runs)
      }
      removed += step.runs
      rest = rest.dropFirst(step.done)
      // A large run goes in several transactions.
      guard step.done > 0 || step.runs > 0 || !rest.isEmpty else { break }
    }
    return removed
  }
}
