import ArgumentParser
import Engine
import Expressions
import Localization
import Outbox
import RecipeModel
import UseCases

/// `sous outbox edit`
struct OutboxEditCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "edit",
      abstract: say(
        "Change a message that waits; omitted options keep their values.",
        de: "Eine wartende Nachricht ändern; was nicht angegeben ist, bleibt."))
  }

  @OptionGroup var mail: MailArgument
  @OptionGroup var message: MessageOptions

  @Flag(help: ArgumentHelp(say("Take all files away.", de: "Alle Dateien wegnehmen.")))
  var noAttachments = false

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    var change = MailChange()
    guard case .map(let fields) = try message.value(isNew: false) else { return }
    for entry in fields.entries { if case .string(let name) = entry.key { change.fields[name] = entry.value } }
    if noAttachments, message.attach.isEmpty { change.fields["attachments"] = .null }
    if !message.provider.isEmpty { change.providers = message.provider }
    guard !change.fields.isEmpty || change.providers != nil else {
      throw CommandError(
        ExitStatus.wrongInput, .init("nothing is to be changed: see --help", de: "nichts zu ändern: siehe --help"))
    }
    let (id, wanted) = (mail.id, change)
    let item = try await Workspace(global).withSession { try await $0.edit(id, wanted) }
    MailArgument.tell(item, json: format.json)
  }
}

/// `sous outbox reschedule`
struct OutboxRescheduleCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "reschedule",
      abstract: say("Send a message at another time.", de: "Eine Nachricht zu einer anderen Zeit senden."))
  }

  @OptionGroup var mail: MailArgument

  @Option(help: ArgumentHelp(say("When.", de: "Wann."), valueName: "time"))
  var at: String

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let (id, moment) = (mail.id, try SendTimes.read(at))
    if !format.json { write(say("when: ", de: "wann: ") + moment.understood.spoken + "\n") }
    let item = try await Workspace(global).withSession { try await $0.reschedule(id, to: moment) }
    MailArgument.tell(item, json: format.json)
  }
}

/// `sous outbox cancel`
struct OutboxCancelCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "cancel",
      abstract: say(
        "Cancel a message: it is never sent, or it says why it is too late.",
        de: "Eine Nachricht abbrechen: sie wird nie gesendet, oder es heißt, warum es zu spät ist."))
  }

  @OptionGroup var mail: MailArgument
  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let id = mail.id
    let item = try await Workspace(global).withSession { try await $0.cancelMail(id) }
    MailArgument.tell(item, json: format.json)
  }
}

/// `sous outbox send-now`
struct OutboxSendNowCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "send-now",
      abstract: say(
        "Let a message go out now, also a late one; the daemon sends it, or --wait.",
        de: "Eine Nachricht jetzt hinauslassen, auch eine verspätete; der Dienst sendet sie, oder --wait."))
  }

  @OptionGroup var mail: MailArgument

  @Flag(help: ArgumentHelp(say("Send it here and wait for the end.", de: "Sie hier senden und das Ende abwarten.")))
  var wait = false

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    var workspace = try Workspace(global)
    let foreground = Foreground(&workspace, isQuiet: format.json)
    let session = try await Session(try Project(workspace), probesAtOnce: true)
    let (id, waits) = (mail.id, wait)
    let item = try await session.closing(tidies: false) { session in
      let item = try await session.sendNow(id)
      guard waits else { return item }
      _ = try await foreground.watch { try await session.resume(item.run.rawValue) }
      await session.endProviders()
      return try await session.outboxItem(item.run.rawValue)
    }
    MailArgument.tell(item, json: format.json)
    if !waits, !format.json { try await SendReport.warnOfNobody(workspace) }
    if item.state == .failed { throw CommandError(ExitStatus.runFailed) }
  }
}

/// `sous outbox retry`
struct OutboxRetryCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "retry",
      abstract: say("Try a message again that has failed.", de: "Eine fehlgeschlagene Nachricht noch einmal versuchen.")
    )
  }

  @OptionGroup var mail: MailArgument
  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    var workspace = try Workspace(global)
    let foreground = Foreground(&workspace, isQuiet: format.json)
    let session = try await Session(try Project(workspace), probesAtOnce: true)
    let id = mail.id
    let status = try await session.closing { session -> Int32? in
      let outcome = try await foreground.watch { try await session.retryMail(id) }
      await session.endProviders()
      MailArgument.tell(try await session.outboxItem(outcome.result.id.rawValue), json: format.json)
      return ExitStatus.of(outcome.result.status)
    }
    if let status { throw CommandError(status) }
  }
}
