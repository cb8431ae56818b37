import Engine
import Expressions
import Localization
import Recipes

/// Checks the map of `expect` against what a run has done.
struct Expectation {
  private var matching: Matching
  private let facts: RunFacts
  private let plan: Plan

  /// What was not met, or is wrong with the expectation itself.
  var diagnostics: [Diagnostic] { matching.diagnostics }

  init(_ plan: Plan, _ facts: RunFacts, path: String) {
    self.plan = plan
    self.facts = facts
    matching = Matching(path: path)
  }

  /// Checks everything that is expected.
  mutating func check(_ node: Node) {
    guard let map = known(node, "expect", ["status", "error", "outputs", "steps", "calls"]) else { return }
    let status = facts.result?.status.rawValue ?? ""
    if let wanted = map["status"] {
      compareWord(status, wanted, "status", RunStatus.allCases.map(\.rawValue))
    } else if status != RunStatus.succeeded.rawValue, map["error"] == nil {
      matching.fail(failedText, at: node.range)
    }
    if let error = map["error"] { check(failure: facts.result?.failure, error, "error") }
    if let outputs = map["outputs"] {
      let actual = (facts.result?.outputs ?? .null).plain
      if let mapping = outputs.mapping {
        for entry in mapping.entries {
          if let value = actual[entry.name] {
            matching.compare(value, entry.value, "outputs.\(entry.name)")
          } else {
            let names = plan.outputs.map(\.name)
            matching.fail(
              .init("there is no output '\(entry.name)'", de: "es gibt keine Ausgabe '\(entry.name)'"),
              at: entry.nameRange, suggestion: Suggestion.closest(to: entry.name, among: names))
          }
        }
      } else {
        matching.compare(actual, outputs, "outputs")
      }
    }
    if let steps = map["steps"], let mapping = known(steps, "steps", nil) {
      for entry in mapping.entries { check(step: entry) }
    }
    if let calls = map["calls"] {
      matching.compare(.list(facts.callOrder.map { .string($0) }), calls, "calls")
    }
  }

  private var failedText: LocalizedText {
    let status = facts.result?.status.rawValue ?? ""
    let reason = facts.result?.failure?.message ?? LocalizedText(verbatim: "")
    return LocalizedText("the run ended as \(status): ", de: "der Lauf endete als \(status): ") + reason
  }

  private mutating func check(step entry: Node.Mapping.Entry) {
    let place = "steps.\(entry.name)"
    guard let position = plan.steps.firstIndex(where: { $0.id == entry.name }) else {
      matching.fail(
        .init("unknown step '\(entry.name)'", de: "unbekannter Schritt '\(entry.name)'"), at: entry.nameRange,
        suggestion: Suggestion.closest(to: entry.name, among: plan.steps.map(\.id)))
      return
    }
    let keys = ["status", "error", "output", "input", "inputs", "attempts", "calls", "delays", "items"]
    guard let map = known(entry.value, place, keys) else { return }
    let step = facts.steps[position]
    let calls = facts.calls.filter { $0.step == entry.name }
    if let node = map["status"] {
      compareWord(step.status.rawValue, node, "\(place).status", StepStatus.allCases.map(\.rawValue))
    }
    if let node = map["error"] { check(failure: step.failure, node, "\(place).error") }
    if let node = map["output"] { matching.compare(step.output.plain, node, "\(place).output") }
    if let node = map["input"] {
      if let last = calls.last {
        matching.compare(last.input.plain, node, "\(place).input")
      } else {
        matching.fail(.init("\(place) was not called", de: "\(place) wurde nicht aufgerufen"), at: node.range)
      }
    }
    if let node = map["inputs"] {
      let firsts = calls.filter { $0.attempt == 1 }.sorted { ($0.item ?? 0) < ($1.item ?? 0) }
      matching.compare(.list(firsts.map(\.input.plain)), node, "\(place).inputs")
    }
    if let node = map["attempts"] {
      if node.sequence != nil {
        let items = Dictionary(grouping: step.attempts) { attempt in attempt.item ?? 0 }
        let counts = items.sorted { $0.key < $1.key }.map { Value.int(Int64($0.value.count)) }
        matching.compare(.list(counts), node, "\(place).attempts")
      } else {
        matching.compare(.int(Int64(step.attempts.count)), node, "\(place).attempts")
      }
    }
    if let node = map["calls"] { matching.compare(.int(Int64(calls.count)), node, "\(place).calls") }
    if let node = map["items"] {
      matching.compare(step.itemCount.map { .int(Int64($0)) } ?? .null, node, "\(place).items")
    }
    if let node = map["delays"] { check(delays: step, node, "\(place).delays") }
  }

