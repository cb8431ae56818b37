import Expressions
import Localization
import Plans
import RecipeModel
public import RecipeSyntax
import Schemas

/// Checks what the tests of a file say against the recipe they are of.
struct SuiteCheck {
  let fields: FieldReader

  /// Reports everything in a test that the recipe has no place for.
  func check(_ test: TestCase, _ plan: Plan) {
    check(test.scripts, plan)
    check(inputsOf: test, plan)
    for (name, _) in test.keywords where !plan.keywordNames.contains(name.value) {
      fields.report(
        .unknownKeyword,
        LocalizedText(
          "the recipe has no keyword '\(name.value)'", de: "das Rezept hat kein Schlüsselwort '\(name.value)'"),
        at: name.range, suggestion: fields.suggestion(for: name.value, among: plan.keywordNames))
    }
    if let expectation = test.expectation { check(expectation, plan) }
  }

  // MARK: What a run starts from

  private func check(inputsOf test: TestCase, _ plan: Plan) {
    for (name, node) in test.inputs {
      guard let input = plan.inputs.first(where: { $0.name == name.value }) else {
        fields.report(
          .unknownInput,
          LocalizedText("the recipe has no input '\(name.value)'", de: "das Rezept hat keine Eingabe '\(name.value)'"),
          at: name.range, suggestion: fields.suggestion(for: name.value, among: plan.inputs.map(\.name)))
        continue
      }
      for violation in input.schema.validate(node.value) {
        let place = violation.path.isEmpty ? name.value : "\(name.value) (\(violation.pathText))"
        report(
          violation, LocalizedText("input '\(place)' ", de: "Eingabe '\(place)' ") + violation.message, in: node)
      }
    }
    let given = Set(test.inputs.map(\.name.value))
    for input in plan.inputs
    where input.isRequired && input.schema.document["default"] == nil && !given.contains(input.name) {
      fields.report(
        .missingKey,
        .init("the recipe needs the input '\(input.name)'", de: "das Rezept braucht die Eingabe '\(input.name)'"),
        at: test.inputsRange ?? test.name.range)
    }
  }

  // MARK: Answers

  private func check(_ scripts: [StepScript], _ plan: Plan) {
    for script in scripts {
      guard let step = step(script.step, plan) else { continue }
      if script.isNested {
        if let child = step.child {
          for scripts in script.nested.flatMap({ $0 }) { check(scripts, child) }
          checkForms(of: script.allNested)
        } else {
          fields.report(
            .conflictingKeys,
            .init(
              "'\(step.id)' is not a block and runs no recipe of its own",
              de: "'\(step.id)' ist kein Block und führt kein Rezept aus"),
            at: script.step.range)
        }
      }
      if script.hasItems { checkLoop(step, at: script.step.range) }
      // What a filter's step is answered with are the messages of its search.
      let action = step.selection?.search ?? step.action
      for answer in script.all {
        guard let node = answer.output else { continue }
        var value = node.value
        // One page is enough to say what messages there are.
        if step.selection != nil, case .map(var page) = value, page["cursor"] == nil {
          page["cursor"] = .null
          value = .map(page)
        }
        for violation in action.output.validate(action.output.fillingDefaults(value)) {
          let place = violation.path.isEmpty ? "" : " \(violation.pathText)"
          report(
            violation,
            LocalizedText(
              "'\(action.name)' cannot answer this:\(place) ",
              de: "'\(action.name)' kann so nicht antworten:\(place) ") + violation.message, in: node)
        }
      }
    }
  }

  /// Reports a step that is answered as a whole in one run of its block and step by step in another one.
  private func checkForms(of scripts: [StepScript]) {
    for (id, forms) in Dictionary(grouping: scripts, by: { $0.step.value }).sorted(by: { $0.key < $1.key }) {
      guard let whole = forms.first(where: { !$0.isNested }), forms.contains(where: { $0.isNested }) else { continue }
      fields.report(
        .conflictingKeys,
        .init(
          "'\(id)' is answered as a whole here, and with 'steps' in another item or repetition; use one form for all",
          de:
            "'\(id)' wird hier als Ganzes beantwortet und in einem anderen Element oder einer anderen Wiederholung mit 'steps'; "
            + "eine Form für alle verwenden"),
        at: whole.step.range)
    }
  }

