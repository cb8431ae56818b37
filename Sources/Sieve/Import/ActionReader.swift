import Localization

/// Reads the actions of a script.
struct ActionReader {
  let problems: Problems
  let options: SieveImport.Options
  let expansion: Expansion
  private(set) var state: ScriptState
  /// Whether an earlier condition was left out: nothing may be deleted then.
  private let isUncertain: Bool
  /// The flags that the last command has changed.
  private var lastFlags: (added: [String], removed: [String]) = ([], [])

  init(
    problems: Problems, options: SieveImport.Options, expansion: Expansion, state: ScriptState, isUncertain: Bool
  ) {
    self.problems = problems
    self.options = options
    self.expansion = expansion
    self.state = state
    self.isUncertain = isUncertain
  }

  /// Puts what the last command did into new effects.
  mutating func restart(_ effects: inout ScriptEffects) {
    effects.addedFlags = lastFlags.added
    effects.removedFlags = lastFlags.removed
  }

  /// Adds what a command does.
  mutating func read(_ command: SieveCommand, _ effects: inout ScriptEffects) throws(UnsupportedByFilter) {
    if let block = command.block, !block.isEmpty || command.name != "foreverypart" {
      throw problems.refuse(
        .init("filters do not know '\(command.name)'", de: "'\(command.name)' kennen Filter nicht"), at: command.place)
    }
    var arguments = ArgumentReader(command.arguments, of: command.name, at: command.place, problems)
    switch command.name {
    case "require": _ = try arguments.texts()
    case "stop": break
    case "keep":
      try ownFlags(&arguments, &effects)
      effects.keeps = true
    case "discard":
      try checkCertainty(command.place)
      effects.discards = true
    case "fileinto": try fileinto(&arguments, &effects)
    case "redirect": try redirect(&arguments, &effects)
    case "setflag", "addflag", "removeflag": try flags(command.name, &arguments, &effects)
    case "vacation": try vacation(&arguments, &effects)
    case "set": try set(&arguments)
    default: throw refuse(command)
    }
    try arguments.finish()
  }

  /// Refuses to delete messages that what was left out might have kept.
  private func checkCertainty(_ place: Range<Int>) throws(UnsupportedByFilter) {
    guard isUncertain else { return }
    throw problems.refuse(
      .init(
        "this could delete messages that a part above, which cannot be translated, would have kept",
        de: "das könnte Nachrichten löschen, die ein Teil weiter oben, der sich nicht übersetzen lässt, behalten hätte"),
      at: place)
  }

  private func refuse(_ command: SieveCommand) -> UnsupportedByFilter {
    let reason: LocalizedText =
      switch command.name {
      case "reject", "ereject":
        .init(
          "the mail server has accepted the message by the time a filter sees it; a refusal now would go to the alleged "
            + "sender. 'discard' can be translated",
          de:
            "der Mailserver hat die Nachricht schon angenommen, wenn ein Filter sie sieht; eine Abweisung ginge an den "
            + "angeblichen Absender. 'discard' lässt sich übersetzen")
      case "notify":
        .init(
          "write { notify: … } into the recipe: Sous sends notifications by its own providers",
          de: "{ notify: … } ins Rezept schreiben: Sous benachrichtigt über eigene Provider")
      case "addheader", "deleteheader", "replace", "enclose", "extracttext":
        .init("filters do not change messages", de: "Filter ändern Nachrichten nicht")
      case "include", "return", "global":
        .init("import each script by itself", de: "jedes Skript für sich importieren")
      case "pipe", "execute", "filter":
        .init("programs are run by { run: RECIPE }", de: "Programme startet { run: REZEPT }")
      default: .init("filters do not know this action", de: "diese Aktion kennen Filter nicht")
      }
    return problems.refuse(LocalizedText(verbatim: "'\(command.name)': ") + reason, at: command.place)
  }

  // MARK: Where messages go

  private mutating func fileinto(
    _ arguments: inout ArgumentReader, _ effects: inout ScriptEffects
  ) throws(UnsupportedByFilter) {
    let isCopy = arguments.flag("copy") != nil
    // Filters make folders that are missing.
    _ = arguments.flag("create")
    let name = try arguments.text()
    let folder = try self.folder(name)
    if !isCopy, Self.isEmptiedByItself(folder) { try checkCertainty(arguments.place) }
    try ownFlags(&arguments, &effects)
    if folder.lowercased() == "inbox" {
      if !isCopy { effects.keeps = true }
      return
    }
    if let index = effects.stores.firstIndex(where: { $0.folder == folder }) {
      if !isCopy { effects.stores[index].isCopy = false }
    } else {
      effects.stores.append(ScriptEffects.Store(folder: folder, isCopy: isCopy))
    }
  }

