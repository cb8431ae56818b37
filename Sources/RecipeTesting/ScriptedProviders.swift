import Builtins
import Engine
import Expressions
import Localization
import Plans
import Providers
import RecipeModel
import RecipeSyntax
import Schemas
import Synchronization

/// Gives the messages that a test says a search finds.
private struct Mailbox: StepProvider {
  let messages: Value

  func perform(_ request: ActionRequest, reporter: any ActionReporter) async throws(ActionFailure) -> Value { messages }

  func verify(_ request: ActionRequest, reporter: any ActionReporter) async throws(ActionFailure) -> Verdict {
    .unknown
  }
}

/// The answers for one step.
private struct StepAnswers: StepProvider {
  let providers: ScriptedProviders
  let use: ProviderUse

  func perform(_ request: ActionRequest, reporter: any ActionReporter) async throws(ActionFailure) -> Value {
    try await providers.perform(request, for: use, reporter: reporter)
  }

  func verify(_ request: ActionRequest, reporter: any ActionReporter) async throws(ActionFailure) -> Verdict {
    try await providers.verify(request, reporter: reporter)
  }
}

/// Answers calls as a test says; what no test speaks of is a failure, except for built-in actions that only compute.
final class ScriptedProviders: ProviderDirectory, StepProvider {
  /// One call.
  struct Call: Sendable {
    var run: RunID
    var step: String
    var item: Int?
    var attempt: Int
    var input: Value
  }

  private struct State {
    var scripts: [RunID: (plan: Plan, scripts: [StepScript])] = [:]
    /// Which item and repetition of a step the run of a block or recipe is for.
    var places: [RunID: (item: Int?, number: Int)] = [:]
    var calls: [Call] = []
    var unanswered: [String] = []
  }

  /// All that `mail.claim` asks for: in a test nothing was copied before.
  private static func claimed(_ input: Value) -> Value {
    let wanted = Set((input["uids"]?.listValue ?? []).compactMap(\.stringValue))
    let pairs = zip(input["of"]?.listValue ?? [], input["keys"]?.listValue ?? []).filter { uid, _ in
      wanted.contains(uid.stringValue ?? "")
    }
    return [
      "uids": .list(pairs.map(\.0)), "keys": .list(pairs.map(\.1).filter { $0.stringValue?.isEmpty == false }),
      "rest": input["uids"] ?? [],
    ]
  }

  private let state = Mutex(State())
  private let actual: BuiltinActions
  let time: VirtualTime

  init(builtins: BuiltinActions, time: VirtualTime) {
    actual = builtins
    self.time = time
  }

  /// The calls in the order in which they began.
  var calls: [Call] { state.withLock { $0.calls } }
  /// The steps that were called without an answer, each once.
  var unanswered: [String] { state.withLock { $0.unanswered } }

  var builtins: any StepProvider { self }

  func provider(named name: String) async throws(ActionFailure) -> any StepProvider { self }

  func provider(named name: String, for use: ProviderUse) async throws(ActionFailure) -> any StepProvider {
    ChatProvider(base: StepAnswers(providers: self, use: use))
  }

  /// A step of a run, and what the test says of it.
  func script(of run: RunID, at position: Int) -> (step: PlanStep, script: StepScript)? {
    state.withLock { state in
      guard let known = state.scripts[run], known.plan.steps.indices.contains(position) else { return nil }
      let step = known.plan.steps[position]
      return known.scripts.first { $0.step.value == step.id }.map { (step, $0) }
    }
  }

  /// Says how the steps of a run are answered.
  func expect(_ run: RunID, plan: Plan, scripts: [StepScript]) {
    state.withLock { $0.scripts[run] = (plan, scripts) }
  }

  /// A step is about to begin a run of its block or recipe.
  func expect(_ run: RunID, item: Int?, number: Int) { state.withLock { $0.places[run] = (item, number) } }

