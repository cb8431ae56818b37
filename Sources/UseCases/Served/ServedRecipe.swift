package import Engine
package import Expressions
import Hashing
package import Localization
package import Plans
import Schedules
import Schemas

/// A recipe that is served: its plan and what starts it.
package struct ServedRecipe: Sendable {
  /// A schedule of the recipe.
  package struct ServedSchedule: Sendable {
    /// What names it in the run log.
    package var source: String
    package var machine: ScheduleMachine
    package let overlap: ScheduleFiring.Overlap
    package let pauseAfter: Int?
    /// Whether its points depend on nothing but what its key is made from, so that a point that is known stays the next one.
    package let isSteady: Bool
    /// The position of its trigger among ``ServedRecipe/scheduleTriggers``; `nil` where its runs have the defaults as inputs.
    package let trigger: Int?
    /// How many seconds before the points of the schedule its runs begin: the lead time of a reminder.
    var lead = 0.0
  }

  /// The file, absolute.
  package let path: String
  /// The plan, without its triggers: thousands of them would be there twice.
  package private(set) var plan: Plan
  package private(set) var schedules: [ServedSchedule] = []
  /// The positions of the schedules by what names them.
  private var positions: [String: Int] = [:]
  package private(set) var triggers: [ServedTrigger] = []
  /// The recipe's triggers by their subscriptions, for filters and inputs.
  private var written: [String: Trigger] = [:]
  /// The inputs of runs to which no trigger gives any.
  private(set) var defaults = Value.map([:])
  /// The schedules whose points give inputs.
  private(set) var scheduleTriggers: [Trigger] = []
  /// Whether something starts it by itself.
  package let isTriggered: Bool
  /// How many triggers it has.
  let triggerCount: Int
  /// The files with exceptions that its schedules were made from, and their mark from before they were read.
  let calendars: (paths: [String], mark: UInt64)
  /// What of it cannot be kept.
  private var ownProblems: [LocalizedText] = []
  /// Triggers by which the end of a recipe would lead to another start of it: they start nothing.
  var circular: Set<ServedTrigger> = []
  /// Whether it is the last good version of a file that is wrong now.
  package var isOutdated = false

  /// Prepares what starts a recipe.
  ///
  /// - Throws: ``ServedProblem`` with the reason why it cannot run by itself.
  package init(path: String, plan: Plan, _ providers: TriggerProviders, now: Timestamp) throws(ServedProblem) {
    self.path = path
    self.plan = plan
    isTriggered = plan.isTriggered
    let paths = plan.triggers.flatMap { trigger -> [String] in
      if case .schedule(let schedule) = trigger.kind { schedule.exceptions.files } else { [] }
    }
    calendars = (paths, FileMark.of(paths))
    triggerCount = plan.triggers.count(where: \.startsRuns)
    if plan.triggers.contains(where: { $0.startsRuns && $0.inputs.isEmpty }) { defaults = try Self.defaults(plan) }
    var sources: Set<String> = []
    for trigger in plan.triggers where trigger.startsRuns {
      if case .schedule(let schedule) = trigger.kind {
        add(schedule, trigger, &sources)
        continue
      }
      do throws(ServedProblem) {
        guard let served = try ServedTrigger(trigger, path: path, providers) else { continue }
        guard written[served.subscription] == nil else {
          ownProblems.append(.init("two triggers are the same", de: "zwei Auslöser sind gleich"))
          continue
        }
        triggers.append(served)
        written[served.subscription] = trigger
      } catch {
        ownProblems.append(error.message)
      }
    }
    self.plan.triggers = []
  }

  /// The recipe's trigger behind a subscription, with its filter and inputs.
  package func trigger(_ subscription: String) -> Trigger? { written[subscription] }

  /// The triggers that are listened to.
  package var activeTriggers: [ServedTrigger] { triggers.filter { !circular.contains($0) } }

  /// Whether the files with exceptions are other ones than its schedules were made from.
  var hasChangedCalendars: Bool { !calendars.paths.isEmpty && FileMark.of(calendars.paths) != calendars.mark }

  /// What of it cannot be kept.
  package var problems: [LocalizedText] {
    let circle = LocalizedText(
      "recipes that start after one another in a circle: this trigger starts nothing",
      de: "Rezepte, die im Kreis nacheinander beginnen: dieser Auslöser löst nichts aus")
    return ownProblems + (circular.isEmpty ? [] : [circle])
  }

  private static func defaults(_ plan: Plan) throws(ServedProblem) -> Value {
    do throws(EngineError) {
      return try plan.inputs(from: [:])
    } catch {
      throw ServedProblem(
        message: LocalizedText("it cannot start by itself: ", de: "es kann nicht von selbst beginnen: ") + error.message
      )
    }
  }

  /// The schedule behind a name of the run log.
  package func schedule(_ source: String) -> ServedSchedule? { positions[source].map { schedules[$0] } }

  /// Whether it need not be known until one of its schedules is due: nothing else starts it, nothing is wrong with it, and
  /// its points depend on the file alone.
  var canSleep: Bool {
    // The filters of a folder are known together.
    triggers.isEmpty && plan.concurrency?.order == nil && problems.isEmpty && !isOutdated
      && schedules.allSatisfy(\.isSteady)
  }

  private mutating func append(_ schedule: ServedSchedule) {
    positions[schedule.source] = schedules.count
    schedules.append(schedule)
  }

  private mutating func add(_ schedule: Plans.Schedule, _ trigger: Trigger, _ sources: inout Set<String>) {
    let source = "\(path)#\(schedule.key)"
    guard sources.insert(source).inserted else {
      ownProblems.append(.init("two schedules are the same", de: "zwei Zeitpläne sind gleich"))
      return
    }
    do throws(ScheduleError) {
      let points = try schedule.points()
      if !trigger.inputs.isEmpty { scheduleTriggers.append(trigger) }
      var served = ServedSchedule(
        source: source, machine: ScheduleMachine(SchedulePoints(schedule: points), schedule.policy),
        overlap: schedule.firingOverlap, pauseAfter: schedule.pauseAfter, isSteady: schedule.exceptions.files.isEmpty,
        trigger: trigger.inputs.isEmpty ? nil : scheduleTriggers.count - 1)
      append(served)
      // What is delivered ahead is made up for until the time itself.
      for lead in plan.reminding?.leads ?? [] {
        var policy = schedule.policy
        policy.catchUpWindow = min(policy.catchUpWindow ?? lead, lead)
        served.source = "\(source)-\(Int(lead))s"
        served.machine = ScheduleMachine(EarlierPoints(SchedulePoints(schedule: points), by: lead), policy)
        served.lead = lead
        append(served)
      }
    } catch {
      ownProblems.append(error.text + .init(": this schedule starts nothing", de: ": dieser Zeitplan löst nichts aus"))
    }
  }
}

