import Expressions
import Localization

/// Reads a recipe of kind `chain`: prompts that each work on the text of the one before.
///
/// Every prompt becomes a step `chat.complete`. In its expressions `previous` is the text before, for the first prompt
/// the chain's input; `result` is the last text, and the recipe's only output.
struct ChainReader {
  let reader: FieldReader

  func read(_ map: Node.Mapping, _ recipe: inout Recipe) {
    if let node = map["input"] { recipe.inputs = input(node).map { [$0] } ?? [] }
    guard let node = map["prompts"], let prompts = reader.list(node, "prompts") else { return }
    if prompts.isEmpty {
      reader.report(
        .invalidValue, LocalizedText("'prompts' must not be empty", de: "'prompts' darf nicht leer sein"),
        at: node.range)
    }
    if prompts.count > RecipeReader.mostSteps {
      reader.report(
        .tooMany,
        LocalizedText(
          "a recipe has at most \(RecipeReader.mostSteps) steps",
          de: "ein Rezept hat höchstens \(RecipeReader.mostSteps) Schritte"), at: node.range)
      return
    }
    // An expression for the text that the next prompt begins with; nil where there is none.
    var previous: String? = map["input"] == nil ? nil : "inputs.input"
    var names = StepNames(reader: reader)
    for (position, node) in prompts.enumerated() {
      guard let step = prompt(node, position, previous, &names) else { continue }
      recipe.steps.append(step)
      let output = "steps.\(step.id.value).output.text"
      if step.condition == nil {
        previous = output
      } else {
        previous = "(steps.\(step.id.value).status == 'skipped' ? \(previous ?? "''") : \(output))"
      }
    }
    guard let result = previous, !recipe.steps.isEmpty else { return }
    let text = PlacedText(text: "{{ \(result) }}", node: node, document: reader.document)
    if let entry = map.entry("save"), let step = save(entry, text, &names) { recipe.steps.append(step) }
    recipe.outputs = [Recipe.Output(name: Located("result", at: node.range), value: .text(text))]
  }

  private func input(_ node: Node) -> Recipe.Input? {
    let name = Located("input", at: node.range)
    if let mapping = node.mapping {
      guard reader.map(node, "input", keys: RecipeDefinitions.chainInput.keyNames) != nil else { return nil }
      if let type = mapping["type"], type.string != "string" {
        reader.report(
          .invalidValue,
          LocalizedText("the input of a chain is a string", de: "die Eingabe einer Kette ist ein Text (string)"),
          at: type.range)
        return nil
      }
    }
    guard var input = RecipeReader(reader: reader).input(name, node) else { return nil }
    guard case .map(var schema) = input.schema.document else { return input }
    if let type = schema["type"], type != "string" {
      reader.report(
        .invalidValue,
        LocalizedText("the input of a chain is a string", de: "die Eingabe einer Kette ist ein Text (string)"),
        at: node.range)
      return nil
    }
    schema["type"] = "string"
    input.schema = Schema(document: .map(schema))
    return input
  }

