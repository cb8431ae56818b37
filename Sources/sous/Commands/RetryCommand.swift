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
      throw ValidationError(say("--from or --failed, not both", de: "--from oder --failed, nicht beides"))
    }
  }

  func run() async throws {
    let earlierRun = EarlierRun(run: run, json: format.json, global: global, mayBePart: false)
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
      let plan = try await following.plan(of: earlier.start)
      let result = try await body(plan, earlier, desk, following)
      await desk.endProviders()
      try await RunFollowing.tell(result, desk.store, json: json)
      if let status = ExitStatus.of(result.status) { throw CommandError(status) }
    }
  }
}

extension RunRequest {
  /// A request for a new run.
  static func new(trigger: String) -> RunRequest {
    var random = SystemRandomNumberGenerator()
    return RunRequest(id: RunID(at: SystemTime().now, using: &random), trigger: trigger)
  }
}
