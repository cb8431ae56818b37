import Engine
import Expressions
import Synchronization

/// A time of day that goes on when it is told to; durations are real.
final class SimulatedTime: TimeSource {
  private let elapsed = Mutex(0.0)

  var now: Timestamp { Timestamp(seconds: 1_700_000_000).adding(seconds: elapsed.withLock { $0 }) }
  var monotonic: Double { SystemTime().monotonic }

  func advance(by seconds: Double) { elapsed.withLock { $0 += seconds } }

  // What the store waits for is real: moments in which entries gather.
  func sleep(seconds: Double) async throws { try await Task.sleep(for: .seconds(seconds)) }
}

/// The journal of a small recipe: reads something, makes a text of it, sends it.
struct SimulatedRun {
  /// What the engine hands in together.
  let batches: [[JournalEntry]]

  init(number: Int, at: Timestamp) {
    var random = SystemRandomNumberGenerator()
    let run = RunID(at: at, using: &random)
    let steps: [RunStart.Step] = [
      .init(id: "unread", action: "mail.search", effect: .read), .init(id: "digest", action: "template", effect: .pure),
      .init(id: "send", action: "mail.send", effect: .once),
    ]
    var start = RunStart(
      run: run, recipe: "ping", path: "workflows/ping.yaml", fingerprint: "f00d", trigger: "schedule",
      inputs: .map(["limit": .int(20)]), steps: steps, at: at)
    start.source = "name: ping\nsteps: []\n"
    var batches: [[JournalEntry]] = [[.runStarted(start)]]
    for (position, step) in steps.enumerated() {
      let intent = AttemptStart(
        run: run, step: position, item: nil, number: 1, kind: .provider("home"), key: "\(run)/\(step.id)",
        inputBytes: 100,
        at: at)
      let end = AttemptEnd(
        run: run, step: position, item: nil, number: 1, failure: nil, outputBytes: 900, duration: 0.01, retryDelay: nil,
        at: at)
      let messages = (0..<6).map { index -> Value in
        .map(["uid": .int(Int64(number + index)), "subject": .string("subject of run \(number), message \(index)")])
      }
      batches.append([.stepStarted(run: run, step: position, itemCount: nil, at: at), .attemptStarted(intent)])
      batches.append([
        .log(LogLine(run: run, step: position, attempt: 1, level: .info, message: "6 messages for \(step.id)", at: at)),
        .attemptFinished(end), .output(run: run, step: position, item: nil, value: .map(["messages": .list(messages)])),
        .stepFinished(StepEnd(run: run, step: position, status: .succeeded, at: at)),
      ])
    }
    batches.append([.runFinished(RunEnd(run: run, status: .succeeded, outputs: .map(["sent": .int(6)]), at: at))])
    self.batches = batches
  }
}

/// Durations, as a line of a report.
struct Samples: CustomStringConvertible {
  private var milliseconds: [Double] = []

  mutating func add(_ duration: Duration) {
    let parts = duration.components
    milliseconds.append(Double(parts.seconds) * 1000 + Double(parts.attoseconds) / 1e15)
  }

  var description: String {
    let sorted = milliseconds.sorted()
    func at(_ share: Double) -> String {
      guard !sorted.isEmpty else { return "–" }
      let value = sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]
      return "\((value * 100).rounded() / 100) ms"
    }
    return "median \(at(0.5)), 99 % \(at(0.99)), longest \(at(1))"
  }
}
