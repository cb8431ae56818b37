import Engine
import Expressions
import Localization
import Plans
import TestSupport
import Testing

/// Steps with `repeat`: polled until a condition is true, also across processes.
@Suite(.timeLimit(.minutes(5))) struct StepRepetitionTests {
  private let run = RunID(rawValue: "R")

  private func engine(_ queue: MemoryQueue, _ providers: ScriptedProviders, _ time: JumpingTime) -> RunEngine {
    var options = RunEngine.Options()
    options.random = { 0.5 }
    return RunEngine(queue: queue, providers: providers, time: time, options: options)
  }

  private static func repeated(
    _ step: PlanStep, until condition: String = "output.n == 3", every: Double = 60,
    limit: PlanStep.Repetition.Limit? = nil
  ) throws -> PlanStep {
    var step = step
    let environment = Environment(variables: ["output": .dynamic, "steps": .dynamic])
    step.repetition = .init(until: try Expression(condition, in: environment), every: every, limit: limit)
    return step
  }

  private static let counting: [ScriptedProviders.Answer] = [.output(["n": 1]), .output(["n": 2]), .output(["n": 3])]

  @Test(arguments: ["output.n == 3", "steps.poll.output.n == 3 && steps.poll.status == 'succeeded'"])
  func aStepIsRepeatedUntilItsConditionIsTrue(condition: String) async throws {
    let (queue, time) = (try MemoryQueue(), JumpingTime())
    let providers = ScriptedProviders(["poll": Self.counting])
    var plan = Plan.plan([try Self.repeated(.step("poll", effect: .idempotent), until: condition)])
    plan.outputs = [
      ("n", .template(try Template("{{ steps.poll.output.n }}", in: Environment(variables: ["steps": .dynamic]))))
    ]
    let engine = engine(queue, providers, time)
    let began = time.monotonic
    let result = try await engine.follow(plan, try await engine.run(plan, RunRequest(id: run)))
    #expect(result.status == .succeeded)
    #expect(result.outputs == ["n": 3])
    #expect((120...125).contains(time.monotonic - began))
    // Each repetition is a call of its own for the other side.
    #expect(providers.requests.map(\.key) == ["R.poll", "R.poll~2", "R.poll~3"])
    #expect(providers.requests.map(\.attempt) == [1, 2, 3])
  }

  @Test func theLimitOfRepetitionsEndsTheStepWithTheLastOutput() async throws {
    let (queue, time) = (try MemoryQueue(), JumpingTime())
    let providers = ScriptedProviders(["poll": [.output(["n": 1])]])
    let plan = Plan.plan([try Self.repeated(.step("poll", effect: .read), limit: .times(4))])
    let engine = engine(queue, providers, time)
    let result = try await engine.follow(plan, try await engine.run(plan, RunRequest(id: run)))
    #expect(result.status == .failed)
    #expect(result.failure?.kind == .repeatLimit)
    #expect(queue.stepEnds().last?.failure?.output == ["n": 1])
    #expect(providers.requests.count == 4)
  }

  @Test func aLimitOfTimeBeginsNoRepetitionAfterIt() async throws {
    let (queue, time) = (try MemoryQueue(), JumpingTime())
    let providers = ScriptedProviders(["poll": [.output(["n": 1])]])
    let plan = Plan.plan([try Self.repeated(.step("poll", effect: .read), every: 5, limit: .seconds(12))])
    let engine = engine(queue, providers, time)
    let result = try await engine.follow(plan, try await engine.run(plan, RunRequest(id: run)))
    #expect(result.failure?.kind == .repeatLimit)
    #expect(providers.requests.count == 3)
  }

  @Test func eachRepetitionHasAttemptsOfItsOwn() async throws {
    let (queue, time) = (try MemoryQueue(), JumpingTime())
    let failing = ScriptedProviders.Answer.failure(.test(.server))
    let providers = ScriptedProviders([
      "poll": [failing, .output(["n": 1]), failing, .output(["n": 2]), failing, .output(["n": 3])]
    ])
    let step = PlanStep.step("poll", effect: .idempotent, retry: RetryPolicy(attempts: 2, jitter: 0))
    let plan = Plan.plan([try Self.repeated(step)])
    let engine = engine(queue, providers, time)
    let result = try await engine.follow(plan, try await engine.run(plan, RunRequest(id: run)))
    #expect(result.status == .succeeded)
    #expect(
      providers.requests.map(\.key) == ["R.poll", "R.poll", "R.poll~2", "R.poll~2", "R.poll~3", "R.poll~3"])
  }

  @Test func aConditionThatFailsEndsTheStep() async throws {
    let (queue, time) = (try MemoryQueue(), JumpingTime())
    let providers = ScriptedProviders(["poll": Self.counting])
    let plan = Plan.plan([try Self.repeated(.step("poll", effect: .read), until: "output.missing == 1")])
    let result = try await engine(queue, providers, time).run(plan, RunRequest(id: run))
    #expect(result.status == .failed)
    #expect(providers.requests.count == 1)
  }

  @Test(arguments: [60.0, 3]) func aRunThatIsCutAfterAnyEntryContinuesPauseAndCount(every: Double) async throws {
    let plan = Plan.plan([
      try Self.repeated(.step("poll", effect: .idempotent), every: every, limit: .times(3)), .step("after", needs: [0]),
    ])
    let (whole, clock) = (try MemoryQueue(), JumpingTime())
    let first = engine(whole, ScriptedProviders(["poll": Self.counting]), clock)
    let began = clock.now
    #expect(try await first.follow(plan, try await first.run(plan, RunRequest(id: run))).status == .succeeded)
    for count in whole.boundaries.dropLast() {
      let left = Array(whole.entries.prefix(count))
      let queue = try await MemoryQueue(left)
      let ended = left.count { entry in
        if case .attemptFinished(let end) = entry { end.failure?.kind == .notYet } else { false }
      }
      let done = left.contains { if case .output(_, 0, _, _) = $0 { true } else { false } }
      let time = JumpingTime()
      let providers = ScriptedProviders(["poll": Array(Self.counting.dropFirst(ended))])
      _ = try await queue.claim(run, at: began.adding(seconds: 1_000_000))
      let engine = engine(queue, providers, time)
      let result = try await engine.follow(plan, try await engine.resume(plan, queue.snapshot(of: run)))
      #expect(result.status == .succeeded, "cut after \(count)")
      #expect(providers.requests.count { $0.step == "poll" } == (done ? 0 : 3 - ended), "cut after \(count)")
    }
  }

  @Test func aRecipeIsRepeatedAsRunsOfItsOwn() async throws {
    let (queue, time) = (try MemoryQueue(), JumpingTime())
    let providers = ScriptedProviders(["look": Self.counting])
    var child = Plan.plan([.step("look", effect: .idempotent)])
    child.outputs = [
      ("n", .template(try Template("{{ steps.look.output.n }}", in: Environment(variables: ["steps": .dynamic]))))
    ]
    let plan = Plan.plan([try Self.repeated(.child("poll", child), limit: .times(3))])
    let engine = engine(queue, providers, time)
    let began = time.monotonic
    let result = try await engine.follow(plan, try await engine.run(plan, RunRequest(id: run)))
    #expect(result.status == .succeeded, "\(String(describing: result.failure))")
    #expect(Set(providers.requests.map(\.run)).count == 3)
    #expect((120...125).contains(time.monotonic - began))
  }
}
