import Foundation
import PluginKit
import PluginKitTesting
import TestSupport
import Testing

@testable import IMAPPlugin

@Suite(.timeLimit(.minutes(5)))
struct WatchDayTests {
  /// A day of simulated time: messages come at any moment, connections break between and within commands.
  @Test(arguments: [1, 2, 3] as [UInt64])
  func aDayWithFiftyCutsTellsEveryMessageOnce(_ seed: UInt64) async throws {
    let host = InMemoryHost()
    let plugin = try host.open(
      IMAPPlugin.self, configuration: ["host": "mail.example.com", "user": "anna", "password": "geheim-17"])
    let server = MemoryMailServer()
    host.accept { peer in try await server.serve(peer) }
    let clock = plugin.callContext().clock
    let end = clock.monotonic + .seconds(86_400)
    let count = 200
    async let events = plugin.events(of: "mail.new", ["fields": ["subject"]], count: count)
    try await eventually { server.isIdling }
    var random = seed
    func next(_ bound: Int) -> Int {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((random >> 33) % UInt64(bound))
    }
    var delivered = 0
    while clock.monotonic < end || delivered < count - 1 || server.cuts < 50 {
      if delivered < count - 1, next(2) == 0 {
        server.deliver("m\(delivered)")
        delivered += 1
      }
      if server.cuts < 50, next(4) == 0 { if next(2) == 0 { server.cut() } else { server.cut(afterLines: next(9)) } }
      // What is under way comes to its end before time passes: else commands would time out.
      try await eventually { server.isIdling }
      host.advance(by: .seconds(next(480)))
    }
    server.deliver("m\(delivered)")
    let told = try await events
    #expect(told.compactMap { $0.event["message"]?["subject"]?.string } == (0..<count).map { "m\($0)" })
    #expect(server.cuts >= 50)
  }
}
