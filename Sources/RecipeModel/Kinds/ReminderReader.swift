import Expressions
import Localization
import Plans
import RecipeSyntax

/// Reads a recipe of kind `reminder`: a text that is delivered at points in time.
///
/// ``ReminderLowering`` makes the steps; this reads the keys.
struct ReminderReader {
  /// The most lead times of one reminder.
  static let mostLeads = 20

  let reader: FieldReader

  func read(_ map: Node.Mapping, _ recipe: inout Recipe) {
    recipe.repetition = map["repeat"].flatMap { repetition($0) }
    if let node = map["uid"] { _ = reader.string(node, "uid") }
    var reminding = Plan.Reminding()
    reminding.at = map["at"].flatMap { SendTime($0, reader, key: "at")?.time }
    reminding.leads = map["lead"].map { leads($0, recipe, hasTime: map["at"] != nil) } ?? []
    recipe.reminding = reminding
    guard let text = map["text"], reader.name(text, "text") != nil else { return }
    var lowering = ReminderLowering(
      reader: reader, text: text, place: map.entry("text")?.nameRange ?? text.range, title: recipe.name,
      retry: recipe.retry, every: recipe.repetition?.every)
    lowering.begin(reminding)
    if let deliver = map["deliver"] {
      let elements = deliver.sequence ?? [deliver]
      if elements.isEmpty {
        reader.report(
          .invalidValue, LocalizedText("'deliver' must not be empty", de: "'deliver' darf nicht leer sein"),
          at: deliver.range)
      }
      for element in elements.prefix(RecipeReader.mostSteps / 2) { lowering.deliver(element) }
    } else {
      lowering.deliverByDefault()
    }
    lowering.end(reminding, recipe.repetition)
    recipe.steps = lowering.steps
  }

  /// Checks the ways of delivery that a configuration names.
  ///
  /// - Parameter node: One way, or a list of them.
  func check(deliver node: Node) {
    var lowering = ReminderLowering(reader: reader, text: node, place: node.range, title: "")
    for element in node.sequence ?? [node] { lowering.deliver(element) }
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

  /// The lead times in seconds, the longest first.
  private func leads(_ node: Node, _ recipe: Recipe, hasTime: Bool) -> [Double] {
    let elements = node.sequence ?? [node]
    if elements.count > Self.mostLeads {
      reader.report(
        .tooMany,
        LocalizedText(
          "'lead' takes at most \(Self.mostLeads) times", de: "'lead' nimmt höchstens \(Self.mostLeads) Zeiten"),
        at: node.range)
    }
    let isScheduled = recipe.triggers.contains { if case .schedule = $0.kind { true } else { false } }
    if !hasTime, !isScheduled {
      reader.report(
        .conflictingKeys,
        LocalizedText(
          "'lead' needs a time that it comes before: 'at', or a schedule under 'on'",
          de: "'lead' braucht eine Zeit, vor der es kommt: 'at', oder einen Zeitplan unter 'on'"), at: node.range,
        severity: .warning)
    }
    let seconds = elements.prefix(Self.mostLeads).compactMap { reader.duration($0, "lead") }
    return Set(seconds).sorted(by: >)
  }
}
