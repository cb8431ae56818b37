import Expressions
import Localization
import Plans
import RecipeSyntax
import Schemas

/// Reads `on:`.
struct TriggerReader {
  let reader: FieldReader
  /// The provider and the folder of mail where a trigger names none.
  var mailbox: (provider: String?, folder: String?) = (nil, nil)
  /// The recipe's name, which decides what `H` stands for in cron expressions.
  var name = ""

  /// The triggers of a node: a word, a map, or a list of both.
  func triggers(_ node: Node) -> [Trigger] {
    if let elements = node.sequence { return elements.flatMap { one($0) } }
    return one(node)
  }

  private func one(_ node: Node) -> [Trigger] {
    guard !node.isInvalid else { return [] }
    if let word = node.string {
      guard word == "manual" else {
        if let form = ForeignTriggers.form(of: word) {
          report(
            .init("'\(word)' is not a trigger of Sous: ", de: "'\(word)' ist kein Auslöser von Sous: ") + form,
            at: node.range)
          return []
        }
        reader.report(
          .invalidTrigger,
          LocalizedText(
            "unknown trigger '\(word)'; known are manual, schedule: {…} and mail: new",
            de: "unbekannter Auslöser '\(word)'; bekannt sind manual, schedule: {…} und mail: new"),
          at: node.range, suggestion: reader.suggestion(for: word, among: ["manual"]))
        return []
      }
      return [Trigger(kind: .manual, range: node.range)]
    }
    guard let map = reader.map(node, "on", keys: nil) else { return [] }
    let known = RecipeDefinitions.trigger.keyNames
    for entry in map.entries where !known.contains(entry.name) && !entry.name.contains(".") {
      report(unknown: entry, known: known)
    }
    for entry in map.entries where ["ended", "failed"].contains(entry.name) && map["recipe"] == nil {
      report(
        .init("'\(entry.name)' goes with 'recipe'", de: "'\(entry.name)' gehört zu 'recipe'"), at: entry.nameRange)
    }
    let events = EventReader(reader: reader, mailbox: mailbox, name: name)
    return map.entries.flatMap { entry -> [Trigger] in
      if entry.name == "schedule" { return schedules(entry.value) }
      let trigger: Trigger? =
        switch entry.name {
        case "mail": events.mail(entry.value)
        case "file": events.file(entry.value)
        case "webhook": events.webhook(entry.value)
        case "recipe": events.recipe(entry.value, ended: map["ended"], failed: map["failed"])
        case "manual": Trigger(kind: .manual, range: entry.nameRange)
        default: entry.name.contains(".") ? events.plugin(entry) : nil
        }
      return trigger.map { [$0] } ?? []
    }
  }

  /// One schedule, or a list of them.
  private func schedules(_ node: Node) -> [Trigger] {
    guard let elements = node.sequence else { return schedule(node).map { [$0] } ?? [] }
    if elements.isEmpty {
      report(
        .init("'schedule' is empty: name a time", de: "'schedule' ist leer: einen Zeitpunkt nennen"), at: node.range)
    }
    return elements.compactMap { schedule($0) }
  }

  private func schedule(_ node: Node) -> Trigger? {
    guard let schedule = ScheduleReader(reader: reader, name: name).schedule(node) else { return nil }
    var trigger = Trigger(kind: .schedule(schedule), range: node.range)
    trigger.written = (nil, node.mapping?["inputs"])
    return trigger
  }

  private func report(_ message: LocalizedText, at range: SourceRange) {
    reader.report(.invalidTrigger, message, at: range)
  }

  private func report(unknown entry: Node.Mapping.Entry, known: [String]) {
    if let form = ForeignTriggers.form(of: entry.name) {
      reader.report(
        .unknownKey,
        LocalizedText(
          "'\(entry.name)' is not a trigger of Sous: ", de: "'\(entry.name)' ist kein Auslöser von Sous: ") + form,
        at: entry.nameRange)
      return
    }
    let list = known.joined(separator: ", ")
    reader.report(
      .unknownKey,
      LocalizedText(
        "unknown key '\(entry.name)' in 'on'; known are \(list), and triggers of plugins such as weather.changed",
        de: "unbekannter Schlüssel '\(entry.name)' in 'on'; bekannt sind \(list) und Auslöser von Plugins wie "
          + "weather.changed"),
      at: entry.nameRange, suggestion: reader.suggestion(for: entry.name, among: known))
  }
}