  /// A run of a block or recipe that a step of another run has started.
  func expect(_ run: RunID, startedBy trigger: String) {
    state.withLock { state in
      guard let dot = trigger.firstIndex(of: "."),
        let parent = state.scripts[RunID(rawValue: String(trigger[..<dot]))]
      else { return }
      let step = String(trigger[trigger.index(after: dot)...])
      guard let plan = parent.plan.steps.first(where: { $0.id == step })?.child else { return }
      let place = state.places[run]
      let script = parent.scripts.first { $0.step.value == step }
      state.scripts[run] = (plan, script?.nested(item: place?.item, number: place?.number ?? 1) ?? [])
    }
  }

  func perform(_ request: ActionRequest, reporter: any ActionReporter) async throws(ActionFailure) -> Value {
    try await perform(request, for: nil, reporter: reporter)
  }

  fileprivate func perform(
    _ request: ActionRequest, for use: ProviderUse?, reporter: any ActionReporter
  ) async throws(ActionFailure) -> Value {
    let (script, step) = state.withLock { state in
      state.calls.append(
        Call(
          run: request.run, step: request.step, item: request.item, attempt: request.attempt, input: request.input))
      let known = state.scripts[request.run]
      return (
        known?.scripts.first { $0.step.value == request.step }, known?.plan.steps.first { $0.id == request.step }
      )
    }
    guard let answer = script?.answer(item: request.item, attempt: request.attempt) else {
      if let action = step?.action, action.isBuiltin,
        action.effect == .pure || ActionSignature.ofSends.contains(action.name)
      {
        return try await actual.perform(request, reporter: reporter)
      }
      // Steps by which filters and undos record what they did: a test need not stub them.
      if let action = step?.action, action.isBuiltin {
        if step?.isRecord == true || action.name == "mail.returned" { return .map([:]) }
        if action.name == ActionSignature.claim.name { return Self.claimed(request.input) }
      }
      state.withLock { state in
        if !state.unanswered.contains(request.step) { state.unanswered.append(request.step) }
      }
      throw ActionFailure(
        .unsupported,
        .init(
          "the test has no answer for step '\(request.step)'",
          de: "der Test hat keine Antwort für Schritt '\(request.step)'"))
    }
    do {
      let output = try await end(answer)
      guard let use, let selection = use.step.selection else {
        return step?.action.output.fillingDefaults(output) ?? output
      }
      // The test says what messages there are, and what the rules make of them is what it is about.
      let sorting = MessageSorting(
        selection, bindings: use.bindings, store: Mailbox(messages: output), provider: use.step.providers.first)
      return try await actual.sorting(sorting).perform(request, reporter: reporter)
    } catch {
      // The engine asks apart from the run's tasks what became of it; see ``VirtualTime``.
      if step?.action.effect == .once, error.kind.leavesEffectOpen {
        time.hold(Self.hold(request.run, request.step, request.item))
      }
      throw error
    }
  }

  func verify(_ request: ActionRequest, reporter: any ActionReporter) async throws(ActionFailure) -> Verdict {
    let script = state.withLock { state in
      state.scripts[request.run]?.scripts.first { $0.step.value == request.step }
    }
    let answer = script?.answer(item: request.item, attempt: request.attempt)
    switch answer?.verification {
    case .done: return .done(output: answer?.verified?.value ?? .map([:]))
    case .notDone: return .notDone
    case .unknown, nil: return .unknown
    }
  }

  /// The name of the hold for an attempt that is being settled.
  static func hold(_ run: RunID, _ step: String, _ item: Int?) -> String {
    "\(run).\(step).\(item.map(String.init) ?? "")"
  }

  private func end(_ answer: CannedAnswer) async throws(ActionFailure) -> Value {
    do {
      if answer.after > 0 { try await time.sleep(seconds: answer.after) }
      if case .hang = answer.end { try await time.sleep(seconds: 3.2e9) }
    } catch {
      throw ActionFailure(.cancelled, .init("cancelled", de: "abgebrochen"))
    }
    switch answer.end {
    case .output(let node): return node.value
    case .failure(let failure): throw failure
    case .hang: throw ActionFailure(.timeout, .init("no answer", de: "keine Antwort"))
    }
  }
}