  /// Whether servers remove after a while what lies in a folder, by its usual names.
  private static func isEmptiedByItself(_ folder: String) -> Bool {
    let name = folder.split(separator: "/").last.map { $0.lowercased() } ?? ""
    let names: Set<String> = [
      "trash", "bin", "deleted", "deleted items", "deleted messages", "papierkorb", "gelöscht", "gelöschte elemente",
      "gelöschte objekte", "corbeille", "junk", "junk e-mail", "junk email", "spam", "bulk mail", "spamverdacht",
      "unerwünscht",
    ]
    return names.contains(name)
  }

  private func folder(_ name: SieveString) throws(UnsupportedByFilter) -> String {
    let text = try expansion.text(name, state)
    guard !text.isEmpty, text.utf8.count <= 500,
      text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F })
    else {
      throw problems.refuse(.init("this is not the name of a folder", de: "so heißt kein Ordner"), at: name.range)
    }
    guard let separator = options.separator, separator != "/" else { return text }
    return text.replacing(separator, with: "/")
  }

  private mutating func redirect(
    _ arguments: inout ArgumentReader, _ effects: inout ScriptEffects
  ) throws(UnsupportedByFilter) {
    let isCopy = arguments.flag("copy") != nil
    if !isCopy { try checkCertainty(arguments.place) }
    let name = try arguments.text()
    let address = try expansion.text(name, state)
    guard address.contains("@"), !address.contains(where: { $0.isWhitespace || "<>,;\"".contains($0) }) else {
      throw problems.refuse(.init("this is not a mail address", de: "das ist keine Mailadresse"), at: name.range)
    }
    effects.redirects.append((address, isCopy))
  }

  // MARK: Flags

  /// `:flags` of an action: the message gets these and no others.
  private mutating func ownFlags(
    _ arguments: inout ArgumentReader, _ effects: inout ScriptEffects
  ) throws(UnsupportedByFilter) {
    guard let strings = try arguments.texts(behind: "flags") else { return }
    let wanted = try flags(strings)
    let place = strings.first?.range ?? arguments.place
    guard effects.stores.isEmpty, !effects.keeps else {
      throw problems.refuse(
        .init(
          "in a filter all copies of a message have the same flags",
          de: "in einem Filter haben alle Kopien einer Nachricht dieselben Markierungen"), at: place)
    }
    effects.addedFlags = wanted
    effects.removedFlags = state.flags.subtracting(wanted).sorted()
    effects.hasOwnFlags = true
  }

  private mutating func flags(
    _ command: String, _ arguments: inout ArgumentReader, _ effects: inout ScriptEffects
  ) throws(UnsupportedByFilter) {
    guard arguments.count == 1 else {
      throw problems.refuse(
        .init(
          "filters have no variables of flags; only the message's own flags are translated",
          de: "Filter haben keine Variablen für Markierungen; nur die der Nachricht lassen sich übersetzen"),
        at: arguments.place)
    }
    let flags = try self.flags(try arguments.texts())
    switch command {
    case "addflag":
      lastFlags = (flags, [])
      state.flags.formUnion(flags)
    case "removeflag":
      lastFlags = ([], flags.filter { state.flags.contains($0) })
    default:
      lastFlags = (flags, state.flags.subtracting(flags).sorted())
      state.flags.formUnion(flags)
    }
    effects.removedFlags.removeAll { lastFlags.added.contains($0) }
    effects.addedFlags.removeAll { lastFlags.removed.contains($0) }
    effects.addedFlags += lastFlags.added.filter { !effects.addedFlags.contains($0) }
    effects.removedFlags += lastFlags.removed.filter { !effects.removedFlags.contains($0) }
  }

  /// Flags as recipes write them; a text may hold several, separated by spaces (RFC 5232, 2).
  private func flags(_ strings: [SieveString]) throws(UnsupportedByFilter) -> [String] {
    var result: [String] = []
    for string in strings {
      for word in try expansion.text(string, state).split(separator: " ") {
        let flag: String
        switch word.lowercased() {
        case #"\seen"#: flag = #"\Seen"#
        case #"\flagged"#: flag = #"\Flagged"#
        case _ where word.first == "\\":
          throw problems.refuse(
            .init("filters do not set '\(word)'", de: "'\(word)' setzen Filter nicht"), at: string.range)
        default:
          guard word.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && !"(){%*\"]\\".utf8.contains($0) }) else {
            throw problems.refuse(
              .init("'\(word)' is not the name of a flag", de: "so heißt keine Markierung: '\(word)'"), at: string.range
            )
          }
          flag = String(word)
        }
        if !result.contains(flag) { result.append(flag) }
      }
    }
    return result
  }

  // MARK: Answers and variables

  private mutating func vacation(
    _ arguments: inout ArgumentReader, _ effects: inout ScriptEffects
  ) throws(UnsupportedByFilter) {
    if let range = arguments.flag("mime") {
      throw problems.refuse(
        .init("the answer must be a text; leave ':mime' out", de: "die Antwort muss ein Text sein, ohne ':mime'"),
        at: range)
    }
    let handle = try arguments.texts(behind: "handle")?.first
    let days = try arguments.number(behind: "days") ?? 7
    let subject = try arguments.texts(behind: "subject")?.first
    let from = try arguments.texts(behind: "from")?.first
    let named = try arguments.texts(behind: "addresses")
    let text = try arguments.text()
    var addresses = options.addresses
    for address in try expansion.texts(named ?? [], state) where !addresses.contains(address) {
      addresses.append(address)
    }
    guard !addresses.isEmpty else {
      throw problems.refuse(
        .init(
          "whose mailbox is it? Sieve knows it from its server; say it with --address",
          de: "wessen Postfach ist es? Sieve weiß das von seinem Server; --address sagt es"), at: arguments.place)
    }
    if options.addresses.isEmpty {
      problems.note(
        "addresses",
        .init(
          "only messages to \(addresses.joined(separator: ", ")) are answered; further addresses of yours go with --address",
          de:
            "nur Nachrichten an \(addresses.joined(separator: ", ")) werden beantwortet; weitere eigene Adressen mit --address"
        ),
        at: arguments.place)
    }
    guard effects.answer == nil else {
      throw problems.refuse(
        .init("a message is answered once", de: "eine Nachricht wird einmal beantwortet"), at: arguments.place)
    }
    var answer = ScriptEffects.Answer(
      addresses: addresses, days: min(max(days, 1), 365), text: try expansion.text(text, state))
    if let subject { answer.subject = try expansion.text(subject, state) }
    if let from { answer.from = try expansion.text(from, state) }
    if let handle { answer.handle = try expansion.text(handle, state) }
    effects.answer = answer
  }

  private mutating func set(_ arguments: inout ArgumentReader) throws(UnsupportedByFilter) {
    let known = ["lower", "upper", "lowerfirst", "upperfirst", "quotewildcard", "length"]
    let modifiers = Set(known.filter { arguments.flag($0) != nil })
    let name = try arguments.text()
    let value = try arguments.text()
    let key = name.text.lowercased()
    do {
      state.variables[key] = .some(Self.modified(try expansion.text(value, state), modifiers))
    } catch {
      // The place where the value is used says so again.
      state.variables[key] = .some(nil)
      throw error
    }
  }

  /// RFC 5229, 4.1: of the highest precedence first.
  private static func modified(_ text: String, _ modifiers: Set<String>) -> String {
    var text = text
    if modifiers.contains("lower") { text = text.asciiLowercased }
    if modifiers.contains("upper") { text = text.asciiUppercased }
    if modifiers.contains("lowerfirst") { text = String(text.prefix(1)).asciiLowercased + text.dropFirst() }
    if modifiers.contains("upperfirst") { text = String(text.prefix(1)).asciiUppercased + text.dropFirst() }
    if modifiers.contains("quotewildcard") { text = Wildcards.escaped(text) }
    if modifiers.contains("length") { text = String(text.unicodeScalars.count) }
    return text
  }
}

extension String {
  fileprivate var asciiUppercased: String {
    String(decoding: utf8.map { (0x61...0x7A).contains($0) ? $0 - 0x20 : $0 }, as: UTF8.self)
  }
}
