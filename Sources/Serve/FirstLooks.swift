import UseCases

/// Which triggers have made their first look, and which reports of readiness wait for that.
///
/// What was there at the first look is not new. So a report that all is served comes after it; otherwise a message that
/// arrives between both would begin no run.
struct FirstLooks {
  /// Seconds after which a report does not wait any longer.
  static let patience = 30.0

  /// The reports.
  enum Report: Hashable, Comparable {
    /// That all recipes are served.
    case start
    /// That the recipe of this file is served as it is now.
    case file(String)
  }

  /// Whether the last look of a trigger succeeded; triggers that have not looked yet are absent.
  private var outcomes: [ServedTrigger: Bool] = [:]
  /// The reports that wait, and since when, by the monotonic clock.
  private var waiting: [Report: Double] = [:]

  /// Whether a report waits.
  var isWaiting: Bool { !waiting.isEmpty }

  /// Notes that a trigger watches, or that it failed to.
  mutating func note(_ trigger: ServedTrigger, watches: Bool) { outcomes[trigger] = watches }

  /// Forgets a trigger that is not listened to any more.
  mutating func forget(_ trigger: ServedTrigger) { outcomes[trigger] = nil }

  /// Lets a report wait for the triggers; one that waits already goes on to wait.
  mutating func wait(_ report: Report, at monotonic: Double) {
    waiting[report] = waiting[report] ?? monotonic
  }

  /// The reports whose triggers have all looked or failed, or that have waited long enough.
  ///
  /// - Parameter triggers: The triggers that are listened to now.
  /// - Returns: Each report, with those of its triggers that do not watch.
  mutating func takeDue(
    _ triggers: some Collection<ServedTrigger>, at monotonic: Double
  ) -> [(report: Report, unwatched: [ServedTrigger])] {
    var due: [(report: Report, unwatched: [ServedTrigger])] = []
    for (report, since) in waiting.sorted(by: { $0.key < $1.key }) {
      let own = triggers.filter { trigger in
        switch report {
        case .start: true
        case .file(let path): trigger.path == path
        }
      }
      guard monotonic - since >= Self.patience || own.allSatisfy({ outcomes[$0] != nil }) else { continue }
      waiting[report] = nil
      due.append((report, own.filter { outcomes[$0] != true }))
    }
    return due
  }
}
