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

  @Option(
    help: ArgumentHelp(
      say(
        "Queue a run for each line of this file, a JSON object of inputs; '-' is standard input.",
        de: "Für jede Zeile dieser Datei, ein JSON-Objekt mit Eingaben, einen Lauf einreihen; '-': Standardeingabe."),
      valueName: "file"))
  var inputsFrom: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      say(
        "With --queue: which runs are taken first, higher before lower; the recipe's where it is absent.",
        de: "Zu --queue: welche Läufe zuerst drankommen, höhere vor niedrigeren; sonst die des Rezepts."),
      valueName: "number"))
  var priority: Int?

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  mutating func validate() throws {
    if inputsFrom != nil, !queue {
      throw ValidationError(
        say("--inputs-from needs --queue", de: "--inputs-from geht nur mit --queue"))
    }
    if priority != nil, !queue {
      throw ValidationError(say("--priority needs --queue", de: "--priority geht nur mit --queue"))
    }
    if let priority, !(-100...100).contains(priority) {
      throw ValidationError(say("--priority takes -100 to 100", de: "--priority nimmt -100 bis 100"))
    }
  }

  func run() async throws {
    let workspace = try Workspace(global)
    let project = try Project(workspace)
    var plan = try project.plan(recipe)
    if let priority { plan.priority = priority }
    if let reason = plan.unsupported(at: SystemTime().now) { throw CommandError(ExitStatus.wrongInput, reason) }
    let given = RunInputs(plan: plan, input: input, keyword: keyword)
    let requests = try inputsFrom.map { try given.requests(from: $0) } ?? [given.request()]
    try project.openSecrets(for: plan)

    let desk = try await RunDesk(project, database: workspace.database, probesAtOnce: true)
    do {
      if queue { return try await enqueue(plan, requests, desk) }
      guard let request = requests.first else { return }
      let following = RunFollowing(desk: desk, database: workspace.database, isQuiet: quiet || format.json)
      let result = try await following.watching(plan) { [plan] runner, observer, control in
        try await runner.runToEnd(plan, request, observer: observer, control: control)
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

  /// Leaves the runs, all or none, to whoever works through the queue.
  private func enqueue(_ plan: Plan, _ requests: [RunRequest], _ desk: RunDesk) async throws {
    do throws(EngineError) {
      _ = try await desk.runner.enqueue(requests.map { (plan, $0) })
    } catch {
      throw CommandError(ExitStatus.environment, (error.cause as? RunStoreError)?.message ?? error.message)
    }
    await desk.endProviders()
    let runs = requests.map(\.id)
    var skipped: Set<RunID> = []
    if plan.concurrency?.policy == .skip {
      for run in runs where try await desk.store.status(of: run) == .skipped { skipped.insert(run) }
    }
    try await desk.store.close()
    if format.json {
      let list = runs.map { run in
        Value.map(["run": .string(run.rawValue), "status": skipped.contains(run) ? "skipped" : "queued"])
      }
      writeJSON(inputsFrom == nil ? list.first ?? .null : .list(list))
      return
    }
    let queued = runs.filter { !skipped.contains($0) }
    if inputsFrom == nil, let run = queued.first {
      write(say("queued as run \(run)\n", de: "eingereiht als Lauf \(run)\n"))
    } else if inputsFrom == nil, let run = runs.first {
      write(
        say(
          "left out, as another run of its group is queued or under way: run \(run)\n",
          de: "ausgelassen, da ein anderer Lauf der Gruppe eingereiht oder unterwegs ist: Lauf \(run)\n"))
    } else {
      write(Self.words(queued, skipped: skipped.count))
    }
  }

  /// What has become of the lines of a file.
  private static func words(_ queued: [RunID], skipped: Int) -> String {
    var words =
      switch (queued.first, queued.last) {
      case (let first?, let last?) where queued.count > 1:
        say(
          "queued \(queued.count) runs, \(first) to \(last)",
          de: "\(queued.count) Läufe eingereiht, \(first) bis \(last)")
      case (let run?, _): say("queued 1 run, \(run)", de: "1 Lauf eingereiht, \(run)")
      default: say("queued no run", de: "kein Lauf eingereiht")
      }
    if skipped > 0 {
      words += say(
        "; \(skipped) left out, as their group is taken", de: "; \(skipped) ausgelassen, da ihre Gruppe belegt ist")
    }
    return words + "\n"
  }

  private func tell(_ result: RunResult, of plan: Plan, _ store: RunStore) async throws(CommandError) {
    do throws(RunStoreError) {
      let record = try await store.run(result.id.rawValue)
      if format.json {
        writeJSON(record.json)
        return
      }
      if quiet, result.status != .succeeded, let failure = record.summary.failure {
        let advice = failure.advice.map { "\n  → \($0.spoken.singleLine)" } ?? ""
        writeError(
          "\(Terminal(descriptor: 2).styled("✗", .red)) \(failure.kind.rawValue): \(failure.message.spoken.singleLine)"
            + "\(advice)\n  sous show \(record.summary.id)\n")
      }
      if !quiet {
        let words = Ending(terminal: Terminal()).text(record.summary)
        write(words)
      }
      RunOutputs.write(result.outputs, spacing: !quiet)
    } catch {
      throw CommandError(error)
    }
  }
}

/// The last line of a run.
struct Ending {
  let terminal: Terminal

  func text(_ run: RunSummary) -> String {
    if run.status == .waiting {
      return say(
        "the run waits; 'sous work' or 'sous resume \(run.id)' goes on with it\n",
        de: "der Lauf wartet; 'sous work' oder 'sous resume \(run.id)' macht mit ihm weiter\n")
    }
    if run.status == .queued {
      return say(
        "the run is queued; 'sous work' or 'sous resume \(run.id)' goes on with it\n",
        de: "der Lauf ist eingereiht; 'sous work' oder 'sous resume \(run.id)' macht mit ihm weiter\n")
    }
    let took = (run.duration ?? 0).spokenDuration
    let end = run.status == .succeeded ? terminal.styled(run.status.spoken, .green) : run.status.spoken
    let isBrief = run.status == .skipped || run.status == .cancelled
    let reason = isBrief ? run.failure.map { " · \($0.message.spoken)".singleLine } ?? "" : ""
    return say(
      "\(end) in \(took)\(reason) · sous show \(run.id)\n",
      de: "\(end) nach \(took)\(reason) · sous show \(run.id)\n")
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
