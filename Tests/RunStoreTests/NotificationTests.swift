import Engine
import Expressions
import Localization
import TestSupport
import Testing

@testable import RunStore

/// The inbox of notifications.
@Suite(.timeLimit(.minutes(5))) struct NotificationTests {
  private let folder: TemporaryFolder
  private let store: RunStore
  private let now = SampleRun.start

  init() throws {
    folder = try TemporaryFolder()
    store = try RunStore(path: folder("sous.db"), time: ManualTime())
  }

  private func notification(
    _ call: String, key: String? = nil, recipe: String = "r", after seconds: Double = 0, provider: String? = nil
  ) -> NotificationRecord {
    var notification = NotificationRecord(
      call: call, recipe: recipe, run: "01A", text: "Grüezi\n👋", at: now.adding(seconds: seconds))
    (notification.title, notification.key, notification.provider) = ("T", key, provider)
    (notification.priority, notification.tags, notification.link) = (.urgent, ["a", "b"], "https://example.com")
    return notification
  }

  @Test func isReadBackAsItCame() async throws {
    _ = try await store.post(notification("1", key: "k", provider: "phone"))
    var expected = notification("1", key: "k", provider: "phone")
    expected.number = 1
    #expect(try await store.notification(1) == expected)
    #expect(try await store.notification(ofCall: "1") == expected)
    #expect(try await store.notification(2) == nil)
    #expect(try await store.notifications(limit: 10) == [expected])
    try await store.close()
  }

  @Test func aCallCountsOnceWhateverItsAttemptsSay() async throws {
    for _ in 0..<3 {
      guard case .delivered(let found) = try await store.post(notification("1")) else {
        Issue.record("not there")
        return
      }
      #expect(found.number == 1)
    }
    #expect(try await store.notifications(limit: 10).count == 1)
    #expect(try await store.unreadNotifications() == 1)
    try await store.close()
  }

  /// Seconds after the first one, the recipe, and whether it is left out.
  @Test(arguments: [
    (0.0, "r", true), (NotificationRecord.keyPeriod - 1, "r", true), (NotificationRecord.keyPeriod, "r", false),
    (10, "another", false),
  ])
  func aKeyCountsSevenDaysInItsRecipe(_ seconds: Double, _ recipe: String, _ isLeftOut: Bool) async throws {
    _ = try await store.post(notification("1", key: "k"))
    // Reading and clearing take nothing from the key.
    _ = try await store.clearNotifications(nil, isRead: false)
    let posting = try await store.post(notification("2", key: "k", recipe: recipe, after: seconds))
    if case .duplicate(let earlier) = posting {
      #expect(isLeftOut && earlier.call == "1")
    } else {
      #expect(!isLeftOut)
    }
    #expect(try await store.notifications(limit: 10).map(\.call) == (isLeftOut ? [] : ["2"]))
    try await store.close()
  }

  /// Between the inbox and the provider its process was ended, and the run was cancelled after that.
  @Test(arguments: [(String?.some("phone"), true), (nil, false)])
  func whatNobodyDeliversAnyMoreTakesNoKey(_ provider: String?, _ isOpen: Bool) async throws {
    try await store.record([SampleRun.started("01A")], durability: .committed)
    _ = try await store.post(notification("1", key: "k", provider: provider))
    guard case .duplicate = try await store.post(notification("2", key: "k", provider: provider)) else {
      Issue.record("no duplicate")
      return
    }
    try await store.record([SampleRun.finished("01A", .cancelled)], durability: .committed)
    let posting = try await store.post(notification("2", key: "k", provider: provider))
    if case .open(let again) = posting {
      #expect(isOpen && again.call == "1")
    } else {
      #expect(!isOpen)
    }
    try await store.close()
  }

  @Test func whatCouldNotBeDeliveredIsTriedAgainUnderItsFirstCall() async throws {
    try await store.record([SampleRun.started("01A")], durability: .committed)
    guard case .open(let first) = try await store.post(notification("1", key: "k", provider: "phone")) else {
      Issue.record("not open")
      return
    }
    // Nobody knows yet what becomes of it.
    #expect(
      try await store.post(notification("2", key: "k", provider: "phone")) == .duplicate(of: first))
    try await store.noteDelivery(of: 1, by: "phone", trouble: LocalizedText("down", de: "aus"))
    guard case .open(let again) = try await store.post(notification("2", key: "k", provider: "phone")) else {
      Issue.record("not open")
      return
    }
    #expect(again.call == "1" && again.trouble?.german == "aus")
    try await store.noteDelivery(of: 1, by: "phone", trouble: nil)
    // A late failure of another attempt changes nothing.
    try await store.noteDelivery(of: 1, by: "phone", trouble: LocalizedText("down", de: "aus"))
    guard case .delivered(let done) = try await store.post(notification("1", key: "k", provider: "phone")) else {
      Issue.record("not delivered")
      return
    }
    #expect(done.trouble == nil && done.deliveredAt != nil)
    #expect(try await store.notifications(limit: 10).count == 1)
    try await store.close()
  }

  @Test func isMarkedAndCleared() async throws {
    for call in 1...4 { _ = try await store.post(notification(String(call))) }
    #expect(try await store.markNotifications([1, 2], isRead: true) == 2)
    #expect(try await store.markNotifications([2], isRead: true) == 0)
    #expect(try await store.notifications(isUnread: true, limit: 10).map(\.number) == [4, 3])
    #expect(try await store.markNotifications([2], isRead: false) == 1)
    #expect(try await store.unreadNotifications() == 3)
    #expect(try await store.clearNotifications(nil, isRead: true) == 1)
    #expect(try await store.clearNotifications([3], isRead: false) == 1)
    #expect(try await store.notifications(limit: 10).map(\.number) == [4, 2])
    #expect(try await store.notification(1) == nil)
    #expect(try await store.markNotifications(nil, isRead: true) == 2)
    #expect(try await store.unreadNotifications() == 0)
    try await store.close()
  }

  @Test func forgetsWhatIsLongRead() async throws {
    for call in 1...10 { _ = try await store.post(notification(String(call))) }
    _ = try await store.markNotifications([1, 2, 3], isRead: true)
    for call in 11...64 { _ = try await store.post(notification(String(call), after: 100 * 86_400)) }
    #expect(try await store.notifications(limit: 100).map(\.number) == Array((4...64).reversed()))
    try await store.close()
  }
}
