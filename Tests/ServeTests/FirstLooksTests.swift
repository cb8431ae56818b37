import Recipes
import Testing

@testable import Serve
@testable import UseCases

/// When it is reported that all is served.
@Suite struct FirstLooksTests {
  private static func trigger(_ name: String, of path: String) -> ServedTrigger {
    ServedTrigger(
      subscription: "\(path) \(name)", path: path,
      source: .plugin(provider: name, trigger: "mail.new", settings: "{}"))
  }

  private let home = FirstLooksTests.trigger("home", of: "a.yaml")
  private let work = FirstLooksTests.trigger("work", of: "b.yaml")

  @Test func theReportWaitsForEachTriggerThatHasNeitherLookedNorFailed() {
    var looks = FirstLooks()
    looks.wait(.start, at: 100)
    var due = looks.takeDue([home, work], at: 100)
    #expect(due.isEmpty)
    looks.note(home, watches: true)
    due = looks.takeDue([home, work], at: 101)
    #expect(due.isEmpty)
    looks.note(work, watches: false)
    due = looks.takeDue([home, work], at: 102)
    #expect(due.map(\.report) == [.start])
    #expect(due.first?.unwatched == [work])
    due = looks.takeDue([home, work], at: 103)
    #expect(due.isEmpty)
    #expect(!looks.isWaiting)
  }

  @Test func aFirstLookThatTakesLongIsNamedAfterHalfAMinute() {
    var looks = FirstLooks()
    looks.wait(.start, at: 100)
    looks.note(home, watches: true)
    // To wait again is not to wait anew.
    looks.wait(.start, at: 110)
    var due = looks.takeDue([home, work], at: 129.9)
    #expect(due.isEmpty)
    due = looks.takeDue([home, work], at: 130)
    #expect(due.first?.unwatched == [work])
  }

  @Test func withoutTriggersNothingIsWaitedFor() {
    var looks = FirstLooks()
    looks.wait(.start, at: 100)
    let due = looks.takeDue([ServedTrigger](), at: 100)
    #expect(due.map(\.report) == [.start])
  }

  @Test func aRecipeThatIsLoadedWaitsForItsOwnTriggersOnly() {
    var looks = FirstLooks()
    looks.note(home, watches: true)
    looks.wait(.file("a.yaml"), at: 100)
    looks.wait(.file("b.yaml"), at: 100)
    var due = looks.takeDue([home, work], at: 100)
    #expect(due.map(\.report) == [.file("a.yaml")])
    // A trigger that has been taken away and is back has to look again.
    looks.forget(home)
    looks.wait(.file("a.yaml"), at: 101)
    looks.note(work, watches: true)
    due = looks.takeDue([home, work], at: 101)
    #expect(due.map(\.report) == [.file("b.yaml")])
  }
}
