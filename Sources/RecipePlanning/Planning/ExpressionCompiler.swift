import Expressions
import Localization
import Mail
import Plans
import RecipeModel
import RecipeSyntax

/// Compiles the expressions of a recipe and turns what is wrong with them into diagnostics.
final class ExpressionCompiler {
  let reader: FieldReader
  /// The position of each step by its id.
  private let positions: [String: Int]
  /// The type of `steps.ID` by position, filled in as the steps become known.
  var stepTypes: [ValueType?]
  /// Where types come from.
  var origins = TypeOrigin()
  /// The graph, if references are checked against it.
  var graph: StepGraph
  /// The steps that name their needs.
  private let hasNeeds: [Bool]
  private let phases: [PlanStep.Phase]
  private let inputNames: [String]
  /// The block of these steps in which a step is that cannot be read from here.
  private let blockOf: (String) -> Recipe.Step?
  /// The steps around the block whose expressions these are; `nil` for a recipe.
  var around: Surroundings?
  /// The names around the block that its expressions use.
  var used = Used()

  init(reader: FieldReader, recipe: Recipe, graph: StepGraph) {
    self.reader = reader
    self.graph = graph
    positions = Dictionary(recipe.steps.enumerated().map { ($1.id.value, $0) }) { first, _ in first }
    phases = recipe.steps.map(\.phase)
    stepTypes = [ValueType?](repeating: nil, count: recipe.steps.count)
    hasNeeds = recipe.steps.map { $0.needs != nil || $0.phase != .main }
    inputNames = recipe.inputs.map(\.name.value)
    blockOf = { recipe.steps.block(with: $0) }
    for input in recipe.inputs { origins.inputs[input.name.value] = input.name.range }
  }

  // MARK: Compiling

  /// Compiles a text with `{{ … }}`; `nil` where something is wrong with it.
  func template(_ text: PlacedText, _ scope: Scope) -> Template? {
    checkEqualsSign(text)
    let references = ExpressionScan.references(inTemplate: text.text)
    let environment = environment(references, text, scope)
    do throws(ExpressionErrors) {
      let template = try Template(text.text, in: environment)
      note(template.references)
      report(ExpressionErrors(template.constantFailures), text, scope, references)
      checkDollars(text)
      return template
    } catch {
      report(error, text, scope, references)
      return nil
    }
  }

  /// Compiles an expression; `nil` where something is wrong with it.
  func expression(_ text: PlacedText, _ scope: Scope) -> Expression? {
    let references = ExpressionScan.references(inExpression: text.text)
    let environment = environment(references, text, scope)
    do throws(ExpressionErrors) {
      let expression = try Expression(text.text, in: environment)
      note(expression.references)
      report(ExpressionErrors(expression.constantFailures), text, scope, references)
      return expression
    } catch {
      report(error, text, scope, references)
      return nil
    }
  }

  private func note(_ references: [Reference]) {
    guard around != nil else { return }
    used.formUnion(Set(references.filter { !$0.isKeyword }.compactMap(\.path.first)), steps: [])
  }

  /// The environment of an expression: of the steps, only those it refers to. What is reported here is declared as
  /// dynamic, so that the type checker does not report it again.
  private func environment(
    _ references: [ExpressionScan.Reference], _ text: PlacedText, _ scope: Scope
  ) -> Environment {
    var variables = scope.variables
    var keywords = Set(scope.keywords.keys)
    var steps: [String: ValueType] = [:]
    for reference in references {
      switch reference.root {
      case .steps:
        guard scope.allowsSteps, steps[reference.name] == nil else { continue }
        if let output = scope.ownOutput, let own = scope.step, positions[reference.name] == own {
          steps[reference.name] = PlanVariables.step(reference.name, output: output, isLoop: false, item: .dynamic)
          continue
        }
        steps[reference.name] = type(ofStep: reference, text, scope) ?? .dynamic
      case .inputs:
        guard case .object(var inputs)? = variables["inputs"], inputs.fields[reference.name] == nil else { continue }
        reader.report(
          diagnostic(
            .unknownInput,
            LocalizedText("unknown input '\(reference.name)'", de: "unbekannte Eingabe '\(reference.name)'"),
            text, reference.range, suggestion: reader.suggestion(for: reference.name, among: inputNames)))
        inputs.fields[reference.name] = .dynamic
        variables["inputs"] = .object(inputs)
      case .keywords:
        guard keywords.insert(reference.name).inserted else { continue }
        report(unknownKeyword: reference.name, text, reference.range, scope)
      }
    }
    if scope.allowsSteps {
      variables["steps"] = .object(ObjectType(name: "steps", fields: steps))
    }
    return Environment(variables: variables, keywords: keywords, spelling: Self.addresses)
  }

  /// Addresses of messages have their domains in Unicode; see `DomainName`.
  private static let addresses = LiteralSpelling(field: "address") { DomainName.unicode(in: $0) }

  // MARK: Texts that look like expressions

