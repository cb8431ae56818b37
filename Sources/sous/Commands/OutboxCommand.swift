import ArgumentParser
import Engine
import Expressions
import Localization
import Outbox
import UseCases

/// `sous outbox`: the messages that wait, were sent or have failed.
struct OutboxCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "outbox",
      abstract: say(
        "List messages that wait or were sent; change, cancel or send them.",
        de: "Nachrichten zeigen, die warten oder gesendet sind; sie ändern, abbrechen oder senden."),
      subcommands: [
        OutboxListCommand.self, OutboxShowCommand.self, OutboxEditCommand.self, OutboxRescheduleCommand.self,
        OutboxCancelCommand.self, OutboxSendNowCommand.self, OutboxRetryCommand.self, OutboxRunCommand.self,
        OutboxCleanCommand.self,
      ],
      defaultSubcommand: OutboxListCommand.self)
  }
}

/// The message that a command is about.
struct MailArgument: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      say(
        "The message: its run, a unique beginning of its name, or 'last'.",
        de: "Die Nachricht: ihr Lauf, ein eindeutiger Anfang seines Namens, oder 'last'."), valueName: "message"))
  var id: String

  /// Prints the state of the message after a change.
  static func tell(_ item: OutboxItem, json: Bool) {
    if json { return writeJSON(item.json(isWhole: true)) }
    for line in OutboxText.line(item, Terminal()).fitted(to: Terminal()) { write(line + "\n") }
  }
}

/// `sous outbox list`
struct OutboxListCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "list",
      abstract: say("List messages, the newest first.", de: "Nachrichten zeigen, die neuesten zuerst."))
  }

  @Option(
    help: ArgumentHelp(
      say(
        "Only those in this state: pending, held, sending, sent, failed, cancelled, unknown; may be repeated.",
        de: "Nur solche, die so stehen: pending, held, sending, sent, failed, cancelled, unknown; mehrfach möglich."),
      valueName: "state"))
  var only: [String] = []

  @Option(help: ArgumentHelp(say("At most so many.", de: "Höchstens so viele."), valueName: "count"))
  var limit = 100

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  mutating func validate() throws {
    if !(1...100_000).contains(limit) {
      throw ValidationError(say("--limit takes 1 to 100000", de: "--limit nimmt 1 bis 100000"))
    }
    for name in only where OutboxItem.State(rawValue: name) == nil {
      let known = OutboxItem.State.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError(say("no state '\(name)'; there are \(known)", de: "kein Stand '\(name)'; es gibt \(known)"))
    }
  }

  func run() async throws {
    var filter = OutboxFilter()
    filter.states = Set(only.compactMap(OutboxItem.State.init(rawValue:)))
    filter.limit = limit + 1
    let wanted = filter
    var items = try await Workspace(global).withSession { try await $0.outbox(wanted) }
    if items.count > limit {
      items.removeLast()
      writeError(
        say(
          "there are more messages than these \(limit); '--limit N' shows N\n",
          de: "es gibt mehr Nachrichten als diese \(limit); '--limit N' zeigt N\n"))
    }
    if format.json { return writeJSON(.list(items.map { $0.json(isWhole: false) })) }
    guard !items.isEmpty else { return write(say("no messages\n", de: "keine Nachrichten\n")) }
    let terminal = Terminal()
    var table = TextTable([
      .init(say("message", de: "Nachricht")), .init(say("state", de: "Zustand")), .time(say("time", de: "Zeit")),
      .init(say("to", de: "an"), .cut(to: 16)), .init(say("subject", de: "Betreff"), .cut(to: 12)),
      .init(say("remarks", de: "Bemerkungen"), .below),
    ])
    for item in items { table.append(OutboxText.cells(item, terminal)) }
    write(table.text())
  }
}

/// `sous outbox show`
struct OutboxShowCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(commandName: "show", abstract: say("Show a message.", de: "Eine Nachricht zeigen."))
  }

  @OptionGroup var mail: MailArgument
  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let id = mail.id
    let item = try await Workspace(global).withSession { try await $0.outboxItem(id) }
    if format.json { return writeJSON(item.json(isWhole: true)) }
    write(OutboxText.whole(item))
  }
}

/// `sous outbox run`
struct OutboxRunCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "run",
      abstract: say("Send what is due now, and end.", de: "Senden, was jetzt fällig ist, und enden."))
  }

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    var workspace = try Workspace(global)
    let foreground = Foreground(&workspace, isQuiet: true)
    let session = try await Session(try Project(workspace), probesAtOnce: true)
    let counts = try await session.closing { session in
      try await foreground.watch(record: { _ in nil }) { try await session.runOutbox() }
    }
    if format.json {
      writeJSON([
        "sent": .int(Int64(counts.sent)), "failed": .int(Int64(counts.failed)), "pending": .int(Int64(counts.pending)),
        "unknown": .int(Int64(counts.unknown)),
      ])
    } else {
      write(
        say(
          "\(counts.sent) sent, \(counts.failed) failed, \(counts.pending) wait\n",
          de: "\(counts.sent) gesendet, \(counts.failed) fehlgeschlagen, \(counts.pending) warten\n"))
      if counts.unknown > 0 {
        write(
          say(
            "\(counts.unknown) may have been sent: 'sous outbox list --only unknown'\n",
            de: "bei \(counts.unknown) ist ungewiss, ob sie gesendet wurden: 'sous outbox list --only unknown'\n"))
      }
    }
    if counts.failed + counts.unknown > 0 { throw CommandError(ExitStatus.runFailed) }
  }
}

/// `sous outbox clean`
struct OutboxCleanCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "clean",
      abstract: say(
        "Remove messages that ended a while ago.", de: "Nachrichten entfernen, die vor einer Weile endeten."))
  }

  @Option(
    help: ArgumentHelp(
      say("Age of those sent or cancelled: 30d.", de: "Alter der gesendeten und abgebrochenen: 30d."),
      valueName: "duration"))
  var sent = "30d"

  @Option(
    help: ArgumentHelp(
      say("Age of those that failed: 90d.", de: "Alter der fehlgeschlagenen: 90d."), valueName: "duration"))
  var failed = "90d"

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    var cleaning = OutboxCleaning()
    cleaning.sent = try SendTimes.duration(sent)
    cleaning.failed = try SendTimes.duration(failed)
    let wanted = cleaning
    let count = try await Workspace(global).withSession { try await $0.cleanOutbox(wanted) }
    if format.json { return writeJSON(["removed": .int(Int64(count))]) }
    write(say("\(count) removed\n", de: "\(count) entfernt\n"))
  }
}
