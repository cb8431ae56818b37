import ArgumentParser
import Engine
import Expressions
import Localization
import RunStore
import UseCases

/// `sous logs`: the lines a run has logged.
struct LogsCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "logs",
      abstract: say("Show what a run has logged.", de: "Zeigen, was ein Lauf protokolliert hat."))
  }

  @Argument(
    help: ArgumentHelp(
      say(
        "The run, a unique beginning of its name, its recipe for the newest run, or 'last'; default: the last one, or all that the options name; with --follow the run at work, or the next one.",
        de:
          "Der Lauf, ein eindeutiger Anfang seines Namens, sein Rezept für den neuesten Lauf, oder 'last'; Vorgabe: der letzte, oder alle, die die Optionen nennen; mit --follow der Lauf bei der Arbeit, oder der nächste."
      ),
      valueName: "run"), completion: Completions.runs)
  var run: String?

  @Option(
    help: ArgumentHelp(say("Only lines of this step.", de: "Nur Zeilen dieses Schritts."), valueName: "step"),
    completion: Completions.steps)
  var step: String?

  @Option(
    help: ArgumentHelp(
      say(
        "Only lines at least this important: debug, info, warning or error.",
        de: "Nur Zeilen ab dieser Wichtigkeit: debug, info, warning oder error."), valueName: "level"))
  var level = "debug"

  @OptionGroup var runs: RunFilterOptions

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(say("Only so many, the newest.", de: "Nur so viele, die neuesten."), valueName: "count"))
  var limit: Int?

  @Flag(name: .shortAndLong, help: ArgumentHelp(say("Go on until the run has ended.", de: "Bis zum Ende des Laufs.")))
  var follow = false

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  mutating func validate() throws {
    if LogLevel(rawValue: level) == nil {
      throw ValidationError(
        say(
          "unknown level '\(level)': debug, info, warning or error",
          de: "unbekannte Stufe '\(level)': debug, info, warning oder error"))
    }
    if let limit, limit < 1 {
      throw ValidationError(say("--limit must be at least 1", de: "--limit muss mindestens 1 sein"))
    }
    if follow, runs.text != nil {
      throw ValidationError(
        say("--follow does not go with --text", de: "--follow geht nicht zusammen mit --text"))
    }
  }

  func run() async throws {
    let terminal = Terminal()
    let workspace = try Workspace(global)
    var next: RunID?
    if follow, run == nil, runs.isEmpty {
      next = try await workspace.runAtWorkOrNext {
        writeError(say("waiting for the next run\n", de: "warte auf den nächsten Lauf\n"))
      }
    }
    try await workspace.searchingRunLog(for: runs.words) { log in
      var id = next
      if id == nil, run != nil || runs.isEmpty { id = try await log.resolve(run ?? "last") }
      let times = runs.filter()
      var filter = LogFilter(
        run: id, runs: RunFilter(statuses: times.statuses, recipe: times.recipe), step: step,
        minimumLevel: LogLevel(rawValue: level) ?? .debug, since: times.since, until: times.until, words: times.words)
      filter.includesParts = id != nil
      let hasLines = try await log.followLines(filter, newest: limit, whileAtWork: follow ? .some(id) : nil) {
        [id] lines in
        for line in lines {
          if format.json { writeJSON(line.json) } else { write(text(line, terminal, namesRun: id == nil) + "\n") }
        }
        return !StandardOutput.isClosed
      }
      // Beside the lines, so that whatever reads them gets nothing but lines.
      if !hasLines, !format.json, !StandardOutput.isClosed {
        writeError(say("no line fits\n", de: "keine Zeile passt\n"))
      }
    }
  }

  private func text(_ line: LogRecord, _ terminal: Terminal, namesRun: Bool) -> String {
    var place: [String?] = [namesRun ? "\(line.run) \(line.recipe.singleLine)" : nil]
    for step in line.within { place += [step.step, step.item.map { "[\($0)]" }, "›"] }
    place += [line.step, line.item.map { "[\($0)]" }, line.attempt.map { "#\($0)" }]
    let style: Terminal.Style =
      switch line.level {
      case .debug: .dim
      case .info: .blue
      case .warning: .yellow
      case .error: .red
      }
    let level = terminal.styled(line.level.rawValue, style)
    return
      "\(terminal.styled(line.at.spokenLocalTime, .dim))  \(level)  \(place.compactMap(\.self).joined(separator: " "))  \(line.message.singleLine)"
  }
}
