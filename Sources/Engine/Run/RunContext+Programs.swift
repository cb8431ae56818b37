import Expressions
import Localization

/// Programs of steps that outlived the Sous process that had started them.
extension RunContext {
  /// Seconds between two attempts to end a program that does not end, and between two looks at one that is waited for.
  private static let pause = 1.0

  /// The process number of an attempt's program that still runs.
  func runningProgram(of attempt: AttemptSnapshot) async -> Int32? {
    guard attempt.kind == .builtin else { return nil }
    return await runner.options.programs?.running(key: attempt.key).first
  }

  /// Ends the programs of an attempt whose end is not recorded, and waits for those that cannot be ended.
  ///
  /// - Returns: `false` if the surrounding task was cancelled before.
  func endPrograms(of attempt: AttemptSnapshot, step: Int, item: Int?) async -> Bool {
    guard attempt.kind == .builtin, let programs = runner.options.programs else { return true }
    guard let first = await programs.running(key: attempt.key).first else { return true }
    tell("process \(first) of an attempt that was cut off still ran and is ended", step, item, attempt.number)
    var hasTold = false
    while let process = await programs.end(key: attempt.key).first {
      if !hasTold { tell("process \(process) still runs and cannot be ended", step, item, attempt.number) }
      hasTold = true
      guard (try? await time.sleep(seconds: Self.pause)) != nil else { return false }
    }
    return true
  }

  /// Waits while a program of an earlier run of the concurrency group still runs.
  ///
  /// - Returns: Once no such program runs, or the run is to stop.
  func waitForProgramsOfGroup() async throws {
    guard let group = start.group, let programs = runner.options.programs else { return }
    var told: Int32?
    while !Task.isCancelled, !isDraining, !control.isCancelled {
      var found: (run: RunID, process: Int32)?
      for (other, process) in await programs.left() where found == nil {
        if try await belongs(other, to: group) { found = (other, process) }
      }
      guard let (other, process) = found else { return }
      if told != process {
        tell("waits, as process \(process) of run \(other) of the same concurrency group still runs")
        observer.observe(.waitsForTurn(behind: other))
      }
      told = process
      guard (try? await time.sleep(seconds: Self.pause)) != nil else { return }
    }
  }

  /// Whether another run, or one that it is part of, is of a concurrency group. This run's own ones do not count: it
  /// deals with their programs itself.
  private func belongs(_ other: RunID, to group: String) async throws -> Bool {
    var next: RunID? = other
    var isOfGroup = false
    while let id = next {
      guard id != run, id != start.parent else { return false }
      // A run that is deleted excludes none any more.
      guard let found = try? await runner.queue.snapshot(of: id).start else { break }
      isOfGroup = isOfGroup || found.group == group
      next = found.parent
    }
    return isOfGroup
  }

  private func tell(_ message: String, _ step: Int? = nil, _ item: Int? = nil, _ attempt: Int? = nil) {
    lines.append(
      LogLine(
        run: run, step: step, item: item, attempt: attempt, level: .warning, message: message, at: time.now))
  }
}

extension ActionFailure {
  /// The program of a `once` action still runs although the Sous process that had started it has ended.
  static func stillRuns(_ process: Int32, _ request: ActionRequest) -> ActionFailure {
    ActionFailure(
      .crashed,
      .init(
        "process \(process) of step '\(request.step)' still runs, although the Sous process that started it has ended: "
          + "it is not known yet whether '\(request.action)' takes effect",
        de: "Prozess \(process) von Schritt '\(request.step)' läuft noch, obwohl der Sous-Prozess beendet ist, der ihn "
          + "gestartet hat: ob '\(request.action)' wirkt, ist noch nicht bekannt"),
      advice: .init(
        "wait for its end or end it with 'kill \(process)', look whether it took effect, then say so with "
          + "'sous settle \(request.run) --done' or '--not-done'; nothing was repeated",
        de: "sein Ende abwarten oder ihn mit 'kill \(process)' beenden, nachsehen, ob er gewirkt hat, dann mit "
          + "'sous settle \(request.run) --done' oder '--not-done' sagen; nichts wurde wiederholt"))
  }
}
