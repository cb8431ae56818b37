import Engine
import Expressions
import Localization
import Plans
import Synchronization
import TestSupport
import Testing

/// Runs whose Sous process has ended while the program of a step still runs.
@Suite(.timeLimit(.minutes(5))) struct LeftProgramsTests {
  private let run = RunID(rawValue: "R")

  /// Programs that run until they are ended.
  private final class Programs: LeftPrograms {
    let alive: Mutex<[String: Int32]>
    let ended = Mutex<[String]>([])
    /// How often it is asked before the programs end by themselves.
    let patience = Mutex(Int.max)

    init(_ alive: [String: Int32]) { self.alive = Mutex(alive) }

    func running(key: String) async -> [Int32] { alive.withLock { $0[key] }.map { [$0] } ?? [] }

    func end(key: String) async -> [Int32] {
      ended.withLock { $0.append(key) }
      alive.withLock { $0[key] = nil }
      return []
    }

    func left() async -> [(run: RunID, process: Int32)] {
      let isOver = patience.withLock { patience in
        patience -= 1
        return patience < 0
      }
      if isOver { alive.withLock { $0 = [:] } }
      return alive.withLock { $0.map { (RunID(rawValue: String($0.key.prefix { $0 != "." })), $0.value) } }
    }
  }

  private func engine(_ queue: MemoryQueue, _ providers: ScriptedProviders, _ programs: Programs) -> RunEngine {
    var options = RunEngine.Options()
    options.programs = programs
    return RunEngine(queue: queue, providers: providers, time: JumpingTime(), options: options)
  }

  private func plan(_ effect: Effect) -> Plan {
    Plan.plan([.step("a", effect: effect, providers: []), .step("b", needs: [0])])
  }

  /// A run whose process has ended while its first step was under way.
  private func left(_ plan: Plan, _ run: RunID) async throws -> [JournalEntry] {
    let whole = try MemoryQueue()
    let none = Programs([:])
    _ = try await engine(whole, ScriptedProviders(), none).run(plan, RunRequest(id: run))
    let intent = try #require(whole.entries.firstIndex { if case .attemptStarted = $0 { true } else { false } })
    return Array(whole.entries.prefix(intent + 1))
  }

  @Test(arguments: [Effect.read, .idempotent])
  func aProgramThatMayRunAgainIsEndedBeforeItDoes(effect: Effect) async throws {
    let queue = try await MemoryQueue(left(plan(effect), run))
    let programs = Programs(["R.a": 4711])
    let providers = ScriptedProviders(["a": [.work { #expect(programs.alive.withLock { $0.isEmpty }) }]])
    let result = try await engine(queue, providers, programs).resume(plan(effect), queue.snapshot(of: run))
    #expect(result.status == .succeeded)
    #expect(programs.ended.withLock { $0 } == ["R.a"])
    #expect(providers.requests.map(\.step) == ["a", "b"])
  }

  @Test func aProgramThatMayRunOnlyOnceIsReportedAndNotEnded() async throws {
    let queue = try await MemoryQueue(left(plan(.once), run))
    let programs = Programs(["R.a": 4711])
    // The provider answers "not done", which proves nothing while the program still runs.
    let providers = ScriptedProviders(verdicts: [.success(.notDone)])
    let result = try await engine(queue, providers, programs).resume(plan(.once), queue.snapshot(of: run))
    #expect(result.status == .needsAttention)
    #expect(result.failure?.message.english.contains("process 4711") == true)
    #expect(providers.requests.isEmpty && providers.verified.isEmpty)
    #expect(programs.ended.withLock { $0 }.isEmpty)
  }

  @Test func cancellingARunEndsItsProgram() async throws {
    let queue = try await MemoryQueue(left(plan(.idempotent), run))
    let programs = Programs(["R.a": 4711])
    let control = CancelToken()
    control.cancel()
    let providers = ScriptedProviders()
    let result = try await engine(queue, providers, programs).resume(
      plan(.idempotent), queue.snapshot(of: run), control: control)
    #expect(result.status == .cancelled)
    #expect(programs.ended.withLock { $0 } == ["R.a"])
    #expect(providers.requests.isEmpty)
  }

  @Test func theNextRunOfAGroupWaitsForTheProgramOfAnEarlierOne() async throws {
    var plan = plan(.once)
    plan.concurrency = Plan.Concurrency(group: .literal(.string("deploy")), policy: .queue)
    let queue = try MemoryQueue()
    let programs = Programs(["R.a": 4711, "X.a": 4712])
    programs.patience.withLock { $0 = 3 }
    let providers = ScriptedProviders(["a": [.work { #expect(programs.alive.withLock { $0.isEmpty }) }]])
    let engine = engine(queue, providers, programs)
    try await engine.enqueue(plan, RunRequest(id: run))
    // The first run needs attention.
    let end = RunEnd(run: run, status: .needsAttention, outputs: .map([:]), at: Timestamp(seconds: 0))
    try await queue.record([.runFinished(end)], durability: .synced)
    let result = try await RunClaimLoop(engine).begin(plan, RunRequest(id: RunID(rawValue: "S")))
    #expect(result.status == .succeeded)
    #expect(programs.patience.withLock { $0 } < 0)
  }

  @Test func aRunOfAnotherGroupDoesNotWait() async throws {
    var plan = plan(.once)
    plan.concurrency = Plan.Concurrency(group: .literal(.string("deploy")), policy: .queue)
    let queue = try MemoryQueue()
    let programs = Programs(["R.a": 4711])
    let engine = engine(queue, ScriptedProviders(), programs)
    _ = try await engine.run(Plan.plan([.step("c")]), RunRequest(id: run))
    let result = try await RunClaimLoop(engine).begin(plan, RunRequest(id: RunID(rawValue: "S")))
    #expect(result.status == .succeeded)
    #expect(programs.alive.withLock { $0.count } == 1)
  }
}
