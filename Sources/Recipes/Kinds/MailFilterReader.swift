import Expressions
import Localization

/// Reads a recipe of kind `mail-filter`: rules over the messages of a folder.
///
/// It lowers to a search and, rule by rule, a step `values` with the `uids` of the messages that the rule is for, and
/// the steps that do something with them. Every condition sees the messages as they were found. As in Sieve (RFC 5228),
/// `stop` ends the rules for a message; a message that a rule has moved or deleted is out for later rules as well, since
/// it is no longer where they would look for it.
struct MailFilterReader {
  /// The actions of a rule that are one word.
  static let words = ["mark_seen", "mark_unseen", "flag", "unflag", "delete", "stop"]
  /// The actions that undo each other.
  private static let opposites = [
    "mark_seen": "mark_unseen", "mark_unseen": "mark_seen", "flag": "unflag", "unflag": "flag",
  ]
  /// How many messages the rules see where `search` names no number.
  static let standardLimit = 250

  let reader: FieldReader

  func read(_ map: Node.Mapping, _ recipe: inout Recipe) {
    let provider = map["provider"].flatMap { reader.name($0, "provider") }
    if let node = map["folder"] { _ = reader.name(node, "folder") }
    let folder: MadeValue = map["folder"].map { .node($0) } ?? .literal("INBOX")
    if let node = map["on"], !node.isNull {
      let literal = map["folder"]?.string.flatMap { $0.contains("{{") ? nil : $0 }
      recipe.triggers = TriggerReader(reader: reader, mailbox: (provider?.value, literal)).triggers(node)
    }
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
    var lowering = MailFilterLowering(reader: reader, provider: provider, folder: folder)
    lowering.search(map["search"], at: map.entry("rules")?.nameRange ?? node.range)
    for (position, node) in rules.enumerated() {
      guard let rule = rule(node, position) else { continue }
      checkName(of: rule, &names)
      lowering.add(rule)
    }
    recipe.steps = lowering.steps
  }

  /// A rule as it is written.
  struct Rule {
    var name: String
    var title: String?
    var node: Node
    var place: SourceRange
    var condition: Node?
    var flags: (add: [Value], remove: [Value]) = ([], [])
    /// Where each word of the rule stands first.
    var words: [String: SourceRange] = [:]
    var copies: [Node] = []
    var runs: [(recipe: Located<String>, node: Node, inputs: Node?)] = []
    var move: Node?
    var deletion: (place: SourceRange, permanently: Bool)?
    var stops = false

    /// Whether later rules must leave its messages alone.
    var takes: Bool { stops || move != nil || deletion != nil }
  }

  /// Reports a rule that has the name of an earlier one; its steps get other ids.
  private func checkName(of rule: Rule, _ names: inout [String: SourceRange]) {
    guard let title = rule.title, let place = rule.node.mapping?["name"]?.range else { return }
    guard let first = names[title] else {
      names[title] = place
      return
    }
    reader.report(
      .duplicateRule,
      LocalizedText(
        "two rules are called '\(title)'; in run logs they cannot be told apart",
        de: "zwei Regeln heissen '\(title)'; in Laufprotokollen sind sie nicht zu unterscheiden"),
      at: place,
      related: [Diagnostic.Related(LocalizedText("the first one", de: "die erste"), at: first)], severity: .warning)
  }

