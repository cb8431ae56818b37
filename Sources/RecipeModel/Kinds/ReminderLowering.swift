import Expressions
import Localization
import Plans
import RecipeSyntax

/// Makes the steps of a reminder.
///
/// One run is one delivery. It finds out what it is to deliver (`plan`), waits for its time (`due`) or for somebody who
/// acknowledges the delivery before it (`acknowledged`), makes the text, delivers it each way by itself, queues the run of
/// the next delivery (`next`), and fails where a delivery got through on none of its ways (`result`).
struct ReminderLowering {
  /// What holds where nobody has acknowledged the delivery before.
  private static let isWanted = "steps.acknowledged.status != 'succeeded'"

  let reader: FieldReader
  /// The reminder's text.
  let text: Node
  /// Where problems of steps are reported that the recipe does not write.
  let place: SourceRange
  /// The recipe's name.
  let title: String
  /// How deliveries are repeated that have no other way.
  private let retry: RetrySettings
  private(set) var steps: [Recipe.Step] = []
  private var names: StepNames
  /// The steps of each delivery: its first way, and those that are tried instead.
  private var deliveries: [[Located<String>]] = []

  /// - Parameters:
  ///   - retry: What the recipe says of repetitions.
  ///   - every: Seconds from one delivery to the next; `nil` where there is one.
  init(
    reader: FieldReader, text: Node, place: SourceRange, title: String, retry: RetrySettings = RetrySettings(),
    every: Double? = nil
  ) {
    var patience = SendReader.retry
    // The next delivery comes after this one.
    patience.outage = min(patience.outage ?? 0, every ?? .infinity)
    self.retry = retry.laid(over: patience)
    (self.reader, self.text, self.place, self.title) = (reader, text, place, title)
    names = StepNames(reader: reader)
  }

  // MARK: Before the deliveries

  mutating func begin(_ reminding: Plan.Reminding) {
    var plan = step("plan", ActionSignature.reminderPlan.name)
    plan.made =
      [
        ("event", made("{{ event }}")), ("run", made("{{ run.id }}")), ("now", made("{{ string(now()) }}")),
      ] + Self.facts(reminding)
    steps.append(plan)
    var due = step("due", ActionSignature.until.name, when: "steps.plan.output.wait == 'time'")
    due.made = [("time", made("{{ steps.plan.output.due }}"))]
    steps.append(due)
    var acknowledged = step(
      "acknowledged", ActionSignature.waitFor.name, when: "steps.plan.output.wait == 'acknowledgement'")
    acknowledged.made = [
      ("event", .literal(.string(Plan.Reminding.acknowledgement))),
      ("key", made("{{ steps.plan.output.reminder }}")), ("timeout", made("{{ steps.plan.output.seconds }}")),
    ]
    acknowledged.onError = .continue
    steps.append(acknowledged)
    var text = step("text", ActionSignature.reminderText.name, when: Self.isWanted)
    text.input = Node.map([("text", self.text)], at: self.text.range)
    text.made = [
      ("plan", made("{{ steps.plan.output }}")), ("now", made("{{ string(now()) }}")),
      ("until", made("{{ steps.due.status == 'succeeded' ? string(steps.due.output.until) : '' }}")),
    ]
    steps.append(text)
  }

  /// What the actions have to know of the recipe's times.
  private static func facts(_ reminding: Plan.Reminding) -> [(name: String, value: MadeValue)] {
    var facts: [(name: String, value: MadeValue)] = []
    if let at = reminding.at { facts.append(("at", .literal(.string(at.rfc3339)))) }
    if !reminding.leads.isEmpty { facts.append(("leads", .literal(.list(reminding.leads.map { .double($0) })))) }
    return facts
  }

  // MARK: The deliveries

  /// Adds a delivery, with what is tried where it fails.
  mutating func deliver(_ node: Node) {
    var chain: [Located<String>] = []
    deliver(node, &chain)
    if !chain.isEmpty { deliveries.append(chain) }
  }

  /// Delivers as a notification.
  mutating func deliverByDefault() {
    var step = way("notify", at: place, range: text.range, after: nil)
    notify(&step, [], text)
    step.retry = retry
    steps.append(step)
    deliveries.append([step.id])
  }

