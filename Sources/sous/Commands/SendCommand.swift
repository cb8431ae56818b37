import ArgumentParser
import Engine
import Expressions
import Foundation
import Localization
import OperatingSystem
import Outbox
import Plans
import RecipeModel
import Schedules
import Schemas
import UseCases

/// `sous send`: sends a message, now or later.
struct SendCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "send",
      abstract: say("Send a message, now or later.", de: "Eine Nachricht senden, jetzt oder später."))
  }

  @OptionGroup var message: MessageOptions

  @Option(
    help: ArgumentHelp(
      say(
        "When: 'tomorrow at 8', '2027-01-01T08:00', with a zone or an offset; default: at once.",
        de: "Wann: 'morgen um 8', '2027-01-01T08:00', mit Zone oder Abstand; Vorgabe: sofort."), valueName: "time"))
  var at: String?

  @Option(
    help: ArgumentHelp(
      say(
        "How long it can be cancelled before it goes out: 30s, 10m; default: outbox.undo_for.",
        de: "Wie lange es sich abbrechen lässt, bevor es hinausgeht: 30s, 10m; Vorgabe: outbox.undo_for."),
      valueName: "duration"))
  var undoFor: String?

  @Option(
    help: ArgumentHelp(
      say(
        "One message for each row of this .csv or .jsonl, or of the result run:RUN/STEP.",
        de: "Eine Nachricht für jede Zeile dieser .csv oder .jsonl, oder des Ergebnisses run:LAUF/SCHRITT."),
      valueName: "rows"))
  var merge: String?

  @Option(
    help: ArgumentHelp(
      say(
        "With --merge: the message, a YAML file with 'to', 'subject', 'text' and '{{ column }}'.",
        de: "Zu --merge: die Nachricht, eine YAML-Datei mit 'to', 'subject', 'text' und '{{ spalte }}'."),
      valueName: "file"))
  var template: String?

  @Flag(help: ArgumentHelp(say("Only show what would be sent.", de: "Nur zeigen, was gesendet würde.")))
  var dryRun = false

  @Flag(
    help: ArgumentHelp(
      say(
        "With --merge: send also what this merge has queued before.",
        de: "Zu --merge: auch senden, was dieser Serienbrief schon eingereiht hat.")))
  var again = false

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  mutating func validate() throws {
    if (merge == nil) != (template == nil) {
      throw ValidationError(say("--merge and --template go together", de: "--merge und --template gehören zusammen"))
    }
    if merge == nil, again { throw ValidationError(say("--again needs --merge", de: "--again geht nur mit --merge")) }
    if merge != nil, message.isGiven {
      throw ValidationError(
        say("with --merge the template says what is sent", de: "mit --merge sagt die Vorlage, was gesendet wird"))
    }
  }

  func run() async throws {
    let moment = try at.map(SendTimes.read)
    if let merge, let template { return try await send(merge, template, at: moment) }
    var order = MailOrder(try message.value(isNew: true), providers: message.provider, at: moment)
    order.undoFor = try undoFor.map(SendTimes.duration)
    var workspace = try Workspace(global)
    let foreground = Foreground(&workspace, isQuiet: format.json)
    let project = try Project(workspace)
    let mail = try project.check(order)
    if !format.json { SendReport.understood(mail, moment) }
    if dryRun { return SendReport.preview([mail], duplicates: 0, json: format.json) }
    let session = try await Session(project, probesAtOnce: true)
    guard mail.isImmediate else {
      let queued = try await session.closing(tidies: false) { try await $0.queue([mail]) }
      return try await SendReport.queued(queued, workspace, json: format.json, isList: false)
    }
    let status = try await session.closing { session -> Int32? in
      let outcome = try await foreground.watch { try await session.send(mail) }
      await session.endProviders()
      let item = try await session.outboxItem(outcome.result.id.rawValue)
      SendReport.ended(item, json: format.json)
      if outcome.result.status == .waiting {
        SendReport.waits(item)
        return nil
      }
      return ExitStatus.of(outcome.result.status)
    }
    if let status { throw CommandError(status) }
  }

  private func send(_ rows: String, _ template: String, at moment: SendMoment?) async throws {
    var merge = MailMerge(try Self.source(rows), template: template)
    (merge.at, merge.providers, merge.isAgain) = (moment, message.provider, again)
    let workspace = try Workspace(global)
    let session = try await Session(try Project(workspace))
    let (wanted, isPreview, isJSON) = (merge, dryRun, format.json)
    try await session.closing(tidies: false) { session in
      let checked = try await session.check(wanted)
      guard !isPreview else {
        return SendReport.preview(checked.mails, duplicates: checked.duplicates, json: isJSON)
      }
      if !isJSON, let mail = checked.mails.first { SendReport.understood(mail, moment) }
      let queued = try await session.queue(checked.mails, areMerged: true)
      try await SendReport.queued(queued, workspace, json: isJSON, isList: true)
    }
  }

  private static func source(_ text: String) throws(CommandError) -> MailMerge.Source {
    guard text.hasPrefix("run:") else { return .file(text) }
    let parts = text.dropFirst(4).split(separator: "/", maxSplits: 1).map(String.init)
    guard parts.count == 2 else {
      throw CommandError(
        ExitStatus.wrongInput,
        .init("--merge takes run:RUN/STEP, not '\(text)'", de: "--merge erwartet run:LAUF/SCHRITT, nicht '\(text)'"))
    }
    return .run(parts[0], step: parts[1])
  }
}