  /// Warns of `={{ … }}`, the form of n8n: the equals sign is part of the text.
  private func checkEqualsSign(_ text: PlacedText) {
    guard text.text.hasPrefix("={{") else { return }
    var warning = diagnostic(
      .bareExpression,
      LocalizedText(
        "the '=' before '{{' becomes part of the text; write '{{ … }}', or '{{ \"=\" }}{{ … }}' if an equals sign is meant",
        de: "das '=' vor '{{' wird Teil des Textes; '{{ … }}' schreiben, oder '{{ \"=\" }}{{ … }}', falls ein "
          + "Gleichheitszeichen gemeint ist"),
      text, 0..<1)
    warning.severity = .warning
    reader.report(warning)
  }

  /// Warns of `${{ … }}`, the form of GitHub Actions: the dollar sign is part of the text.
  private func checkDollars(_ text: PlacedText) {
    let bytes = Array(text.text.utf8)
    guard let start = bytes.indices.first(where: { bytes[$0...].starts(with: Array("${{".utf8)) }) else { return }
    var warning = diagnostic(
      .bareExpression,
      LocalizedText(
        "the '$' before '{{' becomes part of the text; write '{{ … }}', or '{{ \"$\" }}{{ … }}' if a dollar sign is meant",
        de: "das '$' vor '{{' wird Teil des Textes; '{{ … }}' schreiben, oder '{{ \"$\" }}{{ … }}', falls ein "
          + "Dollarzeichen gemeint ist"),
      text, start..<start + 1)
    warning.severity = .warning
    reader.report(warning)
  }

  /// Warns of a text that as a whole is an expression about steps, inputs or keywords of this recipe, but has no braces:
  /// `when`, `for_each` and `filter` take it so, `outputs` and `with` do not.
  func checkBare(_ text: PlacedText, _ scope: Scope) {
    guard text.text.contains("."), text.text.utf8.count < 400 else { return }
    let found = ExpressionScan.references(inExpression: text.text)
    var variables = scope.variables
    if scope.allowsSteps {
      let known = found.filter { $0.root == .steps && positions[$0.name] != nil }
      let types = Dictionary(known.map { ($0.name, ValueType.dynamic) }) { first, _ in first }
      variables["steps"] = .object(ObjectType(name: "steps", fields: types))
    }
    let environment = Environment(variables: variables, keywords: Set(scope.keywords.keys))
    guard let expression = try? Expression(text.text, in: environment),
      expression.references.contains(where: { Self.isKnown($0, variables) })
    else { return }
    var warning = diagnostic(
      .bareExpression,
      LocalizedText(
        "this is the text '\(text.text)' and not its value; write '{{ \(text.text) }}' for the value",
        de: "das ist der Text '\(text.text)' und nicht sein Wert; '{{ \(text.text) }}' gibt den Wert"),
      text, nil)
    warning.severity = .warning
    reader.report(warning)
  }

  /// Whether a reference leads to a field that is known to exist, so that the text is hardly meant as a file name.
  private static func isKnown(_ reference: Reference, _ variables: [String: ValueType]) -> Bool {
    let path = reference.path
    if reference.isKeyword { return false }
    guard path.count > 1, case .object(let object)? = variables[path[0]], object.fields[path[1]] != nil else {
      return false
    }
    return path[0] != "steps" || path.count > 2 && ["output", "status", "error", "items"].contains(path[2])
  }

  // MARK: References

  /// The ids of the steps.
  var stepNames: Dictionary<String, Int>.Keys { positions.keys }

  /// The type of a step that an expression may refer to, of the block's own or of those around it; reports one that it may
  /// not refer to.
  ///
  /// - Parameter names: The ids of the steps of the blocks in it, for suggestions.
  func type(
    ofStep reference: ExpressionScan.Reference, _ text: PlacedText, _ scope: Scope, names: [String] = []
  ) -> ValueType? {
    if positions[reference.name] == nil, around != nil { return outerStep(reference, text, names) }
    return check(step: reference, text, scope, names: names).flatMap { stepTypes[$0] }
  }

  /// The position of a step that an expression may refer to; reports one that it may not.
  private func check(
    step reference: ExpressionScan.Reference, _ text: PlacedText, _ scope: Scope, names: [String]
  ) -> Int? {
    guard let position = positions[reference.name] else {
      if let block = blockOf(reference.name) {
        reader.report(
          diagnostic(.unknownStep, .readFromOutside(reference.name, of: block), text, reference.range))
        return nil
      }
      reader.report(
        diagnostic(
          .unknownStep,
          LocalizedText("unknown step '\(reference.name)'", de: "unbekannter Schritt '\(reference.name)'"),
          text, reference.range,
          suggestion: reader.suggestion(for: reference.name, among: Array(positions.keys) + names)))
      return nil
    }
    guard let current = scope.step, graph.cycles.isEmpty, !graph.runs(position, before: current) else {
      return position
    }
    let message: LocalizedText
    if position == current {
      message = LocalizedText(
        "the step '\(reference.name)' refers to itself",
        de: "der Schritt '\(reference.name)' bezieht sich auf sich selbst")
    } else if phases[current].rank < phases[position].rank, let reason = phases[position].reason(reference.name) {
      message = reason
    } else if graph.runs(current, before: position) || (!hasNeeds[current] && position > current) {
      message = LocalizedText(
        "the step '\(reference.name)' runs later", de: "der Schritt '\(reference.name)' läuft erst später")
    } else if !hasNeeds[current] {
      // A step of the line waits for every earlier step that it refers to.
      graph.add(need: position, to: current)
      return position
    } else {
      message = LocalizedText(
        "the step '\(reference.name)' may not have run yet; add it to 'needs'",
        de: "der Schritt '\(reference.name)' ist vielleicht noch nicht gelaufen; er gehört in 'needs'")
    }
    reader.report(diagnostic(.stepNotReached, message, text, reference.range))
    return position
  }

