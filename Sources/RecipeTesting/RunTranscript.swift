import Engine
import Expressions
import RunStore
import Synchronization

/// The run log of a test, in memory; events and decisions come from the test's file.
final class RunTranscript: ForwardingRunQueue {
  private struct State {
    var entries: [JournalEntry] = []
    var steps: [RunID: [String]] = [:]
    var open: [RunID: Int] = [:]
  }

  private let state = Mutex(State())
  private let providers: ScriptedProviders
  private let time: VirtualTime
  let base: RunStore

  /// - Throws: `RunStoreError` if SQLite cannot create a database in memory.
  init(providers: ScriptedProviders, time: VirtualTime) throws {
    self.providers = providers
    self.time = time
    base = try RunStore(inMemory: time)
  }

  /// Everything that happened, in order.
  var entries: [JournalEntry] { state.withLock { $0.entries } }

  func record(_ entries: [JournalEntry], durability: Durability) async throws {
    try await base.record(entries, durability: durability)
    for entry in entries { note(entry) }
  }

  func answer(run: RunID, step: Int, item: Int?) async throws -> WaitAnswer? {
    try await providers.answer(run: run, step: step, item: item)
  }

  private func note(_ entry: JournalEntry) {
    state.withLock { $0.entries.append(entry) }
    switch entry {
    case .runStarted(let start):
      state.withLock { state in
        state.steps[start.run] = start.steps.map(\.id)
        state.open[start.run] = start.steps.count
      }
      providers.expect(start.run, startedBy: start.trigger)
    case .attemptStarted(let start) where start.kind == .recipe:
      providers.expect(RunID(rawValue: start.key), item: start.item, number: start.number)
    case .attemptFinished(let end):
      let step = state.withLock { $0.steps[end.run].flatMap { $0.indices.contains(end.step) ? $0[end.step] : nil } }
      time.release(ScriptedProviders.hold(end.run, step ?? "", end.item))
    case .stepFinished(let end):
      let open = state.withLock { state in
        let open = (state.open[end.run] ?? 0) - 1
        state.open[end.run] = open
        return open
      }
      // A run that has ended waits for its log, which is written apart from its tasks; see ``VirtualTime``.
      if open == 0 { time.hold(end.run.rawValue) }
    case .runFinished(let end): time.release(end.run.rawValue)
    case .runTurned, .stepStarted, .attemptStarted, .output, .log, .runParked, .waitStarted, .waitEnded, .breaker: break
    }
  }
}
