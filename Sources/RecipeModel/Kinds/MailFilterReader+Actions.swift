import Expressions
import Localization
import Plans
import RecipeSyntax
import Schemas

extension MailFilterReader {
  /// The actions that undo each other.
  private static let opposites = [
    "mark_seen": "mark_unseen", "mark_unseen": "mark_seen", "flag": "unflag", "unflag": "flag",
  ]

  /// Adds an action to a rule.
  func add(_ node: Node, to rule: inout MailFilterRule) {
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
        let names = Self.maps.dropLast().joined(separator: ", ")
        reader.report(
          .conflictingKeys,
          LocalizedText(
            "an action is one of \(names) and run; put several into a list",
            de: "eine Aktion ist eines von \(names) und run; mehrere gehören in eine Liste"),
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
      guard let to = reader.name(action.value, "move") else { return }
      end(.move(action.value), "move \(to.value)", at: action.nameRange, &rule)
    case "copy":
      guard let to = reader.name(action.value, "copy") else { return }
      rule.copies.append(action.value)
      rule.actions.append("copy \(to.value)")
    case "label", "unlabel": labels(action, &rule)
    case "delete": delete(action, &rule)
    case "notify": notification(action, &rule)
    case "forward", "redirect": sendOn(action, &rule)
    case "save": save(action, &rule)
    case "reply": reply(action, &rule)
    case "unsubscribe": unsubscribe(action, &rule)
    default:
      guard let recipe = reader.name(action.value, "run") else { return }
      let inputs = map["with"].flatMap { reader.map($0, "with", keys: nil) == nil ? nil : $0 }
      rule.runs.append((recipe, action.value, inputs))
      rule.actions.append("run \(recipe.value)")
    }
  }

  /// Keywords of IMAP (RFC 9051, 2.3.2), which mail programs show as labels.
  private func labels(_ action: Node.Mapping.Entry, _ rule: inout MailFilterRule) {
    guard let names = reader.strings(action.value, action.name) else { return }
    let nodes = action.value.sequence ?? [action.value]
    for (name, node) in zip(names, nodes) {
      if name.value.hasPrefix("\\") {
        reader.report(
          .invalidValue,
          LocalizedText(
            "a label does not begin with a backslash; flags are flag, mark_seen and their opposites",
            de:
              "ein Label beginnt nicht mit einem umgekehrten Schrägstrich; Markierungen sind flag, mark_seen und ihre "
              + "Gegenteile"), at: name.range)
        continue
      }
      if let character = Self.unusable(name.value) {
        reader.report(
          .invalidValue,
          LocalizedText(
            "a label cannot have \(character); it is one word of letters, digits and signs of ASCII such as '-' and '_'",
            de:
              "ein Label kann kein Zeichen \(character) haben; es ist ein Wort aus Buchstaben, Ziffern und Zeichen von "
              + "ASCII wie '-' und '_'"), at: name.range)
        continue
      }
      if action.name == "label" { rule.flags.add.append(.node(node)) } else { rule.flags.remove.append(.node(node)) }
      rule.actions.append("\(action.name) \(name.value)")
    }
  }

  /// The first character of a label that no keyword of IMAP can have (RFC 9051, `atom`); `nil` where there is none, or where
  /// the label is known only when it runs.
  private static func unusable(_ label: String) -> String? {
    if label.contains("{{") { return nil }
    let found = label.unicodeScalars.first { scalar in
      scalar.value <= 0x20 || scalar.value >= 0x7F || "(){%*\"\\]".unicodeScalars.contains(scalar)
    }
    return found.map { $0 == " " ? "' '" : "'\($0)'" }
  }

  private func delete(_ action: Node.Mapping.Entry, _ rule: inout MailFilterRule) {
    var permanently = false
    if action.value.mapping != nil {
      guard let map = reader.map(action.value, "delete", RecipeDefinitions.deletion) else { return }
      permanently = map["permanently"].flatMap { reader.bool($0, "permanently") } ?? false
    } else if !action.value.isNull {
      guard let value = reader.bool(action.value, "delete"), value else { return }
    }
    end(
      .delete(permanently: permanently), permanently ? "delete permanently" : "delete", at: action.nameRange, &rule)
  }

