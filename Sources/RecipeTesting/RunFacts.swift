import Engine
import Expressions
import Plans

/// What a test's run has done, step by step.
struct RunFacts {
  /// One step.
  struct Step {
    var status = StepStatus.pending
    var output = Value.null
    var itemOutputs: [Int: Value] = [:]
    var itemCount: Int?
    var hasBegun = false
    var attempts: [(item: Int?, end: AttemptEnd)] = []
    var failure: ActionFailure?
    /// Whether its condition was false, rather than an earlier step failed.
    var wasLeftOut = false
  }

  /// A run of the block or recipe of a step.
  struct Part {
    var item: Int?
    /// Which run it is, or which repetition: 1 for the first.
    var number: Int
    var facts: RunFacts
  }

  var result: RunResult?
  var steps: [Step]
  /// The runs of blocks and recipes that steps have begun, by the step's position; those of a loop by item.
  var parts: [Int: [Part]] = [:]
  var calls: [ScriptedProviders.Call]

  /// Collects the facts of one run of a plan.
  init(_ plan: Plan, run: RunID, entries: [JournalEntry], calls: [ScriptedProviders.Call]) {
    steps = plan.steps.map { _ in Step() }
    self.calls = calls.filter { $0.run == run }
    var isFailing = false
    for entry in entries {
      switch entry {
      case .stepStarted(let owner, let step, let itemCount, _) where owner == run && steps.indices.contains(step):
        steps[step].hasBegun = true
        steps[step].itemCount = itemCount
      case .attemptStarted(let start)
      where start.run == run && start.kind == .recipe && plan.steps.indices.contains(start.step):
        guard let child = plan.steps[start.step].child else { continue }
        let facts = RunFacts(child, run: RunID(rawValue: start.key), entries: entries, calls: calls)
        parts[start.step, default: []].append(Part(item: start.item, number: start.number, facts: facts))
      case .attemptFinished(let end) where end.run == run && steps.indices.contains(end.step):
        steps[end.step].attempts.append((end.item, end))
      case .output(let owner, let step, let item, let value) where owner == run && steps.indices.contains(step):
        if let item { steps[step].itemOutputs[item] = value } else { steps[step].output = value }
      case .stepFinished(let end) where end.run == run && steps.indices.contains(end.step):
        steps[end.step].status = end.status
        steps[end.step].failure = end.failure
        steps[end.step].wasLeftOut = end.status == .skipped && !steps[end.step].hasBegun && !isFailing
        if end.status == .failed, plan.steps[end.step].onError == .fail { isFailing = true }
      default: break
      }
    }
    for index in parts.keys { parts[index]?.sort { ($0.item ?? 0, $0.number) < ($1.item ?? 0, $1.number) } }
    for index in steps.indices where steps[index].itemCount != nil {
      steps[index].output = .list(steps[index].itemOutputs.sorted { $0.key < $1.key }.map(\.value))
    }
  }

  /// The steps in the order in which they were first called.
  var callOrder: [String] {
    var seen: Set<String> = []
    return calls.map(\.step).filter { seen.insert($0).inserted }
  }
}
