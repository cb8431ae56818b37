import Expressions
import Localization

/// Makes the steps of a mail filter.
struct MailFilterLowering {
  /// The longest time that sorting the messages of a folder may take, in seconds: 100 000 of a slow server.
  private static let longestSelection = 3600.0

  let reader: FieldReader
  let folder: MadeValue
  private(set) var steps: [Recipe.Step] = []
  private var names: StepNames
  private var provider: Located<String>?
  /// What stands before the names of steps where there are several accounts.
  private var prefix = ""
  /// The step that sorts the messages.
  private var found = 0
  private var rules: [SelectionRule] = []

  init(reader: FieldReader, folder: MadeValue) {
    self.reader = reader
    self.folder = folder
    names = StepNames(reader: reader)
  }

  private var foundID: String { steps[found].id.value }

  /// Begins the steps of an account.
  mutating func begin(_ provider: Located<String>?, isOneOfSeveral: Bool) {
    self.provider = provider
    prefix = isOneOfSeveral ? (provider.flatMap { StepNames.identifier($0.value) } ?? "account") + "_" : ""
    rules = []
  }

  /// Adds the step that sorts the messages.
  mutating func search(_ node: Node?, at place: SourceRange) {
    var step = self.step("found", ActionSignature.select.name, at: place, node?.range ?? place)
    step.made = [("folder", folder)]
    step.timeout = Self.longestSelection
    if let node, let map = reader.map(node, "search", RecipeDefinitions.search) {
      let entries = map.entries.filter { RecipeDefinitions.search.key($0.name) != nil }
      step.input = Node.map(entries.map { ($0.name, $0.value) }, at: node.range)
    }
    found = steps.count
    steps.append(step)
  }

  /// Ends the steps of an account.
  mutating func end() { steps[found].rules = rules }

  /// Adds the steps of a rule.
  mutating func add(_ rule: MailFilterRule) {
    var selecting = step(rule.name, ActionSignature.values.name, at: rule.place, rule.node.range)
    selecting.providers = nil
    selecting.title = rule.title
    let id = selecting.id.value
    selecting.made = [("uids", .text(placed("{{ steps.\(foundID).output.rules.\(id).uids }}", rule)))]
    steps.append(selecting)
    rules.append(
      SelectionRule(
        name: id, title: rule.title, condition: rule.condition, actions: rule.actions, ends: rule.ends,
        takes: rule.end != nil, keeps: rule.keeps != nil, carries: rule.carries,
        unsubscribes: rule.outgoing.contains { $0.word == "unsubscribe" },
        reply: rule.outgoing.first { $0.word == "reply" }.map {
          AutomaticReply(addresses: $0.addresses, period: $0.period)
        }))

    if !rule.flags.add.isEmpty || !rule.flags.remove.isEmpty {
      var entries: [(name: String, value: MadeValue)] = []
      if !rule.flags.add.isEmpty { entries.append(("add", .list(rule.flags.add, rule.node))) }
      if !rule.flags.remove.isEmpty { entries.append(("remove", .list(rule.flags.remove, rule.node))) }
      act("flag", "mail.flag", id, entries, rule)
    }
    for folder in rule.copies { act("copy", "mail.copy", id, [("to", .node(folder))], rule) }
    for run in rule.runs { add(run, id, rule) }
    for outgoing in rule.outgoing { add(outgoing, id, rule) }
    switch rule.end?.kind {
    case .move(let folder): act("move", "mail.move", id, [("to", .node(folder))], rule)
    case .archive: act("archive", "mail.archive", id, [], rule)
    case .spam: act("spam", "mail.spam", id, [], rule)
    case .delete(let permanently):
      act("delete", "mail.delete", id, [("permanently", .literal(.bool(permanently)))], rule)
    case nil: break
    }
  }

  /// Adds a step that does something with all messages of a rule at once.
  private mutating func act(
    _ word: String, _ action: String, _ id: String, _ entries: [(name: String, value: MadeValue)],
    _ rule: MailFilterRule
  ) {
    var step = Recipe.Step(
      id: names.id(nil, otherwise: "\(id)_\(word)", at: rule.place), range: rule.node.range)
    step.uses = Located(action, at: rule.place)
    step.providers = provider.map { [$0] }
    let uids = "steps.\(id).output.uids"
    step.madeCondition = placed("size(\(uids)) > 0", rule)
    step.made = [("folder", folder), ("uids", .text(placed("{{ \(uids) }}", rule)))] + entries
    steps.append(step)
  }

  // MARK: One message after the other

  /// Adds a step that runs a recipe for each message of a rule.
  private mutating func add(
    _ run: (recipe: Located<String>, node: Node, inputs: Node?), _ id: String, _ rule: MailFilterRule
  ) {
    var step = each("messages", of: id, "run", ActionSignature.recipe.name, at: run.recipe.range, rule)
    var entries = [(name: "recipe", value: run.node)]
    if let inputs = run.inputs { entries.append(("inputs", inputs)) }
    step.input = Node.map(entries, at: run.node.range)
    steps.append(step)
  }

