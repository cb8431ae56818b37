import Expressions
import Localization
import RecipeModel
import RecipeSyntax

/// The actions of a rule as commands of Sieve.
struct ScriptActions {
  /// An action that Sieve does not have.
  struct Problem: Error {
    var message: LocalizedText
    var range: SourceRange
  }

  private(set) var extensions: Set<String> = []
  private(set) var keeps = false
  private(set) var stops = false
  /// The command that takes the message out of its folder.
  private(set) var end: String?
  private var flags: [String] = []
  private var copies: [String] = []
  private var sends: [String] = []

  /// The commands in the order in which a filter carries them out.
  ///
  /// - Parameter isKeeping: Whether later rules must not take the message out of its folder.
  func lines(keeping isKeeping: Bool) -> [String] {
    var lines = flags + copies + sends
    if isKeeping { lines.append("set \"kept\" \"yes\";") }
    if let end { lines.append(end) }
    if stops || end != nil { lines.append("stop;") }
    return lines
  }

  /// Adds an action of a rule.
  mutating func add(_ node: Node) throws(Problem) {
    guard let map = node.mapping else {
      try add(word: node.string ?? "", node)
      return
    }
    guard let entry = map.entries.first(where: { $0.name != "with" }) else { return }
    switch entry.name {
    case "move": file(entry.value, try text(entry.value))
    case "copy":
      extensions.formUnion(["fileinto", "copy"])
      copies.append("fileinto :copy \(ScriptText.quoted(try text(entry.value)));")
    case "label", "unlabel":
      extensions.insert("imap4flags")
      flags.append("\(entry.name == "label" ? "addflag" : "removeflag") \(ScriptText.list(try texts(entry.value)));")
    case "delete":
      if entry.value.mapping?["permanently"]?.scalar?.value == .bool(true) {
        end = "discard;"
      } else {
        special("\\Trash", "Trash")
      }
    case "redirect": try redirect(entry)
    case "reply": try reply(entry)
    default: throw refuse(entry.name, at: entry.nameRange)
    }
  }

  private mutating func add(word: String, _ node: Node) throws(Problem) {
    switch word {
    case "keep": keeps = true
    case "stop": stops = true
    case "mark_seen", "mark_unseen": flag(#"\Seen"#, isAdded: word == "mark_seen")
    case "flag", "unflag": flag(#"\Flagged"#, isAdded: word == "flag")
    case "archive": special("\\Archive", "Archive")
    case "spam": special("\\Junk", "Junk")
    case "delete": special("\\Trash", "Trash")
    default: throw refuse(word, at: node.range)
    }
  }

  private func refuse(_ action: String, at range: SourceRange) -> Problem {
    Problem(
      message: .init(
        "Sieve has no action like '\(action)'", de: "eine Aktion wie '\(action)' hat Sieve nicht"), range: range)
  }

  private mutating func flag(_ flag: String, isAdded: Bool) {
    extensions.insert("imap4flags")
    flags.append("\(isAdded ? "addflag" : "removeflag") \(ScriptText.quoted(flag));")
  }

  private mutating func file(_ node: Node, _ folder: String) {
    extensions.insert("fileinto")
    end = "fileinto \(ScriptText.quoted(folder));"
  }

  /// A folder by what it is for (RFC 8579).
  private mutating func special(_ use: String, _ folder: String) {
    extensions.formUnion(["fileinto", "special-use"])
    end = "fileinto :specialuse \(ScriptText.quoted(use)) \(ScriptText.quoted(folder));"
  }

  private mutating func redirect(_ entry: Node.Mapping.Entry) throws(Problem) {
    var addresses = entry.value
    if let map = entry.value.mapping {
      if let other = map.entries.first(where: { $0.name != "to" }) { throw refuse(other.name, at: other.nameRange) }
      addresses = map["to"] ?? entry.value
    }
    extensions.insert("copy")
    for address in try texts(addresses) { sends.append("redirect :copy \(ScriptText.quoted(address));") }
  }

  private mutating func reply(_ entry: Node.Mapping.Entry) throws(Problem) {
    guard let map = entry.value.mapping else { throw refuse(entry.name, at: entry.nameRange) }
    extensions.insert("vacation")
    var line = "vacation"
    if let every = map["every"] {
      guard let days = every.string.flatMap({ $0.hasSuffix("d") ? Int($0.dropLast()) : nil }), (1...365).contains(days)
      else {
        throw Problem(
          message: .init("Sieve counts in days: 3d", de: "Sieve zählt in Tagen: 3d"), range: every.range)
      }
      line += " :days \(days)"
    }
    if let addresses = map["addresses"] { line += " :addresses \(ScriptText.list(try texts(addresses)))" }
    for name in ["subject", "from", "handle"] {
      if let node = map[name] { line += " :\(name) \(ScriptText.quoted(try text(node)))" }
    }
    if let other = map.entries.first(where: {
      !["every", "addresses", "subject", "from", "handle", "text"].contains($0.name)
    }) {
      throw refuse(other.name, at: other.nameRange)
    }
    guard let body = map["text"] else { throw refuse(entry.name, at: entry.nameRange) }
    sends.append("\(line) \(ScriptText.quoted(try text(body)));")
  }

  private func texts(_ node: Node) throws(Problem) -> [String] {
    var result: [String] = []
    for element in node.sequence ?? [node] { result.append(try text(element)) }
    return result
  }

  /// A text without expressions.
  private func text(_ node: Node) throws(Problem) -> String {
    let text = (node.string ?? node.scalar?.text ?? "").replacing(#"{{ "{{" }}"#, with: "\u{0}")
    guard !text.contains("{{") else {
      throw Problem(
        message: .init("Sieve cannot compute this text", de: "diesen Text kann Sieve nicht berechnen"),
        range: node.range)
    }
    return text.replacing("\u{0}", with: "{{")
  }
}
