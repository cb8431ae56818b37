import Testing

@testable import PluginBoundary
@testable import PluginHost

/// The pure parts of supervision.
struct SupervisionTests {
  @Test func pausesGrowWhileWorkersDoNotGetReady() {
    var pacing = RestartPacing()
    var waits: [Double] = []
    for _ in 0..<14 {
      pacing.ended(wasReady: false, at: 100)
      waits.append((pacing.wait(at: 100) * 10).rounded() / 10)
    }
    #expect(waits == [0, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 12.8, 25.6, 30, 30, 30, 30])
    #expect(pacing.wait(at: 120).rounded() == 10)
    pacing.ended(wasReady: true, at: 100)
    #expect(pacing.wait(at: 100) == 0)
  }

  @Test func outputBecomesLinesOfLimitedLengthAndNumber() {
    var lines = OutputLines(lineBytes: 5)
    #expect(lines.append(Array("one\ntw".utf8), at: 1) == [.text("one")])
    #expect(lines.append(Array("o\nmuch too long\n".utf8), at: 1) == [.text("two"), .text("much ")])
    #expect(lines.append(Array("rest".utf8), at: 1) == [])
    #expect(lines.finish() == [.text("rest")])
    #expect(lines.lastWords == "rest")
    let flood = [UInt8](repeating: 0x0a, count: 1000)
    let found = lines.append(flood, at: 1)
    #expect(found.count < 250)
    #expect(found.last == .cutOff)
    // A second gives room for some more.
    #expect(lines.append(flood, at: 2).count == 21)
  }

  @Test func processorTimeCountsFromTheBeginningOfACall() {
    var usage = ProcessorUse()
    #expect(usage.longest([], at: 5_000_000_000) == 0)
    #expect(usage.longest([1], at: 6_000_000_000) == 0)
    #expect(usage.longest([1, 2], at: 8_000_000_000) == 2)
    #expect(usage.longest([2], at: 9_000_000_000) == 1)
    #expect(usage.longest([3], at: 99_000_000_000) == 0)
  }
}
