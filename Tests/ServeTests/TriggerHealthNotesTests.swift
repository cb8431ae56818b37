import Engine
import Expressions
import Localization
import RunStore
import Testing

@testable import Serve
@testable import UseCases

/// What `sous triggers` shows of a trigger that fails and recovers.
@Suite struct TriggerHealthNotesTests {
  private let notes = TriggerHealthNotes(
    TriggerHealth(subscription: "a/0", recipe: "a", path: "recipes/a.yaml", trigger: "mail.new", provider: "home"))
  private let reason = LocalizedText(verbatim: "the worker has ended")
  private let now = Timestamp(seconds: 1_000)

  @Test func aTriggerThatWatchesAgainIsAliveAtOnce() {
    notes.watch()
    #expect(notes.fail(reason, at: 10, reportedAgainAfter: 300))
    let failed = notes.value(at: now, monotonic: 11)
    #expect(failed.trouble == reason && failed.aliveAt == nil)
    notes.watch()
    let recovered = notes.value(at: now, monotonic: 12)
    #expect(recovered.trouble == nil && recovered.aliveAt == now && recovered.reconnects == 1)
    // The same failure soon afterwards is not reported again.
    #expect(!notes.fail(reason, at: 13, reportedAgainAfter: 300))
    #expect(notes.fail(reason, at: 400, reportedAgainAfter: 300))
  }

  @Test func aTriggerThatFailsAgainAndAgainIsNeverAlive() {
    for attempt in 0..<10 {
      #expect(notes.fail(reason, at: Double(attempt) * 300, reportedAgainAfter: 3_600) == (attempt == 0))
      #expect(notes.value(at: now, monotonic: Double(attempt) * 300 + 299).aliveAt == nil)
    }
    #expect(notes.value(at: now, monotonic: 9 * 300 + 330).aliveAt == nil)
    notes.watch()
    #expect(notes.value(at: now, monotonic: 9 * 300 + 331).aliveAt == now)
  }
}
