import Expressions
import Localization
import Plans
package import RecipeSyntax
package import Schemas

/// Reads a recipe out of its document.
package struct RecipeReader {
  /// The most steps a recipe may have.
  static let mostSteps = 5000

  package let reader: FieldReader

  package init(reader: FieldReader) {
    self.reader = reader
  }

  package var document: YAMLDocument { reader.document }

  /// Reads the keys that recipes of several kinds have.
  func readCommon(_ map: Node.Mapping, _ recipe: inout Recipe) {
    if let node = map["name"], let name = name(node) { recipe.name = name }
    recipe.summary = map["description"].flatMap { reader.string($0, "description") }
    if let node = map["keywords"] { recipe.keywords = KeywordReader(reader: reader).keywords(node) }
    if let node = map["inputs"], !node.isNull { recipe.inputs = inputs(node) }
    if recipe.kind != .mailFilter, let node = map["on"], !node.isNull {
      recipe.triggers = TriggerReader(reader: reader, name: recipe.name).triggers(node)
    }
    if let node = map["retry"] { recipe.retry = RetrySettings.read(node, reader) ?? RetrySettings() }
    recipe.timeout = map["timeout"].flatMap { reader.duration($0, "timeout") }
    recipe.concurrency = map["concurrency"].flatMap { concurrency($0) }
    recipe.permissions = map["permissions"].flatMap { permissions($0) }
    if let node = map["priority"] {
      recipe.priority = reader.integer(node, "priority", in: RecipeDefinitions.priorityBounds) ?? 0
    }
    recipe.onFailure = map["notify"].flatMap { FailurePolicy.read($0, "notify", reader) }
    recipe.ping = map["ping"].flatMap { PingTargets.read($0, "ping", reader) }
    recipe.pingRange = map["ping"]?.range
    recipe.tool = map["tool"].flatMap { RecipeTool.read($0, reader) }
    if let node = map["defaults"], !node.isNull { readDefaults(node, besides: map, &recipe) }
    if let node = map["env"] { recipe.environment = environment(node) }
    recipe.budget = map["budget"].flatMap { Budget.read($0, "budget", isOfRecipe: true, reader) }
    recipe.routing = RoutingSettings.read(map, reader)
  }

  /// The file's name without its folder and extension.
  static func defaultName(_ path: String) -> String {
    let file = path.split(separator: "/").last.map(String.init) ?? "recipe"
    for suffix in [".yaml", ".yml"] where file.hasSuffix(suffix) && file.count > suffix.count {
      return String(file.dropLast(suffix.count))
    }
    return file
  }

  private func name(_ node: Node) -> String? {
    guard let name = reader.name(node, "name") else { return nil }
    guard name.value.count <= 100, !name.value.contains(where: { $0.isNewline }) else {
      reader.report(
        .invalidName,
        LocalizedText(
          "a recipe's name is one line of at most 100 characters",
          de: "der Name eines Rezepts ist eine Zeile mit höchstens 100 Zeichen"),
        at: node.range)
      return nil
    }
    return name.value
  }

  /// Words of ``Permission``; an empty list allows nothing.
  private func permissions(_ node: Node) -> Set<Permission>? {
    if node.string != nil {
      return reader.choice(node, "permissions", of: Permission.self).map { Set([$0]) } ?? Set()
    }
    // An invalid list allows nothing.
    guard let elements = reader.list(node, "permissions") else { return [] }
    return Set(elements.enumerated().compactMap { reader.choice($1, "permissions[\($0)]", of: Permission.self) })
  }

  private func concurrency(_ node: Node) -> (group: Node, policy: Plan.Concurrency.Policy, max: Int)? {
    if node.string != nil { return (node, .queue, 1) }
    guard let map = reader.map(node, "concurrency", keys: RecipeDefinitions.concurrency.keyNames) else { return nil }
    guard let group = map["group"] else {
      reader.report(
        .missingKey, LocalizedText("'concurrency' needs a 'group'", de: "'concurrency' fehlt 'group'"), at: node.range)
      return nil
    }
    guard reader.name(group, "group") != nil else { return nil }
    let policy = map["policy"].flatMap { reader.choice($0, "policy", of: Plan.Concurrency.Policy.self) }
    let max = map["max"].flatMap { reader.integer($0, "max", in: 1...Plan.Concurrency.most) }
    return (group, policy ?? .queue, max ?? 1)
  }

  // MARK: Inputs and outputs

  private func inputs(_ node: Node) -> [Recipe.Input] {
    guard let map = reader.map(node, "inputs", keys: nil) else { return [] }
    return map.entries.compactMap { entry in
      let name = Located(entry.name, at: entry.nameRange)
      let isUsable = IdentifierName.check(name, as: .input, reader)
      guard let input = input(name, entry.value), isUsable else { return nil }
      return input
    }
  }

  /// Reads a declared input. One that is wrong counts as declared all the same, so that its uses are not wrong as well.
  package func input(_ name: Located<String>, _ node: Node) -> Recipe.Input? {
    let anything = Recipe.Input(name: name, schema: .anything, isRequired: false)
    if node.isInvalid { return anything }
    if node.isNull { return Recipe.Input(name: name, schema: .anything, isRequired: true) }
    if node.string != nil {
      let schema = Schema(document: .map(["type": node.value]))
      guard report(schema.remarks().map { SchemaViolation(path: [], $0) }, in: node) else { return anything }
      return Recipe.Input(name: name, schema: schema, isRequired: true)
    }
    guard let map = reader.map(node, "inputs.\(name.value)", keys: RecipeDefinitions.input.keyNames) else {
      return anything
    }
    var document = ValueMap()
    for entry in map.entries where entry.name != "required" || entry.value.sequence != nil {
      document[entry.name] = entry.value.value
    }
    let schema = Schema(document: .map(document))
    guard report(schema.remarks(), in: node) else { return anything }
    if let value = map["default"] {
      let violations = schema.validate(value.value)
      for violation in violations {
        let target = NodePath.find(violation.path, in: value)
        reader.report(
          violation.code,
          LocalizedText(
            "the default of '\(name.value)' \(violation.message.english)",
            de: "der Standardwert von '\(name.value)' \(violation.message.german)"),
          at: target.range)
      }
    }
    var isRequired = map["default"] == nil
    if let required = map["required"], required.sequence == nil, let value = reader.bool(required, "required") {
      if value, map["default"] != nil {
        reader.report(
          .conflictingKeys,
          LocalizedText(
            "the default of '\(name.value)' is never used, since the input is required",
            de: "der Standardwert von '\(name.value)' kommt nie zum Zug, weil die Eingabe verlangt wird"),
          at: required.range, severity: .warning)
      }
      isRequired = value
    }
    return Recipe.Input(name: name, schema: schema, isRequired: isRequired)
  }

  /// Reports what is wrong with a schema that a node holds, and what is doubtful about it.
  ///
  /// - Returns: Whether it can be used.
  private func report(_ violations: [SchemaViolation], in node: Node) -> Bool {
    for violation in violations {
      reader.report(Diagnostic(violation, at: NodePath.find(violation.path, in: node).range, path: reader.path))
    }
    return !violations.contains { $0.severity == .error }
  }

  package func outputs(_ node: Node) -> [Recipe.Output] {
    guard let map = reader.map(node, "outputs", keys: nil) else { return [] }
    return map.entries.compactMap { entry in
      let name = Located(entry.name, at: entry.nameRange)
      guard IdentifierName.check(name, as: .output, reader) else { return nil }
      return Recipe.Output(name: name, value: .node(entry.value))
    }
  }

  // MARK: Steps

  package func steps(_ map: Node.Mapping, _ root: Node) -> [Recipe.Step] {
    guard let node = map["steps"] else {
      let start = root.range.start
      reader.report(
        .missingKey, LocalizedText("the recipe has no 'steps'", de: "dem Rezept fehlen 'steps'"),
        at: map.entries.first?.nameRange ?? SourceRange(start: start, end: start))
      return []
    }
    guard let elements = reader.list(node, "steps") else { return [] }
    if elements.isEmpty {
      reader.report(
        .invalidValue, LocalizedText("'steps' must not be empty", de: "'steps' darf nicht leer sein"), at: node.range)
    }
    if elements.count > Self.mostSteps {
      reader.report(
        .tooMany,
        LocalizedText(
          "a recipe has at most \(Self.mostSteps) steps", de: "ein Rezept hat höchstens \(Self.mostSteps) Schritte"),
        at: node.range)
      return []
    }
    return steps(in: elements, "steps", id: "step")
  }

  /// Reads a step.
  ///
  /// - Parameters:
  ///   - node: The step.
  ///   - field: What it is, for messages.
  ///   - id: Its id where it has none.
  ///   - definition: The keys it may have.
  ///   - depth: The number of blocks and branches around it.
  package func step(
    _ node: Node, _ field: String, id: String, _ definition: MappingDefinition, depth: Int = 0
  ) -> Recipe.Step? {
    guard let map = reader.map(node, field, keys: definition.keyNames) else { return nil }
    let firstRange = map.entries.first?.nameRange ?? node.range
    var step = Recipe.Step(id: Located(id, at: firstRange), range: node.range)
    if let node = map["id"], let id = reader.name(node, "id") {
      step.id = id
      if !IdentifierName.check(id, as: .step, reader) { step.id.value = id.value }
    }
    if let node = map["uses"] {
      step.uses = reader.name(node, "uses")
    } else if map["steps"] == nil {
      let isWhole = definition.name == .step
      reader.report(
        .missingKey,
        LocalizedText(
          "the step '\(step.id.value)' does not say what it 'uses'"
            + (isWhole ? ", and has no 'steps', 'if' or 'switch'" : ""),
          de: "der Schritt '\(step.id.value)' sagt mit 'uses' nicht, was er tut"
            + (isWhole ? ", und hat kein 'steps', 'if' oder 'switch'" : "")),
        at: step.id.range)
    }
    step.title = map["name"].flatMap { reader.string($0, "name") }
    step.providers = map["provider"].flatMap { reader.routes($0, "provider") }
    step.routing = RoutingSettings.read(map, reader)
    step.input = map["with"].flatMap { $0.isNull || reader.map($0, "with", keys: nil) == nil ? nil : $0 }
    if let node = map["with"], !node.isNull { step.isInputBroken = node.mapping == nil }
    step.condition = map["when"]
    step.items = map["for_each"]
    if let entry = map.entry("matrix") { readMatrix(entry, map, &step) }
    if let node = map["as"], let name = reader.name(node, "as"), loopVariable(name) { step.variable = name }
    if let node = map["parallel"] { step.parallel = reader.integer(node, "parallel", in: 1...1000) ?? 1 }
    if !step.isLoop {
      for key in ["as", "parallel"] {
        guard let entry = map.entry(key) else { continue }
        reader.report(
          .conflictingKeys,
          LocalizedText("'\(key)' has no meaning without 'for_each'", de: "'\(key)' hat ohne 'for_each' keinen Sinn"),
          at: entry.nameRange)
      }
    }
    step.needs = map["needs"].flatMap { reader.strings($0, "needs") }
    if let node = map["keywords"] { step.keywords = KeywordReader(reader: reader).keywords(node) }
    if let node = map["retry"] { step.retry = RetrySettings.read(node, reader) ?? RetrySettings() }
    step.retryKey = map.entry("retry")?.nameRange
    step.retriesPrograms = step.retryKey != nil
    step.timeoutKey = map.entry("timeout")?.nameRange
    step.timeout = map["timeout"].flatMap { reader.duration($0, "timeout") }
    if let node = map["on_error"], let policy = reader.errorPolicy(node, "on_error") {
      step.onError = policy
    }
    step.hasErrorPolicy = map["on_error"] != nil
    if let entry = map.entry("repeat") { step.repetition = repetition(entry) }
    if let node = map["finally"], reader.bool(node, "finally") == true { step.phase = .finally }
    if step.phase == .finally {
      for key in ["needs", "undo"] {
        guard let entry = map.entry(key) else { continue }
        reader.report(
          .conflictingKeys,
          LocalizedText(
            "a step with 'finally' waits for all others and has no '\(key)'",
            de: "ein Schritt mit 'finally' wartet auf alle anderen und hat kein '\(key)'"),
          at: entry.nameRange)
      }
      step.needs = nil
    }
    if let node = map["cache"], let place = map.entry("cache")?.nameRange { readCache(node, place, &step) }
    if let entry = map.entry("undo"), step.phase == .main { readUndo(entry, &step) }
    if let entry = map.entry("steps") { readBlock(entry, map, field, &step, depth: depth) }
    if definition.name == .step { refuseBranchKeys(map) }
    return step
  }

  private func loopVariable(_ name: Located<String>) -> Bool {
    guard IdentifierName.check(name, as: .loopVariable, reader) else { return false }
    guard PlanVariables.reserved.contains(name.value) else { return true }
    reader.report(
      .invalidName,
      LocalizedText(
        "'\(name.value)' is a variable of every recipe and cannot name a loop variable",
        de: "'\(name.value)' ist eine Variable jedes Rezepts und kann keine Schleifenvariable benennen"),
      at: name.range)
    return false
  }
}

extension SchemaViolation {
  /// The same problem at another place.
  init(path: [PathElement], _ other: SchemaViolation) {
    self.init(
      path: path, message: other.message, code: other.code, suggestion: other.suggestion, severity: other.severity)
  }
}

extension Diagnostic {
  /// What is wrong with a value or a schema, at its place in a file.
  package init(_ violation: SchemaViolation, at range: SourceRange?, path: String) {
    self.init(
      violation.code, violation.message, path: path, range: range, severity: violation.severity,
      suggestion: violation.suggestion)
  }
}
