import ArgumentParser
import Engine
import Expressions
import Localization
import RecordJSON
import UseCases

/// `sous schedules`: the schedules that 'sous serve' keeps.
struct SchedulesCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "schedules",
      abstract: say(
        "List schedules, show what comes next and what has become of points, pause and resume.",
        de: "Zeitpläne auflisten, zeigen, was kommt und was aus Punkten wurde, anhalten und fortsetzen."),
      subcommands: [
        SchedulesListCommand.self, SchedulesNextCommand.self, SchedulesHistoryCommand.self, SchedulesPauseCommand.self,
        SchedulesResumeCommand.self, SchedulesTriggerCommand.self, SchedulesBackfillCommand.self,
      ],
      defaultSubcommand: SchedulesListCommand.self)
  }
}

/// `sous schedules list`
struct SchedulesListCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "list",
      abstract: say("List the schedules and their next points.", de: "Die Zeitpläne und ihre nächsten Punkte zeigen."))
  }

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let schedules = try await Workspace(global).schedules()
    if format.json { return writeJSON(.list(schedules.map(\.json))) }
    guard !schedules.isEmpty else {
      return write(
        say(
          "no schedules are known; 'sous serve' keeps them\n", de: "keine Zeitpläne bekannt; 'sous serve' führt sie\n"))
    }
    // Patterns are in the recipes, not in the run log. Where there are many recipes, the list does without them: reading them
    // all takes too long.
    let files = Set(schedules.map(\.path))
    let project = files.count <= 50 ? try? Project(Workspace(global)) : nil
    let rhythms = project?.scheduleRhythms(of: files) ?? [:]
    var table = TextTable([
      .init(say("recipe", de: "Rezept"), .cut(to: 16)), .init(say("schedule", de: "Zeitplan"), .below),
      .time(say("next", de: "nächster")), .init(say("points", de: "Punkte"), .below),
      .init(say("trouble", de: "Problem"), .below), .init(say("file", de: "Datei"), .below),
    ])
    for schedule in schedules {
      table.append([
        schedule.recipe, rhythms[schedule.source]?.words.spoken ?? "", schedule.spokenNext, schedule.counts.spoken,
        schedule.spokenFailures, schedule.source.shownPath,
      ])
    }
    write(table.text())
  }
}

/// `sous schedules history`
struct SchedulesHistoryCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "history",
      abstract: say("Show what has become of points of schedules.", de: "Zeigen, was aus Punkten von Zeitplänen wurde.")
    )
  }

  @Argument(
    help: ArgumentHelp(
      say("A recipe's name or file, or FILE#KEY.", de: "Name oder Datei eines Rezepts, oder DATEI#KENNUNG."),
      valueName: "schedule"))
  var schedule: String?

  @Option(help: ArgumentHelp(say("At most so many.", de: "Höchstens so viele."), valueName: "count"))
  var limit = 20

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  mutating func validate() throws {
    if limit < 1 { throw ValidationError(say("--limit must be at least 1", de: "--limit muss mindestens 1 sein")) }
  }

  func run() async throws {
    let found = try await Workspace(global).occurrences(of: schedule, limit: limit)
    if format.json { return writeJSON(.list(found.map(\.json))) }
    var table = TextTable([
      .time(say("point", de: "Punkt")), .init(say("until", de: "bis")), .init(say("result", de: "Ergebnis")),
      .init(say("run", de: "Lauf")), .init(say("schedule", de: "Zeitplan"), .below),
    ])
    for occurrence in found {
      let end = occurrence.count == 1 ? "" : "– \(occurrence.until.spokenLocalTime) (\(occurrence.count))"
      table.append([
        occurrence.at.spokenLocalTime, end, occurrence.outcome.spoken, occurrence.run?.short ?? "",
        occurrence.source.shownPath,
      ])
    }
    write(found.isEmpty ? say("nothing yet\n", de: "noch nichts\n") : table.text())
  }
}

