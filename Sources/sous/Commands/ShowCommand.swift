import ArgumentParser
import Engine
import Expressions
import Localization
import RunStore
import UseCases

/// `sous show`: everything about one run.
struct ShowCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "show",
      abstract: say("Show a run: steps, attempts, outputs.", de: "Einen Lauf zeigen: Schritte, Versuche, Ausgaben."))
  }

  @Argument(
    help: ArgumentHelp(
      say(
        "The run, a unique beginning of its name, its recipe for the newest run, or 'last'.",
        de: "Der Lauf, ein eindeutiger Anfang seines Namens, sein Rezept für den neuesten Lauf, oder 'last'."),
      valueName: "run"), completion: Completions.runs)
  var run = "last"

  @Option(
    help: ArgumentHelp(
      say("Print only the output of this step, as JSON.", de: "Nur die Ausgabe dieses Schritts, als JSON."),
      valueName: "step"), completion: Completions.steps)
  var output: String?

  @Flag(
    help: ArgumentHelp(
      say(
        "Open what is sealed, as a run has it that neutralises texts.",
        de: "Versiegeltes öffnen, wie es ein Lauf hat, der Texte neutralisiert.")))
  var unseal = false

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let workspace = try Workspace(global)
    let project = unseal ? try Project(workspace) : nil
    if let output {
      let value = try await workspace.runLog { log in
        try await log.output(of: try await log.resolve(run), step: output)
      }
      writeJSON(try project?.unsealed(value) ?? value, pretty: !format.json)
      return
    }
    if format.json {
      let record = try await workspace.runLog { try await $0.run(run) }
      writeJSON(try project?.unsealed(record).json ?? record.json)
      return
    }
    let description = try await workspace.runLog { log in
      let recorded = try await log.run(run)
      let record = try project?.unsealed(recorded) ?? recorded
      let remarks = LogFilter(run: record.summary.id, minimumLevel: .warning)
      let start = try await log.lastLines(RunDescription.longestRemarks, of: remarks)
      let waits = try await log.openWaits(of: record.summary.id, includesParts: true)
      return RunDescription(
        terminal: Terminal(), record: record, remarks: try await log.logs(remarks, after: start),
        breakers: try await log.breakers(), waitsOfParts: waits.filter { $0.wait.run != record.summary.id })
    }
    write(description.text(at: SystemTime().now))
    writeVerbatim(description.outputsText)
  }
}
