import ArgumentParser
import Engine
import Expressions
import Localization
import PluginHost
import Recipes
import RunStore

/// `sous run`: runs a recipe to its end and reports on the way.
struct RunCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "run",
      abstract: say("Run a recipe.", de: "Ein Rezept ausführen."))
  }

  @Argument(help: ArgumentHelp(say("The recipe's file.", de: "Die Datei des Rezepts."), valueName: "recipe"))
  var recipe: String

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      say("An input; may be repeated.", de: "Eine Eingabe; mehrfach möglich."), valueName: "name=value"))
  var input: [String] = []

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      say("A keyword; overrides all others; may be repeated.", de: "Ein Schlüsselwort; hat Vorrang; mehrfach möglich."),
      valueName: "name=value"))
  var keyword: [String] = []

  @Flag(
    name: .shortAndLong,
    help: ArgumentHelp(say("Print the outputs alone.", de: "Nur die Ausgaben schreiben.")))
  var quiet = false

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let workspace = try Workspace(global)
    let project = try Project(workspace)
    let plan = try project.plan(recipe)
    if let reason = plan.unsupported(at: SystemTime().now) { throw CommandError(ExitStatus.wrongInput, reason) }
    let request = try request(for: plan)
    try project.openSecrets(for: plan)

    let store: RunStore
    do throws(RunStoreError) {
      store = try RunStore(path: workspace.database, time: SystemTime())
      await project.use(store)
    } catch {
      await project.host.shutdown()
      throw CommandError(error)
    }
    do {
      let result = try await run(plan, request, project, store, database: workspace.database)
      await project.host.shutdown()
      try await tell(result, of: plan, store)
      if let status = ExitStatus.of(result.status) { throw CommandError(status) }
    } catch {
      await project.host.shutdown()
      try? await store.close()
      throw error
    }
  }

  private func run(
    _ plan: Plan, _ request: RunRequest, _ project: Project, _ store: RunStore, database: String
  ) async throws -> RunResult {
    let runner = Runner(recorder: store, providers: project.host, time: SystemTime())
    do {
      guard !quiet, !format.json else {
        return try await Interruption.untilInterrupted {
          try await PluginThreads.run { try await runner.run(plan, request) }
        }
      }
      let report = RunReport(plan: plan, database: database, terminal: Terminal())
      return try await report.whileAnimated {
        try await Interruption.untilInterrupted {
          try await PluginThreads.run { try await runner.run(plan, request, observer: report) }
        }
      }
    } catch let error as EngineError {
      let status = error.code == .journal ? ExitStatus.environment : ExitStatus.wrongInput
      throw CommandError(status, (error.cause as? RunStoreError)?.message ?? error.message, code: error.code.rawValue)
    }
  }

  private func request(for plan: Plan) throws(CommandError) -> RunRequest {
    var given: [String: Value] = [:]
    for (name, text) in try assignments(input, option: "-i") {
      guard let declared = plan.inputs.first(where: { $0.name == name }) else {
        given[name] = .string(text)
        continue
      }
      do throws(SchemaViolation) {
        given[name] = try declared.schema.coerce(text)
      } catch {
        throw CommandError(
          ExitStatus.wrongInput, LocalizedText("input '\(name)': ", de: "Eingabe '\(name)': ") + error.message)
      }
    }
    var keywords: [String: Value] = [:]
    for (name, text) in try assignments(keyword, option: "-k") {
      guard plan.keywordNames.contains(name) else {
        throw CommandError(
          ExitStatus.wrongInput,
          LocalizedText("the recipe has no keyword '\(name)'", de: "das Rezept hat kein Schlüsselwort '\(name)'")
            + Suggestion.text(for: name, among: plan.keywordNames))
      }
      keywords[name] = .string(text)
    }
    do throws(EngineError) {
      var random = SystemRandomNumberGenerator()
      return RunRequest(
        id: RunID(at: SystemTime().now, using: &random), inputs: try plan.inputs(from: given), keywords: keywords)
    } catch {
      throw CommandError(ExitStatus.wrongInput, error.message, code: error.code.rawValue)
    }
  }

  private func assignments(_ texts: [String], option: String) throws(CommandError) -> [(String, String)] {
    var result: [(String, String)] = []
    for text in texts {
      guard let sign = text.firstIndex(of: "="), sign > text.startIndex else {
        throw CommandError(
          ExitStatus.wrongInput,
          .init("\(option) takes NAME=VALUE, not '\(text)'", de: "\(option) erwartet NAME=WERT, nicht '\(text)'"))
      }
      result.append((String(text[..<sign]), String(text[text.index(after: sign)...])))
    }
    return result
  }

  private func tell(_ result: RunResult, of plan: Plan, _ store: RunStore) async throws(CommandError) {
    do throws(RunStoreError) {
      let record = try await store.run(result.id.rawValue)
      try await store.close()
      if format.json {
        writeJSON(record.json)
        return
      }
      if !quiet {
        let words = Ending(terminal: Terminal()).text(record.summary)
        write(words)
      }
      guard case .map(let outputs) = result.outputs, outputs.count > 0 else { return }
      if !quiet { write("\n") }
      for (key, value) in outputs.entries {
        guard case .string(let name) = key else { continue }
        let text = value.stringValue ?? value.prettyJSON
        let label = outputs.count > 1 ? "\(name): " : ""
        writeOutput(label + text + (text.hasSuffix("\n") ? "" : "\n"))
      }
    } catch {
      throw CommandError(error)
    }
  }
}

/// The last line of a run.
private struct Ending {
  let terminal: Terminal

  func text(_ run: RunSummary) -> String {
    let took = (run.duration ?? 0).spokenDuration
    let end = run.status == .succeeded ? terminal.styled(run.status.spoken, .green) : run.status.spoken
    return say(
      "\(end) in \(took) · sous show \(run.id)\n", de: "\(end) nach \(took) · sous show \(run.id)\n")
  }
}

extension RunReport {
  /// Keeps the live lines moving while something works.
  func whileAnimated<Result: Sendable>(_ body: () async throws -> Result) async throws -> Result {
    let animation = Task { await animate() }
    // Awaited on every way out, so that no live line is drawn after the report's last one.
    do {
      let result = try await body()
      animation.cancel()
      await animation.value
      await finish()
      return result
    } catch {
      animation.cancel()
      await animation.value
      await finish()
      throw error
    }
  }
}
