import Engine
import Expressions
import Localization
import Plans
import RecipeModel
import RecipeSyntax
import Schemas

/// Compares what a test expects with what its run has done.
struct ExpectationCheck {
  private var matching: Matching
  private let facts: RunFacts
  private let plan: Plan

  /// What was not met.
  var diagnostics: [Diagnostic] { matching.diagnostics }

  init(_ plan: Plan, _ facts: RunFacts, path: String) {
    self.plan = plan
    self.facts = facts
    matching = Matching(path: path)
  }

  /// Compares everything that is expected.
  mutating func check(_ expected: Expectation) {
    let status = facts.result?.status.rawValue ?? ""
    if let wanted = expected.status {
      matching.compare(.string(status), wanted, "status", note: cause)
    } else if status != RunStatus.succeeded.rawValue, expected.error == nil {
      matching.differ(
        "status", expected: Value.string(RunStatus.succeeded.rawValue).briefText,
        actual: Value.string(status).briefText + note(cause), at: expected.range)
    }
    if let error = expected.error { check(facts.result?.failure, error, "error") }
    let outputs = (facts.result?.outputs ?? .null).plain
    for entry in expected.outputs {
      if let value = outputs[entry.name] {
        matching.compare(value, entry.value, "outputs.\(entry.name)")
      } else {
        // The names were checked before the run: this one could not be computed.
        matching.differ(
          "outputs.\(entry.name)", expected: entry.value.value.briefText,
          actual: LocalizedText(
            "not computed, since the run ended early", de: "nicht berechnet: der Lauf endete vorher")
            + note(cause), at: entry.nameRange)
      }
    }
    for step in expected.steps { check(step, plan, [facts], isOne: true, "steps") }
    if let calls = expected.calls {
      matching.compare(.list(facts.callOrder.map { .string($0) }), calls, "calls")
    }
  }

  /// Why the run has not succeeded: the step and its failure; `nil` where it has.
  private var cause: LocalizedText? {
    guard let result = facts.result, result.status != .succeeded else { return nil }
    let failing = facts.steps.indices.first { index in
      facts.steps[index].status == .failed && plan.steps[index].onError == .fail
    }
    let failure = failing.flatMap { facts.steps[$0].failure } ?? result.failure
    guard let failure else { return nil }
    let place = failing.map { index in
      LocalizedText("step '\(plan.steps[index].id)' failed: ", de: "Schritt '\(plan.steps[index].id)' scheiterte: ")
    }
    return (place ?? LocalizedText(verbatim: "")) + failure.words
  }

  private func note(_ cause: LocalizedText?) -> LocalizedText {
    cause.map { LocalizedText(verbatim: " (") + $0 + LocalizedText(verbatim: ")") } ?? LocalizedText(verbatim: "")
  }

  // MARK: Steps