  private func rule(_ node: Node, _ position: Int) -> Rule? {
    guard let map = reader.map(node, "rules[\(position)]", RecipeDefinitions.rule) else { return nil }
    let title = map["name"].flatMap { reader.string($0, "name") }
    var rule = Rule(
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
      } else if let deletion = rule.deletion, Self.actsOnTheMessage(action) {
        reader.report(
          .conflictingKeys,
          LocalizedText(
            "this is done before the message is deleted, since that comes last; write it before 'delete'",
            de: "das geschieht, bevor die Nachricht gelöscht wird, denn das kommt zuletzt; schreibe es vor 'delete'"),
          at: action.range,
          related: [Diagnostic.Related(LocalizedText("deleted here", de: "hier gelöscht"), at: deletion.place)],
          severity: .warning)
      }
      add(action, to: &rule)
    }
    return rule
  }

  /// Whether an action does something with the message where it lies.
  private static func actsOnTheMessage(_ action: Node) -> Bool {
    if let word = action.string { return words.contains(word) && word != "stop" && word != "delete" }
    return action.mapping?.entry("copy") != nil || action.mapping?.entry("run") != nil
  }

  private func add(_ node: Node, to rule: inout Rule) {
    if node.isInvalid { return }
    guard node.mapping != nil else {
      word(node, &rule)
      return
    }
    guard let map = reader.map(node, "then", RecipeDefinitions.ruleAction) else { return }
    let actions = map.entries.filter { $0.name != "with" && RecipeDefinitions.ruleAction.key($0.name) != nil }
    guard let action = actions.first, actions.count == 1 else {
      // An unknown key has been reported already.
      if !actions.isEmpty || map.entries.allSatisfy({ $0.name == "with" }) {
        reader.report(
          .conflictingKeys,
          LocalizedText(
            "an action is one of move, copy, delete and run; put several into a list",
            de: "eine Aktion ist eines von move, copy, delete und run; setze mehrere in eine Liste"),
          at: actions.dropFirst().first?.nameRange ?? node.range)
      }
      return
    }
    if action.name != "run", let with = map.entry("with") {
      reader.report(
        .conflictingKeys,
        LocalizedText("'with' has no meaning without 'run'", de: "'with' hat ohne 'run' keinen Sinn"),
        at: with.nameRange)
    }
    switch action.name {
    case "move":
      guard reader.name(action.value, "move") != nil, isOnlyEnd(action.nameRange, rule) else { return }
      rule.move = action.value
    case "copy":
      if reader.name(action.value, "copy") != nil { rule.copies.append(action.value) }
    case "delete": delete(action, &rule)
    default:
      guard let recipe = reader.name(action.value, "run") else { return }
      let inputs = map["with"].flatMap { reader.map($0, "with", keys: nil) == nil ? nil : $0 }
      rule.runs.append((recipe, action.value, inputs))
    }
  }

  private func delete(_ action: Node.Mapping.Entry, _ rule: inout Rule) {
    var permanently = false
    if action.value.mapping != nil {
      guard let map = reader.map(action.value, "delete", RecipeDefinitions.deletion) else { return }
      permanently = map["permanently"].flatMap { reader.bool($0, "permanently") } ?? false
    } else if !action.value.isNull {
      guard let value = reader.bool(action.value, "delete"), value else { return }
    }
    if isOnlyEnd(action.nameRange, rule) { rule.deletion = (action.nameRange, permanently) }
  }

  /// Whether a rule has nowhere to put its messages yet.
  private func isOnlyEnd(_ range: SourceRange, _ rule: Rule) -> Bool {
    guard rule.move != nil || rule.deletion != nil else { return true }
    reader.report(
      .conflictingKeys,
      LocalizedText(
        "a rule moves or deletes a message once; use 'copy' for further folders",
        de: "eine Regel verschiebt oder löscht eine Nachricht einmal; nimm 'copy' für weitere Ordner"),
      at: range,
      related: [
        Diagnostic.Related(
          LocalizedText("first done here", de: "zuerst hier getan"),
          at: rule.move?.range ?? rule.deletion?.place ?? range)
      ])
    return false
  }

  private func word(_ node: Node, _ rule: inout Rule) {
    guard let word = node.string else {
      reader.mismatch(
        node, "then",
        wanted: LocalizedText("an action such as flag or { move: … }", de: "eine Aktion wie flag oder { move: … }"))
      return
    }
    if let opposite = Self.opposites[word], let first = rule.words[opposite] {
      reader.report(
        .conflictingKeys,
        LocalizedText(
          "'\(word)' undoes '\(opposite)' of the same rule", de: "'\(word)' hebt '\(opposite)' derselben Regel auf"),
        at: node.range,
        related: [Diagnostic.Related(LocalizedText("first done here", de: "zuerst hier getan"), at: first)])
    }
    if rule.words[word] == nil { rule.words[word] = node.range }
    switch word {
    case "mark_seen": rule.flags.add.append(#"\Seen"#)
    case "mark_unseen": rule.flags.remove.append(#"\Seen"#)
    case "flag": rule.flags.add.append(#"\Flagged"#)
    case "unflag": rule.flags.remove.append(#"\Flagged"#)
    case "delete": if isOnlyEnd(node.range, rule) { rule.deletion = (node.range, false) }
    case "stop": rule.stops = true
    default:
      let known = Self.words + ["move", "copy", "run"]
      reader.report(
        .unknownAction,
        LocalizedText(
          "unknown action '\(word)'; known are \(Self.words.joined(separator: ", ")), {move: …}, {copy: …} and {run: …}",
          de:
            "unbekannte Aktion '\(word)'; bekannt sind \(Self.words.joined(separator: ", ")), {move: …}, {copy: …} und "
            + "{run: …}"),
        at: node.range, suggestion: reader.suggestion(for: word, among: known))
    }
  }
}
