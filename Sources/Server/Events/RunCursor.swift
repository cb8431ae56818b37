import Expressions
import Foundation

/// How much of a run a follower knows: the position of server-sent events of one run; pure.
///
/// Everything in it only grows, so the events that a follower lacks follow from its cursor and from the run as it is recorded
/// now. No server has to remember what it has sent: a follower goes on with any server, also after a restart.
struct RunCursor: Hashable, Sendable {
  /// What is known of a step.
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

  /// The cursor as the id of an event: base64url (RFC 4648, section 5) of numbers, seven bits to a byte.
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
    return Base64URL.text(of: bytes)
  }

  /// Reads an id; `nil` for other texts.
  init?(_ text: String) {
    guard text.utf8.count <= 1 << 18, let bytes = Base64URL.bytes(of: text) else { return nil }
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

/// Base64 with the characters of URLs and without padding (RFC 4648, section 5).
enum Base64URL {
  static func text(of bytes: [UInt8]) -> String {
    Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }

  static func bytes(of text: String) -> [UInt8]? {
    guard text.utf8.allSatisfy({ $0.isBase64URL }) else { return nil }
    let plain = text.replacing("-", with: "+").replacing("_", with: "/")
    return Data(base64Encoded: plain + String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4)).map(Array.init)
  }
}

extension UInt8 {
  fileprivate var isBase64URL: Bool {
    (0x30...0x39).contains(self) || (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self) || self == 0x2D
      || self == 0x5F
  }
}
