import Expressions
import Localization
import Recipes

/// Checks the answers of a test against the actions they stand for.
enum Fixtures {
  /// What is wrong: unknown steps, outputs that the action's schema refuses.
  static func problems(_ scripts: [StepScript], _ plan: Plan, path: String) -> [Diagnostic] {
    var problems: [Diagnostic] = []
    for script in scripts {
      guard let step = plan.steps.first(where: { $0.id == script.step.value }) else {
        let guess = Suggestion.closest(to: script.step.value, among: plan.steps.map(\.id))
        problems.append(
          Diagnostic(
            .unknownStep,
            LocalizedText("unknown step '\(script.step.value)'", de: "unbekannter Schritt '\(script.step.value)'")
              + (guess.map { Suggestion.text(suggesting: $0) } ?? LocalizedText(verbatim: "")),
            path: path, range: script.step.range, suggestion: guess))
        continue
      }
      if script.isNested {
        if let child = step.child {
          problems += Self.problems(script.nested, child, path: path)
        } else {
          problems.append(
            Diagnostic(
              .conflictingKeys,
              .init("'\(step.id)' runs no recipe of its own", de: "'\(step.id)' führt kein Rezept aus"), path: path,
              range: script.step.range))
        }
      }
      if !script.items.isEmpty, step.loop == nil {
        problems.append(
          Diagnostic(
            .conflictingKeys, .init("'\(step.id)' has no for_each", de: "'\(step.id)' hat kein for_each"), path: path,
            range: script.step.range))
      }
      for answer in script.all {
        guard case .output(let node) = answer.end else { continue }
        for violation in step.action.output.validate(node.value) {
          let place = violation.path.isEmpty ? "" : " \(violation.pathText)"
          problems.append(
            Diagnostic(
              violation.code,
              LocalizedText(
                "'\(step.action.name)' cannot answer this:\(place) ",
                de: "'\(step.action.name)' kann so nicht antworten:\(place) ")
                + violation.message,
              path: path, range: node.range(at: violation.path), suggestion: violation.suggestion))
        }
      }
    }
    return problems
  }

  /// The plan with steps that run recipes turned into plain calls where a test answers for the whole recipe.
  static func replacing(_ plan: Plan, _ scripts: [StepScript]) -> Plan {
    var plan = plan
    for index in plan.steps.indices {
      guard let child = plan.steps[index].child else { continue }
      guard let script = scripts.first(where: { $0.step.value == plan.steps[index].id }) else { continue }
      if script.isNested {
        plan.steps[index].child = replacing(child, script.nested)
      } else {
        plan.steps[index].child = nil
        plan.steps[index].retry = RetryPolicy(attempts: 1)
      }
    }
    return plan
  }
}

extension Node {
  /// The place that a path leads to, as far as it can be followed.
  fileprivate func range(at path: [SchemaViolation.PathElement]) -> SourceRange {
    var node = self
    for element in path {
      switch (element, node.content) {
      case (.key(let name), .mapping(let mapping)):
        guard let next = mapping[name] else { return node.range }
        node = next
      case (.index(let index), .sequence(let elements)) where elements.indices.contains(index): node = elements[index]
      default: return node.range
      }
    }
    return node.range
  }
}
