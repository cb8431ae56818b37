import Expressions
import Localization
import Plans
import RecipeModel
import RecipeSyntax

extension TestSuiteReader {
  /// What a test expects.
  func expectation(_ node: Node) -> Expectation? {
    guard let map = map(node, "expect", .expectation) else { return nil }
    var expectation = Expectation(range: node.range)
    expectation.status = map["status"].flatMap { status($0, in: .expectation) }
    expectation.error = map["error"].flatMap { failure(expected: $0) }
    if let outputs = map["outputs"] {
      expectation.outputs = fields.map(outputs, "outputs", keys: nil)?.entries ?? []
      for entry in expectation.outputs { checkMatchers(entry.value) }
    }
    if let calls = map["calls"] {
      for element in calls.sequence ?? [] where !isMatcher(element) { _ = fields.string(element, "calls") }
      expectation.calls = listOrMatchers(calls, "calls")
    }
    if let steps = map["steps"] {
      expectation.steps = (fields.map(steps, "steps", keys: nil)?.entries ?? []).compactMap { step($0) }
    }
    return expectation
  }

  private func step(_ entry: Node.Mapping.Entry) -> Expectation.Step {
    var step = Expectation.Step(step: Located(entry.name, at: entry.nameRange))
    guard let map = map(entry.value, "steps.\(entry.name)", .stepExpectation) else { return step }
    step.status = map["status"].flatMap { (node: Node) -> Node? in
      // The steps of a block that runs several times have one status for each run.
      guard let elements = node.sequence else { return status(node, in: .stepExpectation) }
      return elements.allSatisfy { status($0, in: .stepExpectation) != nil } ? node : nil
    }
    step.error = map["error"].flatMap { failure(expected: $0) }
    for node in [map["output"], map["input"]] { node.map { checkMatchers($0) } }
    step.output = map["output"]
    step.input = map["input"]
    step.inputs = map["inputs"].flatMap { listOrMatchers($0, "inputs") }
    step.calls = map["calls"].flatMap { count($0, "calls") }
    if let attempts = map["attempts"] {
      if let elements = attempts.sequence {
        step.attempts = elements.allSatisfy { count($0, "attempts") != nil } ? attempts : nil
      } else {
        step.attempts = count(attempts, "attempts")
      }
    }
    step.items = map["items"].flatMap { (node: Node) -> Node? in
      guard let elements = node.sequence else { return node.isNull ? node : count(node, "items") }
      return elements.allSatisfy { $0.isNull || count($0, "items") != nil } ? node : nil
    }
    if let steps = map["steps"] {
      step.steps = (fields.map(steps, "steps", keys: nil)?.entries ?? []).map { self.step($0) }
    }
    if let delays = map["delays"] {
      let seconds = (delays.sequence ?? [delays]).map { fields.duration($0, "delays", allowsZero: true) }
      if !seconds.contains(nil) { step.delays = Located(seconds.compactMap { $0 }, at: delays.range) }
    }
    return step
  }

  // MARK: Values

  private func status(_ node: Node, in name: MappingDefinition.Name) -> Node? {
    if isMatcher(node) {
      checkMatchers(node)
      return node
    }
    return word(node, "status", of: "status", in: name).map { _ in node }
  }

  private func failure(expected node: Node) -> Expectation.Failure? {
    if node.isNull { return Expectation.Failure.none(node.range) }
    if node.mapping == nil {
      return word(node, "error", of: "kind", in: .expectedError).map { _ in .kind(node) }
    }
    guard let map = map(node, "error", .expectedError) else { return nil }
    let kind = map["kind"].flatMap { kind in word(kind, "kind", of: "kind", in: .expectedError).map { _ in kind } }
    let message = map["message"]
    if let message {
      if isMatcher(message) { checkMatchers(message) } else { _ = fields.string(message, "message") }
    }
    return .details(kind: kind, message: message, node.range)
  }

  /// A number from 0, or matchers.
  private func count(_ node: Node, _ field: String) -> Node? {
    if isMatcher(node) {
      checkMatchers(node)
      return node
    }
    return fields.integer(node, field, in: 0...Int.max).map { _ in node }
  }

  private func listOrMatchers(_ node: Node, _ field: String) -> Node? {
    checkMatchers(node)
    return isMatcher(node) || fields.list(node, field) != nil ? node : nil
  }

  private func isMatcher(_ node: Node) -> Bool { node.mapping.map { Matching.isMatcher($0) } ?? false }

  // MARK: Matchers

  /// Checks the matchers of an expected value, at any depth.
  private func checkMatchers(_ node: Node) {
    if let mapping = node.mapping {
      let isMatcher = Matching.isMatcher(mapping)
      for entry in mapping.entries {
        if isMatcher { check(matcher: entry) } else { checkMatchers(entry.value) }
      }
    } else {
      for element in node.sequence ?? [] { checkMatchers(element) }
    }
  }

  private func check(matcher entry: Node.Mapping.Entry) {
    let node = entry.value
    switch entry.name {
    case "contains": checkMatchers(node)
    case "size": _ = fields.integer(node, "size", in: 0...Int.max)
    case "matches":
      guard let pattern = fields.string(node, "matches") else { return }
      do {
        _ = try Expression("''.matches(\(Value.string(pattern).jsonString))", in: Environment())
      } catch {
        for error in error.all { fields.report(.invalidValue, error.message, at: node.range) }
      }
    case "cel":
      guard let source = fields.string(node, "cel") else { return }
      do {
        _ = try Expression(source, in: Environment(variables: ["value": .dynamic]))
      } catch {
        for error in error.all {
          let range = error.range.map { fields.document.range(of: $0, in: node) } ?? node.range
          fields.report(
            Diagnostic.Code(rawValue: error.code.rawValue), error.message, at: range, suggestion: error.suggestion)
        }
      }
    default: break
    }
  }
}
