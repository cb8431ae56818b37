import Expressions
import Hashing

/// The facts that a call needs if it is repeated with the answers of a person (`requestState`).
///
/// The client carries it, so it is authenticated, bound to the caller and to the call, and valid for a while. The run has its id
/// from the first round on: a repetition of the repetition finds it instead of starting a second one.
struct RoundState: Sendable, Hashable {
  /// Seconds for which a state is valid.
  static let lifetime = 3600.0

  /// The id of the run that the call starts.
  var run: String
  /// A digest of the question that the person saw; `nil` if none was asked. An answer to another question does not count.
  var subject: String?
  /// Whether a person has approved the call.
  var isApproved = false
  /// Whether the run has been started.
  var isStarted = false

  /// The state as text.
  ///
  /// - Parameters:
  ///   - call: The caller and the call; the state is valid for the same ones only.
  ///   - now: Seconds since 1970.
  ///   - key: The secret of this process.
  func sealed(_ call: String, now: Double, key: [UInt8]) -> String {
    let value: Value = [
      "run": .string(run), "subject": subject.map { .string($0) } ?? .null, "approved": .bool(isApproved),
      "started": .bool(isStarted), "until": .double(now + Self.lifetime),
    ]
    let text = value.jsonString
    return Self.code(text, call, key) + "." + text
  }

  init(run: String) { self.run = run }

  /// Opens a state; `nil` if it is not from this process, too old, or of another call.
  init?(_ text: String, _ call: String, now: Double, key: [UInt8]) {
    let parts = text.split(separator: ".", maxSplits: 1).map(String.init)
    guard parts.count == 2, text.utf8.count < 4096,
      MessageAuthentication.areEqual(Array(parts[0].utf8), Array(Self.code(parts[1], call, key).utf8)),
      let value = try? Value(json: parts[1]), let run = value["run"]?.stringValue,
      let until = value["until"]?.doubleValue, now <= until
    else { return nil }
    self.run = run
    subject = value["subject"]?.stringValue
    isApproved = value["approved"]?.boolValue ?? false
    isStarted = value["started"]?.boolValue ?? false
  }

  private static func code(_ text: String, _ call: String, _ key: [UInt8]) -> String {
    let bytes = MessageAuthentication.code(of: ContentHash.bytes(of: Array(call.utf8)) + Array(text.utf8), key: key)
    return bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
