import ArgumentParser
import Expressions
import Localization
import UseCases

/// `sous summaries`: summaries of messages that are made in advance.
struct SummariesCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "summaries",
      abstract: say(
        "Summaries of mail in advance: what waits, what was made.",
        de: "Zusammenfassungen im Voraus: was wartet, was entstand."),
      subcommands: [SummariesListCommand.self, SummariesStatusCommand.self, SummariesRunCommand.self],
      defaultSubcommand: SummariesListCommand.self)
  }
}

/// `sous summaries list`
struct SummariesListCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "list",
      abstract: say(
        "List what waits, the next first, and what was made.",
        de: "Auflisten, was wartet, das Nächste zuerst, und was entstand."))
  }

  @Option(help: ArgumentHelp(say("At most so many.", de: "Höchstens so viele."), valueName: "count"))
  var limit = 50

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let limit = max(1, limit)
    let entries = try await SummarySession.with(global) { try await $0.summaries(limit: limit) }
    if format.json { return writeJSON(.list(entries.map(\.json))) }
    guard !entries.isEmpty else { return write(say("no summaries\n", de: "keine Zusammenfassungen\n")) }
    for entry in entries {
      let text = entry.body["text"]?.stringValue ?? entry.trouble ?? ""
      write(
        "\(entry.stateText)\t\(entry.account)\t\(entry.folder) \(entry.uid)\t\(entry.body["subject"]?.stringValue ?? "")\n"
      )
      if !text.isEmpty { write("  \(text.split(whereSeparator: \.isNewline).joined(separator: " "))\n") }
    }
  }
}

/// `sous summaries status`
struct SummariesStatusCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "status",
      abstract: say("Tell how many wait and what holds them up.", de: "Sagen, wie viele warten und was sie aufhält."))
  }

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let status = try await SummarySession.with(global) { try await $0.summaryStatus() }
    if format.json { return writeJSON(status.json) }
    write(
      say(
        "\(status.waiting) wait, \(status.done) made, \(status.failed) failed\n",
        de: "\(status.waiting) warten, \(status.done) entstanden, \(status.failed) fehlgeschlagen\n"))
    write(
      say(
        "last hour: \(status.lastHour) of \(status.perHour)\n",
        de: "letzte Stunde: \(status.lastHour) von \(status.perHour)\n"))
    if let held = status.held {
      let next =
        status.nextAt.map { say("; the next from \($0.spokenLocalTime)", de: "; die nächste ab \($0.spokenLocalTime)") }
        ?? ""
      write(heldUp(held) + next + "\n")
    }
    write(say("accounts: ", de: "Konten: ") + status.accounts.joined(separator: ", ") + "\n")
  }
}

/// `sous summaries run`
struct SummariesRunCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "run",
      abstract: say(
        "Look for messages and make summaries, as many as the limits allow.",
        de: "Nach Nachrichten sehen und Zusammenfassungen machen, so viele die Grenzen erlauben."))
  }

  @Option(
    help: ArgumentHelp(
      say(
        "Look at so many older messages of each account as well.",
        de: "Auch so viele ältere Nachrichten jedes Kontos ansehen."),
      valueName: "count"))
  var older = 0

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let older = min(max(0, older), 1000)
    let answer = try await SummarySession.with(global) { try await $0.makeSummaries(older: older) }
    if format.json { return writeJSON(answer) }
    func number(_ key: String) -> Int64 { answer[key]?.intValue ?? 0 }
    write(
      say(
        "\(number("queued")) new, \(number("made")) made, \(number("failed")) failed, \(number("waiting")) wait\n",
        de:
          "\(number("queued")) neu, \(number("made")) entstanden, \(number("failed")) fehlgeschlagen, \(number("waiting")) warten\n"
      ))
    if let held = answer["held"]?.stringValue { write(heldUp(held) + "\n") }
  }
}

/// `sous mail summary`: the summary of one message.
struct MailSummaryCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "summary",
      abstract: say(
        "Tell what a message says: a kept summary, or one that is made now.",
        de: "Sagen, was in einer Nachricht steht: eine aufgehobene Zusammenfassung, oder eine neue."))
  }

  @Argument(help: ArgumentHelp(say("The folder.", de: "Der Ordner."), valueName: "folder"))
  var folder: String

  @Argument(help: ArgumentHelp(say("The message's UID.", de: "Die UID der Nachricht."), valueName: "uid"))
  var uid: String

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(say("The account.", de: "Das Konto."), valueName: "name"))
  var provider: String?

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let (account, folder, uid) = (provider, folder, uid)
    let answer = try await SummarySession.with(global) {
      try await $0.summary(account: account, folder: folder, uid: uid)
    }
    if format.json { return writeJSON(answer) }
    writeOutput((answer["text"]?.stringValue ?? "") + "\n")
  }
}

/// The reason why no summaries are made, in words.
private func heldUp(_ reason: String) -> String {
  switch reason {
  case "limit": say("held up by: the limit per hour", de: "aufgehalten durch: die Grenze je Stunde")
  case "load": say("held up by: the load of the machine", de: "aufgehalten durch: die Last der Maschine")
  case "battery": say("held up by: the battery", de: "aufgehalten durch: den Akku")
  default:
    say(
      "held up by: the model or the mail server, which cannot be asked; see 'sous providers test'",
      de: "aufgehalten durch: das Modell oder den Mailserver, nicht erreichbar; siehe 'sous providers test'")
  }
}

/// Opens a session for one question.
private enum SummarySession {
  static func with<Answer: Sendable>(
    _ global: GlobalOptions, _ body: @escaping @Sendable (Session) async throws -> Answer
  ) async throws -> Answer {
    let session = try await Session(try Project(try Workspace(global)))
    do {
      let answer = try await Interruption.untilInterrupted { try await body(session) }
      try await session.close()
      return answer
    } catch {
      await session.abandon()
      throw error
    }
  }
}

extension SummaryEntry {
  fileprivate var stateText: String {
    switch state {
    case "done": say("made", de: "entstanden")
    case "failed": say("failed", de: "fehlgeschlagen")
    default: say("waits", de: "wartet")
    }
  }

  fileprivate var json: Value {
    [
      "account": .string(account), "folder": .string(folder), "uid": .string(uid), "state": .string(state),
      "date": .string(date.rfc3339), "ended_at": endedAt.map { .string($0.rfc3339) } ?? .null,
      "subject": body["subject"] ?? "",
      "from": body["from"] ?? "", "text": body["text"] ?? .null, "model": body["model"] ?? .null,
      "trouble": trouble.map { .string($0) } ?? .null,
    ]
  }
}

extension SummaryStatus {
  fileprivate var json: Value {
    [
      "waiting": .int(Int64(waiting)), "done": .int(Int64(done)), "failed": .int(Int64(failed)),
      "last_hour": .int(Int64(lastHour)), "per_hour": .int(Int64(perHour)),
      "next_at": nextAt.map { .string($0.rfc3339) } ?? .null, "held": held.map { .string($0) } ?? .null,
      "accounts": .list(accounts.map { .string($0) }),
    ]
  }
}
