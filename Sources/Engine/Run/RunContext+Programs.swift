import Expressions
import Localization

/// Programs of steps that outlived the Sous process that had started them.
extension RunContext {
  /// Seconds between two attempts to end a program, and between two looks at a program that the run waits for.
  private static let pause = 1.0

  /// Ends the programs of an attempt whose end is not recorded, and waits for those that Sous cannot end.
  ///
  /// - Returns: `true` once none of them runs; `false` if the surrounding task was cancelled first.
  func endPrograms(of attempt: AttemptSnapshot, step: Int, item: Int?) async -> Bool {
    guard let programs = engine.options.programs, let first = await programs.running(of: attempt) else { return true }
    warn("process \(first) of an interrupted attempt still runs; Sous ends it", step, item, attempt.number)
    var hasWarned = false
    while let process = await programs.end(key: attempt.key).first {
      if !hasWarned {
        warn(
          "Sous cannot end process \(process); the step waits until 'kill -9 \(process)' or the program itself ends it",
          step, item, attempt.number)
      }
      hasWarned = true
      guard (try? await time.sleep(seconds: Self.pause)) != nil else { return false }
    }
    return true
  }

  /// Waits until programs of fewer earlier runs than the concurrency group has places still run, or until this run is to stop.
  func waitForProgramsOfGroup() async throws {
    guard let group = start.group, let programs = engine.options.programs else { return }
    var reported: Int32?
    while !Task.isCancelled, !isDraining, !control.isCancelled {
      var found: [RunID: Int32] = [:]
      // If runs of a group differ in their number of places, the smallest counts.
      var places = start.groupMax
      for (other, process) in await programs.left() where found[other] == nil {
        guard let max = try await self.places(of: group, by: other) else { continue }
        found[other] = process
        places = min(places, max)
      }
      guard found.count >= places, let (other, process) = found.min(by: { $0.key.rawValue < $1.key.rawValue })
      else { return }
      if reported != process {
        warn("the run waits: process \(process) of run \(other) of the same concurrency group still runs")
        observer.observe(.waitsForTurn(behind: other))
      }
      reported = process
      guard (try? await time.sleep(seconds: Self.pause)) != nil else { return }
    }
  }

  /// The number of places of a concurrency group by another run, or a run that has it as a step; `nil` if none of them belongs
  /// to it. Runs of this run's own steps and of its parent do not count: the steps themselves end their programs.
  private func places(of group: String, by other: RunID) async throws -> Int? {
    var next: RunID? = other
    var places: Int?
    while let id = next {
      guard id != run, id != start.parent else { return nil }
      // A deleted run no longer excludes others.
      guard let found = try? await engine.queue.snapshot(of: id).start else { break }
      if found.group == group { places = min(places ?? found.groupMax, found.groupMax) }
      next = found.parent
    }
    return places
  }

  private func warn(_ message: String, _ step: Int? = nil, _ item: Int? = nil, _ attempt: Int? = nil) {
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
          + "gestartet hat: Ob '\(request.action)' wirkt, ist noch nicht bekannt"),
      advice: .init(
        "wait until it ends or end it with 'kill \(process)', check whether it took effect, then record that with "
          + "'sous answer settle \(request.run) --done' or '--not-done'; Sous has repeated nothing",
        de: "sein Ende abwarten oder ihn mit 'kill \(process)' beenden, prüfen, ob er gewirkt hat, und das mit "
          + "'sous answer settle \(request.run) --done' oder '--not-done' festhalten; Sous hat nichts wiederholt"))
  }
}