  // MARK: What goes out

  private func notification(_ action: Node.Mapping.Entry, _ rule: inout MailFilterRule) {
    var outgoing = MailFilterRule.Outgoing(word: "notify", node: action.value, place: action.nameRange)
    if action.value.mapping != nil {
      guard let map = reader.map(action.value, "notify", RecipeDefinitions.notification) else { return }
      outgoing.providers = map["provider"].flatMap { reader.strings($0, "provider") }
      for entry in map.entries
      where entry.name != "provider" && RecipeDefinitions.notification.key(entry.name) != nil {
        outgoing.values.append((entry.name, .node(entry.value)))
      }
    } else if action.value.string != nil {
      outgoing.values.append(("text", .node(action.value)))
    } else if !action.value.isNull {
      guard reader.bool(action.value, "notify") == true else { return }
    }
    // Not by its text: another text must not show all messages of a folder again.
    outgoing.mark = (outgoing.providers ?? []).map(\.value).sorted().joined(separator: ",")
    rule.outgoing.append(outgoing)
    rule.actions.append("notify")
  }

  /// `forward` and `redirect`.
  private func sendOn(_ action: Node.Mapping.Entry, _ rule: inout MailFilterRule) {
    let word = action.name
    var outgoing = MailFilterRule.Outgoing(word: word, node: action.value, place: action.nameRange)
    var to = action.value
    if action.value.mapping != nil {
      let definition = word == "forward" ? RecipeDefinitions.forwarding : RecipeDefinitions.redirection
      guard let map = reader.map(action.value, word, definition), let node = map["to"] else { return }
      to = node
      outgoing.providers = map["provider"].flatMap { reader.strings($0, "provider") }
      for name in ["from", "text"] where definition.key(name) != nil {
        if let node = map[name] { outgoing.values.append((name, .node(node))) }
      }
    }
    guard let names = reader.strings(to, word), !names.isEmpty else { return }
    outgoing.values.append(("to", .node(to.asList)))
    outgoing.mark = names.map { $0.value.lowercased() }.sorted().joined(separator: ",")
    rule.outgoing.append(outgoing)
    rule.actions.append("\(word) " + names.map(\.value).joined(separator: ", "))
  }

  private func save(_ action: Node.Mapping.Entry, _ rule: inout MailFilterRule) {
    if let first = rule.outgoing.first(where: { $0.word == "save" }) {
      reader.report(
        .conflictingKeys,
        LocalizedText("a rule saves attachments once", de: "eine Regel speichert Anhänge einmal"),
        at: action.nameRange,
        related: [Diagnostic.Related(LocalizedText("first done here", de: "zuerst hier getan"), at: first.place)])
      return
    }
    var outgoing = MailFilterRule.Outgoing(word: "save", node: action.value, place: action.nameRange)
    var folder = action.value
    rule.saves = []
    if action.value.mapping != nil {
      guard let map = reader.map(action.value, "save", RecipeDefinitions.saving), let node = map["folder"] else {
        return
      }
      folder = node
      rule.saves = (map["types"].flatMap { reader.strings($0, "types") } ?? []).map { $0.value.lowercased() }
    }
    guard let name = reader.name(folder, "save") else { return }
    outgoing.values.append(("folder", .node(folder)))
    rule.outgoing.append(outgoing)
    rule.actions.append("save \(name.value)")
  }

