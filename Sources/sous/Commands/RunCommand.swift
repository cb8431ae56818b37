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

  @Flag(
    help: ArgumentHelp(
      say("Only put it into the queue, for 'sous work'.", de: "Nur einreihen, für 'sous work'.")))
  var queue = false

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let workspace = try Workspace(global)
    let project = try Project(workspace)
    let plan = try project.plan(recipe)
    if let reason = plan.unsupported(at: SystemTime().now) { throw CommandError(ExitStatus.wrongInput, reason) }
    let request = try request(for: plan)
    try project.openSecrets(for: plan)

    let desk = try await RunDesk(project, database: workspace.database)
    do {
      if queue { return try await enqueue(plan, request, desk) }
      let following = RunFollowing(desk: desk, database: workspace.database, isQuiet: quiet || format.json)
      let result = try await following.watching(plan) { runner, observer in
        try await runner.runToEnd(plan, request, observer: observer)
      }
      await desk.endProviders()
      try await tell(result, of: plan, desk.store)
      await desk.tidy()
      try await desk.store.close()
      if let status = ExitStatus.of(result.status) { throw CommandError(status) }
    } catch {
      await desk.endProviders()
      try? await desk.store.close()
      throw error
    }
  }

  /// Leaves the run to whoever works through the queue.
  private func enqueue(_ plan: Plan, _ request: RunRequest, _ desk: RunDesk) async throws {
    do throws(EngineError) {
      try await desk.runner.enqueue(plan, request)
    } catch {
      throw CommandError(ExitStatus.environment, (error.cause as? RunStoreError)?.message ?? error.message)
    }
    await desk.endProviders()
    try await desk.store.close()
    if format.json {
      writeJSON(.map(["run": .string(request.id.rawValue), "status": "queued"]))
    } else {
      write(say("queued as run \(request.id)\n", de: "eingereiht als Lauf \(request.id)\n"))
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
struct Ending {
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
