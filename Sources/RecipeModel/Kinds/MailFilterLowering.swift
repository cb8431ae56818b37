import Expressions
import Localization
import Plans
import RecipeSyntax
import Schemas

/// Makes the steps of a mail filter.
struct MailFilterLowering {
  /// A step that goes through messages one by one.
  struct Part {
    var step: String
    /// What it does, in words of the recipe.
    var action: String
    /// Whether a message for which it fails stays where it is.
    var holds = true
  }

  /// The longest time that sorting the messages of a folder may take, in seconds: 100 000 of a slow server.
  private static let longestSelection = 3600.0

  let reader: FieldReader
  let folder: MadeValue
  var steps: [Recipe.Step] = []
  var names: StepNames
  private(set) var provider: Located<String>?
  /// What stands before the names of steps where there are several accounts.
  private var prefix = ""
  /// Whether there are several accounts: one that cannot be read does not hold up the others.
  private var isOneOfSeveral = false
  /// The step that sorts the messages.
  private var found = 0
  private var rules: [SelectionRule] = []
  /// The lists of the rule whose messages go out once, over all runs.
  var sends: [SelectionRule.Sending] = []
  /// What the rule does message by message.
  var parts: [Part] = []
  /// What remembers at the end of the run what was sent.
  var endings: [Recipe.Step] = []
  /// Expressions for the messages for which a rule before has failed that let later rules have them: as long as that is not
  /// done, nothing takes them out of their folder.
  private var held: [String] = []
  /// What could not be done message by message, as the result takes it; and with all messages of a rule at once.
  private var failures: [MadeValue] = []
  /// The steps of the account that report what could not be done message by message, and those that change messages of a rule.
  private var outcomes: [String] = []
  var changes: [(rule: String, action: String, step: String)] = []
  var results: [MadeValue] = []
  /// By account: what the rules could not decide about.
  private var undecided: [MadeValue] = []
  /// The steps that have moved messages of the account out of their folder: `{uids, results, to}` each.
  private var departures: [MadeValue] = []
  /// By account: the messages that were not judged.
  private var left: [MadeValue] = []

  init(reader: FieldReader, folder: MadeValue) {
    self.reader = reader
    self.folder = folder
    names = StepNames(reader: reader)
  }

  var foundID: String { steps[found].id.value }

  /// An expression for a list of the step that sorts the messages; empty where that failed and the other accounts go on.
  func foundList(_ path: String) -> String {
    let list = "steps.\(foundID).output.\(path)"
    return isOneOfSeveral ? "(steps.\(foundID).status == 'failed' ? [] : \(list))" : list
  }

  /// Begins the steps of an account.
  mutating func begin(_ provider: Located<String>?, isOneOfSeveral: Bool) {
    self.provider = provider
    self.isOneOfSeveral = isOneOfSeveral
    prefix = isOneOfSeveral ? (provider.flatMap { StepNames.identifier($0.value) } ?? "account") + "_" : ""
    rules = []
    held = []
    departures = []
    outcomes = []
    changes = []
  }

  /// Adds the step that sorts the messages.
  mutating func search(_ node: Node?, at place: SourceRange) {
    var step = self.step("found", ActionSignature.select.name, at: place, node?.range ?? place)
    step.made = [("folder", folder)]
    step.timeout = Self.longestSelection
    if isOneOfSeveral { step.onError = .continue }
    if let node, let map = reader.map(node, "search", RecipeDefinitions.search) {
      let entries = map.entries.filter { RecipeDefinitions.search.key($0.name) != nil }
      step.input = Node.map(entries.map { ($0.name, $0.value) }, at: node.range)
    }
    found = steps.count
    steps.append(step)
  }

  /// Ends the steps of an account.
  mutating func end(at node: Node) {
    steps[found].rules = rules
    func text(_ text: String) -> MadeValue {
      .text(PlacedText(text: "{{ \(text) }}", node: node, document: reader.document))
    }
    undecided.append(text(foundList("errors")))
    left.append(text(foundList("left")))
    if !rules.isEmpty { addDeparture(at: node) }
    guard isOneOfSeveral else { return }
    results.append(
      .map(
        [
          ("account", .literal(.string(provider?.value ?? ""))), ("error", text("steps.\(foundID).error")),
        ], node))
  }

