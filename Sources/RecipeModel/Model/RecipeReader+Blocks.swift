import Expressions
import Localization
import Plans
import RecipeSyntax

/// Steps that hold steps.
///
/// `if` and `switch` become a step that decides once. The steps of their branches follow it in the same list, each with the
/// condition that its branch was chosen. `steps` stay together: they run as a part of the run, once or for each item.
extension RecipeReader {
  /// The greatest depth of blocks and branches in each other.
  static let mostDepth = 16
  /// The field of a decision with the name of the branch that it took.
  package static let branch = "branch"

  /// Reads a list of steps.
  ///
  /// - Parameters:
  ///   - elements: The steps.
  ///   - field: The name of the list, for messages.
  ///   - id: The beginning of the ids of steps that have none.
  ///   - depth: The number of blocks and branches around the list.
  func steps(in elements: [Node], _ field: String, id prefix: String, depth: Int = 0) -> [Recipe.Step] {
    let steps = elements.enumerated().flatMap { position, element -> [Recipe.Step] in
      let (field, id) = ("\(field)[\(position)]", "\(prefix)_\(position + 1)")
      if element.mapping?.entry("if") != nil || element.mapping?.entry("switch") != nil {
        return decision(element, field, id: id, depth: depth)
      }
      return step(element, field, id: id, RecipeDefinitions.step, depth: depth).map { [$0] } ?? []
    }
    return withTools(steps)
  }

  /// Reads the steps of a branch or a block.
  private func innerSteps(_ entry: Node.Mapping.Entry, _ field: String, id: String, depth: Int) -> [Recipe.Step] {
    guard let elements = reader.list(entry.value, "\(field).\(entry.name)") else { return [] }
    if elements.isEmpty {
      reader.report(
        .invalidValue,
        LocalizedText("'\(entry.name)' must not be empty", de: "'\(entry.name)' darf nicht leer sein"),
        at: entry.value.range)
    }
    guard depth < Self.mostDepth else {
      reader.report(
        .tooMany,
        LocalizedText(
          "blocks and branches stand in each other at most \(Self.mostDepth) deep; move some into a recipe of their own "
            + "('uses: recipe')",
          de: "Blöcke und Zweige stehen höchstens \(Self.mostDepth) tief ineinander; einen Teil in ein eigenes Rezept "
            + "auslagern ('uses: recipe')"),
        at: entry.nameRange)
      return []
    }
    return steps(in: elements, "\(field).\(entry.name)", id: id, depth: depth + 1)
  }

  // MARK: steps

  /// Reads the steps of a block, and reports keys that only an action can have.
  func readBlock(
    _ entry: Node.Mapping.Entry, _ map: Node.Mapping, _ field: String, _ step: inout Recipe.Step, depth: Int
  ) {
    for key in ["uses", "with", "provider", "local", "prefer", "retry", "cache"] {
      guard let other = map.entry(key) else { continue }
      let remedy =
        key == "uses"
        ? LocalizedText("a step has one of the two", de: "ein Schritt hat eines von beiden")
        : LocalizedText("write it at the steps of the block", de: "es gehört zu den Schritten des Blocks")
      reader.report(
        .conflictingKeys,
        LocalizedText("'\(key)' has no meaning beside 'steps'; ", de: "'\(key)' hat neben 'steps' keinen Sinn; ")
          + remedy,
        at: other.nameRange)
    }
    step.uses = nil
    step.input = nil
    step.providers = nil
    step.retryKey = nil
    step.cache = nil
    step.block = innerSteps(entry, field, id: step.id.value, depth: depth)
  }

  // MARK: matrix

  /// Reads the lists of a matrix.
  func readMatrix(_ entry: Node.Mapping.Entry, _ map: Node.Mapping, _ step: inout Recipe.Step) {
    if let other = map.entry("for_each") {
      reader.report(
        .conflictingKeys,
        LocalizedText(
          "a step has 'for_each' or 'matrix', not both; a list of the matrix can be an expression",
          de: "ein Schritt hat 'for_each' oder 'matrix', nicht beides; eine Liste der Matrix kann ein Ausdruck sein"),
        at: other.nameRange)
      return
    }
    guard let lists = reader.map(entry.value, "matrix", keys: nil) else { return }
    step.variable = Located("matrix", at: entry.nameRange)
    step.matrix = entry.value
    if lists.entries.isEmpty {
      reader.report(
        .invalidValue,
        LocalizedText(
          "'matrix' needs lists of values by name, as in 'matrix: { os: [debian, fedora] }'",
          de: "'matrix' braucht Listen von Werten nach Namen, wie in 'matrix: { os: [debian, fedora] }'"),
        at: entry.value.range)
    }
  }