  private mutating func check(delays step: RunFacts.Step, _ node: Node, _ place: String) {
    let delays = step.attempts.sorted { ($0.item ?? 0, $0.end.number) < ($1.item ?? 0, $1.end.number) }
      .compactMap(\.end.retryDelay)
    let wanted = (node.sequence ?? [node]).map(\.duration)
    guard !wanted.contains(nil) else {
      matching.fail(
        .init("'delays' is a list of durations", de: "'delays' ist eine Liste von Dauern"), at: node.range)
      return
    }
    let isEqual =
      delays.count == wanted.count && zip(delays, wanted).allSatisfy { abs($0 - ($1 ?? -1)) < 0.0005 }
    if !isEqual {
      let text = delays.map { "\(($0 * 1000).rounded() / 1000)s" }.joined(separator: ", ")
      matching.fail(
        .init("the pauses of \(place) are [\(text)]", de: "die Pausen von \(place) sind [\(text)]"), at: node.range)
    }
  }

  private mutating func check(failure: ActionFailure?, _ node: Node, _ place: String) {
    guard let failure else {
      if !node.isNull {
        matching.fail(.init("\(place): there is none", de: "\(place): es gibt keinen"), at: node.range)
      }
      return
    }
    if node.string != nil {
      compareWord(failure.kind.rawValue, node, place, ActionFailure.Kind.all.map(\.rawValue))
    } else if let map = known(node, place, ["kind", "message"]) {
      if let kind = map["kind"] {
        compareWord(failure.kind.rawValue, kind, "\(place).kind", ActionFailure.Kind.all.map(\.rawValue))
      }
      if let message = map["message"] {
        matching.compare(.string(failure.message.english), message, "\(place).message")
      }
    }
  }

  private mutating func compareWord(_ actual: String, _ node: Node, _ place: String, _ words: [String]) {
    if let word = node.string, !words.contains(word) {
      matching.fail(
        .init(
          "'\(place)' must be one of \(words.joined(separator: ", "))",
          de: "'\(place)' muss eines von \(words.joined(separator: ", ")) sein"),
        at: node.range, suggestion: Suggestion.closest(to: word, among: words))
      return
    }
    if node.value != .string(actual), let failure = facts.result?.failure, place == "status" {
      matching.fail(
        LocalizedText("status is \(actual): ", de: "status ist \(actual): ") + failure.message, at: node.range)
    } else {
      matching.compare(.string(actual), node, place)
    }
  }

  private mutating func known(_ node: Node, _ field: String, _ keys: [String]?) -> Node.Mapping? {
    guard let mapping = node.mapping else {
      matching.fail(.init("'\(field)' must be a map", de: "'\(field)' muss eine Map sein"), at: node.range)
      return nil
    }
    for entry in mapping.entries {
      guard let keys, !keys.contains(entry.name) else { continue }
      matching.fail(
        .init("unknown key '\(entry.name)' in '\(field)'", de: "unbekannter Schlüssel '\(entry.name)' in '\(field)'"),
        at: entry.nameRange, suggestion: Suggestion.closest(to: entry.name, among: keys))
    }
    return mapping
  }
}

extension Value {
  /// The value as a file can hold it: times and durations are texts.
  fileprivate var plain: Value { (try? Value(json: json())) ?? self }
}