  private func report(unknownKeyword name: String, _ text: PlacedText, _ range: Range<Int>?, _ scope: Scope) {
    reader.report(
      diagnostic(
        .unknownKeyword, LocalizedText("unknown keyword '\(name)'", de: "unbekanntes Schlüsselwort '\(name)'"), text,
        range, suggestion: reader.suggestion(for: name, among: scope.keywords.keys)))
  }

  // MARK: Diagnostics

  private func diagnostic(
    _ code: Diagnostic.Code, _ message: LocalizedText, _ text: PlacedText, _ range: Range<Int>?,
    suggestion: String? = nil
  ) -> Diagnostic {
    let tail = suggestion.map { Suggestion.text(suggesting: $0) } ?? LocalizedText(verbatim: "")
    return Diagnostic(
      code, message + tail, path: text.document.source.path, range: text.range(range), suggestion: suggestion)
  }

  private func report(
    _ errors: ExpressionErrors, _ text: PlacedText, _ scope: Scope, _ references: [ExpressionScan.Reference]
  ) {
    for error in errors.all {
      if error.code == .unknownName, let hint = chainHint(error.range, text, scope) {
        reader.report(
          diagnostic(Diagnostic.Code(rawValue: error.code.rawValue), hint, text, error.range))
        continue
      }
      if let hint = ForeignNames.hint(to: error, in: text.text) {
        let message = error.message + LocalizedText(verbatim: ": ") + hint
        reader.report(diagnostic(Diagnostic.Code(rawValue: error.code.rawValue), message, text, error.range))
        continue
      }
      if error.code == .unknownName, let name = bareName(error.range, text.text) {
        let isVariable = reader.suggestion(for: name, among: scope.variables.keys) != nil
        if !isVariable || reader.suggestion(for: name, among: scope.keywords.keys) != nil {
          report(unknownKeyword: name, text, error.range, scope)
          continue
        }
      }
      var diagnostic = diagnostic(
        Diagnostic.Code(rawValue: error.code.rawValue), error.message, text, error.range, suggestion: error.suggestion)
      if let range = error.range, error.code == .wrongType || error.code == .unknownField {
        diagnostic.related = origins.related(to: range, in: text.text, references, path: reader.path)
        if let hint = origins.hint(to: range, in: text.text, references) {
          diagnostic.message = diagnostic.message + hint
        }
      }
      reader.report(diagnostic)
    }
  }

  /// What is meant by a name under which people look for the text in a prompt of a chain; `nil` where it is another one.
  private func chainHint(_ range: Range<Int>?, _ text: PlacedText, _ scope: Scope) -> LocalizedText? {
    guard let range, scope.variables["previous"] != nil else { return nil }
    let name = String(
      decoding: Array(text.text.utf8).prefix(range.upperBound).dropFirst(range.lowerBound), as: UTF8.self)
    guard ["input", "result", "text", "answer", "output"].contains(name) else { return nil }
    return LocalizedText(
      "unknown name '\(name)': in a prompt the text before is 'previous', an input of the chain 'inputs.NAME', and what "
        + "another prompt gave 'steps.ID.output.text'",
      de: "unbekannter Name '\(name)': in einem Prompt heißt der Text davor 'previous', eine Eingabe der Kette "
        + "'inputs.NAME' und was ein anderer Prompt gab 'steps.ID.output.text'")
  }

  /// The name in `{{ name }}`, where a range of the text covers all that the braces hold.
  private func bareName(_ range: Range<Int>?, _ text: String) -> String? {
    let bytes = Array(text.utf8)
    guard let range, range.lowerBound >= 0, range.upperBound <= bytes.count, !range.isEmpty else { return nil }
    let before = bytes[..<range.lowerBound].reversed().drop { $0 <= 0x20 }.prefix(2)
    let after = bytes[range.upperBound...].drop { $0 <= 0x20 }.prefix(2)
    guard Array(before) == Array("{{".utf8), Array(after) == Array("}}".utf8) else { return nil }
    return String(decoding: bytes[range], as: UTF8.self)
  }
}
