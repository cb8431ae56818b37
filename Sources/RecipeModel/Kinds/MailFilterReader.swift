import Expressions
import Localization
import Plans
import RecipeSyntax

/// Reads a recipe of kind `mail-filter`: rules over the messages of a folder.
///
/// For each account it lowers to a step `mail.select` that decides message by message, and rule by rule to a step `values`
/// with the `uids` of the rule's messages and the steps that do something with them. Every condition sees the messages as
/// they were found. As in Sieve (RFC 5228), `stop` ends the rules for a message, and what no rule takes stays where it is;
/// a message that a rule has moved or deleted is out for later rules as well, since it is no longer where they would look
/// for it.
struct MailFilterReader {
  /// The actions of a rule that are one word.
  static let words = [
    "keep", "mark_seen", "mark_unseen", "flag", "unflag", "archive", "spam", "delete", "unsubscribe",
    "stop",
  ]
  /// The actions of a rule that say more than a word.
  static let maps = [
    "move", "copy", "label", "unlabel", "delete", "notify", "forward", "redirect", "reply", "save",
    "unsubscribe", "run",
  ]

  let reader: FieldReader

  func read(_ map: Node.Mapping, _ recipe: inout Recipe) {
    let provider = map["provider"].flatMap { reader.name($0, "provider") }
    if let node = map["folder"] { _ = reader.name(node, "folder") }
    let folder: MadeValue = map["folder"].map { .node($0) } ?? .literal("INBOX")
    if let node = map["on"], !node.isNull {
      let literal = map["folder"]?.string.flatMap { $0.contains("{{") ? nil : $0 }
      let triggers = TriggerReader(reader: reader, mailbox: (provider?.value, literal), name: recipe.name)
      recipe.triggers = triggers.triggers(node)
    }
    if let entry = map.entry("concurrency"), !entry.value.isNull {
      reader.report(
        .conflictingKeys,
        LocalizedText(
          "a mail filter has no 'concurrency': the filters of a folder always run one after the other; set the position with "
            + "'order'",
          de:
            "ein Mail-Filter hat kein 'concurrency': Die Filter eines Ordners laufen immer nacheinander; 'order' bestimmt die "
            + "Stelle"), at: entry.nameRange)
    }
    let order = map["order"].flatMap { reader.integer($0, "order", in: RecipeDefinitions.filterOrderBounds) } ?? 0
    let accounts = self.accounts(map)
    guard let node = map["rules"], let rules = reader.list(node, "rules") else { return }
    if rules.isEmpty {
      reader.report(
        .invalidValue, LocalizedText("'rules' must not be empty", de: "'rules' darf nicht leer sein"), at: node.range)
    }
    if rules.count > 500 {
      reader.report(
        .tooMany, LocalizedText("a filter has at most 500 rules", de: "ein Filter hat höchstens 500 Regeln"),
        at: node.range)
      return
    }
    var names: [String: SourceRange] = [:]
    let written = rules.enumerated().compactMap { position, node -> MailFilterRule? in
      guard let rule = rule(node, position) else { return nil }
      checkName(of: rule, &names)
      return rule
    }
    let providers = accounts.isEmpty ? provider.map { [$0.value] } ?? [] : accounts.map(\.value)
    recipe.turn = FolderTurn(
      providers: providers, folder: map["folder"]?.string ?? "INBOX", node: map["folder"] ?? node, order: order)
    var lowering = MailFilterLowering(reader: reader, folder: folder)
    for account in accounts.isEmpty ? [nil] : accounts.map(Optional.some) {
      lowering.begin(account ?? provider, isOneOfSeveral: account != nil)
      lowering.search(map["search"], at: map.entry("rules")?.nameRange ?? node.range)
      for rule in written { lowering.add(rule) }
      lowering.end(at: node)
    }
    lowering.finish(at: node, map.entry("rules")?.nameRange ?? node.range)
    recipe.steps = lowering.steps
  }