  private func reply(_ action: Node.Mapping.Entry, _ rule: inout MailFilterRule) {
    guard let map = reader.map(action.value, "reply", RecipeDefinitions.automaticReply) else { return }
    if let first = rule.outgoing.first(where: { $0.word == "reply" }) {
      reader.report(
        .conflictingKeys,
        LocalizedText("a rule answers a message once", de: "eine Regel beantwortet eine Nachricht einmal"),
        at: action.nameRange,
        related: [Diagnostic.Related(LocalizedText("first done here", de: "zuerst hier getan"), at: first.place)])
      return
    }
    var outgoing = MailFilterRule.Outgoing(word: "reply", node: action.value, place: action.nameRange)
    // RFC 5230, 4.1: days, at least one; sites may allow less.
    outgoing.period = map["every"].flatMap { reader.duration($0, "every") } ?? 7 * 86400
    outgoing.addresses = (map["addresses"].flatMap { reader.strings($0, "addresses") } ?? []).map { name in
      if name.value.contains("{{") || !name.value.contains("@") {
        reader.report(
          .invalidValue, LocalizedText("this is no mail address", de: "das ist keine Mailadresse"), at: name.range)
      }
      return name.value.lowercased()
    }
    outgoing.handle = map["handle"].flatMap { reader.string($0, "handle") }
    outgoing.providers = map["provider"].flatMap { reader.strings($0, "provider") }
    for name in ["from", "subject", "text", "html"] {
      if let node = map[name] { outgoing.values.append((name, .node(node))) }
    }
    rule.outgoing.append(outgoing)
    rule.actions.append("reply")
  }

  /// `unsubscribe` with the names of one's own server.
  private func unsubscribe(_ action: Node.Mapping.Entry, _ rule: inout MailFilterRule) {
    guard let map = reader.map(action.value, "unsubscribe", RecipeDefinitions.unsubscription) else { return }
    let names = map["authserv_id"].flatMap { reader.strings($0, "authserv_id") } ?? []
    leave(action.value, at: action.nameRange, authenticators: names.map { $0.value.lowercased() }, &rule)
  }

  private func leave(
    _ node: Node, at range: SourceRange, authenticators: [String] = [], _ rule: inout MailFilterRule
  ) {
    if let first = rule.outgoing.first(where: { $0.word == "unsubscribe" }) {
      reader.report(
        .conflictingKeys,
        LocalizedText("a rule leaves a list once", de: "eine Regel verlässt eine Liste einmal"), at: range,
        related: [Diagnostic.Related(LocalizedText("first done here", de: "zuerst hier getan"), at: first.place)])
      return
    }
    var outgoing = MailFilterRule.Outgoing(word: "unsubscribe", node: node, place: range)
    // A list that goes on is asked again after a month.
    outgoing.period = 30 * 86400
    outgoing.authenticators = authenticators
    rule.outgoing.append(outgoing)
    rule.actions.append("unsubscribe")
  }

  // MARK: The end of a message

  /// Gives a rule what it does with the message in its folder; reports a second one.
  private func end(
    _ kind: MailFilterRule.End, _ words: String, at range: SourceRange, _ rule: inout MailFilterRule
  ) {
    if let first = rule.end {
      reader.report(
        .conflictingKeys,
        LocalizedText(
          "a rule moves or deletes a message once; use 'copy' for further folders",
          de: "eine Regel verschiebt oder löscht eine Nachricht einmal; für weitere Ordner gibt es 'copy'"),
        at: range,
        related: [Diagnostic.Related(LocalizedText("first done here", de: "zuerst hier getan"), at: first.place)])
      return
    }
    rule.end = (kind, range)
    rule.actions.append(words)
  }

  private func word(_ node: Node, _ rule: inout MailFilterRule) {
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
    case "mark_seen": rule.flags.add.append(.literal(#"\Seen"#))
    case "mark_unseen": rule.flags.remove.append(.literal(#"\Seen"#))
    case "flag": rule.flags.add.append(.literal(#"\Flagged"#))
    case "unflag": rule.flags.remove.append(.literal(#"\Flagged"#))
    case "keep": rule.keeps = node.range
    case "archive": return end(.archive, word, at: node.range, &rule)
    case "spam": return end(.spam, word, at: node.range, &rule)
    case "delete": return end(.delete(permanently: false), word, at: node.range, &rule)
    case "unsubscribe": return leave(node, at: node.range, &rule)
    case "stop": rule.stops = true
    default:
      let maps = Self.maps.map { "{\($0): …}" }.joined(separator: ", ")
      let words = Self.words.joined(separator: ", ")
      reader.report(
        .unknownAction,
        LocalizedText(
          "unknown action '\(word)'; known are \(words), \(maps)",
          de: "unbekannte Aktion '\(word)'; bekannt sind \(words), \(maps)"),
        at: node.range, suggestion: reader.suggestion(for: word, among: Self.words + Self.maps))
      return
    }
    rule.actions.append(word)
  }
}
