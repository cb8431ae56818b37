import Engine
import Expressions
import Localization

/// One schedule as a process keeps it: decides about its points and has the run log write that down.
///
/// The record is a copy of what the run log has. Where another process was first, the next decision is made from what that
/// has written.
struct ScheduleDriver {
  /// What has come of a decision.
  struct Step {
    /// What has become of points that were to begin runs.
    var occurrences: [OccurrenceRecord] = []
    /// Points that have passed without a run.
    var passed: [PassedPoints] = []
    /// Why points could not begin runs.
    var problems: [LocalizedText] = []
    /// When to decide again; `nil` where there is nothing more to decide.
    var wake: Timestamp?
    /// Whether the run log does not know the schedule any more.
    var isGone = false
  }

  private(set) var record: ScheduleRecord
  private let machine: ScheduleMachine
  private let overlap: ScheduleFiring.Overlap

  init(_ record: ScheduleRecord, _ machine: ScheduleMachine, _ overlap: ScheduleFiring.Overlap) {
    self.record = record
    self.machine = machine
    self.overlap = overlap
  }

  /// Decides about the points that have come.
  ///
  /// - Parameters:
  ///   - log: Writes it down, with the runs that begin.
  ///   - isHeld: Whether points are skipped.
  ///   - now: The time of day.
  ///   - start: Makes the run of a point; where it cannot, the point is missed.
  mutating func decide(
    on log: any FiringLog, isHeld: Bool, at now: Timestamp,
    start: (ScheduleMachine.Decision.Point) throws(EngineError) -> RunStart
  ) async throws -> Step {
    let decision = machine.decide(record, isHeld: isHeld, at: now)
    var step = Step(wake: decision.wake)
    guard decision.changes(record) else { return step }
    var firing = ScheduleFiring(
      source: record.source, revision: record.revision, cursor: decision.cursor, nextDue: decision.nextDue)
    firing.overlap = overlap
    firing.passed = decision.passed
    for point in decision.points {
      do throws(EngineError) {
        let run = try start(point)
        firing.points.append(.init(at: point.at, start: run, isCaughtUp: point.isCaughtUp, isLate: point.isLate))
      } catch {
        step.problems.append(error.message)
        firing.passed.append(PassedPoints(.missed, first: point.at, last: point.at, count: 1))
      }
    }
    switch try await log.fire(firing) {
    case .written(let written, let occurrences):
      record = written
      (step.occurrences, step.passed) = (occurrences, firing.passed)
    case .outdated(let current?):
      record = current
      step.wake = now
    case .outdated(nil): step.isGone = true
    }
    return step
  }
}
