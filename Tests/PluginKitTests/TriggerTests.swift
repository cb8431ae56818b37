import Foundation
import PluginKit
import PluginKitTesting
import Testing

@Suite(.timeLimit(.minutes(5)))
struct TriggerTests {
  let host = InMemoryHost()

  @Test func eventsComeWithTheirCursorEachOnce() async throws {
    let start = try host.open(Mailman.self).plugin.context.clock.now
    let mailman = try host.open(Mailman.self)
    let events = try await mailman.events(of: "mailman.tick", ["first": 3], count: 3)
    #expect(
      events == (3...5).map { .init(id: "tick-\($0)", event: ["number": .integer(Int64($0))], cursor: "\($0)") })
    // The sleeps took no time here, and two minutes there.
    #expect(mailman.plugin.context.clock.now.timeIntervalSince(start) >= 120)
  }

  @Test func aCursorIsWhereItGoesOn() async throws {
    let events = try await host.open(Mailman.self).events(of: "mailman.tick", ["first": 3], cursor: "8", count: 2)
    #expect(events.map(\.cursor) == ["9", "10"])
  }

  @Test func aFailureEndsTheSubscription() async throws {
    await #expect(throws: ActionError(.server, "")) {
      try await host.open(Mailman.self).events(of: "mailman.tick", ["first": 11], count: 3)
    }
    #expect(try await host.open(Mailman.self).events(of: "mailman.tick", ["first": 11], count: 2).count == 2)
  }

  @Test(arguments: [("mailman.tick", .invalidInput), ("mailman.tock", .unsupported)] as [(String, ActionError.Kind)])
  func whatCannotBeSubscribedIsRefused(trigger: String, kind: ActionError.Kind) async throws {
    await #expect(throws: ActionError(kind, "")) {
      try await host.open(Mailman.self).events(of: trigger, ["first": "x"], count: 1)
    }
  }

}
