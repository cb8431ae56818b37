import ArgumentParser
import Engine
import Expressions
import Localization
import Recipes
import RunStore

/// `sous retry`: runs a recipe again with what an earlier run has done already.
struct RetryCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "retry",
      abstract: say(
        "Run again what did not succeed, with the results of what did.",
        de: "Noch einmal laufen lassen, was nicht gelang, mit den Ergebnissen des Gelungenen."))
  }

  @Argument(help: ArgumentHelp(say("The earlier run.", de: "Der frühere Lauf."), valueName: "run"))
  var run = "last"

  @Option(
    help: ArgumentHelp(
      say("Begin again with this step.", de: "Wieder mit diesem Schritt beginnen."), valueName: "step"))
  var from: String?

  @Flag(
    help: ArgumentHelp(
      say("Begin with what did not succeed; the default.", de: "Mit dem beginnen, was nicht gelang; die Vorgabe.")))
  var failed = false

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  mutating func validate() throws {
    if failed, from != nil {
      throw ValidationError(
        say(
          "--from begins with a step whether it succeeded or not: leave --failed out",
          de: "--from beginnt mit einem Schritt, ob er gelang oder nicht: --failed weglassen"))
    }
  }

  func run() async throws {
    let earlierRun = EarlierRun(run: run, json: format.json, global: global, mayBePart: false, takesFile: true)
    try await earlierRun.again { plan, earlier, desk, following in
      var step: Int?
      if let from {
        step = earlier.start.steps.firstIndex { $0.id == from }
        if step == nil { try await desk.store.requireStep(from, of: earlier.start.run) }
      }
      return try await following.watching(plan) { [step] runner, observer, control in
        let result = try await runner.retry(
          plan, earlier, from: step, .new(trigger: "retry"), observer: observer, control: control)
        return try await runner.follow(plan, result, observer: observer, control: control)
      }
    }
  }
}

/// `sous replay`: runs a recipe again with recorded results in the place of everything that reaches outside.
struct ReplayCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "replay",
      abstract: say(
        "Run again with recorded results: nothing outside is read or changed.",
        de: "Noch einmal laufen lassen mit aufgezeichneten Ergebnissen: aussen wird nichts gelesen oder geändert."))
  }

  @Argument(help: ArgumentHelp(say("The earlier run.", de: "Der frühere Lauf."), valueName: "run"))
  var run = "last"

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    try await EarlierRun(run: run, json: format.json, global: global).again { plan, earlier, desk, following in
      try await following.watching(plan) { runner, observer, control in
        try await runner.replay(plan, earlier, .new(trigger: "replay"), observer: observer, control: control)
      }
    }
  }
}

/// A run that is repeated in one way or another.
private struct EarlierRun {
  let run: String
  let json: Bool
  let global: GlobalOptions
  /// Whether it may be a run that a step of another one has begun: its results go to nobody then.
  var mayBePart = true
  /// Whether the recipe counts as it stands in its file now, where that fits.
  var takesFile = false

  func again(
    _ body: (Plan, RunSnapshot, RunDesk, RunFollowing) async throws -> RunResult
  ) async throws {
    let database = try Workspace(global).database
    try await RunDesk.with(global, probesAtOnce: true) { desk in
      let id = try await desk.store.resolve(run)
      if !mayBePart { try await RunFollowing.requireNoParent(of: id, desk.store, for: "retry") }
      let status = try await desk.store.status(of: id)
      guard status.isFinal else {
        throw CommandError.runState(
          .init(
            "run \(id) has not ended (\(status.spoken)): 'sous resume \(id)' goes on with it",
            de: "Lauf \(id) ist nicht zu Ende (\(status.spoken)): 'sous resume \(id)' macht damit weiter"))
      }
      let earlier = try await desk.store.snapshot(of: id)
      let following = RunFollowing(desk: desk, database: database, isQuiet: json)
      let plan = try await takesFile ? following.newestPlan(of: earlier.start) : following.plan(of: earlier.start)
      let result = try await body(plan, earlier, desk, following)
      await desk.endProviders()
      try await RunFollowing.tell(result, desk.store, json: json)
      if let status = ExitStatus.of(result.status) { throw CommandError(status) }
    }
  }
}

extension RunFollowing {
  /// The plan to repeat a recorded run with: of the recipe's file, where its steps are still those of the run, otherwise of
  /// the text that the run has kept; where they differ, it is told which one it is.
  fileprivate func newestPlan(of start: RunStart) async throws -> Plan {
    let planning = desk.project.planning(start.path)
    let current = planning.hasErrors ? nil : planning.plan
    if let current, current.fingerprint == start.fingerprint { return current }
    if let current, current.name == start.recipe, current.steps.map(\.id) == start.steps.map(\.id) {
      writeError(
        say(
          "with \(start.path) as it is now; it, or a recipe that it runs, has changed since run \(start.run)\n",
          de:
            "mit \(start.path), wie es jetzt ist; es oder ein Rezept, das es ausführt, hat sich seit Lauf \(start.run) geändert\n"
        ))
      return current
    }
    let recorded = try await plan(of: start)
    if start.source != nil {
      let reason =
        current == nil
        ? say("cannot be used as it is now", de: "lässt sich so, wie es jetzt ist, nicht verwenden")
        : say("has other steps now", de: "hat jetzt andere Schritte")
      writeError(
        say(
          "with the recipe as run \(start.run) had it: \(start.path) \(reason)\n",
          de: "mit dem Rezept, wie Lauf \(start.run) es hatte: \(start.path) \(reason)\n"))
    }
    return recorded
  }
}

extension RunRequest {
  /// A request for a new run.
  static func new(trigger: String) -> RunRequest {
    var random = SystemRandomNumberGenerator()
    return RunRequest(id: RunID(at: SystemTime().now, using: &random), trigger: trigger)
  }
}
