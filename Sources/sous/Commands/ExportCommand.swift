import ArgumentParser
import Engine
import Expressions
import Localization
import RunStore
import UseCases

/// `sous export`: hands runs to other programs.
struct ExportCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "export",
      abstract: say(
        "Write runs for other programs: as JSON lines, or as traces of OpenTelemetry.",
        de: "Läufe für andere Programme schreiben: als JSON-Zeilen, oder als Traces von OpenTelemetry."))
  }

  @Option(
    help: ArgumentHelp(
      say(
        "jsonl: a run on each line; otlp: traces in OTLP/JSON, a request to a collector on each line.",
        de:
          "jsonl: auf jeder Zeile ein Lauf; otlp: Traces in OTLP/JSON, auf jeder Zeile eine Anfrage an einen Collector."
      ),
      valueName: "jsonl|otlp"))
  var format = ExportFormat.jsonLines.rawValue

  @OptionGroup var runs: RunFilterOptions

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      say(
        "The file, which appears when it is complete and replaces an older one; default: standard output.",
        de:
          "Die Datei, die erscheint, wenn sie vollständig ist, und eine ältere ersetzt; Vorgabe: Standardausgabe."),
      valueName: "file"))
  var output: String?

  @OptionGroup var global: GlobalOptions

  mutating func validate() throws {
    if ExportFormat(rawValue: format) == nil {
      throw ValidationError(
        say("unknown format '\(format)': jsonl or otlp", de: "unbekanntes Format '\(format)': jsonl oder otlp"))
    }
  }

  func run() async throws {
    let filter = runs.filter()
    let format = ExportFormat(rawValue: format) ?? .jsonLines
    let workspace = try Workspace(global)
    let file = if let output { try OutputFile(output, in: workspace) } else { OutputFile?.none }
    let unindexed = try await workspace.unindexed(filter.words)
    let count: Int
    do {
      count = try await workspace.runLog(
        { log in
          if let unindexed { try await log.searchWithoutIndex(unindexed) }
          return try await log.export(format, filter, version: Version.current) { bytes in
            if let file { return try file.write(bytes) }
            StandardOutput.write(String(decoding: bytes, as: UTF8.self))
            if StandardOutput.isClosed { throw CancellationError() }
          }
        }, ifMissing: { 0 })
    } catch {
      // The reader has closed the pipe, or standard output is full: reported at the end of the program.
      if StandardOutput.isClosed { return }
      throw error
    }
    try file?.finish()
    if let output {
      let runs = LocalizedText.count(count, "run", "runs", de: "Lauf", "Läufe").spoken
      write(say("\(runs) written to \(output)\n", de: "\(runs) nach \(output) geschrieben\n"))
    }
  }
}
