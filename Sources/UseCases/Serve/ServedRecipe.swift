import Engine
import Expressions
import Hashing
import Localization
import Recipes

/// A recipe that is served: its plan and what starts it.
struct ServedRecipe: Sendable {
  /// A schedule of the recipe.
  struct ServedSchedule: Sendable {
    /// What names it in the run log.
    let source: String
    /// What tells whether it has changed.
    let digest: String
    let schedule: Schedule
    let machine: ScheduleMachine
    /// How many seconds before the points of the schedule its runs begin: the lead time of a reminder.
    var lead = 0.0
  }

  /// A trigger of the recipe for mail.
  struct ServedMail: Sendable, Hashable {
    /// What names its subscription in the run log.
    let subscription: String
    let provider: String
    let folder: String
  }

  /// The file, absolute.
  let path: String
  let plan: Plan
  /// What a run starts from.
  let inputs: Value
  var schedules: [ServedSchedule] = []
  var mails: [ServedMail] = []
  /// What of it cannot be kept.
  var problems: [LocalizedText] = []

  /// Prepares what starts a recipe.
  ///
  /// - Throws: `LocalizedText` with the reason why it cannot run by itself.
  init(path: String, plan: Plan, mailbox: String?, now: Timestamp) throws(ServedProblem) {
    self.path = path
    self.plan = plan
    do throws(EngineError) {
      inputs = try plan.inputs(from: [:])
    } catch {
      guard plan.isTriggered else {
        inputs = .map([:])
        return
      }
      throw ServedProblem(
        message: LocalizedText(
          "it cannot start by itself: ", de: "es kann nicht von selbst beginnen: ") + error.message)
    }
    for (index, trigger) in plan.triggers.enumerated() {
      switch trigger.kind {
      case .manual: break
      case .schedule(let schedule): add(schedule, index)
      case .mail(let event): add(event, index, mailbox)
      }
    }
  }

  private mutating func add(_ schedule: Schedule, _ index: Int) {
    guard let points = schedule.points else {
      problems.append(
        .init(
          "a rule with COUNT has no start to count from: this schedule starts nothing",
          de: "eine Regel mit COUNT hat keinen Anfang, ab dem zu zählen ist: dieser Zeitplan löst nichts aus"))
      return
    }
    schedules.append(
      ServedSchedule(
        source: "\(path)#\(index)", digest: ContentHash.hexadecimal(of: Array(String(describing: schedule.facts).utf8)),
        schedule: schedule, machine: ScheduleMachine(points, schedule.policy)))
    for lead in plan.reminding?.leads ?? [] { schedules.append(ahead(schedule, index, points, by: lead)) }
  }

  /// The schedule of the deliveries of a reminder ahead of its time. One that is missed is made up for until that time.
  private func ahead(
    _ schedule: Schedule, _ index: Int, _ points: any OccurrenceSource, by lead: Double
  ) -> ServedSchedule {
    var policy = schedule.policy
    policy.catchUpWindow = min(policy.catchUpWindow ?? lead, lead)
    let facts = String(describing: schedule.facts) + " \(lead) s before"
    return ServedSchedule(
      source: "\(path)#\(index)-\(Int(lead))s", digest: ContentHash.hexadecimal(of: Array(facts.utf8)),
      schedule: schedule, machine: ScheduleMachine(EarlierPoints(points, by: lead), policy), lead: lead)
  }

  private mutating func add(_ event: MailEvent, _ index: Int, _ mailbox: String?) {
    guard let provider = event.provider ?? mailbox else {
      problems.append(
        .init(
          "no provider for 'mail': name one, or set defaults.mail.store in sous.yaml",
          de: "kein Provider für 'mail': einen nennen oder defaults.mail.store in sous.yaml setzen"))
      return
    }
    mails.append(
      ServedMail(
        subscription: "recipe/\(path)#\(index)/\(provider)/\(event.folder)", provider: provider, folder: event.folder))
  }
}

/// Why a recipe is not served.
struct ServedProblem: Error {
  var message: LocalizedText
}

extension Plan {
  /// Whether something starts it by itself.
  var isTriggered: Bool { triggers.contains(where: \.startsRuns) }
}

extension Trigger {
  /// Whether it starts runs by itself.
  var startsRuns: Bool { if case .manual = kind { false } else { true } }
}

extension Schedule {
  fileprivate var policy: ScheduleMachine.Policy {
    var policy = ScheduleMachine.Policy()
    policy.catchUp =
      switch catchUp {
      case .none: .none
      case .last: .last
      case .all: .all
      }
    policy.catchUpWindow = catchUpWindow
    return policy
  }

  /// What happens where runs would overlap.
  var firingOverlap: ScheduleFiring.Overlap {
    switch overlap {
    case .skip: .skip
    case .queue: .queue(limit: nil)
    case .cancel: .cancel
    case .allow: .allow(limit: nil)
    }
  }
}

extension RunID {
  /// The name of the run of a point or an event: the same whoever makes it.
  ///
  /// - Parameters:
  ///   - time: The part that tells when.
  ///   - source: What the rest is made from.
  init(at time: Timestamp, of source: String) {
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
