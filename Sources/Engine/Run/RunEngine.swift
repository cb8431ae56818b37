public import Expressions
import Localization
public import Plans

/// Runs plans: drives the state machines, calls providers, keeps the journal.
///
/// Its state is only the circuit breakers and the runs that it works on; one engine serves any number of runs at once.
public struct RunEngine: Sendable {
  /// The other parts that an engine works with, beside the run log, providers and time. All are optional.
  public struct Options: Sendable {
    /// Numbers from 0 up to 1 that spread retry pauses.
    public var random: @Sendable () -> Double = { Double.random(in: 0..<1) }
    /// Names the runs that steps begin, by the time of day.
    public var newRun: @Sendable (Timestamp) -> RunID = { time in
      var random = SystemRandomNumberGenerator()
      return RunID(at: time, using: &random)
    }
    /// Seconds that one attempt may take if its step sets no timeout.
    public var defaultTimeout: Double = 300
    /// Whether runs that only wait are parked, see ``RunStatus/waiting``; otherwise they wait in place, as in tests of
    /// recipes.
    public var parksWaits = true
    /// Seconds until a run is tried again that no process can resume at present.
    public var holdSeconds = 60.0
    /// Keeps results of steps with `cache:`.
    public var cache: (any ResultCache)?
    /// The dependencies of a result beside action and input, such as the settings of the provider (`nil`: an action of Sous). A
    /// kept result is used again only if they are the same. Holds no secret.
    public var resultScope: @Sendable (String?) -> String = { _ in "" }
    /// Makes the plans of child runs that have begun, from the texts of their recipes at that time.
    public var plans: (any PlanSource)?
    /// The circuit breakers of the providers.
    public var breakers: BreakerBoard?
    /// Counts what calls of models use.
    public var meter: (any CallMeter)?
    /// Finds and ends programs that outlived the Sous process that started them; `nil`: no such programs.
    public var programs: (any LeftPrograms)?
    /// Asks to interrupt all runs after their current attempts; see ``RunStatus/interrupted``.
    public var drain: DrainSignal?

    /// Creates options without any optional part.
    public init() {}
  }

  /// Keeps the journal, and decides which process works on which run.
  public let queue: any RunQueue
  package let providers: any ProviderDirectory
  let time: any TimeSource
  let options: Options
  /// The cancel tokens of the runs that it works on.
  public let controls = CancelTokens()
  /// The ends of waits of this process.
  let deadlines = WaitDeadlines()
  /// The user of the server for whom it begins runs, and the trace that these continue; `nil`: none.
  private var caller: (user: String?, trace: TraceParent?)

  /// Creates an engine.
  ///
  /// - Parameters:
  ///   - queue: Keeps the journal, and decides which process works on which run.
  ///   - providers: Finds providers by their configured names.
  ///   - time: Where time comes from.
  ///   - options: The optional parts.
  public init(
    queue: any RunQueue, providers: any ProviderDirectory, time: any TimeSource, options: Options = Options()
  ) {
    self.queue = queue
    self.providers = providers
    self.time = time
    self.options = options
  }

  /// The same engine for the requests of a user of the server: the runs that it begins belong to this user.
  ///
  /// - Parameters:
  ///   - user: The name of the user; `nil`: none.
  ///   - trace: The trace that the traces of the runs continue.
  public func acting(for user: String?, continuing trace: TraceParent? = nil) -> RunEngine {
    var engine = self
    engine.caller = (user, trace)
    return engine
  }

  /// The beginning of a run of a plan. A part of a run belongs to the user of the whole run, which its request says.
  func start(_ plan: Plan, _ request: RunRequest, group: String?) -> RunStart {
    var start = plan.start(request, group: group, at: time.now)
    if start.parent == nil {
      start.startedBy = start.startedBy ?? caller.user
      start.traceParent = start.traceParent ?? caller.trace
    }
    return start
  }

  /// Runs a plan until it ends, or until it only waits.
  ///
  /// If the surrounding task is cancelled, the attempts under way are cancelled, the journal is completed, and the run ends as
  /// ``RunStatus/interrupted``.
  ///
  /// - Parameters:
  ///   - plan: The plan.
  ///   - request: Its inputs and its trigger.
  ///   - observer: Observes the run.
  ///   - control: Cancels the run from outside.
  /// - Throws: ``EngineError`` with code ``EngineError/Code/journal`` when the journal cannot be written, or
  ///   ``EngineError/Code/unknownKeyword`` when the keywords cannot be evaluated.
  public func run(
    _ plan: Plan, _ request: RunRequest, observer: any RunObserver = SilentObserver(),
    control: CancelToken = CancelToken()
  ) async throws(EngineError) -> RunResult {
    let start = start(plan, request, group: nil)
    return try await work(plan, start, nil, observer: observer, control: control, replayed: nil)
  }