  private mutating func add(_ outgoing: MailFilterRule.Outgoing, _ id: String, _ rule: MailFilterRule) {
    switch outgoing.word {
    case "notify":
      var step = each("messages", of: id, "notify", "notify.send", at: outgoing.place, rule)
      step.providers = outgoing.providers
      step.made = outgoing.values
      fill(&step, "title", rule.title.map { .literal(.string($0)) } ?? text("{{ message.from.name }}", outgoing))
      fill(&step, "text", text("{{ message.subject }}", outgoing))
      steps.append(step)
    case "forward": forward(outgoing, id, rule)
    case "unsubscribe": unsubscribe(outgoing, id, rule)
    default: reply(outgoing, id, rule)
    }
  }

  /// The message goes on as it came, as an attachment: what it says and its signatures stay what they were.
  private mutating func forward(_ outgoing: MailFilterRule.Outgoing, _ id: String, _ rule: MailFilterRule) {
    var raw = each("messages", of: id, "raw", "mail.raw", at: outgoing.place, rule)
    raw.providers = provider.map { [$0] }
    raw.made = [
      ("folder", text("{{ message.folder }}", outgoing)), ("uid", text("{{ message.uid }}", outgoing)),
    ]
    let rawID = raw.id.value
    steps.append(raw)
    var step = each("messages", of: id, "forward", "mail.send", at: outgoing.place, rule)
    step.providers = outgoing.providers
    step.made = outgoing.values
    fill(&step, "subject", text("Fwd: {{ message.subject }}", outgoing))
    fill(&step, "text", .literal(""))
    let blob = text("{{ steps.\(rawID).items[index].output.blob }}", outgoing)
    step.made.append(
      (
        "attachments",
        .list(
          [
            .map(
              [("blob", blob), ("name", .literal("message.eml")), ("type", .literal("message/rfc822"))], outgoing.node)
          ], outgoing.node)
      ))
    step.made.append(("headers", .map([("Auto-Submitted", .literal("auto-generated"))], outgoing.node)))
    steps.append(step)
  }

  /// RFC 5230, 5: subject, thread and the header field that keeps other programs from answering.
  private mutating func reply(_ outgoing: MailFilterRule.Outgoing, _ id: String, _ rule: MailFilterRule) {
    var step = each("replies", of: id, "reply", "mail.send", at: outgoing.place, rule)
    step.providers = outgoing.providers
    step.made = outgoing.values
    fill(&step, "subject", text("Auto: {{ message.subject }}", outgoing))
    step.made += [
      ("to", .list([text("{{ message.to }}", outgoing)], outgoing.node)),
      ("in_reply_to", text("{{ message.message_id }}", outgoing)),
      ("references", text("{{ message.references }}", outgoing)),
      ("headers", .map([("Auto-Submitted", .literal("auto-replied"))], outgoing.node)),
    ]
    steps.append(step)
    var told = each("replies", of: id, "replied", "state.set", at: outgoing.place, rule)
    told.made = [
      ("key", text("{{ message.key }}", outgoing)),
      ("value", text("{{ string(now()) }}", outgoing)),
    ]
    steps.append(told)
  }

  /// RFC 8058 where the message offers it, else a message to the list. A list that cannot be left holds up nothing else.
  private mutating func unsubscribe(_ outgoing: MailFilterRule.Outgoing, _ id: String, _ rule: MailFilterRule) {
    var request = each("leave_by_request", of: id, "unsubscribe", "http.request", at: outgoing.place, rule)
    request.made = [
      ("method", .literal("POST")), ("url", text("{{ message.url }}", outgoing)),
      ("form", .map([("List-Unsubscribe", .literal("One-Click"))], outgoing.node)),
    ]
    request.onError = .continue
    steps.append(request)
    var step = each("leave_by_mail", of: id, "unsubscribe_mail", "mail.send", at: outgoing.place, rule)
    step.made = [
      ("to", .list([text("{{ message.to }}", outgoing)], outgoing.node)),
      ("subject", text("{{ message.subject }}", outgoing)), ("text", text("{{ message.text }}", outgoing)),
      ("headers", .map([("Auto-Submitted", .literal("auto-generated"))], outgoing.node)),
    ]
    step.onError = .continue
    steps.append(step)
  }

  private func fill(_ step: inout Recipe.Step, _ name: String, _ value: MadeValue) {
    if !step.made.contains(where: { $0.name == name }) { step.made.append((name, value)) }
  }

  /// A step for each message of a list that the rule has.
  private mutating func each(
    _ list: String, of id: String, _ word: String, _ action: String, at place: SourceRange, _ rule: MailFilterRule
  ) -> Recipe.Step {
    var step = Recipe.Step(id: names.id(nil, otherwise: "\(id)_\(word)", at: place), range: rule.node.range)
    step.uses = Located(action, at: place)
    step.madeItems = placed("{{ steps.\(foundID).output.rules.\(id).\(list) }}", rule)
    step.variable = Located("message", at: rule.place)
    if list == "messages" { step.carrier = (foundID, id) }
    return step
  }

  private func placed(_ text: String, _ rule: MailFilterRule) -> PlacedText {
    PlacedText(text: text, node: rule.node, document: reader.document)
  }

  private func text(_ text: String, _ outgoing: MailFilterRule.Outgoing) -> MadeValue {
    .text(PlacedText(text: text, node: outgoing.node, document: reader.document))
  }

  private mutating func step(
    _ name: String, _ action: String, at place: SourceRange, _ range: SourceRange
  ) -> Recipe.Step {
    var step = Recipe.Step(id: names.id(nil, otherwise: prefix + name, at: place), range: range)
    step.uses = Located(action, at: place)
    step.providers = provider.map { [$0] }
    return step
  }
}
