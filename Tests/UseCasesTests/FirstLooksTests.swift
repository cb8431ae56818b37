import Recipes
import Testing

@testable import UseCases

/// When it is reported that all is served.
@Suite struct FirstLooksTests {
  private static func trigger(_ name: String, of path: String) -> ServedTrigger {
    ServedTrigger(
      subscription: "\(path) \(name)", path: path,
      source: .plugin(provider: name, trigger: "mail.new", settings: "{}"))
  }

  private let home = trigger("home", of: "a.yaml")
  private let work = trigger("work", of: "b.yaml")

  @Test func theReportWaitsForEachTriggerThatHasNeitherLookedNorFailed() {
    var looks = FirstLooks()
    looks.wait(.start, at: 100)
    #expect(looks.takeDue([home, work], at: 100).isEmpty && looks.isWaiting)
    looks.note(home, watches: true)
    #expect(looks.takeDue([home, work], at: 101).isEmpty)
    looks.note(work, watches: false)
    let due = looks.takeDue([home, work], at: 102)
    #expect(due.map(\.report) == [.start] && due.first?.unwatched == [work])
    #expect(looks.takeDue([home, work], at: 103).isEmpty && !looks.isWaiting)
  }

  @Test func aFirstLookThatTakesLongIsNamedAfterHalfAMinute() {
    var looks = FirstLooks()
    looks.wait(.start, at: 100)
    looks.note(home, watches: true)
    // To wait again is not to wait anew.
    looks.wait(.start, at: 110)
    #expect(looks.takeDue([home, work], at: 129.9).isEmpty)
    #expect(looks.takeDue([home, work], at: 130).first?.unwatched == [work])
  }

  @Test func withoutTriggersNothingIsWaitedFor() {
    var looks = FirstLooks()
    looks.wait(.start, at: 100)
    #expect(looks.takeDue([], at: 100).map(\.report) == [.start])
  }

  @Test func aRecipeThatIsLoadedWaitsForItsOwnTriggersOnly() {
    var looks = FirstLooks()
    looks.note(home, watches: true)
    looks.wait(.file("a.yaml"), at: 100)
    looks.wait(.file("b.yaml"), at: 100)
    #expect(looks.takeDue([home, work], at: 100).map(\.report) == [.file("a.yaml")])
    // A trigger that has been taken away and is back has to look again.
    looks.forget(home)
    looks.wait(.file("a.yaml"), at: 101)
    looks.note(work, watches: true)
    #expect(looks.takeDue([home, work], at: 101).map(\.report) == [.file("b.yaml")])
  }
}
