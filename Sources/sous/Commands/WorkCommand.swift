import ArgumentParser
import Engine
import Expressions
import Foundation
import Localization
import Recipes
import RunStore
import Synchronization

/// `sous work`: works through queued, due, interrupted and abandoned runs.
struct WorkCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "work",
      abstract: say(
        "Work through runs that are queued, due, interrupted or abandoned.",
        de: "Läufe abarbeiten: eingereihte, fällige, unterbrochene und verlassene."))
  }

  @Flag(
    name: .customLong("until-idle"),
    help: ArgumentHelp(say("End when nothing can be worked on now.", de: "Enden, wenn gerade nichts zu tun ist.")))
  var untilIdle = false

  @Option(
    help: ArgumentHelp(
      say("How many runs at once; 64 where nothing is said.", de: "Wie viele Läufe zugleich; sonst 64."),
      valueName: "count"))
  var parallel: Int?

  @Option(
    help: ArgumentHelp(
      say(
        "How long what is under way may go on after SIGTERM; 25s where nothing is said.",
        de: "Wie lange Laufendes nach SIGTERM weitergehen darf; sonst 25s."), valueName: "duration"))
  var drain: String?

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  mutating func validate() throws {
    if let parallel, !(1...10_000).contains(parallel) {
      throw ValidationError(say("--parallel takes 1 to 10000", de: "--parallel nimmt 1 bis 10000"))
    }
    if let drain, DurationText.seconds(drain) == nil {
      throw ValidationError(
        say("--drain takes a duration such as 30s or 5m", de: "--drain nimmt eine Dauer wie 30s oder 5m"))
    }
  }

  func run() async throws {
    let report = WorkReport(json: format.json)
    // Others may be stopped in the middle of a transaction; whoever works for days outlasts that.
    try await RunDesk.with(global, patience: 600) { desk in
      try await desk.store.requireOriginal()
      var options = RunWorker.Options()
      options.parallel = parallel ?? desk.project.configuration.engine.parallel ?? options.parallel
      options.endsWhenIdle = untilIdle
      options.drainSeconds = drain.flatMap(DurationText.seconds) ?? options.drainSeconds
      // Whoever waits for the end is told of a run log that does not come to itself.
      if untilIdle { options.patience = 30 }
      let (store, plans, settled) = (desk.store, ProjectPlans(project: desk.project), options)
      try await desk.working(drains: true) { runner in
        try await RunWorker(runner: runner, queue: store, plans: plans, observer: report, options: settled).work()
      }
      report.finish(queued: untilIdle ? try await store.queuedRuns() : (0, nil))
    }
  }
}

/// Tells of runs that end while the queue is worked through.
private final class WorkReport: WorkObserver {
  private let json: Bool
  private let counts = Mutex<[RunStatus: Int]>([:])

  init(json: Bool) { self.json = json }

  func begins(_ start: RunStart) -> any RunObserver { SilentObserver() }

  func ends(_ result: RunResult, of start: RunStart) {
    counts.withLock { $0[result.status, default: 0] += 1 }
    if json {
      writeJSON(
        .map([
          "run": .string(result.id.rawValue), "recipe": .string(start.recipe),
          "status": .string(result.status.rawValue),
        ]), pretty: false)
      return
    }
    let terminal = Terminal()
    let failure = result.failure.map { "  \($0.kind.rawValue): \($0.message.spoken.singleLine)" } ?? ""
    write(
      "\(terminal.mark(result.status)) \(start.recipe.singleLine)  \(result.id)  \(result.status.spoken)\(failure)\n")
  }

  func isHeldUp(_ start: RunStart, by failure: ActionFailure) {
    writeError("\(start.recipe.singleLine)  \(start.run)  \(failure.message.spoken.singleLine)\n")
  }

  func isTroubled(by error: any Error) {
    writeError(
      say(
        "The run log fails just now; it is tried again, and runs that it has stopped go on then: ",
        de: "Das Laufprotokoll versagt gerade; es wird wieder versucht, und angehaltene Läufe gehen dann weiter: ")
        + Self.reason(error) + "\n")
  }

  func isRelieved(after seconds: Double) {
    writeError(
      say(
        "The run log works again after \(seconds.spokenDuration).\n",
        de: "Das Laufprotokoll geht nach \(seconds.spokenDuration) wieder.\n"))
  }

  func drains(_ count: Int, within seconds: Double) {
    guard count > 0 else { return }
    let runs = LocalizedText.count(count, "run is put down", "runs are put down", de: "Lauf wird", "Läufe werden")
      .spoken
    let time = seconds.spokenDuration
    writeError(
      say(
        "Stopping: \(runs) after what is under way, within \(time); another signal interrupts it.\n",
        de: "Halt: \(runs) nach dem, was gerade läuft, abgelegt, innert \(time); ein weiteres Signal unterbricht es.\n")
    )
  }

  func isRefused(_ run: RunID, by error: any Error) {
    writeError(
      say(
        "\(run)  is left to the next process: ", de: "\(run)  bleibt dem nächsten Prozess: ")
        + Self.reason(error) + "\n")
  }

  private static func reason(_ error: any Error) -> String {
    let cause = (error as? EngineError)?.cause ?? error
    let message = (cause as? RunStoreError)?.message ?? (error as? EngineError)?.message
    return message?.spoken.singleLine ?? "\(error)".singleLine
  }

