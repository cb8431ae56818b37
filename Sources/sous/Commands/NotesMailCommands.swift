import ArgumentParser
import Engine
import Expressions
import Localization
import Notes
import Outbox
import UseCases

/// `sous notes mail`
struct NotesMailCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "mail",
      abstract: say(
        "Send a note by mail, with its recording and attachments.",
        de: "Eine Notiz per Mail senden, mit Aufnahme und Anhängen."))
  }

  @OptionGroup var named: NamedNote
  @OptionGroup var message: MessageOptions

  @Option(
    help: ArgumentHelp(
      say("When: 'tomorrow at 8'; default: at once.", de: "Wann: 'morgen um 8'; Vorgabe: sofort."), valueName: "time"))
  var at: String?

  @Flag(help: ArgumentHelp(say("Only show what would be sent.", de: "Nur zeigen, was gesendet würde.")))
  var dryRun = false

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let moment = try at.map(SendTimes.read)
    guard case .map(let fields) = try message.value(isNew: false) else { return }
    var workspace = try Workspace(global)
    let foreground = Foreground(&workspace, isQuiet: format.json)
    let (reference, providers, isJSON, isPreview) = (named.note, message.provider, format.json, dryRun)
    let status = try await workspace.withSession(probesAtOnce: true) { [workspace] session in
      let value = try await session.message(ofNote: reference, fields)
      let mail = try session.project.check(MailOrder(value, providers: providers, at: moment, name: "note"))
      if !isJSON { SendReport.understood(mail, moment) }
      if isPreview {
        SendReport.preview([mail], duplicates: 0, json: isJSON)
        return nil as Int32?
      }
      guard mail.isImmediate else {
        try await SendReport.queued(try await session.queue([mail]), workspace, json: isJSON, isList: false)
        return nil
      }
      let outcome = try await foreground.watch { try await session.send(mail) }
      await session.endProviders()
      SendReport.ended(try await session.outboxItem(outcome.result.id.rawValue), json: isJSON)
      return ExitStatus.of(outcome.result.status)
    }
    if let status { throw CommandError(status) }
  }
}

/// `sous notes from-mail`
struct NotesFromMailCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "from-mail",
      abstract: say(
        "Keep a message as a note: subject, text and attachments.",
        de: "Eine Nachricht als Notiz anlegen: Betreff, Text und Anhänge."))
  }

  @Argument(help: ArgumentHelp(say("The message's folder.", de: "Der Ordner der Nachricht."), valueName: "folder"))
  var folder: String

  @Argument(help: ArgumentHelp(say("Its uid.", de: "Ihre UID."), valueName: "uid"))
  var uid: String

  @Option(help: ArgumentHelp(say("The note's category.", de: "Die Kategorie der Notiz."), valueName: "name"))
  var category: String?

  @Option(help: ArgumentHelp(say("A tag; may be repeated.", de: "Ein Schlagwort; mehrfach möglich."), valueName: "tag"))
  var tag: [String] = []

  @Option(
    help: ArgumentHelp(
      say("Whose mailbox (default: that of mail.store).", de: "Wessen Postfach (Vorgabe: das von mail.store)."),
      valueName: "provider"), completion: Completions.providers)
  var provider: String?

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    var workspace = try Workspace(global)
    _ = Foreground(&workspace, isQuiet: true)
    let (folder, uid, provider, category, tags) = (folder, uid, provider, category, tag)
    let note = try await workspace.withSession(probesAtOnce: true) { session in
      let id = try await Interruption.untilInterrupted {
        try await session.noteFromMail(uid: uid, folder: folder, provider: provider, category: category, tags: tags)
      }
      return try await session.withNotes { try $0.notes.note(id: id) }
    }
    guard let note else { return }
    if format.json { return writeJSON(try workspace.report().json(note)) }
    write(
      say(
        "kept as note \(note.number): \(note.heading.singleLine)\n",
        de: "angelegt als Notiz \(note.number): \(note.heading.singleLine)\n"))
  }
}
