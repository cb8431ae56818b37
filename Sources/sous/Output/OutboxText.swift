import Engine
import Expressions
import Localization
import Outbox
import UseCases

/// Messages of the outbox for people.
enum OutboxText {
  /// One message in a line: `01M8… pending 2026-11-24 08:00:00 me@example.com Subject`.
  static func cells(_ item: OutboxItem, _ terminal: Terminal) -> [String] {
    [
      item.run.short, terminal.styled(item.state.words.spoken, color(item.state)),
      (item.sentAt ?? item.next ?? item.time)?.spokenLocalTime ?? "–", recipients(item),
      (item.message?["subject"]?.stringValue ?? "").cut(to: 50), remark(item),
    ]
  }

  static func line(_ item: OutboxItem, _ terminal: Terminal) -> String {
    cells(item, terminal).filter { !$0.isEmpty }.joined(separator: "  ")
  }

  private static func color(_ state: OutboxItem.State) -> Terminal.Style {
    switch state {
    case .sent: .green
    case .failed, .unknown: .red
    case .held: .yellow
    case .pending, .sending, .cancelled: .dim
    }
  }

  /// Whom a message goes to, and its subject.
  static func about(_ item: OutboxItem) -> String {
    "\(recipients(item))  \((item.message?["subject"]?.stringValue ?? "").cut(to: 50))"
  }

  private static func recipients(_ item: OutboxItem) -> String {
    let all = ["to", "cc", "bcc"].flatMap { item.addresses($0) }
    guard let first = all.first else { return "–" }
    return all.count == 1 ? first : "\(first) +\(all.count - 1)"
  }

  /// A remark or an instruction about a message.
  private static func remark(_ item: OutboxItem) -> String {
    switch item.state {
    case .held:
      return say(
        "late: sous outbox send-now \(item.run.short), or cancel",
        de: "verspätet: sous outbox send-now \(item.run.short), oder cancel")
    case .unknown:
      return say(
        "look whether it arrived: sous answer settle \(item.run.short)",
        de: "nachsehen, ob sie ankam: sous answer settle \(item.run.short)")
    case .failed where item.repetition != nil:
      let run = item.repetition?.short ?? ""
      return say("tried again: sous outbox show \(run)", de: "noch einmal versucht: sous outbox show \(run)")
    case .failed:
      let retry = "sous outbox retry \(item.run.short)"
      guard let words = item.failure?.message.spoken, !words.isEmpty else { return retry }
      return (words.hasSuffix(".") ? String(words.dropLast()) : words) + "; " + retry
    case .pending where item.attempts > 0 && item.failure.map({ $0.kind == .cancelled }) ?? true:
      return say("may have been sent: sous outbox run", de: "vielleicht gesendet: sous outbox run")
    case .pending where item.attempts > 0:
      let why = item.failure.map { ": \($0.message.spoken)" } ?? ""
      let times = item.attempts == 1 ? "once" : "\(item.attempts) times"
      return say("tried \(times)\(why)", de: "\(item.attempts)-mal versucht\(why)")
    case .sent where !refused(item).isEmpty:
      let count = refused(item).count
      return say("\(count) refused", de: "\(count) abgelehnt")
    case .pending, .sending, .sent, .cancelled: return ""
    }
  }

  /// All of a message.
  static func whole(_ item: OutboxItem) -> String {
    var rows = TextTable()
    func add(_ english: String, _ german: String, _ text: String?) {
      if let text, !text.isEmpty { rows.append([say(english, de: german), text]) }
    }
    add("state", "Stand", item.state.words.spoken)
    add("run", "Lauf", item.run.rawValue)
    add("send at", "Zeit", item.time?.spokenLocalTime)
    add("next", "als Nächstes", item.next?.spokenLocalTime)
    add("sent at", "gesendet", item.sentAt?.spokenLocalTime)
    add("by", "über", item.account)
    add("tries", "Versuche", item.attempts > 0 ? String(item.attempts) : nil)
    add("failure", "Fehler", item.failure?.message.spoken)
    add(
      "to do", "zu tun", item.state == .pending || item.state == .failed && item.repetition == nil ? nil : remark(item))
    let head = rows.lines().joined(separator: "\n")
    return head + "\n\n" + message(item.message ?? .null) + refused(item).map { $0 + "\n" }.joined()
  }

  /// The addresses that the server has refused.
  static func refused(_ item: OutboxItem) -> [String] {
    (item.answer?["refused"]?.listValue ?? []).map { refusal in
      let address = refusal["address"]?.stringValue ?? ""
      let reason = refusal["reason"]?.stringValue ?? ""
      return say("refused: \(address): \(reason)", de: "abgelehnt: \(address): \(reason)").singleLine
    }
  }

  /// The fields of a message and its text.
  static func message(_ message: Value) -> String {
    var rows = TextTable()
    for (name, title) in [("from", "From:"), ("to", "To:"), ("cc", "Cc:"), ("bcc", "Bcc:"), ("subject", "Subject:")] {
      let value = message[name]
      let text = value?.stringValue ?? value?.listValue?.compactMap(\.stringValue).joined(separator: ", ")
      if let text { rows.append([title, text]) }
    }
    for attachment in message["attachments"]?.listValue ?? [] {
      let name = attachment["name"]?.stringValue ?? attachment["path"]?.stringValue ?? ""
      rows.append([say("File:", de: "Datei:"), name])
    }
    return rows.lines().joined(separator: "\n") + "\n\n" + (message["text"]?.stringValue ?? "") + "\n"
  }
}