  private mutating func deliver(_ node: Node, _ chain: inout [Located<String>]) {
    guard steps.count < RecipeReader.mostSteps - 2,
      let map = reader.map(node, "deliver", RecipeDefinitions.delivery)
    else { return }
    let ways = map.entries.filter { $0.name != "otherwise" && RecipeDefinitions.delivery.key($0.name) != nil }
    guard let way = ways.first, ways.count == 1 else {
      if !ways.isEmpty || map.entries.isEmpty || map["otherwise"] != nil {
        reader.report(
          .conflictingKeys,
          LocalizedText(
            "a delivery is one of mail, command and notify; put several into a list",
            de: "eine Zustellung ist eines von mail, command und notify; mehrere gehören in eine Liste"),
          at: ways.dropFirst().first?.nameRange ?? node.range)
      }
      return
    }
    if var step = step(for: way, node, after: chain.last) {
      // Where there is another way, that is what helps while a server is down.
      if way.name != "command", map["otherwise"] == nil { step.retry = retry }
      steps.append(step)
      chain.append(step.id)
    }
    guard let otherwise = map["otherwise"] else { return }
    for element in otherwise.sequence ?? [otherwise] { deliver(element, &chain) }
  }

  /// A step that delivers the text; where there is one before it in its chain, only where that has failed.
  private mutating func way(
    _ name: String, at place: SourceRange, range: SourceRange, after last: Located<String>?
  ) -> Recipe.Step {
    var step = Recipe.Step(id: names.id(nil, otherwise: name, at: place), range: range)
    step.needs = [last ?? Located("text", at: place)]
    let condition = last.map { "\(Self.isWanted) && steps.\($0.value).status == 'failed'" } ?? Self.isWanted
    step.madeCondition = placed(condition, text)
    step.onError = .continue
    step.variables = [("text", placed("{{ steps.text.output.text }}", text))]
    return step
  }

  private mutating func step(
    for way: Node.Mapping.Entry, _ node: Node, after last: Located<String>?
  ) -> Recipe.Step? {
    var step = self.way(way.name, at: way.nameRange, range: node.range, after: last)
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
      var entries: [(name: String, value: Node)] = []
      if way.value.mapping != nil {
        guard let map = reader.map(way.value, "notify", RecipeDefinitions.notification) else { return nil }
        step.providers = map["provider"].flatMap { reader.strings($0, "provider") }
        entries = map.entries.filter { $0.name != "provider" && RecipeDefinitions.notification.key($0.name) != nil }
          .map { ($0.name, $0.value) }
      } else if way.value.string != nil {
        entries = [("title", way.value)]
      } else if !way.value.isNull {
        guard reader.bool(way.value, "notify") == true else { return nil }
      }
      notify(&step, entries, way.value)
    }
    return step
  }

  private func notify(_ step: inout Recipe.Step, _ entries: [(name: String, value: Node)], _ node: Node) {
    if step.uses == nil { step.uses = Located("notify.send", at: place) }
    step.input = Node.map(entries, at: node.range)
    let given = Set(entries.map(\.name))
    if !given.contains("title") { step.made.append(("title", .literal(.string(title)))) }
    if !given.contains("text") { step.made.append(("text", .text(placed("{{ text }}", text)))) }
  }

  // MARK: After the deliveries

  mutating func end(_ reminding: Plan.Reminding, _ repetition: Plan.Repetition?) {
    let ways = deliveries.flatMap(\.self)
    var last = [Located("text", at: place)] + ways
    if repetition != nil || reminding.at != nil {
      var next = step("next", ActionSignature.reminderNext.name, when: Self.isWanted)
      next.needs = last
      next.made =
        [
          ("plan", made("{{ steps.plan.output }}")), ("round", made("{{ steps.text.output.round }}")),
          ("now", made("{{ string(now()) }}")),
        ] + Self.facts(reminding)
      if let repetition {
        next.made.append(("every", .literal(.double(repetition.every))))
        if let limit = repetition.limit { next.made.append(("limit", .literal(.int(Int64(limit))))) }
      }
      steps.append(next)
      last.append(next.id)
    }
    var result = step("result", ActionSignature.reminderResult.name, when: Self.isWanted)
    result.needs = last
    let outcomes = deliveries.map { chain in
      MadeValue.list(
        chain.map { id in
          .map(
            [
              ("way", .literal(.string(id.value))), ("status", made("{{ steps.\(id.value).status }}")),
              ("error", made("{{ steps.\(id.value).error }}")),
            ], text)
        }, text)
    }
    result.made = [("deliveries", .list(outcomes, text))]
    steps.append(result)
  }

  // MARK: Parts

  private mutating func step(_ name: String, _ action: String, when condition: String? = nil) -> Recipe.Step {
    var step = Recipe.Step(id: names.id(nil, otherwise: name, at: place), range: text.range)
    step.uses = Located(action, at: place)
    step.madeCondition = condition.map { placed($0, text) }
    return step
  }

  private func made(_ text: String) -> MadeValue { .text(placed(text, self.text)) }

  private func placed(_ text: String, _ node: Node) -> PlacedText {
    PlacedText(text: text, node: node, document: reader.document)
  }
}
