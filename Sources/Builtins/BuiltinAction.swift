import Engine
import Expressions
import Localization
import Plans
import Schemas

/// One built-in action: what recipes can know about it, and the code.
struct BuiltinAction: Sendable {
  /// Carries the action out, once.
  typealias Body = @Sendable (BuiltinCall) async throws -> Value
  /// Finds out what became of an attempt whose result was lost.
  typealias Verification = @Sendable (BuiltinCall) async throws -> Verdict

  let signature: ActionSignature
  let verification: Verification
  let body: Body

  /// Creates an action.
  ///
  /// - Parameter verification: Needed for the effect `once`; without it an attempt may be repeated.
  init(
    signature: ActionSignature, verification: @escaping Verification = { _ in .notDone }, body: @escaping Body
  ) {
    self.signature = signature
    self.verification = verification
    self.body = body
  }

  /// Creates an action whose input and output are objects without further keys.
  ///
  /// - Parameters:
  ///   - required: The keys that the input must have.
  ///   - input: The schemas of the input's keys.
  ///   - output: The schemas of the output's keys; all of them are there but those in `absent`.
  ///   - absent: The keys of the output that may be missing.
  init(
    _ name: String, _ summary: LocalizedText, effect: Effect, required: [String], input: ValueMap, output: ValueMap,
    absent: Set<String> = [], verification: @escaping Verification = { _ in .notDone }, body: @escaping Body
  ) {
    let always = output.keys.map(\.text).filter { !absent.contains($0) }
    self.init(
      signature: ActionSignature(
        name: name, summary: summary, effect: effect,
        input: Schema(
          document: [
            "type": "object", "required": .list(required.map { .string($0) }), "additionalProperties": false,
            "properties": .map(input),
          ]),
        output: Schema(
          document: [
            "type": "object", "required": .list(always.map { .string($0) }), "additionalProperties": false,
            "properties": .map(output),
          ]),
        isBuiltin: true),
      verification: verification, body: body)
  }
}

/// One call of a built-in action.
struct BuiltinCall: Sendable {
  var request: ActionRequest
  /// What `mail.select` works with; `nil` for all other actions.
  let sorting: MessageSorting?
  /// Makes summaries; `nil` without a run log.
  let summaries: (any MessageSummaries)?
  let reporter: any ActionReporter
  let surroundings: BuiltinSurroundings

  /// The checked input, with the defaults of its schema.
  var input: Value { request.input }

  /// A text of the input; empty if it is absent.
  func text(_ key: String) -> String { input[key]?.stringValue ?? "" }

  /// A truth value of the input; false if it is absent.
  func flag(_ key: String) -> Bool { input[key]?.boolValue ?? false }

  /// The bytes of a text that is read: as the step says, else as `engine.limits.text` says, else the default of the action.
  func textLimit(_ key: String, default standard: Int, most: Int) -> Int {
    number(key, default: min(surroundings.textLimit ?? standard, most), in: 0...most)
  }

  /// The advice for a text that is too long.
  static func raising(_ key: String) -> LocalizedText {
    LocalizedText(
      "raise '\(key)', or 'engine.limits.text' in sous.yaml",
      de: "'\(key)' erhöhen, oder 'engine.limits.text' in sous.yaml")
  }

  /// A number of the input, within bounds whatever it says.
  func number(_ key: String, default standard: Int, in bounds: ClosedRange<Int>) -> Int {
    guard let number = input[key]?.intValue else { return standard }
    return min(max(Int(clamping: number), bounds.lowerBound), bounds.upperBound)
  }
}