  // MARK: if and switch

  /// Reads a step with branches: the step that decides, and those of the branches.
  private func decision(_ node: Node, _ field: String, id: String, depth: Int) -> [Recipe.Step] {
    guard let map = reader.map(node, field, keys: RecipeDefinitions.step.keyNames),
      let subject = map.entry("if") ?? map.entry("switch")
    else { return [] }
    var decision = Recipe.Step(id: Located(id, at: map.entries.first?.nameRange ?? node.range), range: node.range)
    if let node = map["id"], let id = reader.name(node, "id") {
      decision.id = id
      _ = IdentifierName.check(id, as: .step, reader)
    }
    decision.title = map["name"].flatMap { reader.string($0, "name") }
    decision.needs = map["needs"].flatMap { reader.strings($0, "needs") }
    decision.uses = Located("values", at: subject.nameRange)
    decision.isImplied = true
    let isSwitch = subject.name == "switch"
    refuseKeys(of: map, subject.name, isSwitch ? ["switch", "cases", "default"] : ["if", "then", "else"])
    let branches = isSwitch ? cases(map, subject, field) : ifBranches(map, subject)
    let names = branches.map(\.name)
    // The steps of the branches read a branch, even if what decides is wrong and was reported.
    let made = expression(subject, names: isSwitch ? names : nil).map(MadeValue.text) ?? .literal(.string(""))
    decision.made = [(Self.branch, made)]
    return [decision]
      + branches.flatMap { branch in
        innerSteps(branch.steps, branch.field, id: "\(decision.id.value)_\(branch.id)", depth: depth).map {
          gated($0, by: decision, branch: branch.name, at: subject.value)
        }
      }
  }

  /// The steps of a list that hold other steps, for checks of all of them.
  static func branches(of element: Node) -> [Node] {
    guard let map = element.mapping else { return [] }
    return ["then", "else", "default"].compactMap { map[$0] } + (map["cases"]?.mapping?.entries.map(\.value) ?? [])
  }

  private typealias Branch = (name: String, id: String, field: String, steps: Node.Mapping.Entry)

  private func ifBranches(_ map: Node.Mapping, _ subject: Node.Mapping.Entry) -> [Branch] {
    if map["then"] == nil {
      reader.report(
        .missingKey,
        LocalizedText(
          "'if' needs 'then', a list of steps; a single step takes its condition as 'when'",
          de: "'if' braucht 'then', eine Liste von Schritten; ein einzelner Schritt nimmt seine Bedingung als 'when'"),
        at: subject.nameRange)
    }
    return ["then", "else"].compactMap { key in map.entry(key).map { (key, key, "if", $0) } }
  }

  private func cases(_ map: Node.Mapping, _ subject: Node.Mapping.Entry, _ field: String) -> [Branch] {
    guard let entry = map.entry("cases") else {
      reader.report(
        .missingKey,
        LocalizedText(
          "'switch' needs 'cases': a map from values to lists of steps",
          de: "'switch' braucht 'cases': eine Map von Werten auf Listen von Schritten"),
        at: subject.nameRange)
      return []
    }
    let all = reader.map(entry.value, "cases", keys: nil)?.entries ?? []
    if all.isEmpty, entry.value.mapping != nil {
      reader.report(
        .invalidValue, LocalizedText("'cases' must not be empty", de: "'cases' darf nicht leer sein"),
        at: entry.value.range)
    }
    for entry in all where entry.name == Self.otherwise {
      reader.report(
        .conflictingKeys,
        LocalizedText(
          "the steps for all other values are 'default' beside 'cases', not a case",
          de: "die Schritte für alle anderen Werte heißen 'default' neben 'cases' und sind kein Fall"),
        at: entry.nameRange)
    }
    let cases: [Branch] = all.enumerated().map { ($1.name, "case_\($0 + 1)", "cases", $1) }
    return cases + (map.entry("default").map { [(Self.otherwise, "default", "switch", $0)] } ?? [])
  }

  /// The name of the branch `default` in a decision; no case can have that name, as it would be the same word.
  private static let otherwise = "default"