  /// Resumes a run that belongs to this process: one that was queued, waited or was interrupted, or whose process has ended.
  ///
  /// - Parameters:
  ///   - plan: Its plan, from the text of the recipe when the run began.
  ///   - snapshot: Its recorded progress.
  ///   - observer: Observes the run.
  ///   - control: Cancels the run from outside.
  /// - Throws: ``EngineError`` as ``run(_:_:observer:control:)``, or with code ``EngineError/Code/planDiffers`` if the steps of
  ///   the plan or the lists of its loops differ from the recorded ones. A run that is cancelled ends all the same.
  public func resume(
    _ plan: Plan, _ snapshot: RunSnapshot, observer: any RunObserver = SilentObserver(),
    control: CancelToken = CancelToken()
  ) async throws(EngineError) -> RunResult {
    do throws(EngineError) {
      guard plan.steps.map(\.id) == snapshot.start.steps.map(\.id) else { throw .planDiffers(snapshot.start) }
      guard !snapshot.start.isReplay else {
        return try await resumeReplay(plan, snapshot, observer: observer, control: control)
      }
      return try await work(plan, snapshot.start, snapshot, observer: observer, control: control, replayed: nil)
    } catch  where error.code == .planDiffers && control.isCancelled {
      return try await abandon(snapshot, error.message)
    }
  }

  func work(
    _ plan: Plan, _ start: RunStart, _ snapshot: RunSnapshot?, observer: any RunObserver, control: CancelToken,
    replayed: RunSnapshot?
  ) async throws(EngineError) -> RunResult {
    // A run that never waits for the disk gains nothing by a write on its own thread.
    try await withTaskExecutorPreference(plan.hasEffects ? queue.executor : nil) {
      () async throws(EngineError) -> RunResult in
      try await workHere(plan, start, snapshot, observer: observer, control: control, replayed: replayed)
    }
  }

  private func workHere(
    _ plan: Plan, _ start: RunStart, _ snapshot: RunSnapshot?, observer: any RunObserver, control: CancelToken,
    replayed: RunSnapshot?
  ) async throws(EngineError) -> RunResult {
    deadlines.wake(start.run)
    let before = controls.begin(start.run, control)
    defer { controls.end(start.run, before) }
    let context = RunContext(
      plan: plan, engine: self, start: start, observer: observer, control: control, lines: LogLines(),
      replayed: replayed)
    do {
      // A task of its own, awaited below: lines that come while the run is cancelled are written too.
      let lines = Task { await context.lines.drain(into: queue) }
      defer { context.lines.finish() }
      if replayed == nil, snapshot?.hasBegun != true { try await context.waitForProgramsOfGroup() }
      var execution = try await RunExecution(context: context, snapshot: snapshot)
      let ending = try await execution.execute()
      context.lines.finish()
      await lines.value
      switch ending {
      case .ended(let end):
        let isLight = end.status == .succeeded && !plan.hasEffects
        try await context.record([.runFinished(end)], isLight ? .committed : .synced)
        deadlines.forget(end.run)
        return RunResult(id: end.run, status: end.status, outputs: end.outputs, failure: end.failure)
      case .parked(let until):
        try await context.record(
          [.runParked(run: start.run, until: until, isCalledOff: control.isCancelled, at: time.now)], .synced)
        var result = RunResult(id: start.run, status: .waiting, outputs: .map([:]), failure: nil)
        result.due = until
        if let until {
          deadlines.park(start, due: until, deadline: time.monotonic + max(0, until.seconds(since: time.now)))
        }
        return result
      }
    } catch let error as EngineError {
      throw error
    } catch let error as ActionFailure {
      // The journal is not the reason.
      throw EngineError(.planDiffers, error.message, cause: error)
    } catch {
      throw .journal(start.run, error)
    }
  }
}

extension Plan {
  /// Whether a run of the plan may change something outside, so that its end must be on the disk before it is reported.
  fileprivate var hasEffects: Bool {
    steps.contains { $0.child.map(\.hasEffects) ?? ($0.action.effect >= .idempotent) }
  }

  /// Whether a run of the plan neither changes anything outside nor reads anything from outside.
  var isPure: Bool { steps.allSatisfy { $0.child == nil && $0.action.effect == .pure } }

  /// The beginning of a run of the plan.
  func start(_ request: RunRequest, group: String?, at now: Timestamp) -> RunStart {
    var start = RunStart(
      run: request.id, recipe: name, path: path, fingerprint: fingerprint, trigger: request.trigger,
      inputs: request.inputs,
      steps: steps.map { .init(id: $0.id, action: $0.action.name, effect: $0.action.effect, phase: $0.phase) },
      at: now.wholeMilliseconds)
    start.recipeOrigin = origin
    start.keywords = request.keywords
    start.event = request.event
    start.source = source
    start.recipes = recipes
    start.priority = priority
    start.group = group
    start.groupMax = concurrency?.max ?? 1
    start.parent = request.parent
    start.origin = request.origin
    start.startedBy = request.startedBy
    start.traceParent = request.traceParent
    return start
  }
}

extension RunStart {
  /// The request of the run.
  var request: RunRequest {
    var request = RunRequest(id: run, inputs: inputs, keywords: keywords, trigger: trigger, event: event)
    request.parent = parent
    request.origin = origin
    request.startedBy = startedBy
    request.traceParent = traceParent
    return request
  }
}

extension EngineError {
  /// The run log could not take an entry.
  public static func journal(_ run: RunID, _ error: any Error) -> EngineError {
    EngineError(
      .journal,
      .init(
        "the journal of run \(run) cannot be written: \(error)",
        de: "das Journal von Lauf \(run) lässt sich nicht schreiben: \(error)"),
      cause: error)
  }

  static func planDiffers(_ start: RunStart) -> EngineError {
    EngineError(
      .planDiffers,
      .init(
        "the recipe '\(start.recipe)' (\(start.path)) now has other steps than when run \(start.run) began",
        de: "das Rezept '\(start.recipe)' (\(start.path)) hat jetzt andere Schritte als zu Beginn von Lauf \(start.run)"
      ))
  }
}
