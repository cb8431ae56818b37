import ArgumentParser
import Engine
import Expressions
import Foundation
import Localization
import RecordJSON
import Schedules
import Upkeep
import UseCases

/// `sous remind`: stores a reminder that is given in words.
struct RemindCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "remind",
      abstract: say(
        "Keep a reminder: sous remind \"dentist tomorrow at 9\".",
        de: "Eine Erinnerung anlegen: sous remind \"Zahnarzt morgen um 9\"."),
      discussion: say(
        """
        The words for the time are found in the text, in English and German. One that comes once is kept as a run that \
        waits; one that comes again and again becomes a recipe, a file that you can edit. 'sous serve' delivers them.
        """,
        de: """
          Die Wörter für die Zeit werden im Text gefunden, deutsch und englisch. Was einmal kommt, wird ein Lauf, der \
          wartet; was sich wiederholt, wird ein Rezept, eine Datei, die sich bearbeiten lässt. 'sous serve' stellt zu.
          """))
  }

  @Argument(
    help: ArgumentHelp(
      say("The reminder and its time.", de: "Woran erinnert werden soll, und wann."), valueName: "text"))
  var text: [String]

  @Option(
    help: ArgumentHelp(
      say(
        "The time apart from the text: 'tomorrow at 9', 2026-11-24T09:00.",
        de: "Die Zeit neben dem Text: 'morgen um 9', 2026-11-24T09:00."), valueName: "time"))
  var at: String?

  @Option(
    help: ArgumentHelp(
      say(
        "How it repeats: 'Tuesday at 7', '2 weeks'.", de: "Wie sie sich wiederholt: 'Dienstag um 7', 'alle 2 Wochen'."),
      valueName: "words"))
  var every: String?

  @Option(
    help: ArgumentHelp(
      say(
        "A recurrence rule (RFC 5545); --at is its time of day.", de: "Eine Regel (RFC 5545); --at ist ihre Uhrzeit."),
      valueName: "rule"))
  var rrule: String?

  @Option(
    help: ArgumentHelp(
      say("The clock: an IANA name (default: the system's).", de: "Die Uhr: ein IANA-Name (Vorgabe: die des Systems)."),
      valueName: "zone"))
  var timezone: String?

  @Option(
    help: ArgumentHelp(
      say(
        "A way of delivery; may be repeated: notify, a mail address, or a map such as '{command: [notify-send, \"{{ text }}\"]}'.",
        de: "Ein Weg der Zustellung; mehrfach möglich: notify, eine Mail-Adresse, oder eine Map wie "
          + "'{command: [notify-send, \"{{ text }}\"]}'."), valueName: "way"))
  var deliver: [String] = []

  @Option(
    help: ArgumentHelp(
      say("Also so long before: 1d, 2h; may be repeated.", de: "Auch so lange vorher: 1d, 2h; mehrfach möglich."),
      valueName: "duration"))
  var lead: [String] = []

  @Option(
    name: .customLong("repeat"),
    help: ArgumentHelp(
      say(
        "Deliver again after so long until it is done: 1h.", de: "Nach so langer Zeit wieder, bis sie erledigt ist: 1h."
      ),
      valueName: "duration"))
  var repetition: String?

  @Option(
    help: ArgumentHelp(
      say("With --repeat: how often at most.", de: "Zu --repeat: wie oft höchstens."), valueName: "count"))
  var limit: Int?

  @Option(help: ArgumentHelp(say("More text.", de: "Weiterer Text."), valueName: "text"))
  var note: String?

  @Flag(
    name: [.customShort("y"), .long],
    help: ArgumentHelp(say("Do not ask whether it was understood.", de: "Nicht fragen, ob es verstanden wurde.")))
  var yes = false

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  mutating func validate() throws {
    if let timezone, Zone(timezone) == nil {
      throw ValidationError(
        say(
          "unknown time zone '\(timezone)'; names look like Europe/Zurich",
          de: "unbekannte Zeitzone '\(timezone)'; Namen sehen aus wie Europe/Zurich"))
    }
    for duration in lead + [repetition].compactMap(\.self) {
      do throws(UseCaseError) { _ = try ReminderOrder.seconds(duration) } catch {
        throw ValidationError(error.message.spoken)
      }
    }
    if limit != nil, repetition == nil {
      throw ValidationError(say("--limit needs --repeat", de: "--limit geht nur mit --repeat"))
    }
    if let limit, !(1...1000).contains(limit) {
      throw ValidationError(say("--limit is 1 to 1000", de: "--limit ist 1 bis 1000"))
    }
    if every != nil, rrule != nil {
      throw ValidationError(say("either --every or --rrule", de: "entweder --every oder --rrule"))
    }
  }

  func run() async throws {
    let now = Date()
    var wish = ReminderWish(text.joined(separator: " "), zone: timezone.flatMap { Zone($0) } ?? .current)
    (wish.at, wish.every, wish.rule) = (at, every, rrule)
    var order = ReminderOrder(wish)
    (order.ways, order.leads, order.repetition) = (deliver, lead, repetition)
    (order.limit, order.note) = (limit, note ?? "")
    let readings = try wish.readings(now: now)
    let question = ReminderQuestion(asks: !yes && !format.json)
    let chosen = try question.choose(readings.map(\.understood))
    let draft = try order.completing(readings[chosen].draft, now: now)
    let understood = readings[chosen].understood
    if let doubt = draft.doubt, !yes, format.json || !question.isPossible {
      throw Self.unclear(doubt, draft, understood)
    }
    if !format.json {
      write("\(draft.title.singleLine)\n  \(understood.spoken)\n")
      if let doubt = draft.doubt {
        write(say("  '\(doubt)' stays in the text\n", de: "  '\(doubt)' bleibt im Text\n"))
      }
    }
    if readings.count == 1, !question.confirms() {
      return write(say("not kept\n", de: "nicht angelegt\n"))
    }
    let workspace = try Workspace(global)
    let kept = try await workspace.withSession { try await $0.remind(draft, now: now) }
    try await tell(kept, draft, understood, now, workspace)
  }

  /// Refuses words that may be meant as a time if the user cannot be asked.
  private static func unclear(_ doubt: String, _ draft: ReminderDraft, _ understood: LocalizedText) -> CommandError {
    CommandError(
      ExitStatus.wrongInput,
      .init(
        "'\(doubt)' may be part of the time; understood was \(understood.english) for '\(draft.title.singleLine)': "
          + "confirm that with --yes, or give the time apart with --at",
        de: "'\(doubt)' gehört vielleicht zur Zeit; verstanden wurde \(understood.german) für "
          + "'\(draft.title.singleLine)': mit --yes bestätigen oder die Zeit getrennt mit --at angeben"),
      code: "ambiguous")
  }

  private func tell(
    _ kept: KeptReminder, _ draft: ReminderDraft, _ understood: LocalizedText, _ now: Date, _ workspace: Workspace
  ) async throws {
    if format.json { return writeJSON(kept.json(draft, understood, now: now, in: Speech.language)) }
    switch kept {
    case .run(let run): write(say("  kept as \(run)\n", de: "  angelegt als \(run)\n"))
    case .recipe(let path, _): write(say("  kept in \(path)\n", de: "  angelegt in \(path)\n"))
    }
    if try await workspace.servingStatus().servers.isEmpty {
      write(
        say(
          "  no daemon runs: start 'sous serve', which delivers it\n",
          de: "  kein Dienst läuft: 'sous serve' stellt zu\n"))
    }
  }
}

