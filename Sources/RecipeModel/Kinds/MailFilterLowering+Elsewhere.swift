import Expressions
import Plans
import RecipeSyntax

/// Messages for which an earlier run could not do all, and which other filters have moved to other folders since.
extension MailFilterLowering {
  /// Adds the steps that flag and copy such messages, one by one: each is in a folder of its own. No step moves them again, because
  /// the other filter has decided where they are.
  ///
  /// - Parameter finished: An expression for those messages of the rule for which everything before has succeeded.
  mutating func addElsewhere(
    _ id: String, _ rule: MailFilterRule, _ finished: String, _ copies: [(folder: Node, list: String)]
  ) {
    let flags = Self.flags(rule)
    guard !flags.isEmpty || !copies.isEmpty else { return }
    let before = parts
    parts = []
    if !flags.isEmpty {
      add("flag_elsewhere", "mail.flag", id, items: finished, place(of: rule, and: flags), rule)
      parts.append(Part(step: steps.last?.id.value ?? "", action: "flag"))
    }
    for copy in copies { add(copyingElsewhereTo: copy.folder, copy.list, id, rule, finished) }
    _ = addOutcome(id, rule, "elsewhere_done", where: condition(id))
    parts = before
  }

  /// Adds the steps that copy messages: each copy is noted before, and its outcome is noted at the end of the run.
  private mutating func add(
    copyingElsewhereTo folder: Node, _ list: String, _ id: String, _ rule: MailFilterRule, _ finished: String
  ) {
    let messages = foundList("rules.\(id).sends.\(Self.elsewhere(list)).messages")
    let noted = add(
      "copy_elsewhere_noted", ActionSignature.note.name, id,
      items: "\(messages).filter(m, \(finished).exists(f, f.uid == m.uid))",
      [("key", .text(placed("{{ message.key }}", rule)))], rule)
    parts.append(Part(step: noted, action: "copy"))
    let copied = add(
      "copy_elsewhere", "mail.copy", id,
      items: "steps.\(noted).items.filter(i, i.status == 'succeeded').map(i, i.item)",
      place(of: rule, and: [("to", .node(folder))]), rule)
    parts.append(Part(step: copied, action: "copy"))
    var ending = self.step("copy_elsewhere_sent", ActionSignature.noted.name, id, rule)
    ending.phase = .finally
    let items = "steps.\(noted).items"
    ending.madeCondition = placed("has(steps.\(noted)) && has(\(items))", rule)
    ending.madeItems = placed("{{ \(items).filter(i, i.status == 'succeeded') }}", rule)
    let copies = "steps.\(copied).items"
    let hasItem = "has(steps.\(copied)) && has(\(copies)) && size(\(copies)) > index"
    let status = "(\(hasItem) ? \(copies)[index].status : 'skipped')"
    ending.made = [
      ("key", .text(placed("{{ message.item.key }}", rule))),
      (
        "value",
        .text(
          placed(
            "{{ \(status) == 'succeeded' ? 'sent' : \(status) == 'cancelled' ? run.id : \(status) == 'failed' ? 'failed' : null }}",
            rule))
      ),
    ]
    endings.append(ending)
  }

  /// The inputs that name a message in its folder, and others.
  private func place(
    of rule: MailFilterRule, and others: [(name: String, value: MadeValue)]
  ) -> [(name: String, value: MadeValue)] {
    let uid = MadeValue.text(placed("{{ message.uid }}", rule))
    var input: [(name: String, value: MadeValue)] = []
    input.append(("folder", .text(placed("{{ message.folder }}", rule))))
    input.append(("uids", .list([uid], rule.node)))
    return input + others
  }

  /// Adds a step for each entry of a list.
  ///
  /// - Returns: Its id.
  @discardableResult private mutating func add(
    _ word: String, _ action: String, _ id: String, items: String, _ input: [(name: String, value: MadeValue)],
    _ rule: MailFilterRule
  ) -> String {
    var step = self.step(word, action, id, rule)
    if !action.hasPrefix("mail.note") { step.providers = provider.map { [$0] } }
    step.madeCondition = placed(condition(id), rule)
    step.madeItems = placed("{{ \(items) }}", rule)
    step.made = input
    step.isImplied = true
    step.onError = .continue
    steps.append(step)
    return step.id.value
  }

  /// Whether a rule has such messages.
  private func condition(_ id: String) -> String { "size(\(foundList("rules.\(id).elsewhere"))) > 0" }

  private mutating func step(_ word: String, _ action: String, _ id: String, _ rule: MailFilterRule) -> Recipe.Step {
    var step = Recipe.Step(id: names.id(nil, otherwise: "\(id)_\(word)", at: rule.place), range: rule.node.range)
    step.uses = Located(action, at: rule.place)
    step.variable = Located("message", at: rule.place)
    return step
  }
}
