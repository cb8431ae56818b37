/// Who may call a provider now, and who has to wait, apart from any clock: at most so many at a time, and not more often
/// than a rate allows. First come, first served.
struct AdmissionQueue {
  /// How many calls may begin in a time.
  struct Rate: Sendable, Equatable {
    /// Calls per ``seconds``.
    var requests: Int
    /// The time in seconds.
    var seconds: Double
    /// How many may begin at once after a pause.
    var burst: Int
  }

  private let concurrency: Int
  private let rate: Rate?
  private var running = 0
  private var waiting: [UInt64] = []
  /// The calls that the rate allows at ``refilled``.
  private var tokens: Double
  private var refilled: Double?

  /// Creates a queue.
  ///
  /// - Parameters:
  ///   - concurrency: The most calls at a time; `nil` for any number.
  ///   - rate: How often calls may begin; `nil` for any rate.
  init(concurrency: Int?, rate: Rate?) {
    self.concurrency = concurrency ?? .max
    self.rate = rate
    tokens = Double(rate?.burst ?? 0)
  }

  /// Whether no caller waits.
  var isEmpty: Bool { waiting.isEmpty }

  /// A caller wants to call.
  mutating func enter(_ id: UInt64) { waiting.append(id) }

  /// A caller no longer wants to call.
  ///
  /// - Returns: Whether they were waiting still.
  mutating func leave(_ id: UInt64) -> Bool {
    guard let place = waiting.firstIndex(of: id) else { return false }
    waiting.remove(at: place)
    return true
  }

  /// A call is over.
  mutating func finish() { running -= 1 }

  /// Who may begin, in order.
  ///
  /// - Parameter time: Now, in seconds of a clock that never goes backwards.
  /// - Returns: Those, and when to ask again where the rate alone holds the next one up.
  mutating func admit(at time: Double) -> (ids: [UInt64], wake: Double?) {
    refill(at: time)
    var count = 0
    var wake: Double?
    while count < waiting.count, running < concurrency {
      if let rate {
        guard tokens >= 1 else {
          wake = time + (1 - tokens) * rate.seconds / Double(rate.requests)
          break
        }
        tokens -= 1
      }
      running += 1
      count += 1
    }
    let admitted = Array(waiting.prefix(count))
    waiting.removeFirst(count)
    return (admitted, wake)
  }

  private mutating func refill(at time: Double) {
    guard let rate else { return }
    if let refilled, time > refilled {
      tokens = min(Double(rate.burst), tokens + (time - refilled) * Double(rate.requests) / rate.seconds)
      // A rounding error below one call must not cost another wait.
      if tokens.rounded() > tokens, tokens.rounded() - tokens < 1e-9 { tokens = tokens.rounded() }
    }
    refilled = max(refilled ?? time, time)
  }
}