  /// Compares a step in the runs of its recipe or block.
  ///
  /// - Parameters:
  ///   - runs: By item and repetition.
  ///   - isOne: Whether there is one run at most, so that its values are compared as they are; otherwise the lists of them are.
  private mutating func check(
    _ expected: Expectation.Step, _ plan: Plan, _ runs: [RunFacts], isOne: Bool, _ place: String
  ) {
    guard let position = plan.steps.firstIndex(where: { $0.id == expected.step.value }) else { return }
    let place = "\(place).\(expected.step.value)"
    let steps = runs.map { $0.steps[position] }
    let calls = runs.flatMap { run in run.calls.filter { $0.step == expected.step.value } }
    let failure = steps.lazy.compactMap(\.failure).first
    func value(_ values: [Value], absent: Value) -> Value { isOne ? values.first ?? absent : .list(values) }
    if let node = expected.status {
      let statuses = steps.map { Value.string($0.status.rawValue) }
      matching.compare(
        value(statuses, absent: .string(StepStatus.pending.rawValue)), node, "\(place).status", note: failure?.words)
    }
    if let error = expected.error { check(failure, error, "\(place).error") }
    if let node = expected.output {
      matching.compare(value(steps.map(\.output.plain), absent: .null), node, "\(place).output")
    }
    if let node = expected.input {
      if let last = calls.last {
        matching.compare(last.input.plain, node, "\(place).input")
      } else {
        matching.differ(
          "\(place).input", expected: node.value.briefText,
          actual: LocalizedText("the step was not called", de: "der Schritt wurde nicht aufgerufen"), at: node.range)
      }
    }
    if let node = expected.inputs {
      let firsts = runs.flatMap { run in
        run.calls.filter { $0.step == expected.step.value && $0.attempt == 1 }.sorted {
          ($0.item ?? 0) < ($1.item ?? 0)
        }
      }
      matching.compare(.list(firsts.map(\.input.plain)), node, "\(place).inputs")
    }
    if let node = expected.attempts {
      if node.sequence != nil {
        let counts = steps.flatMap { step in
          let items = Dictionary(grouping: step.attempts) { attempt in attempt.item ?? 0 }
          return items.sorted { $0.key < $1.key }.map { Value.int(Int64($0.value.count)) }
        }
        matching.compare(.list(counts), node, "\(place).attempts")
      } else {
        let count = steps.reduce(0) { $0 + $1.attempts.count }
        matching.compare(.int(Int64(count)), node, "\(place).attempts")
      }
    }
    if let node = expected.calls { matching.compare(.int(Int64(calls.count)), node, "\(place).calls") }
    if let node = expected.items {
      let counts = steps.map { step in step.itemCount.map { Value.int(Int64($0)) } ?? .null }
      matching.compare(value(counts, absent: .null), node, "\(place).items")
    }
    if let delays = expected.delays { check(delays, steps, "\(place).delays") }
    guard let child = plan.steps[position].child else { return }
    let parts = runs.flatMap { ($0.parts[position] ?? []).map(\.facts) }
    let isOne = isOne && plan.steps[position].loop == nil && plan.steps[position].repetition == nil
    for step in expected.steps { check(step, child, parts, isOne: isOne, "\(place).steps") }
  }

  private mutating func check(_ expected: Located<[Double]>, _ steps: [RunFacts.Step], _ place: String) {
    let delays = steps.flatMap { step in
      step.attempts.sorted { ($0.item ?? 0, $0.end.number) < ($1.item ?? 0, $1.end.number) }.compactMap(
        \.end.retryDelay)
    }
    let isEqual =
      delays.count == expected.value.count && zip(delays, expected.value).allSatisfy { abs($0 - $1) < 0.0005 }
    if isEqual { return }
    matching.differ(place, expected: Self.text(expected.value), actual: Self.text(delays), at: expected.range)
  }

  /// `[1s, 2.5s]`.
  private static func text(_ pauses: [Double]) -> LocalizedText {
    let texts = pauses.map { seconds in
      let rounded = (seconds * 1000).rounded() / 1000
      return rounded == rounded.rounded() ? "\(Int64(rounded))s" : "\(rounded)s"
    }
    return LocalizedText(verbatim: "[\(texts.joined(separator: ", "))]")
  }

  private mutating func check(_ failure: ActionFailure?, _ expected: Expectation.Failure, _ place: String) {
    let none = LocalizedText("no failure", de: "kein Fehlschlag")
    switch expected {
    case .none(let range):
      if let failure { matching.differ(place, expected: none, actual: failure.words, at: range) }
    case .kind(let node):
      guard let failure else {
        return matching.differ(place, expected: node.value.briefText, actual: none, at: node.range)
      }
      matching.compare(.string(failure.kind.rawValue), node, place, note: failure.message)
    case .details(let kind, let message, let range):
      guard let failure else {
        let wanted = (kind ?? message)?.value.briefText ?? LocalizedText("a failure", de: "ein Fehlschlag")
        return matching.differ(place, expected: wanted, actual: none, at: range)
      }
      if let kind {
        matching.compare(.string(failure.kind.rawValue), kind, "\(place).kind", note: failure.message)
      }
      if let message { matching.compare(.string(failure.message.english), message, "\(place).message") }
    }
  }
}

extension ActionFailure {
  /// Its kind and what happened.
  fileprivate var words: LocalizedText { LocalizedText(verbatim: kind.rawValue + ": ") + message }
}

extension Value {
  /// The value as a file can hold it: times and durations are texts.
  fileprivate var plain: Value { (try? Value(json: json())) ?? self }
}
