import Expressions
import Localization
import Plans
import RecipeSyntax

/// What is done for one message after the other. A message for which it fails holds up no other: it stays where it is, and
/// the run tells of it.
extension MailFilterLowering {
  /// Adds a step that runs a recipe once for each message of a rule. It runs again for a message only after the message has left
  /// its folder and come back, or after a change of this filter.
  mutating func add(
    _ run: (recipe: Located<String>, node: Node, inputs: Node?), _ id: String, _ rule: MailFilterRule
  ) {
    let version = Fingerprint.version(of: reader.document.source.bytes)
    var outgoing = MailFilterRule.Outgoing(word: "run", node: run.node, place: run.recipe.range)
    outgoing.mark = "\(version)/\(id)/\(run.recipe.value)"
    let noted = note("\(sending(outgoing)).messages", of: id, outgoing, rule)
    var step = each(noted, of: id, "run", ActionSignature.recipe.name, at: run.recipe.range, rule)
    var entries = [(name: "recipe", value: run.node)]
    if let inputs = run.inputs { entries.append(("inputs", inputs)) }
    step.input = Node.map(entries, at: run.node.range)
    append(step, "run")
    remember(noted, of: id, sentBy: step.id.value, outgoing, rule)
  }

  mutating func add(_ outgoing: MailFilterRule.Outgoing, _ id: String, _ rule: MailFilterRule) {
    switch outgoing.word {
    case "notify": notify(outgoing, id, rule)
    case "forward", "redirect": sendOn(outgoing, id, rule)
    case "save": save(outgoing, id, rule)
    case "unsubscribe": unsubscribe(outgoing, id, rule)
    default: reply(outgoing, id, rule)
    }
  }

  private mutating func notify(_ outgoing: MailFilterRule.Outgoing, _ id: String, _ rule: MailFilterRule) {
    let list = sending(outgoing)
    let noted = note("\(list).messages", of: id, outgoing, rule)
    var step = each(noted, of: id, "notify", "notify.send", at: outgoing.place, rule)
    step.providers = outgoing.providers
    step.made = outgoing.values
    fill(&step, "title", rule.title.map { .literal(.string($0)) } ?? text("{{ message.from.name }}", outgoing))
    fill(&step, "text", text("{{ message.subject }}", outgoing))
    append(step, "notify")
    remember(noted, of: id, sentBy: step.id.value, outgoing, rule)
  }

  /// `forward`: the message goes on as it came, as an attachment: what it says and its signatures stay what they were.
  /// `redirect`: the message itself goes on (RFC 5228, 4.2).
  private mutating func sendOn(_ outgoing: MailFilterRule.Outgoing, _ id: String, _ rule: MailFilterRule) {
    let list = sending(outgoing)
    let noted = note("\(list).messages", of: id, outgoing, rule)
    var raw = each(noted, of: id, "raw", "mail.raw", at: outgoing.place, rule)
    raw.providers = provider.map { [$0] }
    raw.made = [
      ("folder", text("{{ message.folder }}", outgoing)), ("uid", text("{{ message.uid }}", outgoing)),
    ]
    append(raw, outgoing.word)
    var step = each(noted, of: id, outgoing.word, "mail.send", at: outgoing.place, rule)
    step.providers = outgoing.providers
    step.made = outgoing.values
    let blob = text("{{ steps.\(raw.id.value).items[index].output.blob }}", outgoing)
    fill(&step, "text", .literal(""))
    if outgoing.word == "redirect" {
      step.made += [("subject", .literal("")), ("blob", blob)]
    } else {
      fill(&step, "subject", text("Fwd: {{ message.subject }}", outgoing))
      let file = MadeValue.map(
        [("blob", blob), ("name", .literal("message.eml")), ("type", .literal("message/rfc822"))], outgoing.node)
      step.made += [
        ("attachments", .list([file], outgoing.node)),
        ("headers", .map([("Auto-Submitted", .literal("auto-generated"))], outgoing.node)),
      ]
    }
    append(step, outgoing.word)
    remember(noted, of: id, sentBy: step.id.value, outgoing, rule)
  }

