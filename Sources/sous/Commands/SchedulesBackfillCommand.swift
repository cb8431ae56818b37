import ArgumentParser
import Engine
import Expressions
import Foundation
import Localization
import RecordJSON
import Schedules
import UseCases

/// `sous schedules backfill`
struct SchedulesBackfillCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "backfill",
      abstract: say(
        "Queue runs for points of schedules that are over; those that have run are left out.",
        de: "Läufe für vergangene Punkte von Zeitplänen einreihen; die schon liefen, bleiben aus."))
  }

  @Argument(
    help: ArgumentHelp(
      say("A recipe's name or file, or FILE#KEY.", de: "Name oder Datei eines Rezepts, oder DATEI#KENNUNG."),
      valueName: "schedule"))
  var name: String

  @Option(
    help: ArgumentHelp(
      say(
        "The first time that counts, such as 2026-11-23T07:00 on this system's clock, or 2026-11-23T07:00:00Z.",
        de: "Die erste Zeit, die zählt, etwa 2026-11-23T07:00 nach der Uhr dieses Systems oder 2026-11-23T07:00:00Z."),
      valueName: "time"))
  var from: String

  @Option(
    help: ArgumentHelp(say("The last one (default: now).", de: "Die letzte (Vorgabe: jetzt)."), valueName: "time"))
  var to: String?

  @Flag(
    help: ArgumentHelp(
      say("Only points that passed while no daemon ran.", de: "Nur Punkte, die vergingen, als kein Dienst lief.")))
  var missed = false

  @Flag(
    help: ArgumentHelp(
      say(
        "Also points that are older than 90 days, of which it is not known any more whether they have run.",
        de: "Auch Punkte, die älter als 90 Tage sind: ob sie schon liefen, ist nicht mehr bekannt.")))
  var force = false

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  mutating func validate() throws {
    for text in [from, to].compactMap(\.self) where Self.moment(text) == nil {
      throw ValidationError(
        say(
          "'\(text)' is not a time; write 2026-11-23T07:00 or 2026-11-23T07:00:00Z",
          de: "'\(text)' ist keine Zeit; möglich sind 2026-11-23T07:00 und 2026-11-23T07:00:00Z"))
    }
  }

  private static func moment(_ text: String) -> Timestamp? {
    let date = Zone.moment(rfc3339: text) ?? LocalTime(iso: text).map { Zone.current.moment($0) }
    return date.map { Timestamp(seconds: Int64($0.timeIntervalSince1970)) }
  }

  func run() async throws {
    guard let from = Self.moment(from) else { return }
    let (name, missed, force) = (name, missed, force)
    let to = to.flatMap(Self.moment) ?? Timestamp(seconds: Int64(Date().timeIntervalSince1970))
    let report = try await Workspace(global).withSession { session in
      try await session.backfill(name, from: from, to: to, onlyMissed: missed, isForced: force)
    }
    if format.json { return writeJSON(.list(report.begun.map(\.json))) }
    for occurrence in report.begun {
      write("\(occurrence.at.spokenLocalTime)  \(occurrence.run?.rawValue ?? "")\n")
    }
    write(report.summary.spoken + "\n")
  }
}
