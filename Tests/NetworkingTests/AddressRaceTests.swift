import Testing

@testable import Networking

@Suite struct AddressRaceTests {
  private func race(_ texts: String...) -> AddressRace { AddressRace(texts.compactMap { IPAddress($0) }) }

  @Test func familiesTakeTurnsBeginningWithTheFirst() {
    let race = race("2001:db8::1", "2001:db8::2", "192.0.2.1", "192.0.2.2", "192.0.2.3")
    #expect(
      race.addresses.map(String.init(describing:))
        == ["2001:db8::1", "192.0.2.1", "2001:db8::2", "192.0.2.2", "192.0.2.3"])
  }

  @Test func aSilentAddressGetsCompanyAfterAPause() {
    var race = race("2001:db8::1", "192.0.2.1")
    #expect(race.start() == [.attempt(0), .pause])
    #expect(race.pauseElapsed() == [.attempt(1)])
    #expect(race.pauseElapsed() == [])
  }

  @Test func aFailedAddressIsFollowedAtOnce() {
    var race = race("2001:db8::1", "192.0.2.1")
    _ = race.start()
    #expect(race.attemptFailed() == [.attempt(1)])
    #expect(race.attemptFailed() == [.giveUp])
  }

  @Test func givesUpWhenTheLastRunningAttemptFails() {
    var race = race("2001:db8::1", "192.0.2.1")
    _ = race.start()
    _ = race.pauseElapsed()
    #expect(race.attemptFailed() == [])
    #expect(race.attemptFailed() == [.giveUp])
  }

  @Test func noAddressIsAFailure() {
    var race = race()
    #expect(race.start() == [.giveUp])
  }
}
