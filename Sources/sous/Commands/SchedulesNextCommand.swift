import ArgumentParser
import Expressions
import Foundation
import Localization
import Schedules
import UseCases

/// `sous schedules next`: what comes next of a schedule in any of its forms.
struct SchedulesNextCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "next",
      abstract: say("Show what comes next of a schedule.", de: "Zeigen, was von einem Zeitplan als Nächstes kommt."))
  }

  @Argument(
    help: ArgumentHelp(
      say(
        "A cron expression, 'every 15m', 'RRULE:FREQ=…', 'once 2026-12-24T18:00', 'sunrise+30m' or words such as"
          + " 'every Monday at 8'; or a recipe's file or name, for its schedules.",
        de: "Ein Cron-Ausdruck, 'every 15m', 'RRULE:FREQ=…', 'once 2026-12-24T18:00', 'sunrise+30m' oder Worte wie"
          + " 'jeden Montag um 8'; oder Datei oder Name eines Rezepts, für dessen Zeitpläne."), valueName: "expr"))
  var expression: String

  @Option(
    help: ArgumentHelp(
      say(
        "The time zone, such as Europe/Zurich (default: the system's).",
        de: "Die Zeitzone, etwa Europe/Zurich (Vorgabe: die des Systems)."), valueName: "zone"))
  var timezone: String?

  @Option(
    help: ArgumentHelp(
      say(
        "Show what comes after this time, such as 2026-11-23T07:00 or 2026-11-23T07:00:00Z (default: now).",
        de: "Zeigen, was nach dieser Zeit kommt, etwa 2026-11-23T07:00 oder 2026-11-23T07:00:00Z (Vorgabe: jetzt)."),
      valueName: "time"))
  var from: String?

  @Option(help: ArgumentHelp(say("How many (default: 5).", de: "Wie viele (Vorgabe: 5)."), valueName: "number"))
  var count = 5

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      say(
        "Degrees north and east for sunrise and sunset, such as 47.37,8.54.",
        de: "Grad Nord und Ost für Sonnenauf- und -untergang, etwa 47.37,8.54."), valueName: "place"))
  var place: String?

  @Option(
    help: ArgumentHelp(
      say(
        "The schedule's name, which determines H in cron expressions.",
        de: "Der Name des Zeitplans, der entscheidet, wofür H in Cron-Ausdrücken steht."), valueName: "name"))
  var name = ""

  @Option(
    help: ArgumentHelp(
      say(
        "The handling of a time that a clock change skips: shift, skip, after or before (default: shift).",
        de: "Was eine Zeitumstellung mit einer Zeit macht, die sie auslässt: shift, skip, after oder before (Vorgabe:"
          + " shift)."), valueName: "word"))
  var missing: String?

  @Option(
    help: ArgumentHelp(
      say(
        "Which times count that a clock change makes twice: first, last or both (default: first).",
        de: "Welche Zeiten zählen, die eine Zeitumstellung doppelt bringt: first, last oder both (Vorgabe: first)."),
      valueName: "word"))
  var repeated: String?

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  mutating func validate() throws {
    guard (1...100_000).contains(count) else {
      throw ValidationError(say("--count is 1 to 100000", de: "--count ist 1 bis 100000"))
    }
    if let timezone, Zone(timezone) == nil {
      throw ValidationError(
        say(
          "unknown time zone '\(timezone)'; names look like Europe/Zurich",
          de: "unbekannte Zeitzone '\(timezone)'; Namen sehen aus wie Europe/Zurich"))
    }
    if let from, LocalTime(iso: from) == nil, Zone.moment(rfc3339: from) == nil {
      throw ValidationError(
        say(
          "--from is a time such as 2026-11-23T07:00 or 2026-11-23T07:00:00Z, not '\(from)'",
          de: "--from ist eine Zeit wie 2026-11-23T07:00 oder 2026-11-23T07:00:00Z, nicht '\(from)'"))
    }
    if let place, Place(place) == nil {
      throw ValidationError(
        say(
          "--place is degrees north and east, such as 47.37,8.54, not '\(place)'",
          de: "--place ist Grad Nord und Ost, etwa 47.37,8.54, nicht '\(place)'"))
    }
    if let missing, MissingTime(rawValue: missing) == nil {
      let words = MissingTime.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError(say("--missing is one of \(words)", de: "--missing ist eines von \(words)"))
    }
    if let repeated, RepeatedTime(rawValue: repeated) == nil {
      let words = RepeatedTime.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError(say("--repeated is one of \(words)", de: "--repeated ist eines von \(words)"))
    }
  }

  func run() async throws {
    let zone = timezone.flatMap { Zone($0) } ?? .current
    let now =
      from.flatMap { text in Zone.moment(rfc3339: text) ?? LocalTime(iso: text).map { zone.moment($0) } } ?? Date()
    // A served recipe may be called like words for a time; without a configuration none is served.
    let isFile = [".yaml", ".yml"].contains { expression.hasSuffix($0) } || isServed
    let times = isFile ? try timesOfRecipe(after: now) : try timesOfExpression(in: zone, after: now)
    for text in times {
      // A time needs no escapes. The blank is part of the documented line.
      writeOutput(format.json ? "{\"at\": \"\(text)\"}\n" : text + "\n")
    }
    if times.isEmpty {
      writeError(say("nothing comes after that time\n", de: "nach dieser Zeit kommt nichts mehr\n"))
    }
  }

  /// Whether a served recipe is called so.
  private var isServed: Bool {
    guard let project = try? Project(Workspace(global)) else { return false }
    return project.servedFile(expression) != expression
  }

  private func timesOfExpression(in zone: Zone, after now: Date) throws -> [String] {
    let context = Schedule.Context(
      zone: zone, now: now, start: now, name: name, place: place.flatMap { Place($0) })
    var schedule: Schedule
    do throws(ScheduleError) {
      schedule = try Schedule(expression, in: context)
    } catch {
      // Other texts may be the name of a recipe.
      let isName = error.code == .notUnderstood && !expression.contains(" ")
      if isName, let times = try? timesOfRecipe(after: now) { return times }
      throw CommandError(ExitStatus.wrongInput, error.text, code: error.code.rawValue)
    }
    if let missing = missing.flatMap({ MissingTime(rawValue: $0) }) { schedule.missing = missing }
    if let repeated = repeated.flatMap({ RepeatedTime(rawValue: $0) }) { schedule.repeated = repeated }
    return schedule.occurrences(after: now).prefix(count).map { zone.rfc3339($0) }
  }

  private func timesOfRecipe(after now: Date) throws -> [String] {
    try Project(try Workspace(global)).points(of: expression, after: now, count: count).map(\.text)
  }
}