  /// The providers whose messages are filtered one after the other.
  private func accounts(_ map: Node.Mapping) -> [Located<String>] {
    guard let node = map["accounts"], let names = reader.strings(node, "accounts") else { return [] }
    if let provider = map.entry("provider") {
      reader.report(
        .conflictingKeys,
        LocalizedText(
          "'accounts' and 'provider' exclude each other", de: "'accounts' und 'provider' schließen sich aus"),
        at: provider.nameRange,
        related: [Diagnostic.Related(LocalizedText("the accounts", de: "die Konten"), at: node.range)])
    }
    var seen: Set<String> = []
    return names.filter { name in
      if seen.insert(name.value).inserted { return true }
      reader.report(
        .invalidValue,
        LocalizedText("'\(name.value)' stands here twice", de: "'\(name.value)' steht hier doppelt"), at: name.range)
      return false
    }
  }

  /// Reports a rule that has the name of an earlier one; its steps get other ids.
  private func checkName(of rule: MailFilterRule, _ names: inout [String: SourceRange]) {
    guard let title = rule.title, let place = rule.node.mapping?["name"]?.range else { return }
    guard let first = names[title] else {
      names[title] = place
      return
    }
    reader.report(
      .duplicateRule,
      LocalizedText(
        "two rules are called '\(title)'; in run logs they cannot be told apart",
        de: "zwei Regeln heißen '\(title)'; in Laufprotokollen sind sie nicht zu unterscheiden"),
      at: place,
      related: [Diagnostic.Related(LocalizedText("the first one", de: "die erste"), at: first)], severity: .warning)
  }

  private func rule(_ node: Node, _ position: Int) -> MailFilterRule? {
    guard let map = reader.map(node, "rules[\(position)]", RecipeDefinitions.rule) else { return nil }
    let title = map["name"].flatMap { reader.string($0, "name") }
    var rule = MailFilterRule(
      name: title.flatMap { StepNames.identifier($0) } ?? "rule_\(position + 1)", title: title, node: node,
      place: map.entries.first?.nameRange ?? node.range)
    rule.condition = map["when"]
    guard let then = map["then"] else { return nil }
    let actions = then.sequence ?? [then]
    if actions.isEmpty {
      reader.report(
        .invalidValue, LocalizedText("'then' must not be empty", de: "'then' darf nicht leer sein"), at: then.range)
    }
    for action in actions {
      if let stop = rule.words["stop"] {
        reader.report(
          .conflictingKeys,
          LocalizedText("nothing comes after 'stop'", de: "nach 'stop' kommt nichts mehr"), at: action.range,
          related: [Diagnostic.Related(LocalizedText("it stops here", de: "hier hört sie auf"), at: stop)])
      } else if let end = rule.end, case .delete = end.kind, Self.actsOnTheMessage(action) {
        reader.report(
          .conflictingKeys,
          LocalizedText(
            "this is done before the message is deleted, since that comes last; write it before 'delete'",
            de: "das geschieht, bevor die Nachricht gelöscht wird, denn das kommt zuletzt; es gehört vor 'delete'"),
          at: action.range,
          related: [Diagnostic.Related(LocalizedText("deleted here", de: "hier gelöscht"), at: end.place)],
          severity: .warning)
      }
      add(action, to: &rule)
    }
    checkKeep(rule)
    return rule
  }

  /// Whether an action does something with the message where it lies.
  private static func actsOnTheMessage(_ action: Node) -> Bool {
    if let word = action.string {
      return words.contains(word) && !["stop", "delete", "archive", "spam"].contains(word)
    }
    return action.mapping?.entries.contains { !["move", "delete"].contains($0.name) && maps.contains($0.name) } ?? false
  }

  /// Reports a rule that keeps its messages in the folder and takes them out of it.
  private func checkKeep(_ rule: MailFilterRule) {
    guard let keeps = rule.keeps, let end = rule.end else { return }
    reader.report(
      .conflictingKeys,
      LocalizedText(
        "the rule keeps the message in its folder; use 'copy' for further folders",
        de: "die Regel behält die Nachricht in ihrem Ordner; für weitere Ordner gibt es 'copy'"),
      at: end.place, related: [Diagnostic.Related(LocalizedText("kept here", de: "hier behalten"), at: keeps)])
  }
}
