import Engine
import Expressions
import Localization
import Outbox
import Plans
import RecipeModel
import RunStore
import Schedules
import UseCases

/// What `sous send`, and `sous run` of a message, tell.
enum SendReport {
  /// Messages that a preview shows whole.
  private static let shown = 3

  /// Shows the time that was understood, before anything is kept.
  static func understood(_ mail: CheckedMail, _ moment: SendMoment?) {
    guard !mail.isImmediate else { return }
    var text = say("when: ", de: "wann: ") + SendMoment.words(mail.time, in: moment?.zone ?? .current).spoken
    if let gap = moment?.gap { text += "; " + gap.spoken }
    if mail.expected > mail.time {
      text += say(
        "; after quiet hours: \(SendMoment.words(mail.expected).spoken)",
        de: "; nach der Ruhezeit: \(SendMoment.words(mail.expected).spoken)")
    }
    write(text + "\n")
  }

  /// Reports queued messages.
  static func queued(_ mails: [QueuedMail], _ workspace: Workspace, json: Bool, isList: Bool) async throws {
    if json {
      let list = mails.map { mail in
        Value.map([
          "run": .string(mail.run.rawValue), "status": mail.isKnown ? "known" : "queued",
          "send_at": .string(mail.time.rfc3339Milliseconds),
        ])
      }
      return writeJSON(isList ? .list(list) : list.first ?? .null)
    }
    let new = mails.filter { !$0.isKnown }
    if !isList, let mail = new.first {
      write(
        say(
          "\(mail.run): will be sent at \(mail.time.spokenLocalTime); sous outbox cancel \(mail.run)\n",
          de: "\(mail.run): wird um \(mail.time.spokenLocalTime) gesendet; sous outbox cancel \(mail.run)\n"))
    } else {
      let count = LocalizedText.count(new.count, "message", "messages", de: "Nachricht", "Nachrichten").spoken
      let known = mails.count - new.count
      var text = say("\(count) queued", de: "\(count) eingereiht")
      if known > 0 {
        text += say("; \(known) were queued before", de: "; \(known) waren schon eingereiht")
        // One that was cancelled counts too.
        if isList { text += say(" ('--again' queues them anew)", de: " ('--again' reiht sie neu ein)") }
      }
      write(text + ": sous outbox list\n")
    }
    try await warnOfNobody(workspace)
  }

  /// Says where no process would send what was queued.
  static func warnOfNobody(_ workspace: Workspace) async throws {
    let now = SystemTime().now
    let servers = try await workspace.servingStatus().servers
    guard !servers.contains(where: { $0.isAlive(at: now) }) else { return }
    write(
      say(
        "no daemon runs here: 'sous serve' sends it at its time, 'sous outbox run' sends what is due\n",
        de: "hier läuft kein Dienst: 'sous serve' sendet zur Zeit, 'sous outbox run' sendet, was fällig ist\n"))
  }

  /// Prints the result of a message that was sent at once.
  static func ended(_ item: OutboxItem, json: Bool) {
    if json { return writeJSON(item.json(isWhole: false)) }
    write(OutboxText.line(item, Terminal()) + "\n")
    for line in OutboxText.refused(item) { write(line + "\n") }
  }

  /// Prints which process continues with a message that could not be sent yet.
  static func waits(_ item: OutboxItem) {
    let next = item.next.map { SendMoment.words($0).spoken } ?? ""
    writeError(
      say(
        "not sent yet; 'sous serve' or 'sous outbox run' tries again: \(next); 'sous outbox cancel \(item.run.short)' gives up\n",
        de: "noch nicht gesendet; 'sous serve' oder 'sous outbox run' versucht es wieder: \(next); "
          + "'sous outbox cancel \(item.run.short)' gibt auf\n"))
  }

  /// Shows what would be sent.
  static func preview(_ mails: [CheckedMail], duplicates: Int, json: Bool) {
    let recipients = mails.reduce(0) { $0 + $1.recipients.count }
    if json {
      return writeJSON(
        .map([
          "messages": .int(Int64(mails.count)), "recipients": .int(Int64(recipients)),
          "duplicates": .int(Int64(duplicates)),
          "first": .list(mails.prefix(shown).map(\.message)),
          "send_at": mails.first.map { .string($0.expected.rfc3339Milliseconds) } ?? .null,
        ]))
    }
    for mail in mails.prefix(shown) {
      write(OutboxText.message(mail.message) + "\n")
    }
    let count = LocalizedText.count(mails.count, "message", "messages", de: "Nachricht", "Nachrichten").spoken
    let people = LocalizedText.count(recipients, "recipient", "recipients", de: "Empfänger", "Empfänger").spoken
    var text = say("\(count) to \(people)", de: "\(count) an \(people)")
    if duplicates > 0 {
      text +=
        duplicates == 1
        ? say("; 1 row says the same as another", de: "; 1 Zeile sagt dasselbe wie eine andere")
        : say(
          "; \(duplicates) rows say the same as another", de: "; \(duplicates) Zeilen sagen dasselbe wie eine andere")
    }
    write(text + say("; nothing was sent\n", de: "; nichts wurde gesendet\n"))
  }
}

extension CheckedMail {
  /// All who get the message.
  fileprivate var recipients: [Value] { ["to", "cc", "bcc"].flatMap { message[$0]?.listValue ?? [] } }
}