/// The fields of a message on the command line.
struct MessageOptions: ParsableArguments {
  private static let textLimit = 16 << 20

  @Option(
    help: ArgumentHelp(
      say("Who gets it; may be repeated.", de: "Wer sie bekommt; mehrfach möglich."), valueName: "address"))
  var to: [String] = []
  @Option(help: ArgumentHelp(say("Who gets a copy.", de: "Wer eine Kopie bekommt."), valueName: "address"))
  var cc: [String] = []
  @Option(
    help: ArgumentHelp(say("Who gets a copy unseen.", de: "Wer verdeckt eine Kopie bekommt."), valueName: "address"))
  var bcc: [String] = []
  @Option(
    help: ArgumentHelp(
      say("The sender; default: the provider's.", de: "Der Absender; Vorgabe: der des Providers."), valueName: "address"
    ))
  var from: String?
  @Option(help: ArgumentHelp(say("Where answers go.", de: "Wohin Antworten gehen."), valueName: "address"))
  var replyTo: String?
  @Option(help: ArgumentHelp(say("The subject.", de: "Der Betreff."), valueName: "text"))
  var subject: String?
  @Option(help: ArgumentHelp(say("The text.", de: "Der Text."), valueName: "text"))
  var text: String?
  @Option(
    help: ArgumentHelp(
      say("A file with the text; '-' is standard input.", de: "Eine Datei mit dem Text; '-': Standardeingabe."),
      valueName: "file"))
  var textFile: String?
  @Option(
    help: ArgumentHelp(say("A file with the text as HTML.", de: "Eine Datei mit dem Text als HTML."), valueName: "file")
  )
  var htmlFile: String?
  @Option(
    help: ArgumentHelp(
      say(
        "A file that goes with it, kept as it is now; may be repeated.",
        de: "Eine Datei, die mitgeht, wie sie jetzt ist; mehrfach möglich."), valueName: "file"))
  var attach: [String] = []
  @Option(
    help: ArgumentHelp(
      say(
        "Who sends it; default: the default transport.",
        de: "Wer sie versendet; Vorgabe: der voreingestellte Transport."),
      valueName: "name"))
  var provider: [String] = []

  /// Whether anything was said about the message itself.
  var isGiven: Bool {
    !(to + cc + bcc + attach).isEmpty || [from, replyTo, subject, text, textFile, htmlFile].contains { $0 != nil }
  }

  /// The fields that were given, for `mail.send`.
  ///
  /// - Parameter isNew: Whether it is a message of its own, which has a subject and a text.
  /// - Throws: ``CommandError`` where a file cannot be read.
  func value(isNew: Bool) throws -> Value {
    var map = ValueMap()
    for (name, list) in [("to", to), ("cc", cc), ("bcc", bcc)] where !list.isEmpty {
      map[name] = .list(list.map { .string($0) })
    }
    if isNew { map["subject"] = "" }
    for (name, text) in [("from", from), ("reply_to", replyTo), ("subject", subject)] {
      if let text { map[name] = .string(text) }
    }
    if text != nil, textFile != nil {
      throw CommandError(
        ExitStatus.wrongInput, .init("--text or --text-file, not both", de: "--text oder --text-file, nicht beides"))
    }
    if let body = try text ?? textFile.map(Self.contents) { map["text"] = .string(body) }
    if let htmlFile { map["html"] = .string(try Self.contents(htmlFile)) }
    if isNew, map["text"] == nil {
      map["text"] = .string(try Self.requiredText(hasMore: htmlFile != nil || !attach.isEmpty))
    }
    if !attach.isEmpty { map["attachments"] = .list(attach.map { .map(["path": .string($0)]) }) }
    return .map(map)
  }

  /// A message without text is one by mistake, unless something else goes with it.
  private static func requiredText(hasMore: Bool) throws(CommandError) -> String {
    let piped = try StandardInput.text(isAskedFor: false, limit: textLimit)
    guard piped.isEmpty, !hasMore else { return piped }
    throw CommandError(
      ExitStatus.wrongInput,
      .init("say what to send with --text or --text-file", de: "mit --text oder --text-file sagen, was gesendet wird"))
  }

  private static func contents(_ file: String) throws(CommandError) -> String {
    if file == "-" { return try StandardInput.text(isAskedFor: true, limit: textLimit) }
    guard let data = FileManager.default.contents(atPath: file), data.count <= textLimit,
      let text = String(utf8Text: Array(data))
    else {
      throw CommandError(
        ExitStatus.wrongInput,
        .init(
          "'\(file)' cannot be read as UTF-8 text of at most \(textLimit >> 20) MiB",
          de: "'\(file)' ist nicht als UTF-8-Text von höchstens \(textLimit >> 20) MiB lesbar"))
    }
    return text
  }
}

/// Times and durations of messages on the command line.
enum SendTimes {
  static func read(_ text: String) throws(CommandError) -> SendMoment {
    do throws(ScheduleError) {
      return try SendMoment(text, now: SystemTime().now)
    } catch {
      throw CommandError(ExitStatus.wrongInput, error.text)
    }
  }

  static func duration(_ text: String) throws(CommandError) -> Double {
    if let seconds = DurationText.seconds(text) ?? Double(text), seconds >= 0 { return seconds }
    throw CommandError(
      ExitStatus.wrongInput,
      .init("'\(text)' is not a duration such as 30s or 10m", de: "'\(text)' ist keine Dauer wie 30s oder 10m"))
  }
}