/// Asks the person at the terminal whether a time was understood, and which of several is meant.
struct ReminderQuestion {
  /// Whether a person is there and wants to be asked.
  let isPossible: Bool
  private let asks: Bool

  init(asks: Bool) {
    self.asks = asks
    isPossible = isatty(STDIN_FILENO) == 1 && Terminal().isInteractive
  }

  /// Which of several times is meant.
  ///
  /// - Throws: ``CommandError`` with all of them if there is no terminal to ask.
  func choose(_ readings: [LocalizedText]) throws -> Int {
    guard readings.count > 1 else { return 0 }
    let list = readings.map(\.spoken)
    guard isPossible, !FormatOptions.isJSONWanted else {
      throw CommandError(
        ExitStatus.wrongInput,
        .init(
          "this has several meanings; say which is meant: \(list.joined(separator: "; "))",
          de: "das hat mehrere Bedeutungen; sagen, welche gemeint ist: \(list.joined(separator: "; "))"),
        code: "ambiguous")
    }
    for (number, reading) in list.enumerated() { write("  \(number + 1)  \(reading)\n") }
    write(say("Which is meant? [1] ", de: "Welche ist gemeint? [1] "))
    let answer = readLine()?.trimmingCharacters(in: .whitespaces) ?? "0"
    if answer.isEmpty { return 0 }
    guard let number = Int(answer), list.indices.contains(number - 1) else {
      throw CommandError(ExitStatus.wrongInput, .init("nothing was chosen", de: "nichts wurde gewählt"))
    }
    return number - 1
  }

  /// Whether the user agrees; yes if there is no prompt.
  func confirms() -> Bool {
    guard asks, isPossible else { return true }
    write(say("Keep it? [Y/n] ", de: "Anlegen? [J/n] "))
    guard let answer = readLine()?.trimmingCharacters(in: .whitespaces).lowercased() else { return false }
    return ["", "y", "yes", "j", "ja"].contains(answer)
  }
}