/// Why a recipe is not served.
package struct ServedProblem: Error {
  package var message: LocalizedText
}

extension Plan {
  /// Whether something starts it by itself.
  package var isTriggered: Bool { triggers.contains(where: \.startsRuns) }
}

extension Trigger {
  /// Whether it starts runs by itself.
  var startsRuns: Bool { if case .manual = kind { false } else { true } }
}

extension Plans.Schedule {
  /// What names the schedule among those of its recipe, made from its points: another place in `on` changes nothing.
  var key: String { String(ContentHash.hexadecimal(of: Array(facts.joined(separator: "\n").utf8)).prefix(8)) }

  fileprivate var policy: ScheduleMachine.Policy {
    var policy = ScheduleMachine.Policy()
    policy.catchUp =
      switch catchUp {
      case .none: .none
      case .last: .last
      case .all: .all
      }
    policy.catchUpWindow = catchUpWindow
    policy.catchUpLimit = catchUpCap
    policy.jitter = jitter
    return policy
  }

  /// What happens where runs would overlap.
  var firingOverlap: ScheduleFiring.Overlap {
    switch overlap {
    case .skip: .skip
    case .queue(let limit): .queue(limit: limit)
    case .cancel: .cancel
    case .allow(let limit): .allow(limit: limit)
    }
  }
}

extension RunID {
  /// The name of the run of a point or an event: the same whoever makes it.
  ///
  /// - Parameters:
  ///   - time: The part that tells when.
  ///   - source: What the rest is made from.
  package init(at time: Timestamp, of source: String) {
    var bytes = HashBytes(bytes: ContentHash.bytes(of: Array(source.utf8)))
    self.init(at: time, using: &bytes)
  }
}

/// Numbers made from a hash.
private struct HashBytes: RandomNumberGenerator {
  let bytes: [UInt8]
  var position = 0

  mutating func next() -> UInt64 {
    defer { position += 1 }
    return UInt64(bytes[position % bytes.count])
  }
}
