import Expressions
import Localization
import Plans
import TestSupport
import Testing

@testable import Engine

/// Loops of runs that are repeated: what was done belongs to an item, wherever it stands in the list.
@Suite(.timeLimit(.minutes(5))) struct LoopRepeatTests {
  private let first = RunID(rawValue: "R")
  private let second = RunID(rawValue: "S")

  /// The recipe as it was.
  private struct Original: PlanSource {
    var plan: Plan?
    func plan(of start: RunStart) async throws(ActionFailure) -> Plan {
      guard let plan else { throw .test(.notFound) }
      return plan
    }
  }

  private func engine(_ queue: MemoryQueue, _ providers: ScriptedProviders, _ original: Plan?) -> RunEngine {
    var options = RunEngine.Options()
    options.plans = Original(plan: original)
    return RunEngine(queue: queue, providers: providers, time: JumpingTime(), options: options)
  }

  private func plan(_ items: [Value], fingerprint: String = "0") -> Plan {
    var step = PlanStep.loop("each", over: 0)
    step.action = PlanStep.step("each", effect: .once).action
    step.loop?.items = .literal(.list(items))
    step.input = .map([(name: "item", value: item)])
    var plan = Plan.plan([step, .step("end", needs: [0])])
    plan.fingerprint = fingerprint
    return plan
  }

  private let item = {
    let template = try? Template("{{ item }}", in: Environment(variables: ["item": .dynamic]))
    return template.map(BoundValue.template) ?? .literal(.null)
  }()

  /// Runs a loop over a, b and c, of which b fails; then repeats it with another list.
  private func retried(
    _ items: [Value], from step: Int? = nil, original: Bool = true
  ) async throws -> (queue: MemoryQueue, requests: [ActionRequest], status: RunStatus?) {
    let queue = try MemoryQueue()
    let before = plan(["a", "b", "c"])
    let answers: [String: [ScriptedProviders.Answer]] = ["each": [.echo("item"), .failure(.test(.auth))]]
    _ = try await engine(queue, ScriptedProviders(answers), before).run(before, RunRequest(id: first))
    let providers = ScriptedProviders(["each": [.echo("item")]])
    let earlier = try await queue.snapshot(of: first)
    do {
      let result = try await engine(queue, providers, original ? before : nil).retry(
        plan(items, fingerprint: "1"), earlier, from: step, RunRequest(id: second))
      return (queue, providers.requests, result.status)
    } catch {
      #expect(error.code == .planDiffers)
      #expect(queue.runs == [first])
      #expect(providers.requests.isEmpty)
      return (queue, [], nil)
    }
  }

  @Test(
    arguments: [
      // As it was; in another order; with more; with fewer; with what has not begun changed.
      (["a", "b", "c"], ["b": "R.each.1", "c": "S.each.2"]), (["b", "c", "a"], ["b": "R.each.1", "c": "S.each.1"]),
      (["x", "a", "b", "c"], ["x": "S.each.0", "b": "R.each.1", "c": "S.each.3"]),
      (["a", "c"], ["c": "S.each.1"]), (["b", "c"], ["b": "R.each.1", "c": "S.each.1"]),
      (["a", "b", "d"], ["b": "R.each.1", "d": "S.each.2"]),
    ] as [([String], [String: String])])
  func whatWasDoneOfAnItemBelongsToItWhereverItStands(_ items: [String], _ keys: [String: String]) async throws {
    let (queue, requests, status) = try await retried(items.map(Value.string))
    #expect(status == .succeeded)
    var done: [String: String] = [:]
    for request in requests where request.step == "each" {
      done[request.input["item"]?.stringValue ?? ""] = request.key
    }
    #expect(done == keys)
    let units = try await queue.snapshot(of: second).steps[0].units.sorted { $0.item ?? 0 < $1.item ?? 0 }
    #expect(units.map { $0.output?.stringValue } == items)
  }

  @Test(arguments: [["a1", "b1", "c1"], ["a", "b1", "c"], ["x", "b", "c"], ["b1"]])
  func whereNobodyCanSayWhatIsDoneOnlyTheWholeIsDoneAnew(_ items: [String]) async throws {
    let values = items.map(Value.string)
    #expect(try await retried(values).status == nil)
    let (_, requests, status) = try await retried(values, from: 0)
    #expect(status == .succeeded)
    #expect(requests.filter { $0.step == "each" }.map(\.key) == items.indices.map { "S.each.\($0)" })
  }

  @Test(arguments: [Effect.read, .once]) func aLoopOfWhichNothingStaysBeginsAgain(_ effect: Effect) async throws {
    var step = PlanStep.loop("each", over: 2)
    step.action = PlanStep.step("each", effect: effect).action
    var back = PlanStep.loop("back", over: 2)
    back.phase = .undo(of: 0)
    back.needs = [0, 1]
    let plan = Plan.plan([step, .step("end", needs: [0]), back])
    let queue = try MemoryQueue()
    // Of what only reads, the first item fails; what has effects is undone as a whole.
    let answers: [String: [ScriptedProviders.Answer]] =
      effect == .read ? ["each": [.failure(.test(.auth))]] : ["end": [.failure(.test(.auth))]]
    _ = try await engine(queue, ScriptedProviders(answers), plan).run(plan, RunRequest(id: first))
    let providers = ScriptedProviders()
    let result = try await engine(queue, providers, plan).retry(
      plan, queue.snapshot(of: first), from: nil, RunRequest(id: second))
    #expect(result.status == .succeeded)
    #expect(providers.requests.map(\.key) == ["S.each.0", "S.each.1", "S.end"])
  }

  @Test func aRecipeThatCannotBePlannedAnyMoreTellsNothingOfItsLists() async throws {
    #expect(try await retried(["a", "b", "c"], original: false).status == nil)
    #expect(try await retried(["a", "b", "c"], from: 0, original: false).status == .succeeded)
  }

  @Test func aLoopThatSucceededKeepsItsListOrIsDoneAnew() async throws {
    let queue = try MemoryQueue()
    let before = plan(["a", "b"])
    _ = try await engine(queue, ScriptedProviders(["end": [.failure(.test(.auth))]]), before).run(
      before, RunRequest(id: first))
    let earlier = try await queue.snapshot(of: first)
    let providers = ScriptedProviders()
    await #expect(throws: EngineError(.planDiffers, LocalizedText(verbatim: ""))) {
      try await engine(queue, providers, before).retry(
        plan(["a", "c"], fingerprint: "1"), earlier, from: nil, RunRequest(id: second))
    }
    #expect(queue.runs == [first])
    _ = try await engine(queue, providers, before).retry(
      plan(["a", "b"], fingerprint: "1"), earlier, from: nil, RunRequest(id: second))
    #expect(providers.requests.map(\.step) == ["end"])
  }

  @Test func aListThatDependsOnTheTimeStaysAsItWas() async throws {
    var plan = plan([])
    // Another one a day later.
    let list = try Template("{{ [string(now()), 'b'] }}", in: Environment(variables: [:]))
    plan.steps[0].loop?.items = .template(list)
    let queue = try MemoryQueue()
    let time = JumpingTime()
    let options = RunEngine.Options()
    let answers: [String: [ScriptedProviders.Answer]] = ["each": [.echo("item"), .failure(.test(.auth))]]
    _ = try await RunEngine(queue: queue, providers: ScriptedProviders(answers), time: time, options: options).run(
      plan, RunRequest(id: first))
    time.pass(86_400)
    let before = queue.boundaries.count
    let providers = ScriptedProviders()
    let earlier = try await queue.snapshot(of: first)
    _ = try await RunEngine(queue: queue, providers: providers, time: time, options: options).retry(
      plan, earlier, from: nil, RunRequest(id: second))
    #expect(providers.requests.map(\.key) == ["R.each.1", "S.end"])
    // So it does wherever the retry is left.
    for count in queue.boundaries.dropFirst(before).dropLast() {
      let left = try await MemoryQueue(Array(queue.entries.prefix(count)))
      let result = try? await RunEngine(
        queue: left, providers: ScriptedProviders(), time: time, options: options
      ).resume(plan, left.snapshot(of: second))
      #expect(result != nil)
    }
  }

  @Test func aLoopThatWasNoneIsNotTakenForOne() async throws {
    let queue = try MemoryQueue()
    var before = plan([])
    before.steps[0].loop = nil
    before.steps[0].input = .literal(.map([:]))
    let answers: [String: [ScriptedProviders.Answer]] = ["end": [.failure(.test(.auth))]]
    _ = try await engine(queue, ScriptedProviders(answers), before).run(before, RunRequest(id: first))
    let earlier = try await queue.snapshot(of: first)
    await #expect(throws: EngineError(.planDiffers, LocalizedText(verbatim: ""))) {
      try await engine(queue, ScriptedProviders(), before).retry(
        plan(["a"], fingerprint: "1"), earlier, from: nil, RunRequest(id: second))
    }
    #expect(queue.runs == [first])
  }

  // MARK: - Recipes in recipes

  /// A recipe of which nobody can say what was done fails its step and stays known, until it is begun anew.
  @Test(arguments: [true, false]) func aRecipeThatCannotBeRepeatedFailsItsStep(hasOtherSteps: Bool) async throws {
    let queue = try MemoryQueue()
    let before = plan(["a", "b", "c"])
    let answers: [String: [ScriptedProviders.Answer]] = ["each": [.echo("item"), .failure(.test(.auth))]]
    let family = { Plan.plan([.step("first"), .child("sub", $0, needs: [0])]) }
    _ = try await engine(queue, ScriptedProviders(answers), before).run(family(before), RunRequest(id: first))
    let child = try #require(queue.runs.last)
    var mended = plan(["a1", "b1", "c1"], fingerprint: "1")
    if hasOtherSteps { mended.steps[1].id = "last" }
    let providers = ScriptedProviders()
    let later = engine(queue, providers, hasOtherSteps ? nil : before)
    var earlier = try await queue.snapshot(of: first)
    for id in [second, RunID(rawValue: "T")] {
      let result = try await later.retry(family(mended), earlier, from: nil, RunRequest(id: id))
      #expect(result.status == .failed)
      #expect(result.failure?.kind == .invalidInput)
      #expect(providers.requests.isEmpty)
      earlier = try await queue.snapshot(of: id)
      // Nothing that was noted is lost, and it is known what is to be repeated.
      #expect(earlier.steps[0].status == .succeeded)
      let last = try #require(earlier.steps[1].units.first?.lastAttempt)
      #expect(last.key == child.rawValue)
      #expect(last.endedAt != nil)
      let said = result.failure.map { $0.message.english + ($0.advice?.english ?? "") } ?? ""
      #expect(said.contains("'sous retry \(id) --from sub'"))
    }
    let result = try await later.retry(family(mended), earlier, from: 1, RunRequest(id: RunID(rawValue: "U")))
    #expect(result.status == .succeeded)
  }

  // MARK: - Runs that cannot go on

  @Test func aRunThatDoesNotFitItsRecipeCanBeCalledOff() async throws {
    let queue = try MemoryQueue()
    let before = plan(["a", "b", "c"])
    _ = try await engine(queue, ScriptedProviders(["each": [.output(["n": 1])]]), before).run(
      before, RunRequest(id: first))
    // As it was left in the loop.
    let left = try await MemoryQueue(Array(queue.entries.prefix(queue.boundaries[2])))
    let snapshot = try await left.snapshot(of: first)
    let engine = engine(left, ScriptedProviders(), before)
    await #expect(throws: EngineError(.planDiffers, LocalizedText(verbatim: ""))) {
      try await engine.resume(plan(["a"]), snapshot)
    }
    let control = CancelToken()
    control.cancel()
    let result = try await engine.resume(plan(["a"]), snapshot, control: control)
    #expect(result.status == .cancelled)
    #expect(left.status(of: first) == .cancelled)
  }
}
