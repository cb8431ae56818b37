import Engine
import Expressions
import Localization
import UseCases

/// Decides about the points of one schedule, for the run log to record. It is made anew for each decision.
///
/// The record is a copy of the run log's. Where another process was first, the next decision is made from what that
/// has written.
struct ScheduleDriver {
  /// A decision that the run log is to write down.
  struct Proposal {
    var firing: ScheduleFiring
    /// When to decide again; `nil` where there is nothing more to decide.
    var wake: Timestamp?
    /// Why points could not begin runs.
    var problems: [LocalizedText] = []
  }

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
    /// Whether it has paused, as its runs have failed.
    var hasPaused = false
  }

  private(set) var record: ScheduleRecord
  let machine: ScheduleMachine
  private let overlap: ScheduleFiring.Overlap
  private let pauseAfter: Int?

  init(
    _ record: ScheduleRecord, _ machine: ScheduleMachine, _ overlap: ScheduleFiring.Overlap, pauseAfter: Int? = nil
  ) {
    self.record = record
    self.machine = machine
    self.overlap = overlap
    self.pauseAfter = pauseAfter
  }

  /// Decides about the points that have come.
  ///
  /// - Parameters:
  ///   - isHeld: Whether points are skipped.
  ///   - now: The time of day.
  ///   - start: Makes the run of a point; where it cannot, the point is missed.
  /// - Returns: The decision, or only when to decide again where there is nothing to write down.
  func propose(
    isHeld: Bool, at now: Timestamp,
    start: (ScheduleMachine.Decision.Point) throws(EngineError) -> RunStart
  ) -> (Proposal?, wake: Timestamp?) {
    let decision = machine.decide(record, isHeld: isHeld, at: now)
    guard decision.changes(record) else { return (nil, decision.wake) }
    var firing = ScheduleFiring(
      source: record.source, revision: record.revision, cursor: decision.cursor, nextDue: decision.nextDue)
    firing.overlap = overlap
    firing.pauseAfter = pauseAfter
    firing.passed = decision.passed
    var problems: [LocalizedText] = []
    for point in decision.points {
      do throws(EngineError) {
        let run = try start(point)
        firing.points.append(.init(at: point.at, start: run, isCaughtUp: point.isCaughtUp))
      } catch {
        problems.append(error.message)
        firing.passed.append(PassedPoints(.missed, first: point.at, last: point.at, count: 1))
      }
    }
    return (Proposal(firing: firing, wake: decision.wake, problems: problems), decision.wake)
  }

  /// Takes over what the run log has made of a decision.
  mutating func take(_ result: FiringResult, of proposal: Proposal, at now: Timestamp) -> Step {
    var step = Step(problems: proposal.problems, wake: proposal.wake)
    switch result {
    case .written(let written, let occurrences):
      step.hasPaused = written.isPaused && !record.isPaused
      record = written
      (step.occurrences, step.passed) = (occurrences, proposal.firing.passed)
    case .outdated(let current?):
      record = current
      step.wake = now
    case .outdated(nil): step.isGone = true
    }
    return step
  }
}
