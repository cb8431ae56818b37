import ArgumentParser
import Engine
import Expressions
import Foundation
import Localization
import UseCases

/// `sous mail snooze`: archives a message until its time.
struct MailSnoozeCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "snooze",
      abstract: say(
        "Archive a message now; it comes back at a time, unread and flagged.",
        de: "Eine Nachricht archivieren; sie kommt zu einer Zeit zurück, ungelesen und markiert."))
  }

  @Argument(help: ArgumentHelp(say("The message's uid.", de: "Die UID der Nachricht."), valueName: "uid"))
  var uid: String

  @Option(
    help: ArgumentHelp(
      say(
        "When it comes back: 'later today', tomorrow, 'next week'.", de: "Wann: 'heute Abend', morgen, 'nächste Woche'."
      ),
      valueName: "time"))
  var until: String

  @Option(help: ArgumentHelp(say("Its folder.", de: "Ihr Ordner."), valueName: "folder"))
  var folder = "INBOX"

  @Option(
    help: ArgumentHelp(
      say("Whose mailbox (default: that of mail.store).", de: "Wessen Postfach (Vorgabe: das von mail.store)."),
      valueName: "provider"), completion: Completions.providers)
  var provider: String?

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let moments = try ReminderWish.moments(until, now: Date())
    let moment = moments[try ReminderQuestion(asks: false).choose(moments.map(\.understood))]
    let time = Timestamp(seconds: Int64(moment.date.timeIntervalSince1970.rounded()))
    let (uid, folder, provider) = (uid, folder, provider)
    let outcome = try await Workspace(global).withSession {
      try await $0.snooze(uid: uid, folder: folder, provider: provider, until: time)
    }
    if outcome.result.status != .waiting, let failure = outcome.result.failure {
      if failure.kind == .notFound {
        throw CommandError(
          ExitStatus.wrongInput,
          LocalizedText(
            "no message '\(uid)' in \(folder): nothing was changed",
            de: "keine Nachricht '\(uid)' in \(folder): nichts wurde geändert"), code: failure.kind.rawValue)
      }
      throw CommandError(ExitStatus.of(failure), failure.message, code: failure.kind.rawValue)
    }
    if format.json {
      return writeJSON(["run": .string(outcome.result.id.rawValue), "until": .string(time.rfc3339)])
    }
    let words = moment.understood.spoken
    write(
      say(
        "archived; back in \(folder.singleLine): \(words)\n  run \(outcome.result.id); 'sous serve' brings it back\n",
        de:
          "archiviert; zurück in \(folder.singleLine): \(words)\n  Lauf \(outcome.result.id); 'sous serve' bringt sie zurück\n"
      ))
  }
}

/// `sous mail snoozed`: lists what is away.
struct MailSnoozedCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "snoozed",
      abstract: say("List the messages that come back later.", de: "Die Nachrichten zeigen, die später zurückkommen."))
  }

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let messages = try await Workspace(global).snoozedMessages()
    if format.json { return writeJSON(.list(messages.map(\.json))) }
    guard !messages.isEmpty else {
      return write(say("no message is snoozed\n", de: "keine Nachricht ist zurückgestellt\n"))
    }
    var table = TextTable([
      .init(say("run", de: "Lauf")), .time(say("comes back", de: "kommt zurück")),
      .init(say("folder", de: "Ordner"), .cut(to: 8)), .init(say("subject", de: "Betreff"), .cut(to: 16)),
    ])
    for message in messages {
      table.append([message.run.short, message.until?.spokenLocalTime ?? "", message.folder, message.subject])
    }
    write(table.text())
  }
}

/// `sous mail wake`: brings a message back early.
struct MailWakeCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "wake",
      abstract: say("Bring a snoozed message back now.", de: "Eine zurückgestellte Nachricht jetzt zurückholen."))
  }

  @Argument(
    help: ArgumentHelp(
      say("The run, or the message's uid.", de: "Der Lauf, oder die UID der Nachricht."), valueName: "message"))
  var message: String

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let message = message
    let outcome = try await Workspace(global).withSession { try await $0.wake(message) }
    if let failure = outcome.result.failure {
      throw CommandError(ExitStatus.of(failure), failure.message, code: failure.kind.rawValue)
    }
    if format.json { return writeJSON(["run": .string(outcome.result.id.rawValue)]) }
    write(say("back\n", de: "zurück\n"))
  }
}