  /// Adds the steps of a rule: what is done message by message, then what is done with all of them whose turn came to a good
  /// end, and last what takes them out of their folder.
  mutating func add(_ rule: MailFilterRule) {
    var selecting = step(rule.name, ActionSignature.values.name, at: rule.place, rule.node.range)
    selecting.providers = nil
    selecting.title = rule.title
    let id = selecting.id.value
    selecting.made = [("uids", .text(placed("{{ \(foundList("rules.\(id).uids")) }}", rule)))]
    steps.append(selecting)
    sends = []
    parts = []
    for run in rule.runs { add(run, id, rule) }
    for outgoing in rule.outgoing { add(outgoing, id, rule) }
    let copies = rule.copies.map { (folder: $0, list: copying($0)) }
    rules.append(
      SelectionRule(
        name: id, title: rule.title, condition: rule.condition, actions: rule.actions, ends: rule.ends,
        takes: rule.end != nil, keeps: rule.keeps != nil, sends: sends, saves: rule.saves,
        authenticators: rule.outgoing.first { $0.word == "unsubscribe" }?.authenticators,
        reply: rule.outgoing.first { $0.word == "reply" }.map {
          AutomaticReply(addresses: $0.addresses, period: $0.period, handle: $0.handle)
        }))
    var changes = Changes(uids: "steps.\(id).output.uids")
    var finished = foundList("rules.\(id).elsewhere")
    if !parts.isEmpty || !held.isEmpty {
      let outcome = addOutcome(id, rule)
      changes.uids = "steps.\(outcome).output.uids"
      held = ["steps.\(outcome).output.held"]
      finished = "\(finished).filter(m, !(m.uid in steps.\(outcome).output.held))"
    }
    addElsewhere(id, rule, finished, copies)
    let flags = Self.flags(rule)
    if !flags.isEmpty { act("flag", "mail.flag", id, flags, rule, &changes) }
    for copy in copies { add(copyingTo: copy.folder, copy.list, id, rule, &changes) }
    switch rule.end?.kind {
    case .move(let folder):
      end("move", "mail.move", id, [("to", .node(folder))], to: .node(folder), rule, &changes)
    case .archive: end("archive", "mail.archive", id, [], rule, &changes)
    case .spam: end("spam", "mail.spam", id, [], rule, &changes)
    case .delete(let permanently):
      end("delete", "mail.delete", id, [("permanently", .literal(.bool(permanently)))], rule, &changes)
    case nil: break
    }
    if !rule.ends { held += changes.steps.map { "(steps.\($0).status == 'failed' ? \(changes.uids) : [])" } }
  }

  /// The inputs of `mail.flag`; empty if the rule changes no flags.
  static func flags(_ rule: MailFilterRule) -> [(name: String, value: MadeValue)] {
    var entries: [(name: String, value: MadeValue)] = []
    if !rule.flags.add.isEmpty { entries.append(("add", .list(rule.flags.add, rule.node))) }
    if !rule.flags.remove.isEmpty { entries.append(("remove", .list(rule.flags.remove, rule.node))) }
    return entries
  }

  /// Adds the step that moves the messages of a rule out of their folder. It is skipped if an earlier filter of the folder has
  /// already moved them.
  private mutating func end(
    _ word: String, _ action: String, _ id: String, _ entries: [(name: String, value: MadeValue)],
    to folder: MadeValue = .literal(.null), _ rule: MailFilterRule, _ changes: inout Changes
  ) {
    let uids = changes.uids
    act(word, action, id, entries, rule, &changes, where: ["steps.\(foundID).output.taken_by == null"])
    guard let step = changes.steps.last else { return }
    let hasMoved = "has(steps.\(step)) && steps.\(step).status == 'succeeded'"
    departures.append(
      .map(
        [
          ("uids", .text(placed("{{ \(hasMoved) ? \(uids) : [] }}", rule))),
          ("results", .text(placed("{{ \(hasMoved) ? [steps.\(step).output] : [] }}", rule))), ("to", folder),
        ], rule.node))
  }

  /// Adds the step that records at the end of the run where its messages were moved.
  private mutating func addDeparture(at node: Node) {
    func text(_ text: String) -> MadeValue {
      .text(PlacedText(text: "{{ \(text) }}", node: node, document: reader.document))
    }
    var step = Recipe.Step(id: names.id(nil, otherwise: prefix + "departed", at: node.range), range: node.range)
    step.uses = Located(ActionSignature.departed.name, at: node.range)
    step.phase = .finally
    // If the folder could not be read, the message whose arrival has started the run is not dealt with.
    let isRead = "steps.\(foundID).status == 'succeeded'"
    let output = "steps.\(foundID).output"
    step.madeCondition = PlacedText(
      text: "has(steps.\(foundID)) && (\(isRead) ? size(\(output).decisions) + size(\(output).errors) "
        + "+ size(\(output).settled) > 0 : steps.\(foundID).status == 'failed' && event != null)", node: node,
      document: reader.document)
    step.made = [("folder", "''"), ("decisions", "[]"), ("errors", "[]"), ("settled", "[]")].map {
      ($0, text("\(isRead) ? \(output).\($0) : \($1)"))
    }
    let other = "has(event.provider) ? event.provider : ''"
    var mailbox = text("\(isRead) ? \(output).provider : (\(other))")
    if let provider { mailbox = .literal(.string(provider.value)) }
    step.made.append(("provider", mailbox))
    step.made.append(("source", self.folder))
    step.made.append(("is_read", text(isRead)))
    step.made.append(("event", text("\(isRead) ? null : event")))
    let failed = outcomes.map { text("\(succeeded($0)) ? steps.\($0).output.failed : []") }
    step.made.append(("failed", .list(failed, node)))
    let changed = changes.map { change in
      let error = text("has(steps.\(change.step)) ? steps.\(change.step).error : null")
      return MadeValue.map(
        [
          ("rule", .literal(.string(change.rule))), ("action", .literal(.string(change.action))), ("error", error),
        ], node)
    }
    step.made.append(("changes", .list(changed, node)))
    step.made.append(("taken", .list(departures, node)))
    step.made.append(("version", .literal(.string(Fingerprint.version(of: reader.document.source.bytes)))))
    step.onError = .continue
    endings.append(step)
  }

