import Plans
import RecipeModel
import RecipeSyntax
import Schemas

/// A script of which a recipe would become longer than recipes may be.
struct RecipeTooLong: Error {
  /// Where the script does what it becomes too long with.
  var place: Range<Int>
}

/// Writes a recipe of kind `mail-filter`.
struct RecipeWriter {
  private var text: String

  init(name: String, comment: String) {
    text = "# \(comment)\nkind: mail-filter\nname: \(Self.scalar(name))\nrules:\n"
  }

  /// The recipe with some rules.
  ///
  /// - Throws: The rule with which it becomes longer than a recipe may be.
  static func recipe(_ rules: [RecipeRule], name: String, comment: String) throws(RecipeTooLong) -> String {
    let limit = YAMLLimits.standard.size
    var writer = RecipeWriter(name: name, comment: comment)
    for rule in rules {
      let left = limit - writer.text.utf8.count
      if rule.condition.length(upTo: left) <= left { writer.add(rule) } else { throw RecipeTooLong(place: rule.place) }
      if writer.text.utf8.count > limit { throw RecipeTooLong(place: rule.place) }
    }
    return writer.text
  }

  private mutating func add(_ rule: RecipeRule) {
    text += "  - name: \(Self.scalar(rule.title))\n"
    if rule.condition != .constant(true) { text += "    when: \(Self.scalar(rule.condition.expression))\n" }
    let actions = self.actions(rule)
    if rule.effects.answer == nil, actions.joined(separator: ", ").utf8.count <= 90 {
      text += "    then: [\(actions.joined(separator: ", "))]\n"
    } else {
      text += "    then:\n" + actions.map { "      - \($0)\n" }.joined()
    }
  }

  private func actions(_ rule: RecipeRule) -> [String] {
    var actions: [String] = []
    if rule.keeps { actions.append("keep") }
    let effects = rule.effects
    for (flags, words) in [
      (effects.addedFlags, ("mark_seen", "flag")), (effects.removedFlags, ("mark_unseen", "unflag")),
    ] {
      for flag in flags {
        switch flag {
        case #"\Seen"#: actions.append(words.0)
        case #"\Flagged"#: actions.append(words.1)
        default: break
        }
      }
    }
    for (flags, word) in [(effects.addedFlags, "label"), (effects.removedFlags, "unlabel")] {
      let labels = flags.filter { !$0.hasPrefix("\\") }
      if labels.isEmpty { continue }
      let names = labels.map(Self.flowText)
      actions.append("{ \(word): \(names.count == 1 ? names[0] : "[\(names.joined(separator: ", "))]") }")
    }
    actions += rule.copies.map { "{ copy: \(Self.flowText($0)) }" }
    if let answer = effects.answer { actions.append(reply(answer)) }
    actions += effects.redirects.map { "{ redirect: \(Self.flowText($0.address)) }" }
    switch rule.end {
    case .move(let folder): actions.append("{ move: \(Self.flowText(folder)) }")
    case .delete: actions.append("delete")
    case nil: break
    }
    if rule.stops { actions.append("stop") }
    return actions
  }

  private func reply(_ answer: ScriptEffects.Answer) -> String {
    let addresses = answer.addresses.map(Self.flowText).joined(separator: ", ")
    var lines = ["reply:", "    addresses: [\(addresses)]", "    every: \(answer.days)d"]
    if let subject = answer.subject { lines.append("    subject: \(Self.scalar(Self.template(subject)))") }
    if let handle = answer.handle { lines.append("    handle: \(Self.scalar(Self.template(handle)))") }
    if let from = answer.from { lines.append("    from: \(Self.scalar(Self.template(from)))") }
    lines.append("    text: \(Self.doubleQuoted(Self.template(answer.text)))")
    return lines.joined(separator: "\n        ")
  }

  // MARK: YAML

  /// A text in which braces are not a template.
  private static func template(_ text: String) -> String { text.replacing("{{", with: #"{{ "{{" }}"#) }

  /// A text inside of `[…]` and `{…}`.
  private static func flowText(_ text: String) -> String {
    let text = template(text)
    let isPlain =
      text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F || $0 >= 0x80 || $0 == 0x20 }
      && !text.contains { ",[]{}#&*!|>'\"%@`:\\?".contains($0) } && isPlainStart(text)
    return isPlain ? text : quoted(text)
  }

  /// A text as the value of a key on a line of its own.
  static func scalar(_ text: String) -> String {
    let isPlain =
      !text.contains(": ") && !text.contains(" #") && !text.hasSuffix(":") && isPlainStart(text)
      && !text.contains("{{") && text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
    return isPlain ? text : quoted(text)
  }

  private static func isPlainStart(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first, first.properties.isAlphabetic, text.last != " " else { return false }
    return !["true", "false", "null", "yes", "no", "on", "off"].contains(text.lowercased())
  }

  private static func quoted(_ text: String) -> String {
    text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F && $0.value != 0x85 && $0.value != 0x2028 }
      ? "'" + text.replacing("'", with: "''") + "'" : doubleQuoted(text)
  }

  private static func doubleQuoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\", "\"": result.unicodeScalars.append(contentsOf: ["\\", scalar])
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case _
      where scalar.value < 0x20 || (0x7F...0xA0).contains(scalar.value) || scalar.value == 0x2028
        || scalar.value == 0x2029 || scalar.value == 0xFEFF:
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
