import Expressions
import Localization

/// Reads a recipe of kind `reminder`: a text that is delivered at points in time.
///
/// A first step makes the text, the others deliver it, each for itself.
struct ReminderReader {
  let reader: FieldReader

  func read(_ map: Node.Mapping, _ recipe: inout Recipe) {
    recipe.repetition = map["repeat"].flatMap { repetition($0) }
    guard let text = map["text"], let deliver = map["deliver"] else { return }
    guard reader.name(text, "text") != nil else { return }
    var names = StepNames(reader: reader)
    let place = map.entry("text")?.nameRange ?? text.range
    var step = Recipe.Step(id: names.id(nil, otherwise: "text", at: place), range: text.range)
    step.uses = Located("template", at: place)
    step.input = Node.map([("text", text)], at: text.range)
    recipe.steps = [step]
    let elements = deliver.sequence ?? [deliver]
    if elements.isEmpty {
      reader.report(
        .invalidValue, LocalizedText("'deliver' must not be empty", de: "'deliver' darf nicht leer sein"),
        at: deliver.range)
    }
    for element in elements.prefix(RecipeReader.mostSteps - 1) {
      if let delivery = delivery(element, of: step.id, recipe.name, &names) { recipe.steps.append(delivery) }
    }
  }

  private func repetition(_ node: Node) -> Plan.Repetition? {
    guard let map = reader.map(node, "repeat", RecipeDefinitions.repetition) else { return nil }
    let every = map["every"].flatMap { reader.duration($0, "every") }
    var repetition = Plan.Repetition(every: every ?? 1)
    if let node = map["until"], let end = reader.choice(node, "until", of: Plan.Repetition.End.self) {
      repetition.until = end
    }
    repetition.limit = map["limit"].flatMap { reader.integer($0, "limit", in: 1...1000) }
    return every == nil ? nil : repetition
  }

  private func delivery(
    _ node: Node, of text: Located<String>, _ title: String, _ names: inout StepNames
  ) -> Recipe.Step? {
    guard let map = reader.map(node, "deliver", RecipeDefinitions.delivery) else { return nil }
    let ways = map.entries.filter { RecipeDefinitions.delivery.key($0.name) != nil }
    guard let way = ways.first, ways.count == 1 else {
      if !ways.isEmpty || map.entries.isEmpty {
        reader.report(
          .conflictingKeys,
          LocalizedText(
            "a delivery is one of mail, command and notify; put several into a list",
            de: "eine Zustellung ist eines von mail, command und notify; setze mehrere in eine Liste"),
          at: ways.dropFirst().first?.nameRange ?? node.range)
      }
      return nil
    }
    var step = Recipe.Step(id: names.id(nil, otherwise: way.name, at: way.nameRange), range: node.range)
    step.uses = Located("mail.send", at: way.nameRange)
    step.needs = [text]
    let source = "steps.\(text.value).output.text"
    step.variables = [("text", placed("{{ \(source) }}", node))]
    let whole = MadeValue.text(placed("{{ text }}", node))
    let firstLine = MadeValue.text(placed(#"{{ text.split("\n")[0] }}"#, node))
    switch way.name {
    case "mail":
      let message = way.value.mapping == nil ? Node.map([("to", way.value)], at: way.value.range) : way.value
      guard
        MessageReader(reader: reader).read(message, into: &step, defaults: [("subject", firstLine), ("text", whole)])
      else { return nil }
      step.uses = Located("mail.send", at: way.nameRange)
    case "command":
      guard let words = reader.list(way.value, "command") else { return nil }
      if words.isEmpty {
        reader.report(
          .invalidValue, LocalizedText("'command' must not be empty", de: "'command' darf nicht leer sein"),
          at: way.value.range)
        return nil
      }
      step.uses = Located("notify.command", at: way.nameRange)
      step.input = Node.map([("command", way.value)], at: way.value.range)
    default:
      step.uses = Located("notify.send", at: way.nameRange)
      if way.value.mapping != nil {
        guard let map = reader.map(way.value, "notify", RecipeDefinitions.notification) else { return nil }
        step.providers = map["provider"].flatMap { reader.strings($0, "provider") }
        let entries = map.entries.filter {
          $0.name != "provider" && RecipeDefinitions.notification.key($0.name) != nil
        }
        step.input = Node.map(entries.map { ($0.name, $0.value) }, at: way.value.range)
      } else if way.value.string != nil {
        step.input = Node.map([("title", way.value)], at: way.value.range)
      } else if !way.value.isNull {
        guard reader.bool(way.value, "notify") == true else { return nil }
      }
      if step.input?.mapping?["title"] == nil { step.made.append(("title", .literal(.string(title)))) }
      if step.input?.mapping?["text"] == nil { step.made.append(("text", whole)) }
    }
    return step
  }

  private func placed(_ text: String, _ node: Node) -> PlacedText {
    PlacedText(text: text, node: node, document: reader.document)
  }
}