  /// The attachments go into a folder, each content once.
  private mutating func save(_ outgoing: MailFilterRule.Outgoing, _ id: String, _ rule: MailFilterRule) {
    var fetch = each("files", of: id, "attachment", "mail.attachment", at: outgoing.place, rule)
    fetch.providers = provider.map { [$0] }
    // Each waits for the server most of its time; a provider has about as many connections.
    fetch.parallel = 4
    fetch.made = [
      ("folder", text("{{ message.folder }}", outgoing)), ("uid", text("{{ message.uid }}", outgoing)),
      ("part", text("{{ message.attachment.part }}", outgoing)),
    ]
    append(fetch, "save")
    var step = each("files", of: id, "save", "file.save", at: outgoing.place, rule)
    step.made =
      outgoing.values + [
        ("name", text("{{ message.attachment.name }}", outgoing)),
        ("blob", text("{{ steps.\(fetch.id.value).items[index].output.blob }}", outgoing)),
      ]
    append(step, "save")
  }

  /// RFC 5230, 5: subject, thread and the header field that keeps other programs from answering.
  private mutating func reply(_ outgoing: MailFilterRule.Outgoing, _ id: String, _ rule: MailFilterRule) {
    let noted = note("replies", of: id, outgoing, rule)
    var step = each(noted, of: id, "reply", "mail.send", at: outgoing.place, rule)
    step.providers = outgoing.providers
    step.made = outgoing.values
    fill(&step, "subject", text("Auto: {{ message.subject }}", outgoing))
    step.made += [
      ("to", .list([text("{{ message.to }}", outgoing)], outgoing.node)),
      ("in_reply_to", text("{{ message.message_id }}", outgoing)),
      ("references", text("{{ message.references }}", outgoing)),
      ("headers", .map([("Auto-Submitted", .literal("auto-replied"))], outgoing.node)),
    ]
    append(step, "reply")
    remember(noted, of: id, sentBy: step.id.value, outgoing, rule)
  }

  /// RFC 8058 where the message offers it, else a message to the list. A list that cannot be left holds up nothing else.
  private mutating func unsubscribe(_ outgoing: MailFilterRule.Outgoing, _ id: String, _ rule: MailFilterRule) {
    let asked = note("leave_by_request", of: id, outgoing, rule)
    var request = each(asked, of: id, "unsubscribe", "http.request", at: outgoing.place, rule)
    request.made = [
      ("method", .literal("POST")), ("url", text("{{ message.url }}", outgoing)),
      ("form", .map([("List-Unsubscribe", .literal("One-Click"))], outgoing.node)),
      // The address is the sender's choice.
      ("credentials", .literal(.bool(false))),
    ]
    append(request, "unsubscribe", holds: false)
    remember(asked, of: id, sentBy: request.id.value, outgoing, rule)
    let noted = note("leave_by_mail", of: id, outgoing, rule)
    var step = each(noted, of: id, "unsubscribe_mail", "mail.send", at: outgoing.place, rule)
    step.made = [
      ("to", .list([text("{{ message.to }}", outgoing)], outgoing.node)),
      ("subject", text("{{ message.subject }}", outgoing)), ("text", text("{{ message.text }}", outgoing)),
      ("headers", .map([("Auto-Submitted", .literal("auto-generated"))], outgoing.node)),
    ]
    append(step, "unsubscribe", holds: false)
    remember(noted, of: id, sentBy: step.id.value, outgoing, rule)
  }

  // MARK: What was sent

  /// Makes a list of messages that go out once, over all runs. What was sent is known by its message and its recipients,
  /// so that a rule may get another name or place.
  ///
  /// - Returns: Where it stands in what is known of the rule.
  private mutating func sending(_ outgoing: MailFilterRule.Outgoing) -> String {
    var name = outgoing.word
    var number = 2
    while sends.contains(where: { $0.list == name }) {
      name = "\(outgoing.word)_\(number)"
      number += 1
    }
    sends.append(SelectionRule.Sending(word: outgoing.word, list: name, mark: "\(outgoing.word)/\(outgoing.mark)"))
    return "sends.\(name)"
  }

  /// A list of what was noted by a step.
  private struct Noted {
    /// The step.
    var step: String
    /// Where the list stands in what is known of the rule, and where its keys; `nil` where each entry has its own.
    var list: String
    var keys: String?
  }

