import Expressions
import Localization
import Plans
import RecipeSyntax
import Schemas

/// One prompt of a chain, as it stands in the file.
struct ChainPrompt {
  let reader: FieldReader
  let map: Node.Mapping
  let node: Node
  let place: SourceRange
  /// An expression for the text before; `nil` where there is none.
  let previous: String?

  /// Keys that go to `chat.complete` as they stand.
  private static let passedOn = [
    "task", "system", "model", "temperature", "max_tokens", "allow_truncated", "schema", "images",
  ]

  /// The step that asks the prompt, without its loop.
  func step(_ id: Located<String>, condition: String?) -> Recipe.Step? {
    var step = Recipe.Step(id: id, range: node.range)
    step.title = map["name"].flatMap { reader.string($0, "name") }
    step.providers = map["provider"].flatMap { reader.routes($0, "provider") }
    step.routing = RoutingSettings.read(map, reader)
    if let node = map["keywords"] { step.keywords = KeywordReader(reader: reader).keywords(node) }
    setCondition(condition, &step)
    if let node = map["retry"] { step.retry = RetrySettings.read(node, reader) ?? RetrySettings() }
    step.retryKey = map.entry("retry")?.nameRange
    step.timeout = map["timeout"].flatMap { reader.duration($0, "timeout") }
    guard let source = self.source, let text = reader.name(source.value, source.name) else { return nil }
    step.uses = Located("chat.complete", at: source.nameRange)
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
    for name in Self.passedOn { if let node = map[name] { entries.append((name, node)) } }
    step.input = Node.map(entries, at: node.range)
    setSubject(source, text.value, &step)
    return step
  }

  /// Reports a key that cannot stand beside another one.
  func conflicts(_ entry: Node.Mapping.Entry, with others: [String]) -> Bool {
    for other in others where map[other] != nil {
      reader.report(
        .conflictingKeys,
        LocalizedText(
          "'\(entry.name)' and '\(other)' exclude each other", de: "'\(entry.name)' und '\(other)' schließen sich aus"),
        at: entry.nameRange)
      return true
    }
    return false
  }

  /// Makes the step a loop.
  func loop(_ node: Node, _ step: inout Recipe.Step) {
    step.items = node
    if let node = map["as"], let name = reader.name(node, "as"), IdentifierName.check(name, as: .loopVariable, reader) {
      step.variable = name
    }
    if let node = map["parallel"] { step.parallel = reader.integer(node, "parallel", in: 1...1000) ?? 1 }
  }

  private var source: Node.Mapping.Entry? {
    let sources = map.entries.filter { $0.name == "use" || $0.name == "prompt" }
    if let source = sources.first, sources.count == 1 { return source }
    reader.report(
      sources.isEmpty ? .missingKey : .conflictingKeys,
      LocalizedText(
        "a prompt of a chain has one of 'use' and 'prompt'",
        de: "ein Prompt einer Kette hat eines von 'use' und 'prompt'"
      ),
      at: sources.last?.nameRange ?? place)
    return nil
  }

  private func setCondition(_ condition: String?, _ step: inout Recipe.Step) {
    guard let condition else {
      step.condition = map["when"]
      return
    }
    guard let own = map["when"] else {
      step.madeCondition = PlacedText(text: condition, node: node, document: reader.document)
      return
    }
    let text = own.string ?? (own.value.boolValue.map(String.init) ?? "")
    guard let inner = PlacedText(text: text, node: own, document: reader.document).unwrapped else {
      // Reported where it is compiled.
      step.condition = own
      return
    }
    let before = "(\(condition)) && ("
    step.madeCondition = PlacedText(
      text: before + inner.text + ")", node: own, document: reader.document, base: inner.base - before.utf8.count)
  }

  // MARK: What it works on

  /// The text that the prompt works on: its own `inputs`, an item, or the text before; nothing where the prompt speaks of
  /// it itself.
  private func setSubject(_ source: Node.Mapping.Entry, _ text: String, _ step: inout Recipe.Step) {
    func placed(_ text: String) -> PlacedText {
      PlacedText(text: text, node: source.value, document: reader.document)
    }
    func speaks(of name: String) -> Bool {
      source.name == "prompt" && Self.words(inExpressionsOf: text).contains(Substring(name))
    }
    if let previous { step.variables.append(("previous", placed("{{ \(previous) }}"))) }
    let isLoop = map["for_each"] != nil
    let item = map["as"]?.string ?? "item"
    var sections: [String] = []
    switch map["inputs"] {
    case let node? where node.string != nil:
      step.made.append(("input", .text(PlacedText(text: node.string ?? "", node: node, document: reader.document))))
      return
    case let node?:
      for entry in reader.map(node, "inputs", keys: nil)?.entries ?? [] {
        let name = Located(entry.name, at: entry.nameRange)
        guard IdentifierName.check(name, as: .loopVariable, reader), !isReserved(name),
          let value = reader.string(entry.value, entry.name)
        else { continue }
        step.variables.append((entry.name, PlacedText(text: value, node: entry.value, document: reader.document)))
        if !speaks(of: entry.name) { sections.append(entry.name) }
      }
      if isLoop, !speaks(of: item) { sections.append(item) }
    case nil:
      // The blank makes a text of every item.
      if isLoop {
        if !speaks(of: item) { step.made.append(("input", .text(placed("{{ \(item) }}{{ '' }}")))) }
      } else if previous != nil, !speaks(of: "previous") {
        step.made.append(("input", .text(placed("{{ previous }}"))))
      }
      return
    }
    guard !sections.isEmpty else { return }
    let input =
      sections.count == 1
      ? "{{ \(sections[0]) }}{{ '' }}" : sections.map { "\($0):\n{{ \($0) }}" }.joined(separator: "\n\n")
    step.made.append(("input", .text(placed(input))))
  }

  /// The names in the expressions of a text; not those in the words around them.
  private static func words(inExpressionsOf text: String) -> Set<Substring> {
    var words: Set<Substring> = []
    for piece in text.split(separator: "{{", omittingEmptySubsequences: false).dropFirst() {
      let inside = piece.prefix(upTo: piece.firstRange(of: "}}")?.lowerBound ?? piece.endIndex)
      for word in inside.split(whereSeparator: { !$0.isLetter && !$0.isNumber && $0 != "_" }) { words.insert(word) }
    }
    return words
  }

  private func isReserved(_ name: Located<String>) -> Bool {
    guard PlanVariables.reserved.contains(name.value) || name.value == "previous" else { return false }
    reader.report(
      .invalidName,
      LocalizedText(
        "'\(name.value)' is a variable of every prompt and cannot name an input",
        de: "'\(name.value)' ist eine Variable jedes Prompts und kann keine Eingabe benennen"),
      at: name.range)
    return true
  }
}
