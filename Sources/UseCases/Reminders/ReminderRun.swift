import Builtins
import Engine
import Expressions
import Localization
import Plans
import RecipeModel
import RecipeSyntax
import RunStore

/// A run of a reminder, and the delivery that it is for.
struct ReminderRun: Sendable {
  /// The action that every reminder begins with, and nothing else.
  static let mark = ActionSignature.reminderPlan.name
  /// The most runs that are looked at.
  static let most = 2000

  let summary: RunSummary
  let start: RunStart
  /// The reminder as the run's recipe says it; `nil` if the text is not recorded.
  let record: ReminderRecord?
  let round: ReminderRound
  /// Whether somebody has acknowledged the delivery before.
  let isAcknowledged: Bool

  /// Reads a run.
  init(_ summary: RunSummary, _ store: RunStore) async throws {
    self.summary = summary
    let snapshot = try await store.snapshot(of: summary.id)
    start = snapshot.start
    let position = start.steps.firstIndex { $0.id == "acknowledged" }
    isAcknowledged =
      position.map { snapshot.steps.indices.contains($0) && snapshot.steps[$0].status == .succeeded } ?? false
    record = start.source.flatMap { [start] in ReminderRecord(SourceText(path: start.path, text: $0)) }
    let times = ReminderRound.Times(at: record?.at, leads: record?.leads ?? [])
    round = ReminderRound(of: summary.id, event: start.event, times: times, now: start.at)
  }

  /// The runs that have not ended, or the newest of those that have.
  static func all(in store: RunStore, areOpen: Bool, limit: Int = most) async throws -> [ReminderRun] {
    var found: [ReminderRun] = []
    for summary in try await store.runs(with: mark, isOpen: areOpen, limit: limit) {
      do {
        found.append(try await ReminderRun(summary, store))
      } catch let error as RunStoreError where error.code == .runNotFound {
        // It was removed meanwhile.
      }
    }
    return found
  }

  /// The reminder for a listing.
  func entry(at now: Timestamp) -> ReminderEntry {
    var entry = ReminderEntry(id: round.reminder.rawValue, title: start.recipe, state: .coming, at: round.at)
    (entry.round, entry.run) = (round.round, summary.id)
    switch summary.status {
    case .succeeded: entry.state = isAcknowledged ? .done : .delivered
    case .cancelled, .skipped: entry.state = .done
    case .failed, .needsAttention: entry.state = .failed
    case .queued, .running, .waiting, .interrupted:
      entry.next = summary.status == .waiting ? summary.dueAt ?? round.due : round.due
      entry.state = round.round > 1 || (entry.next ?? now) <= now ? .due : .coming
    }
    return entry
  }

  /// Whether a reference means this run, or the reminder's.
  func isNamed(_ reference: String) -> Bool {
    summary.id.isNamed(reference) || round.reminder.isNamed(reference)
  }
}

extension [ReminderRun] {
  /// The newest run of each reminder.
  var newest: [ReminderRun] {
    var seen: Set<RunID> = []
    return filter { seen.insert($0.round.reminder).inserted }
  }

  /// Those that a reference means: a beginning of a name, else the whole text, else a part of it.
  func meant(by reference: String) -> [ReminderRun] {
    let wanted = reference.lowercased()
    let ways: [(ReminderRun) -> Bool] = [
      { $0.isNamed(reference) }, { $0.start.recipe.lowercased() == wanted },
      { $0.start.recipe.lowercased().contains(wanted) },
    ]
    guard !wanted.isEmpty else { return [] }
    return ways.lazy.map { way in filter(way) }.first { !$0.isEmpty } ?? []
  }
}
