import Expressions
import Localization
import UseCases

/// The decisions of a mail filter, in words.
struct FilterTable {
  /// Rows that are shown.
  static let longest = 200

  let terminal: Terminal

  /// The planned actions of a filter, by account.
  func text(_ preview: FilterPreview) -> String {
    preview.accounts.map { account in
      let name = account.provider.isEmpty ? account.folder : "\(account.provider): \(account.folder)"
      if let failure = account.failure {
        let line = say("cannot be read: \(failure.spoken)", de: "lässt sich nicht lesen: \(failure.spoken)").singleLine
        return "\(terminal.styled(account.provider.singleLine, .bold))\n  \(terminal.styled("!", .red)) \(line)\n"
      }
      let body = lines(decisions: account.decisions, errors: account.errors, limit: Self.longest)
      let counts = say(
        "\(account.examined) messages looked at, \(account.decisions.count) concerned, \(account.kept) stay as they are",
        de: "\(account.examined) Nachrichten angesehen, \(account.decisions.count) betroffen, \(account.kept) bleiben, "
          + "wie sie sind")
      let rest =
        account.isComplete
        ? "" : say("; there are more, see 'search.limit'", de: "; es gibt mehr, siehe 'search.limit'")
      return ([terminal.styled(name.singleLine, .bold)] + body + ["  " + counts + rest]).joined(separator: "\n") + "\n"
    }.joined(separator: "\n")
  }

  /// The decisions of a step, one message a line, then the messages whose conditions failed.
  func lines(decisions: [Value], errors: [Value], limit: Int) -> [String] {
    let hasMessages = decisions.contains { $0["subject"] != nil }
    var table = TextTable(
      [.init("uid")]
        + (hasMessages
          ? [.init(say("from", de: "von"), .cut(to: 12)), .init(say("subject", de: "Betreff"), .cut(to: 16))] : [])
        + [
          .init(say("rule", de: "Regel"), .cut(to: 10)), .init(say("action", de: "Aktion"), .below),
          .init(say("reason", de: "Grund"), .below),
        ])
    for decision in decisions.prefix(limit) {
      var cells = [text(decision["uid"])]
      if hasMessages {
        cells += [text(decision["from"]).cut(to: 24), text(decision["subject"]).cut(to: 40)]
      }
      cells += [
        texts(decision["rules"], " + "), texts(decision["actions"], ", "),
        terminal.styled(text(decision["reason"]).cut(to: 60), .dim),
      ]
      table.append(cells)
    }
    var lines = table.lines(terminal.narrowed(by: 2)).map { "  " + $0 }
    if decisions.count > limit {
      let left = decisions.count - limit
      lines.append(say("  … \(left) more (--json)", de: "  … \(left) weitere (--json)"))
    }
    for error in errors.prefix(limit) {
      let (uid, rule, reason) = (text(error["uid"]), text(error["rule"]), self.reason(error))
      guard !rule.isEmpty else {
        lines.append(
          "  \(terminal.styled("!", .red)) "
            + say("\(uid) stays: \(reason)", de: "\(uid) bleibt: \(reason)").singleLine)
        continue
      }
      lines.append(
        "  \(terminal.styled("!", .red)) "
          + say(
            "\(uid) stays, rule \(rule): \(reason)", de: "\(uid) bleibt, Regel \(rule): \(reason)"
          ).singleLine)
    }
    return lines
  }

  /// The failed actions by message.
  func lines(failed: [Value], limit: Int) -> [String] {
    failed.prefix(limit).map { failure in
      let (uid, rule, action) = (text(failure["uid"]), text(failure["rule"]), text(failure["action"]))
      return "  \(terminal.styled("!", .red)) "
        + say(
          "\(uid): \(action) of rule \(rule) failed: \(reason(failure))",
          de: "\(uid): \(action) der Regel \(rule) scheiterte: \(reason(failure))"
        ).singleLine
    }
  }

  /// Why a message stays, in the reader's language.
  private func reason(_ entry: Value) -> String { LocalizedText(of: entry, "error")?.spoken ?? "" }

  private func text(_ value: Value?) -> String { value?.stringValue ?? "" }

  private func texts(_ value: Value?, _ separator: String) -> String {
    (value?.listValue ?? []).compactMap(\.stringValue).joined(separator: separator)
  }
}