  /// The last line.
  ///
  /// - Parameter queued: How many runs are left in the queue, and one that the first of them waits for.
  func finish(queued: (count: Int, behind: RunID?)) {
    guard !json else { return }
    var parts = counts.withLock { counts in
      RunStatus.allCases.compactMap { status in counts[status].map { "\($0) \(status.spoken)" } }
    }
    if parts.isEmpty, queued.count > 0 { parts = [say("nothing to do now", de: "zurzeit nichts zu tun")] }
    if queued.count > 0 {
      let runs = LocalizedText.count(queued.count, "run is", "runs are", de: "Lauf ist", "Läufe sind").spoken
      let reason =
        queued.behind.map { say(", waiting for run \($0)", de: ", in Erwartung von Lauf \($0)") } ?? ""
      parts.append(say("\(runs) queued\(reason)", de: "\(runs) eingereiht\(reason)"))
    }
    write((parts.isEmpty ? say("nothing to do", de: "nichts zu tun") : parts.joined(separator: " · ")) + "\n")
  }
}

/// `sous cancel`: calls a run off.
struct CancelCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "cancel",
      abstract: say(
        "Call a run off; what it has done is taken back where its recipe says how.",
        de: "Einen Lauf abbrechen; Getanes wird zurückgenommen, wo das Rezept sagt, wie."))
  }

  @Argument(help: ArgumentHelp(say("The run.", de: "Der Lauf."), valueName: "run"))
  var run: String

  @Flag(
    help: ArgumentHelp(
      say(
        "End it as it stands where its recipe cannot be used any more: nothing is taken back.",
        de: "Ihn beenden, wie er steht, wo sein Rezept nicht mehr brauchbar ist: nichts wird zurückgenommen.")))
  var force = false

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let database = try Workspace(global).database
    try await RunDesk.with(global) { desk in
      let id = try await desk.store.resolve(run)
      let status = try await desk.store.status(of: id)
      guard !status.isFinal else { throw Self.hasEnded(id, status) }
      try await RunFollowing.requireNoParent(of: id, desk.store, for: "cancel")
      try await desk.store.requireOriginal()
      if status == .needsAttention, try await !desk.store.doubts(of: id).isEmpty { throw Self.isInDoubt(id) }
      let following = RunFollowing(desk: desk, database: database, isQuiet: format.json)
      let (plan, trouble) = try await plan(of: id, desk, following)
      try await desk.store.requestCancel(of: id)
      switch try await desk.store.claim(id, at: SystemTime().now) {
      case .claimed: break
      case .ended(let status): throw Self.hasEnded(id, status)
      case .taken(let owner):
        return write(say("asked \(owner) to call run \(id) off\n", de: "\(owner) soll Lauf \(id) abbrechen\n"))
      case .waiting, .groupTaken, .groupLeft:
        return write(
          say(
            "run \(id) is called off by whoever works on it next: 'sous work'\n",
            de: "Lauf \(id) bricht ab, wer als Nächstes an ihm arbeitet: 'sous work'\n"))
      case .absent:
        throw CommandError.runState(.init("there is no run \(id)", de: "es gibt keinen Lauf \(id)"))
      }
      // Nobody works on it: what is to be taken back, and what runs at the end, runs here.
      let snapshot = try await desk.store.snapshot(of: id)
      let result =
        if let plan {
          try await following.watching(plan) { runner, observer, control in
            control.cancel()
            return try await runner.resume(plan, snapshot, observer: observer, control: control)
          }
        } else {
          try await desk.runner.abandon(snapshot, trouble)
        }
      await desk.endProviders()
      try await RunFollowing.tell(result, desk.store, json: format.json)
      // One whose undo waits is called off all the same; the rest is due later.
      switch result.status {
      case .cancelled, .waiting: break
      default: if let status = ExitStatus.of(result.status) { throw CommandError(status) }
      }
    }
  }

  /// The plan by which a run is called off, before anything is asked for; without one, why there is none.
  ///
  /// - Throws: ``CommandError`` where that matters, so that the run stays as it is.
  private func plan(
    of id: RunID, _ desk: RunDesk, _ following: RunFollowing
  ) async throws -> (Plan?, trouble: LocalizedText) {
    let snapshot = try await desk.store.snapshot(of: id)
    do throws(CommandError) {
      return (try await following.plan(of: snapshot.start), .init(verbatim: ""))
    } catch {
      let run = try await desk.store.run(id.rawValue).summary
      let isAtWork = run.status == .running && !run.isProcessGone
      let message = error.message ?? .init(verbatim: error.code)
      if force || !snapshot.hasBegun || isAtWork { return (nil, message) }
      throw CommandError(
        error.status,
        message
          + LocalizedText(
            "; mend that, or end the run as it stands, nothing taken back, with 'sous cancel \(id) --force'",
            de: "; das in Ordnung bringen, oder den Lauf beenden, wie er steht, ohne etwas zurückzunehmen: "
              + "'sous cancel \(id) --force'"), code: error.code)
    }
  }

  private static func isInDoubt(_ id: RunID) -> CommandError {
    CommandError.runState(
      .init(
        "it is not known whether a step of run \(id) took effect: settle that first, 'sous settle \(id)', then call it off",
        de:
          "ob ein Schritt von Lauf \(id) gewirkt hat, ist ungewiss: erst klären, 'sous settle \(id)', dann abbrechen"))
  }

  private static func hasEnded(_ id: RunID, _ status: RunStatus) -> CommandError {
    CommandError.runState(
      .init("run \(id) has ended (\(status.spoken))", de: "Lauf \(id) ist zu Ende (\(status.spoken))"))
  }
}
