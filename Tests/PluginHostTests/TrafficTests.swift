import Synchronization
import Testing

@testable import PluginHost

struct TrafficTests {
  @Test func whatACallHasOpenEndsWithIt() throws {
    let traffic = Traffic()
    let ended = Mutex<[String]>([])
    let first = try #require(traffic.begin(of: 1))
    traffic.set(first, of: 1) { ended.withLock { $0.append("first") } }
    let second = try #require(traffic.begin(of: 2))
    traffic.set(second, of: 2) { ended.withLock { $0.append("second") } }
    let over = try #require(traffic.begin(of: 1))
    traffic.finish(over, of: 1)
    traffic.end(1)
    #expect(ended.withLock { $0 } == ["first"])
    traffic.end(1)
    traffic.close()
    #expect(ended.withLock { $0 } == ["first", "second"])
    #expect(traffic.begin(of: 3) == nil)
  }

  @Test func whatBeginsWhileItsCallEndsIsEnded() throws {
    let traffic = Traffic()
    let number = try #require(traffic.begin(of: 1))
    traffic.end(1)
    let ended = Mutex(0)
    traffic.set(number, of: 1) { ended.withLock { $0 += 1 } }
    #expect(ended.withLock { $0 } == 1)
  }
}
