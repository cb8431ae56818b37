import Expressions
import Plans
import Synchronization
import TestSupport
import Testing

@testable import Engine

/// Log lines are in the journal before the end of the attempt that has reported them.
@Suite(.timeLimit(.minutes(1)))
struct LogLinesTests {
  /// Keeps entries, and lets others go first before each.
  private final class SlowRecorder: RunRecorder {
    private let entries = Mutex(0)

    var count: Int { entries.withLock { $0 } }

    func record(_ new: [JournalEntry], durability: Durability) async throws {
      for _ in 0..<20 { await Task.yield() }
      entries.withLock { $0 += new.count }
    }
  }

  private func line(_ number: Int) -> LogLine {
    LogLine(run: RunID(rawValue: "R"), level: .info, message: "\(number)", at: Timestamp(seconds: 1))
  }

  @Test func settlingWaitsForTheLinesSoFar() async {
    let (lines, recorder) = (LogLines(), SlowRecorder())
    let drain = Task { await lines.drain(into: recorder) }
    for round in 1...5 {
      for number in 0..<10 { lines.append(line(number)) }
      await lines.settle()
      #expect(recorder.count == round * 10)
    }
    lines.finish()
    await drain.value
    // Nothing writes this one, so nothing waits for it.
    lines.append(line(0))
    await lines.settle()
    #expect(recorder.count == 50)
  }

  @Test func surplusLinesHoldNothingUp() async {
    let (lines, recorder) = (LogLines(), SlowRecorder())
    for number in 0..<10_100 { lines.append(line(number)) }
    let drain = Task { await lines.drain(into: recorder) }
    await lines.settle()
    #expect(recorder.count == 10_000)
    lines.finish()
    await drain.value
  }
}