  /// The plan with steps that run blocks or recipes turned into plain calls where a test answers for the whole of it.
  static func replacing(_ plan: Plan, _ scripts: [StepScript]) -> Plan {
    var plan = plan
    for index in plan.steps.indices {
      guard let child = plan.steps[index].child else { continue }
      guard let script = scripts.first(where: { $0.step.value == plan.steps[index].id }) else { continue }
      if script.isNested {
        plan.steps[index].child = replacing(child, script.allNested)
      } else {
        plan.steps[index].child = nil
        // The call takes the inputs of the recipe alone, as `with: { inputs: … }` has them; a block has none that its author wrote.
        plan.steps[index].action.input = Schema(
          document: child.block == nil ? plan.steps[index].action.input.document["properties"]?["inputs"] ?? [:] : [:])
        plan.steps[index].retry = RetryPolicy(attempts: 1)
      }
    }
    return plan
  }

  // MARK: Expectations

  private func check(_ expectation: Expectation, _ plan: Plan) {
    let outputs = plan.outputs.map(\.name)
    for entry in expectation.outputs where !outputs.contains(entry.name) {
      fields.report(
        .unknownOutput,
        LocalizedText("the recipe has no output '\(entry.name)'", de: "das Rezept hat keine Ausgabe '\(entry.name)'"),
        at: entry.nameRange, suggestion: fields.suggestion(for: entry.name, among: outputs))
    }
    check(expectation.steps, plan)
    if let calls = expectation.calls {
      for name in names(in: calls) { _ = step(name, plan) }
    }
  }

  private func check(_ expectations: [Expectation.Step], _ plan: Plan) {
    for expected in expectations {
      guard let step = step(expected.step, plan) else { continue }
      if let items = expected.items, !items.isNull { checkLoop(step, at: items.range) }
      guard !expected.steps.isEmpty else { continue }
      if let child = step.child {
        check(expected.steps, child)
      } else {
        fields.report(
          .conflictingKeys,
          .init(
            "'\(step.id)' is not a block and runs no recipe: it has no steps",
            de: "'\(step.id)' ist kein Block und führt kein Rezept aus: Schritte hat es nicht"),
          at: expected.step.range)
      }
    }
  }

  /// The names of steps that `calls` speaks of.
  private func names(in node: Node) -> [Located<String>] {
    if let mapping = node.mapping {
      return ["equals", "contains"].compactMap { mapping[$0] }.flatMap { names(in: $0) }
    }
    if let elements = node.sequence { return elements.flatMap { names(in: $0) } }
    return node.string.map { [Located($0, at: node.range)] } ?? []
  }

  // MARK: Reporting

  private func step(_ name: Located<String>, _ plan: Plan) -> PlanStep? {
    if let step = plan.steps.first(where: { $0.id == name.value }) { return step }
    fields.report(
      .unknownStep, LocalizedText("unknown step '\(name.value)'", de: "unbekannter Schritt '\(name.value)'"),
      at: name.range, suggestion: fields.suggestion(for: name.value, among: plan.steps.map(\.id)))
    return nil
  }

  private func checkLoop(_ step: PlanStep, at range: SourceRange) {
    guard step.loop == nil else { return }
    fields.report(
      .conflictingKeys, .init("'\(step.id)' has no for_each", de: "'\(step.id)' hat kein for_each"), at: range)
  }

  private func report(_ violation: SchemaViolation, _ message: LocalizedText, in node: Node) {
    let range = NodePath.find(violation.path, in: node, atKey: violation.code == .unknownKey).range
    // The message of a violation suggests by itself.
    fields.report(
      Diagnostic(violation.code, message, path: fields.path, range: range, suggestion: violation.suggestion))
  }
}

extension Diagnostic.Code {
  /// An output that the recipe does not declare.
  public static let unknownOutput = Self(rawValue: "unknown_output")
}
