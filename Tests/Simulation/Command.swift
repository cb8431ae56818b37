import Engine
import Plans
import RunStore
import Synchronization

/// What a person types, in a process of its own: `sous retry RUN [--from STEP]` or `sous replay RUN`.
struct Command: Sendable {
  let plan: Plan
  /// The run that has ended.
  let origin: RunID
  /// The new run.
  let run: RunID
  /// The step to begin with; `nil` for what did not succeed.
  let from: Int?
  let isReplay: Bool

  /// Does what the program's command does.
  ///
  /// - Throws: `EngineError` with code `run_state` or `plan_differs` where it is refused.
  func carryOut(_ engine: RunEngine, _ queue: FaultyStore, _ time: SimulatedTime) async throws {
    let earlier = try await queue.snapshot(of: origin)
    let control = CancelToken()
    let heartbeat = RunHeartbeat(queue: queue, time: time, controls: engine.controls)
    _ = try await heartbeat.during {
      let request = RunRequest(id: run, trigger: "retry")
      if isReplay { return try await engine.replay(plan, earlier, request, control: control) }
      return try await RunClaimLoop(engine, control: control).retry(plan, earlier, from: from, request)
    }
  }
}

/// The runs of a simulation, those that repeat others included, and who is about to begin one.
final class Runs: Sendable {
  private struct State {
    var list: [Scenario.Run]
    var busy = 0
  }

  private let state: Mutex<State>

  init(_ list: [Scenario.Run]) { state = Mutex(State(list: list)) }

  var all: [Scenario.Run] { state.withLock { $0.list } }
  /// How many people are about to begin further ones.
  var busy: Int { state.withLock { $0.busy } }

  func add(_ run: Scenario.Run) { state.withLock { $0.list.append(run) } }
  func remove(_ run: RunID) { state.withLock { $0.list.removeAll { $0.id == run } } }
  func beBusy(_ count: Int) { state.withLock { $0.busy += count } }
}