  private func succeeded(_ step: String) -> String { "has(steps.\(step)) && steps.\(step).status == 'succeeded'" }

  /// What a rule does with all of its messages at once.
  struct Changes {
    /// An expression for the messages.
    var uids: String
    /// The steps before, none of which may have failed: a message that could not be copied is not deleted.
    var steps: [String] = []
  }

  /// Adds a step that does something with all messages of a rule at once. Where it fails, the other rules go on.
  mutating func act(
    _ word: String, _ action: String, _ id: String, _ entries: [(name: String, value: MadeValue)],
    _ rule: MailFilterRule, _ changes: inout Changes, where conditions: [String] = []
  ) {
    var step = Recipe.Step(
      id: names.id(nil, otherwise: "\(id)_\(word)", at: rule.place), range: rule.node.range)
    step.uses = Located(action, at: rule.place)
    step.providers = provider.map { [$0] }
    let conditions =
      ["size(\(changes.uids)) > 0"] + changes.steps.map { "steps.\($0).status != 'failed'" } + conditions
    step.madeCondition = placed(conditions.joined(separator: " && "), rule)
    // The folder of the output, not of the recipe: an earlier filter may have moved the message.
    step.made =
      [
        ("folder", .text(placed("{{ steps.\(foundID).output.folder }}", rule))),
        ("uids", .text(placed("{{ \(changes.uids) }}", rule))),
      ] + entries
    step.onError = .continue
    steps.append(step)
    changes.steps.append(step.id.value)
    self.changes.append((id, word, step.id.value))
    results.append(
      .map(
        [
          ("rule", .literal(.string(id))), ("action", .literal(.string(word))),
          ("error", .text(placed("{{ steps.\(step.id.value).error }}", rule))),
        ], rule.node))
  }

  /// Adds the step that tells for which messages of a rule everything so far came to a good end.
  ///
  /// - Parameter condition: When the step runs; `nil` for always.
  mutating func addOutcome(
    _ id: String, _ rule: MailFilterRule, _ name: String = "done", where condition: String? = nil
  ) -> String {
    var step = Recipe.Step(
      id: names.id(nil, otherwise: "\(id)_\(name)", at: rule.place), range: rule.node.range)
    step.uses = Located(ActionSignature.outcome.name, at: rule.place)
    let parts = parts.map { part in
      MadeValue.map(
        [
          ("action", .literal(.string(part.action))), ("holds", .literal(.bool(part.holds))),
          ("items", .text(placed("{{ steps.\(part.step).items }}", rule))),
        ], rule.node)
    }
    step.made = [
      ("rule", .literal(.string(id))), ("uids", .text(placed("{{ steps.\(id).output.uids }}", rule))),
      ("parts", .list(parts, rule.node)),
      ("held", .list(held.map { .text(placed("{{ \($0) }}", rule)) }, rule.node)),
    ]
    step.madeCondition = condition.map { placed($0, rule) }
    step.isImplied = condition != nil
    steps.append(step)
    let failed = "steps.\(step.id.value).output.failed"
    let text = condition == nil ? failed : "steps.\(step.id.value).status == 'skipped' ? [] : \(failed)"
    failures.append(.text(placed("{{ \(text) }}", rule)))
    outcomes.append(step.id.value)
    return step.id.value
  }

  /// Adds what comes after all rules of all accounts: the run fails where something could not be done, and what was sent is
  /// remembered however the run ends.
  mutating func finish(at node: Node, _ place: SourceRange) {
    var step = Recipe.Step(id: names.id(nil, otherwise: "result", at: place), range: node.range)
    step.uses = Located(ActionSignature.filterResult.name, at: place)
    step.made = [
      ("failed", .list(failures, node)), ("changes", .list(results, node)), ("undecided", .list(undecided, node)),
      ("left", .list(left, node)),
    ]
    steps.append(step)
    steps += endings
  }

  func placed(_ text: String, _ rule: MailFilterRule) -> PlacedText {
    PlacedText(text: text, node: rule.node, document: reader.document)
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