  private func prompt(
    _ node: Node, _ position: Int, _ previous: String?, _ names: inout StepNames
  ) -> Recipe.Step? {
    guard let map = reader.map(node, "prompts[\(position)]", RecipeDefinitions.prompt) else { return nil }
    let place = map.entries.first?.nameRange ?? node.range
    var step = Recipe.Step(id: names.id(map["id"], otherwise: "prompt_\(position + 1)", at: place), range: node.range)
    step.title = map["name"].flatMap { reader.string($0, "name") }
    step.providers = map["provider"].flatMap { reader.routes($0, "provider") }
    step.routing = RoutingSettings.read(map, reader)
    if let node = map["keywords"] { step.keywords = KeywordReader(reader: reader).keywords(node) }
    step.condition = map["when"]
    if let node = map["retry"] { step.retry = RetrySettings.read(node, reader) ?? RetrySettings() }
    step.retryKey = map.entry("retry")?.nameRange
    step.timeout = map["timeout"].flatMap { reader.duration($0, "timeout") }
    let sources = map.entries.filter { $0.name == "use" || $0.name == "prompt" }
    guard let source = sources.first, sources.count == 1 else {
      reader.report(
        sources.isEmpty ? .missingKey : .conflictingKeys,
        LocalizedText(
          "a prompt of a chain has one of 'use' and 'prompt'",
          de: "ein Prompt einer Kette hat eines von 'use' und 'prompt'"),
        at: sources.last?.nameRange ?? place)
      return nil
    }
    step.uses = Located("chat.complete", at: source.nameRange)
    guard let text = reader.name(source.value, source.name) else { return nil }
    if source.name == "use", !PromptCatalog.isName(text.value) {
      reader.report(
        .unknownPrompt,
        LocalizedText(
          "'\(text.value)' is no name of a prompt; they look like mail/summary",
          de: "'\(text.value)' ist kein Name eines Prompts; sie sehen aus wie mail/summary"),
        at: text.range)
      return nil
    }
    var entries = [(name: "prompt", value: source.value)]
    for name in ["task", "system", "model", "temperature", "max_tokens"] {
      if let node = map[name] { entries.append((name, node)) }
    }
    step.input = Node.map(entries, at: node.range)
    if let previous {
      let value = PlacedText(text: "{{ \(previous) }}", node: source.value, document: reader.document)
      step.variables = [("previous", value)]
      let speaksOfIt = source.name == "prompt" && text.value.contains("{{") && text.value.contains("previous")
      if !speaksOfIt { step.made = [("input", .text(value))] }
    }
    return step
  }

  private func save(
    _ entry: Node.Mapping.Entry, _ result: PlacedText, _ names: inout StepNames
  ) -> Recipe.Step? {
    let node = entry.value
    // A note that is missing has been reported.
    guard let map = reader.map(node, "save", RecipeDefinitions.note), map["note"] != nil else { return nil }
    let place = entry.nameRange
    var step = Recipe.Step(id: names.id(nil, otherwise: "save", at: place), range: node.range)
    step.uses = Located("note.save", at: place)
    step.providers = map["provider"].flatMap { reader.strings($0, "provider") }
    step.input = Node.map(
      map.entries.filter { $0.name != "provider" && RecipeDefinitions.note.key($0.name) != nil }
        .map { ($0.name == "note" ? "text" : $0.name, $0.value) },
      at: node.range)
    step.variables = [("result", result)]
    return step
  }
}

/// Gives the steps that a kind implies ids that expressions can use, each once.
struct StepNames {
  let reader: FieldReader
  private var taken: [String: SourceRange] = [:]

  init(reader: FieldReader) {
    self.reader = reader
  }

  /// The id that a node gives, or one that is made up.
  mutating func id(_ node: Node?, otherwise name: String, at place: SourceRange) -> Located<String> {
    guard let node, let given = reader.name(node, "id"), IdentifierName.check(given, as: .step, reader) else {
      return Located(unused(name, at: place), at: place)
    }
    if let first = taken[given.value] {
      reader.report(
        .duplicateStep,
        LocalizedText(
          "the step id '\(given.value)' is used twice", de: "die Schritt-ID '\(given.value)' ist doppelt"),
        at: given.range,
        related: [Diagnostic.Related(LocalizedText("first defined here", de: "zuerst hier festgelegt"), at: first)])
    }
    return Located(unused(given.value, at: given.range), at: given.range)
  }

  private mutating func unused(_ name: String, at place: SourceRange) -> String {
    var candidate = name
    var number = 2
    while taken[candidate] != nil {
      candidate = "\(name)_\(number)"
      number += 1
    }
    taken[candidate] = place
    return candidate
  }

  /// A text as an identifier; `nil` where nothing of it can be used.
  static func identifier(_ text: String) -> String? {
    let mended = String(
      text.lowercased().unicodeScalars.prefix(40).map { scalar -> Character in
        scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)) ? Character(scalar) : "_"
      })
    guard let first = mended.first, first.isLetter, !["in", "true", "false", "null"].contains(mended) else {
      return nil
    }
    return mended
  }
}