  /// Adds the step that notes what is about to be sent: a run that stops half-way must not let the next one send again, nor
  /// may it send when it is resumed what the next one has sent.
  private mutating func note(
    _ list: String, of id: String, _ outgoing: MailFilterRule.Outgoing, _ rule: MailFilterRule
  ) -> Noted {
    var step = each(list, of: id, "\(outgoing.word)_noted", ActionSignature.note.name, at: outgoing.place, rule)
    var keys: String?
    if list.hasSuffix(".messages") {
      keys = "steps.\(foundID).output.rules.\(id).\(list.dropLast(".messages".count)).keys"
    }
    step.made = [("key", text(keys.map { "{{ \($0)[index] }}" } ?? "{{ message.key }}", outgoing))]
    if keys == nil { step.made.append(("within", .literal(.double(outgoing.period)))) }
    append(step, outgoing.word, holds: outgoing.word != "unsubscribe")
    return Noted(step: step.id.value, list: list, keys: keys)
  }

  /// A step for each message that was noted.
  private mutating func each(
    _ noted: Noted, of id: String, _ word: String, _ action: String, at place: SourceRange, _ rule: MailFilterRule
  ) -> Recipe.Step {
    var step = each(noted.list, of: id, word, action, at: place, rule)
    step.madeItems = placed(
      "{{ steps.\(noted.step).items.filter(i, i.status == 'succeeded').map(i, i.item) }}", rule)
    return step
  }

  /// Adds the step that tells at the end of the run what was sent. What failed may be tried again; what was cut off
  /// while it was under way keeps its note.
  private mutating func remember(
    _ noted: Noted, of id: String, sentBy step: String, _ outgoing: MailFilterRule.Outgoing, _ rule: MailFilterRule
  ) {
    var ending = each(noted.list, of: id, "\(outgoing.word)_sent", ActionSignature.noted.name, at: outgoing.place, rule)
    ending.carrier = nil
    ending.phase = .finally
    // Where the run ended early, a step has no items, or is not known at all.
    let found = "steps.\(noted.step).items"
    ending.madeCondition = placed("has(steps.\(noted.step)) && has(\(found))", rule)
    ending.madeItems = placed("{{ \(found).filter(i, i.status == 'succeeded') }}", rule)
    let items = "steps.\(step).items"
    let hasItem = "has(steps.\(step)) && has(\(items)) && size(\(items)) > index"
    let status = "(\(hasItem) ? \(items)[index].status : 'skipped')"
    let kept = noted.keys == nil ? "string(now())" : "run.id"
    let sent = noted.keys == nil ? "string(now())" : "'sent'"
    ending.made = [
      ("key", text(noted.keys.map { "{{ \($0)[message.index] }}" } ?? "{{ message.item.key }}", outgoing)),
      (
        "value",
        text("{{ \(status) == 'succeeded' ? \(sent) : \(status) == 'cancelled' ? \(kept) : null }}", outgoing)
      ),
    ]
    endings.append(ending)
  }

  // MARK: Parts of steps

  private mutating func append(_ step: Recipe.Step, _ action: String, holds: Bool = true) {
    var step = step
    step.onError = .continue
    steps.append(step)
    parts.append(Part(step: step.id.value, action: action, holds: holds))
  }

  private func fill(_ step: inout Recipe.Step, _ name: String, _ value: MadeValue) {
    if !step.made.contains(where: { $0.name == name }) { step.made.append((name, value)) }
  }

  /// A step for each entry of a list that the rule has.
  private mutating func each(
    _ list: String, of id: String, _ word: String, _ action: String, at place: SourceRange, _ rule: MailFilterRule
  ) -> Recipe.Step {
    var step = Recipe.Step(id: names.id(nil, otherwise: "\(id)_\(word)", at: place), range: rule.node.range)
    step.uses = Located(action, at: place)
    step.madeItems = placed("{{ \(foundList("rules.\(id).\(list)")) }}", rule)
    step.variable = Located("message", at: rule.place)
    // The answers and requests have no fields of messages.
    if list == "files" || list.hasPrefix("sends.") { step.carrier = (foundID, id) }
    return step
  }

  private func text(_ text: String, _ outgoing: MailFilterRule.Outgoing) -> MadeValue {
    .text(PlacedText(text: text, node: outgoing.node, document: reader.document))
  }
}
