import ArgumentParser
import Builtins
import Engine
import Expressions
import Localization
import Plans
import Schemas
import Synchronization
import UseCases

/// `sous work`: works through queued, due, interrupted and abandoned runs.
struct WorkCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "work",
      abstract: say(
        "Work through runs that are queued, due, interrupted or abandoned.",
        de: "Läufe abarbeiten: eingereihte, fällige, unterbrochene und verlassene."), shouldDisplay: false)
  }

  @Flag(
    name: .customLong("until-idle"),
    help: ArgumentHelp(say("End when nothing can be worked on now.", de: "Enden, wenn gerade nichts zu tun ist.")))
  var untilIdle = false

  @OptionGroup var amount: WorkAmountOptions
  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws { try await Self.work(amount.order, endsWhenIdle: untilIdle, format, global) }

  /// Works through the queue.
  static func work(
    _ order: WorkOrder, endsWhenIdle: Bool, _ format: FormatOptions, _ global: GlobalOptions
  ) async throws {
    let report = WorkReport(json: format.json)
    var workspace = try Workspace(global)
    LongLivedProcess.prepare(environment: workspace.surroundings.environment)
    workspace.surroundings.events = { event in
      Notices.tell(event)
      if case .work(let event) = event { report.take(event) }
    }
    var order = order
    order.endsWhenIdle = endsWhenIdle
    // Other processes may be stopped in the middle of a transaction; a long-running process waits for them.
    try await workspace.withSession(patience: 600) { [order] session in
      let left = try await Interruption.untilInterrupted(draining: session.drain) { try await session.work(order) }
      report.finish(queued: left.queued, behind: left.behind)
    }
  }
}

/// How much is worked on at once, and for how long after the end was asked for.
struct WorkAmountOptions: ParsableArguments {
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

  mutating func validate() throws {
    if let parallel, !(1...10_000).contains(parallel) {
      throw ValidationError(say("--parallel takes 1 to 10000", de: "--parallel nimmt 1 bis 10000"))
    }
    if let drain, DurationText.seconds(drain) == nil {
      throw ValidationError(
        say("--drain takes a duration such as 30s or 5m", de: "--drain nimmt eine Dauer wie 30s oder 5m"))
    }
  }

  var order: WorkOrder {
    var order = WorkOrder()
    order.parallel = parallel
    order.drainSeconds = drain.flatMap(DurationText.seconds)
    return order
  }
}

/// Reports ended runs while the queue is worked through.
final class WorkReport: Sendable {
  private let json: Bool
  private let tally = Mutex(RunTally())

  init(json: Bool) { self.json = json }

  func take(_ event: WorkspaceEvent.WorkEvent) {
    switch event {
    case .ended(let result, let start): tell(result, of: start)
    case .heldUp(let start, let failure):
      writeError("\(start.recipe.singleLine)  \(start.run)  \(failure.message.spoken.singleLine)\n")
    case .logFails(let error):
      writeError(
        say(
          "The run log fails just now; it is tried again, and runs that it has stopped go on then: ",
          de: "Das Laufprotokoll versagt gerade; es wird wieder versucht, und angehaltene Läufe gehen dann weiter: ")
          + error.message.spoken.singleLine + "\n")
    case .logWorks(let seconds):
      writeError(
        say(
          "The run log works again after \(seconds.spokenDuration).\n",
          de: "Das Laufprotokoll geht nach \(seconds.spokenDuration) wieder.\n"))
    case .refused(let run, let error):
      writeError(
        say("\(run)  is left to the next process: ", de: "\(run)  bleibt dem nächsten Prozess: ")
          + error.message.spoken.singleLine + "\n")
    case .drains(let count, let seconds): tellDrain(count, within: seconds)
    }
  }

  private func tell(_ result: RunResult, of start: RunStart) {
    tally.withLock { $0.add(result.id, result.status) }
    if json {
      writeJSON(
        .map([
          "run": .string(result.id.rawValue), "recipe": .string(start.recipe),
          "status": .string(result.status.rawValue),
        ]), pretty: false)
      return
    }
    let terminal = Terminal()
    let failure = result.failure.map { "  \($0.kind.words.spoken): \($0.message.spoken.singleLine)" } ?? ""
    write(
      "\(terminal.mark(result.status)) \(start.recipe.singleLine)  \(result.id)  \(result.status.spoken)\(failure)\n")
  }

  private func tellDrain(_ count: Int, within seconds: Double) {
    guard count > 0 else { return }
    let runs = LocalizedText.count(count, "run is suspended", "runs are suspended", de: "Lauf wird", "Läufe werden")
      .spoken
    let time = seconds.spokenDuration
    writeError(
      say(
        "Stopping: \(runs) after what is under way, within \(time); another signal interrupts it.\n",
        de:
          "Beenden: \(runs) nach den laufenden Versuchen angehalten, innerhalb von \(time); ein weiteres Signal unterbricht sie.\n"
      )
    )
  }

  /// The last line: each run counts once, by its last state.
  ///
  /// - Parameters:
  ///   - queued: How many runs are left in the queue.
  ///   - behind: A run that the first of them waits for.
  func finish(queued: Int, behind: RunID?) {
    guard !json else { return }
    let counts = tally.withLock { $0.counts }
    let parts = RunStatus.allCases.compactMap { status in counts[status].map { "\($0) \(status.spoken)" } }
    var words = parts.isEmpty ? [] : [parts.joined(separator: ", ")]
    if queued > 0 {
      let runs = LocalizedText.count(queued, "run is", "runs are", de: "Lauf ist", "Läufe sind").spoken
      let reason =
        behind.map { say(", waiting for run \($0)", de: ", wartet auf Lauf \($0)") } ?? ""
      words.append(say("\(runs) queued\(reason)", de: "\(runs) eingereiht\(reason)"))
    }
    write((words.isEmpty ? say("nothing to do", de: "nichts zu tun") : words.joined(separator: "; ")) + "\n")
  }

  /// The last line of a daemon: the runs since it was started, each by its last state.
  func stop() {
    guard !json else { return }
    let counts = tally.withLock { $0.counts }
    let parts = RunStatus.allCases.compactMap { status in counts[status].map { "\($0) \(status.spoken)" } }
    let words =
      parts.isEmpty ? say("no run was worked on", de: "kein Lauf wurde bearbeitet") : parts.joined(separator: ", ")
    write(say("stopped: \(words)\n", de: "beendet: \(words)\n"))
  }
}

/// The runs that were worked on, each by its last state.
///
/// A run that waits is reported each time it is parked, and once more when it ends. Only runs that may still be reported again are kept
/// by their name, so that a daemon does not grow with each run.
struct RunTally {
  private var ended: [RunStatus: Int] = [:]
  private var open: [RunID: RunStatus] = [:]

  /// The number of runs in each state.
  var counts: [RunStatus: Int] { open.values.reduce(into: ended) { $0[$1, default: 0] += 1 } }

  /// Counts a run that has ended or was parked.
  mutating func add(_ run: RunID, _ status: RunStatus) {
    open[run] = status.isFinal ? nil : status
    if status.isFinal { ended[status, default: 0] += 1 }
  }
}
