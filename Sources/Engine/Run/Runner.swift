import Expressions
import Localization
public import Recipes

/// Runs plans: drives the state machines, calls providers, keeps the journal.
///
/// A runner holds no state of its own; one serves any number of runs at once.
public struct Runner: Sendable {
  private let recorder: any RunRecorder
  private let providers: any ProviderDirectory
  private let time: any TimeSource
  private let random: @Sendable () -> Double
  private let defaultTimeout: Double

  /// Creates a runner.
  ///
  /// - Parameters:
  ///   - recorder: Keeps the journal.
  ///   - providers: Finds providers by their configured names.
  ///   - time: Where time comes from.
  ///   - random: Numbers from 0 up to 1 that spread retry pauses.
  ///   - defaultTimeout: Seconds one attempt may take where its step sets no timeout.
  public init(
    recorder: any RunRecorder, providers: any ProviderDirectory, time: any TimeSource,
    random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }, defaultTimeout: Double = 300
  ) {
    self.recorder = recorder
    self.providers = providers
    self.time = time
    self.random = random
    self.defaultTimeout = defaultTimeout
  }

  /// Runs a plan to its end.
  ///
  /// When the surrounding task is cancelled, what is being worked on is called off, the journal is completed, and the
  /// run ends as ``RunStatus/interrupted``.
  ///
  /// - Throws: ``EngineError`` with code ``EngineError/Code/journal`` when the journal cannot be written.
  public func run(
    _ plan: Plan, _ request: RunRequest, observer: any RunObserver = SilentObserver()
  ) async throws(EngineError) -> RunResult {
    let context = RunContext(
      plan: plan, run: request.id, recorder: recorder, providers: providers, time: time, observer: observer,
      random: random, defaultTimeout: defaultTimeout, request: request, runner: self, lines: LogLines())
    do {
      // A task of its own, awaited below: lines that come while the run is called off are written too.
      let lines = Task { await context.lines.drain(into: context.recorder) }
      defer { context.lines.finish() }
      var execution = try await RunExecution(context: context, request: request)
      let end = try await execution.execute()
      context.lines.finish()
      await lines.value
      try await context.record([.runFinished(end)], end.status == .succeeded ? .committed : .synced)
      return RunResult(id: end.run, status: end.status, outputs: end.outputs, failure: end.failure)
    } catch let error as EngineError {
      throw error
    } catch {
      throw EngineError(
        .journal,
        .init(
          "the journal of run \(request.id) cannot be written: \(error)",
          de: "das Journal von Lauf \(request.id) lässt sich nicht schreiben: \(error)"),
        cause: error)
    }
  }
}
