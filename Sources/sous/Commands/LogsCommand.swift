import ArgumentParser
import Engine
import Expressions
import Localization
import RunStore

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
        "The run, a unique beginning of its name, or 'last'.",
        de: "Der Lauf, ein eindeutiger Anfang seines Namens, oder 'last'."), valueName: "run"))
  var run = "last"

  @Option(help: ArgumentHelp(say("Only lines of this step.", de: "Nur Zeilen dieses Schritts."), valueName: "step"))
  var step: String?

  @Option(
    help: ArgumentHelp(
      say(
        "Only lines at least this important: debug, info, warning or error.",
        de: "Nur Zeilen ab dieser Wichtigkeit: debug, info, warning oder error."), valueName: "level"))
  var level = "debug"

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
  }

  func run() async throws {
    let terminal = Terminal()
    try await Workspace(global).runLog { log throws(RunStoreError) in
      let id = try await log.resolve(run)
      var last: Int64 = 0
      while true {
        // The status is read first: lines written before the end are then surely in the answer.
        let status = try await log.status(of: id)
        while true {
          let lines = try await log.logs(
            of: id, step: step, minimumLevel: LogLevel(rawValue: level) ?? .debug, after: last)
          for line in lines {
            if format.json { writeJSON(line.json) } else { write(text(line, terminal) + "\n") }
          }
          guard !StandardOutput.isClosed, let end = lines.last?.id else { break }
          last = end
        }
        if !follow || status != .running || StandardOutput.isClosed { return }
        try? await Task.sleep(for: .milliseconds(200))
      }
    }
  }

  private func text(_ line: LogRecord, _ terminal: Terminal) -> String {
    let place = [line.step, line.item.map { "[\($0)]" }, line.attempt.map { "#\($0)" }].compactMap { $0 }
    let style: Terminal.Style =
      switch line.level {
      case .debug: .dim
      case .info: .blue
      case .warning: .yellow
      case .error: .red
      }
    let level = terminal.styled(line.level.rawValue, style)
    return
      "\(terminal.styled(line.at.spokenLocalTime, .dim))  \(level)  \(place.joined(separator: " "))  \(line.message.singleLine)"
  }
}