  /// The expression for the name of the branch that is taken.
  ///
  /// - Parameter names: The branches of `switch`; `nil` for `if`.
  private func expression(_ subject: Node.Mapping.Entry, names: [String]?) -> PlacedText? {
    if names != nil, subject.value.scalar != nil, subject.value.string == nil, !subject.value.isNull {
      reader.report(
        .wrongType,
        LocalizedText(
          "'switch' needs an expression whose value chooses the case, such as 'switch: inputs.kind'; this value never changes",
          de:
            "'switch' braucht einen Ausdruck, dessen Wert den Fall wählt, etwa 'switch: inputs.kind'; dieser Wert ändert sich nie"
        ),
        at: subject.value.range)
      return nil
    }
    guard let inner = reader.condition(subject.value, subject.name) else { return nil }
    let before: String
    let after: String
    if let names {
      let cases = names.filter { $0 != Self.otherwise }.map(PlacedText.quoted).joined(separator: ", ")
      before = "{{ cel.bind(value, dyn("
      after =
        "), cel.bind(text, value == null ? 'null' : string(value), text in [\(cases)] ? text : '\(Self.otherwise)')) }}"
    } else {
      before = "{{ ("
      after = ") ? 'then' : 'else' }}"
    }
    return PlacedText(
      text: before + inner.text + after, node: inner.node, document: inner.document,
      base: inner.base - before.utf8.count)
  }

  /// A step of a branch, which runs only where the decision has taken that branch.
  private func gated(
    _ step: Recipe.Step, by decision: Recipe.Step, branch: String, at node: Node
  ) -> Recipe.Step {
    // Steps of an inner decision follow that one, which is itself gated.
    guard step.decision == nil else { return step }
    var step = step
    step.decision = decision.id.value
    let id = decision.id.value
    let gate =
      "steps.\(id).status == 'succeeded' && steps.\(id).output.\(Self.branch) == \(PlacedText.quoted(branch))"
    var own = step.madeCondition
    if let condition = step.condition {
      // One that cannot be read is reported when the step is planned.
      guard let text = reader.condition(of: condition) else { return step }
      own = text
    }
    step.condition = nil
    guard let own else {
      step.madeCondition = PlacedText(text: gate, node: node, document: reader.document)
      return step
    }
    let before = gate + " && ("
    step.madeCondition = PlacedText(
      text: before + own.text + ")", node: own.node, document: own.document, base: own.base - before.utf8.count)
    return step
  }

  /// Reports the keys that a step with branches cannot have.
  private func refuseKeys(of map: Node.Mapping, _ form: String, _ own: [String]) {
    let known = own + ["id", "name", "needs"]
    for entry in map.entries where RecipeDefinitions.step.keyNames.contains(entry.name) && !known.contains(entry.name) {
      let remedy: LocalizedText
      switch entry.name {
      case "when":
        remedy = LocalizedText(
          "put the '\(form)' into the 'then' of an 'if' with that condition",
          de: "'\(form)' in das 'then' eines 'if' mit dieser Bedingung setzen")
      case "uses":
        remedy = LocalizedText(
          "a single step takes its condition as 'when', and several belong under 'then'",
          de: "ein einzelner Schritt nimmt seine Bedingung als 'when', mehrere stehen unter 'then'")
      case "steps":
        remedy = LocalizedText(
          "the steps of 'if' belong under 'then'; a block with 'steps' takes its condition as 'when'",
          de: "die Schritte von 'if' stehen unter 'then'; ein Block mit 'steps' nimmt seine Bedingung als 'when'")
      case "for_each", "matrix", "as", "parallel":
        remedy = LocalizedText(
          "write 'for_each' with 'steps', and put '\(form)' under these steps",
          de: "'for_each' mit 'steps' schreiben und '\(form)' unter diese Schritte setzen")
      case "else" where form == "switch":
        remedy = LocalizedText("write 'default'", de: "es heißt 'default'")
      default:
        remedy = LocalizedText("write it at the steps of the branches", de: "es gehört zu den Schritten der Zweige")
      }
      reader.report(
        .conflictingKeys,
        LocalizedText(
          "'\(entry.name)' has no meaning beside '\(form)'; ", de: "'\(entry.name)' hat neben '\(form)' keinen Sinn; ")
          + remedy, at: entry.nameRange)
    }
  }

  /// Reports the keys of branches at a step that has none.
  func refuseBranchKeys(_ map: Node.Mapping) {
    for (key, form) in [("then", "if"), ("else", "if"), ("cases", "switch"), ("default", "switch")] {
      guard let entry = map.entry(key) else { continue }
      reader.report(
        .conflictingKeys,
        LocalizedText("'\(key)' has no meaning without '\(form)'", de: "'\(key)' hat ohne '\(form)' keinen Sinn"),
        at: entry.nameRange)
    }
  }
}
