import ArgumentParser
import Engine
import Expressions
import Localization
import Recipes
import RunStore

/// `sous resume`: goes on with one run.
struct ResumeCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "resume",
      abstract: say(
        "Go on with a run that was interrupted, waits or needs attention.",
        de: "Mit einem Lauf weitermachen, der unterbrochen wurde, wartet oder Aufmerksamkeit braucht."))
  }

  @Argument(
    help: ArgumentHelp(
      say(
        "The run, a unique beginning of its name, or 'last'.",
        de: "Der Lauf, ein eindeutiger Anfang seines Namens, oder 'last'."), valueName: "run"))
  var run = "last"

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    try await RunDesk.with(global, probesAtOnce: true) { desk in
      let id = try await desk.store.resolve(run)
      let database = try Workspace(global).database
      let result = try await RunFollowing(desk: desk, database: database, isQuiet: format.json).goOn(with: id)
      await desk.endProviders()
      try await RunFollowing.tell(result, desk.store, json: format.json)
      if let status = ExitStatus.of(result.status) { throw CommandError(status) }
    }
  }
}

/// Works on one recorded run in the foreground.
struct RunFollowing {
  let desk: RunDesk
  let database: String
  /// Whether nothing is shown on the way.
  let isQuiet: Bool

  /// Takes a run up and works on it to its end.
  func goOn(with id: RunID) async throws -> RunResult {
    try await Self.requireNoParent(of: id, desk.store, for: "resume")
    try await desk.store.requireOriginal()
    // Before it is claimed: one that cannot be planned stays as it is.
    let start = try await desk.store.snapshot(of: id).start
    let plan = try await desk.store.status(of: id).isFinal ? nil : plan(of: start)
    // What the claim says counts: a moment later the run may be somebody else's.
    var isWaiting = false
    var behind: ClaimOutcome?
    let outcome = try await desk.store.claim(id, at: SystemTime().now)
    switch outcome {
    case .claimed: break
    case .waiting: isWaiting = true
    case .ended(let status):
      throw CommandError.runState(
        .init(
          "run \(id) has ended (\(status.spoken)); 'sous retry \(id)' runs it again",
          de: "Lauf \(id) ist zu Ende (\(status.spoken)); 'sous retry \(id)' lässt ihn noch einmal laufen"))
    case .taken(let owner):
      throw CommandError.runState(
        .init("run \(id) is being worked on by \(owner)", de: "an Lauf \(id) arbeitet \(owner)"))
    case .groupTaken, .groupLeft: behind = outcome
    case .absent:
      throw CommandError.runState(.init("there is no run \(id)", de: "es gibt keinen Lauf \(id)"))
    }
    let snapshot = try await desk.store.snapshot(of: id)
    guard let plan else { throw CommandError.runState(.init("run \(id) has ended", de: "Lauf \(id) ist zu Ende")) }
    return try await watching(plan) { [isWaiting, behind] runner, observer, control in
      var result = RunResult(id: id, status: .waiting, outputs: .map([:]), failure: nil)
      if let behind { return try await takeTurn(id, behind, plan, runner, observer, control) }
      if snapshot.isCancelRequested { control.cancel() }
      if isWaiting { observer.observeWaits(of: snapshot) }
      if !isWaiting { result = try await runner.resume(plan, snapshot, observer: observer, control: control) }
      return try await runner.follow(plan, result, observer: observer, control: control)
    }
  }

  /// A run that a step of another run has begun is worked on with that one alone.
  ///
  /// - Parameter command: What is asked for.
  static func requireNoParent(of id: RunID, _ store: RunStore, for command: String) async throws {
    var outermost = try await store.snapshot(of: id).start
    guard outermost.parent != nil else { return }
    while let parent = outermost.parent, let above = try? await store.snapshot(of: parent) { outermost = above.start }
    let whole = outermost.run
    let status = try await store.status(of: whole)
    // What has ended can neither go on nor be called off, and what has not cannot be repeated.
    let command = status.isFinal ? "retry" : command == "retry" ? "resume" : command
    throw CommandError.runState(
      .init(
        "run \(id) is part of run \(whole) (\(status.spoken)) and goes with it: 'sous \(command) \(whole)'",
        de: "Lauf \(id) ist Teil von Lauf \(whole) (\(status.spoken)) und geht mit ihm: 'sous \(command) \(whole)'"))
  }

  /// The plan of a recorded run.
  func plan(of start: RunStart) async throws(CommandError) -> Plan {
    do throws(ActionFailure) {
      return try await ProjectPlans(project: desk.project).plan(of: start)
    } catch {
      throw CommandError(ExitStatus.environment, error.message, code: "plan_unavailable")
    }
  }

  /// Runs something that a report on the terminal watches, and calls it off when somebody asks for it.
  func watching(
    _ plan: Plan, _ body: @escaping @Sendable (Runner, any RunObserver, RunControl) async throws -> RunResult
  ) async throws -> RunResult {
    guard !isQuiet else { return try await attended(SilentObserver(), body) }
    let report = RunReport(plan: plan, database: database, terminal: Terminal())
    return try await report.whileAnimated {
      let result = try await attended(report, body)
      // Another process may have gone on with the run.
      if report.lacksEnd { report.complete(try await desk.store.run(result.id.rawValue)) }
      return result
    }
  }

  /// Works on a run and looks meanwhile whether it is to be called off, and shows that this process is alive.
  private func attended(
    _ observer: any RunObserver,
    _ body: @escaping @Sendable (Runner, any RunObserver, RunControl) async throws -> RunResult
  ) async throws -> RunResult {
    let control = RunControl()
    let attendance = RunAttendance(queue: desk.store, time: SystemTime(), controls: desk.runner.controls)
    return try await desk.working { runner in
      try await attendance.attending { try await body(runner, observer, control) }
    }
  }

  /// Tells how a run ended.
  static func tell(_ result: RunResult, _ store: RunStore, json: Bool) async throws {
    let record = try await store.run(result.id.rawValue)
    if json { return writeJSON(record.json) }
    write(Ending(terminal: Terminal()).text(record.summary))
    if record.summary.trigger == "retry", record.steps.allSatisfy({ $0.carriedFrom != nil || $0.status == .skipped }) {
      write(
        say(
          "nothing was done again, as every step had succeeded; --from STEP begins again with one\n",
          de: "nichts wurde wiederholt, da jeder Schritt gelungen war; --from SCHRITT beginnt wieder mit einem\n"))
    }
    RunOutputs.write(result.outputs, spacing: true)
  }
}