/// `sous schedules pause`
struct SchedulesPauseCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "pause",
      abstract: say(
        "Pause schedules: points that pass meanwhile are skipped.",
        de: "Zeitpläne anhalten: Punkte, die inzwischen vergehen, werden ausgelassen."))
  }

  @OptionGroup var named: NamedSchedule
  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws { try await named.set(paused: true, format, global) }
}

/// `sous schedules resume`
struct SchedulesResumeCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "resume",
      abstract: say("Let paused schedules go on.", de: "Angehaltene Zeitpläne fortsetzen."))
  }

  @OptionGroup var named: NamedSchedule
  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws { try await named.set(paused: false, format, global) }
}

/// `sous schedules trigger`
struct SchedulesTriggerCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "trigger",
      abstract: say(
        "Queue a run of a recipe now, beside its schedules.",
        de: "Jetzt einen Lauf eines Rezepts einreihen, neben seinen Zeitplänen."))
  }

  @Argument(
    help: ArgumentHelp(say("The recipe's name or file.", de: "Name oder Datei des Rezepts."), valueName: "recipe"),
    completion: Completions.recipes)
  var recipe: String

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let recipe = recipe
    let runs = try await Workspace(global).withSession { session in
      let order = RunOrder(session.project.servedFile(recipe))
      return try await session.enqueue(session.project.check(order))
    }
    if format.json {
      return writeJSON(.list(runs.map { ["run": .string($0.run.rawValue), "skipped": .bool($0.isSkipped)] }))
    }
    for run in runs {
      write(
        run.isSkipped
          ? say("run \(run.run) is skipped\n", de: "Lauf \(run.run) wird ausgelassen\n")
          : say("run \(run.run) is queued\n", de: "Lauf \(run.run) ist eingereiht\n"))
    }
  }
}

/// Schedules that a command is about.
struct NamedSchedule: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      say("A recipe's name or file, or FILE#KEY.", de: "Name oder Datei eines Rezepts, oder DATEI#KENNUNG."),
      valueName: "schedule"))
  var name: String

  fileprivate func set(paused: Bool, _ format: FormatOptions, _ global: GlobalOptions) async throws {
    let changed = try await Workspace(global).pauseSchedules(name, paused)
    if format.json { return writeJSON(.list(changed.map(\.json))) }
    for schedule in changed {
      write(
        paused
          ? say("paused \(schedule.source)\n", de: "angehalten \(schedule.source)\n")
          : say("resumed \(schedule.source)\n", de: "fortgesetzt \(schedule.source)\n"))
    }
  }
}

extension ScheduleRecord {
  /// The next point for people.
  var spokenNext: String {
    if isPaused { return say("paused", de: "angehalten") }
    return nextDue?.spokenLocalTime ?? say("never again", de: "nie mehr")
  }

  /// How many runs have failed one after another; empty for none.
  var spokenFailures: String {
    failures == 0 ? "" : say("\(failures) failed in a row", de: "\(failures) in Folge fehlgeschlagen")
  }

  /// The same, with what lets a paused schedule go on.
  var spokenTrouble: String {
    guard isPaused else { return spokenFailures }
    let name = recipe.contains(" ") ? "'\(recipe)'" : recipe
    return spokenFailures
      + say(", paused: sous schedules resume \(name)", de: ", angehalten: sous schedules resume \(name)")
  }
}

extension ScheduleRecord.Counts {
  /// The counts for people: those that are not zero.
  fileprivate var spoken: String {
    var parts = [say("\(run) run", de: "\(run) gelaufen")]
    if late > 0 { parts.append(say("\(late) late", de: "\(late) verspätet")) }
    if caughtUp > 0 { parts.append("\(caughtUp) \(OccurrenceOutcome.caughtUp.spoken)") }
    if skipped > 0 { parts.append("\(skipped) \(OccurrenceOutcome.skipped.spoken)") }
    if missed > 0 { parts.append("\(missed) \(OccurrenceOutcome.missed.spoken)") }
    return parts.joined(separator: ", ")
  }
}
