import Access

/// How much of a run a follower knows: the position of server-sent events of one run; pure.
///
/// Everything in it only grows, so the events that a follower lacks follow from its cursor and from the run as it is recorded
/// now. No server has to remember what it has sent: a follower goes on with any server, also after a restart.
struct RunCursor: Hashable, Sendable {
  /// The known progress of a step.
  struct Step: Hashable, Sendable {
    /// 0 before its beginning, 1 while it runs, 2 at its end.
    var stage: UInt64 = 0
    /// The attempts that have begun.
    var begun: UInt64 = 0
    /// The attempts that have ended.
    var ended: UInt64 = 0

    var isEmpty: Bool { self == Step() }
  }

  /// The number of the last line of the log.
  var line: UInt64 = 0
  /// A number for the status of the run, 0 for none.
  var status: UInt64 = 0
  /// The steps by position; those behind the last one have not begun.
  var steps: [Step] = []

  /// The beginning of a run.
  init() {}

  subscript(position: Int) -> Step {
    get { steps.indices.contains(position) ? steps[position] : Step() }
    set {
      guard position >= 0, position < Self.mostSteps else { return }
      while steps.count <= position { steps.append(Step()) }
      steps[position] = newValue
    }
  }

  /// The most steps of a run that are followed one by one.
  static let mostSteps = 10_000
  /// The version of ``text``.
  private static let version: UInt64 = 1

  // MARK: - As text

  /// The cursor as the id of an event: base64 for addresses (RFC 4648, section 5) of numbers, seven bits to a byte.
  var text: String {
    var bytes: [UInt8] = []
    func add(_ number: UInt64) {
      var rest = number
      while rest >= 0x80 {
        bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
        rest >>= 7
      }
      bytes.append(UInt8(truncatingIfNeeded: rest))
    }
    for number in [Self.version, line, status] { add(number) }
    for step in steps.prefix(1 + (steps.lastIndex { !$0.isEmpty } ?? -1)) {
      add(step.stage)
      add(step.begun)
      add(step.ended)
    }
    return Base64.webText(bytes)
  }

  /// Reads an id; `nil` for other texts.
  init?(_ text: String) {
    guard text.utf8.count <= 1 << 18, let bytes = Base64.bytes(ofWebText: text) else { return nil }
    var numbers: [UInt64] = []
    var (number, shift): (UInt64, UInt64) = (0, 0)
    for byte in bytes {
      guard shift < 63 else { return nil }
      number |= UInt64(byte & 0x7F) << shift
      shift += 7
      guard byte < 0x80 else { continue }
      numbers.append(number)
      (number, shift) = (0, 0)
    }
    guard shift == 0, numbers.count >= 3, numbers[0] == Self.version, (numbers.count - 3) % 3 == 0,
      (numbers.count - 3) / 3 <= Self.mostSteps, numbers[1] <= UInt64(Int64.max)
    else { return nil }
    (line, status) = (numbers[1], numbers[2])
    for start in stride(from: 3, to: numbers.count, by: 3) {
      steps.append(Step(stage: numbers[start], begun: numbers[start + 1], ended: numbers[start + 2]))
    }
  }
}
