public import Engine
import Expressions
import Localization
import Plans
import RecipePlanning
import RecipeSyntax
import RunStore

extension Session {
  /// What would undo what a run has done to messages.
  ///
  /// - Parameter reference: The run, a unique beginning of its name, or `last`.
  /// - Throws: ``UseCaseError``: `run_state` where the run has not ended, `plan_unavailable`.
  public func mailUndo(of reference: String) async throws(UseCaseError) -> (run: RunID, undo: MailUndo) {
    let (record, start) = try await mapErrors { () -> (RunRecord, RunStart) in
      let record = try await store.run(reference)
      return (record, try await store.snapshot(of: record.summary.id).start)
    }
    let id = record.summary.id
    guard record.summary.status.isFinal else {
      throw .runState(
        .init(
          "run \(id) has not ended; 'sous cancel \(id)' ends it",
          de: "Lauf \(id) ist nicht zu Ende; 'sous cancel \(id)' beendet ihn"))
    }
    var reader = MailUndoReader(record, try await plan(of: start), event: start.event)
    return (id, reader.read(undone: try await undos(of: id)))
  }

  /// The most undos that are looked through.
  private static let mostUndos = 10_000

  /// The runs that have undone a run, and those that have undone these, oldest first.
  private func undos(of run: RunID) async throws(UseCaseError) -> [(record: RunRecord, plan: Plan)] {
    let candidates = try await mapErrors {
      try await store.runs(RunFilter(recipe: MailUndo.recipeName, limit: Self.mostUndos))
    }
    var undone: Set<RunID> = [run]
    var result: [(record: RunRecord, plan: Plan)] = []
    // Each is younger than what it undoes.
    for candidate in candidates.reversed() where candidate.id != run {
      let start = try await mapErrors { try await store.snapshot(of: candidate.id).start }
      guard start.recipeOrigin == .undo, let of = start.inputs[MailUndo.runInput]?.stringValue,
        undone.contains(RunID(rawValue: of))
      else {
        continue
      }
      let record = try await mapErrors { try await store.run(candidate.id.rawValue) }
      guard record.summary.status.isFinal else {
        throw .runState(
          .init(
            "run \(candidate.id) is undoing it and has not ended; 'sous resume \(candidate.id)' resumes it",
            de:
              "Lauf \(candidate.id) nimmt ihn zurück und ist nicht zu Ende; 'sous resume \(candidate.id)' setzt ihn fort"
          ))
      }
      undone.insert(candidate.id)
      result.append((record, try await plan(of: start)))
    }
    return result
  }

  /// The runs that have taken back the changes of other runs and are in force: they have succeeded, and no later run has taken
  /// back theirs.
  ///
  /// - Parameter runs: The runs whose changes may have been taken back.
  /// - Returns: The last such run by the run that it has taken back.
  package func mailUndos(of runs: [RunSummary]) async throws(UseCaseError) -> [RunID: RunSummary] {
    guard let first = runs.map(\.startedAt).min() else { return [:] }
    return try await mapErrors {
      let undos = try await store.runs(
        RunFilter(statuses: [.succeeded], recipe: MailUndo.recipeName, since: first, limit: Self.mostUndos))
      var found: [RunID: RunSummary] = [:]
      var undone: Set<RunID> = []
      // The newest first: a run takes back older ones only.
      for undo in undos.sorted(by: { $0.id > $1.id }) where !undone.contains(undo.id) {
        let start = try await store.snapshot(of: undo.id).start
        guard start.recipeOrigin == .undo, let text = start.inputs[MailUndo.runInput]?.stringValue else { continue }
        let run = RunID(rawValue: text)
        undone.insert(run)
        if found[run] == nil { found[run] = undo }
      }
      return found
    }
  }

  /// Takes back what a run has done to messages, as a run of its own.
  ///
  /// - Parameter id: The id of that run; `nil` for a new one.
  /// - Throws: ``UseCaseError`` where the run cannot begin.
  public func carryOut(_ undo: MailUndo, of run: RunID, as id: RunID? = nil) async throws(UseCaseError) -> RunOutcome {
    let (text, inputs) = undo.recipe(of: run)
    let planning = project.planning(SourceText(path: "mail-undo-\(run).yaml", text: text), from: .undo)
    guard !planning.hasErrors, let plan = planning.plan else {
      var error = UseCaseError(
        .planUnavailable, .init("this cannot be undone now", de: "das lässt sich jetzt nicht rückgängig machen"))
      (error.planning, error.recipe) = (planning, "mail-undo")
      throw error
    }
    try project.openSecrets(for: plan)
    let request = RunRequest(id: id ?? .new(), inputs: inputs, trigger: "undo")
    return try await self.run(CheckedOrder(plan: plan, requests: [request]))
  }
}
