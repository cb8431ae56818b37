/// One thing a plugin can do, with typed input and output.
public struct Action<Owner: Plugin, Input: Decodable & Sendable, Output: Encodable & Sendable>: Sendable {
  /// The function of an action: works with the plugin and an input, under a context, and returns an output.
  public typealias Body<Result> = @Sendable (Owner, Input, ActionContext) async throws -> Result

  let name: String
  let effect: Effect
  let isCostly: Bool
  let isBlocking: Bool
  let tasks: [String]?
  let native: [String]
  let summary: String
  let summaryGerman: String?
  let inputSchema: JSONSchema?
  let outputSchema: JSONSchema?
  let body: Body<Output>
  var verification: Body<Verification<Output>>?

  /// Declares an action.
  ///
  /// - Parameters:
  ///   - name: `CONTRACT.ACTION` for an action of a published contract, `PLUGIN.ACTION` for one of this plugin's own.
  ///   - effect: The effect of a repetition.
  ///   - isCostly: Whether a result is worth money or much time, so that it is kept at once.
  ///   - tasks: The values of the input's `task` that it carries out, where it cannot carry out every one: a step with
  ///     another one, or without, is refused before its run begins. Only for `chat.complete`.
  ///   - native: The parts of the input that it hands to its service in a form of the service's own: `schema` of
  ///     `chat.complete`. A schema that is not among them never comes: Sous asks for it in words instead. Sous checks the
  ///     answer in any case, and gives its properties out.
  ///   - summary: Its purpose, in one English sentence.
  ///   - summaryGerman: The summary in German.
  ///   - input: The type of the input.
  ///   - output: The type of the output; it encodes to a JSON object.
  ///   - inputSchema: The shape of the input. `nil` if the contract defines it; for an action of this plugin's own
  ///     it then follows from the type, as ``JSONSchema/of(_:_:)`` describes.
  ///   - outputSchema: The shape of the output, as that of the input; from a type that also decodes.
  ///   - isBlocking: Whether the body blocks its thread: works with files, or computes for more than a few milliseconds
  ///     without an `await`. It then runs on a thread of the plugin's. Otherwise it begins on the thread of the host that
  ///     calls, which saves the way to another one, and must not hold that up.
  ///   - body: Carries the action out. May run several times at once. When its task is cancelled it should end soon.
  ///     An error it throws fails the call; throw ``ActionError`` to say of what kind it is.
  public init(
    _ name: String, effect: Effect, costly isCostly: Bool = false, tasks: [String]? = nil,
    native: [String] = [], summary: String,
    summaryGerman: String? = nil, input: Input.Type = Input.self, output: Output.Type = Output.self,
    inputSchema: JSONSchema? = nil,
    outputSchema: JSONSchema? = nil, blocking isBlocking: Bool = false, body: @escaping Body<Output>
  ) {
    self.name = name
    self.effect = effect
    self.isCostly = isCostly
    self.isBlocking = isBlocking
    self.tasks = tasks
    self.native = native
    self.summary = summary
    self.summaryGerman = summaryGerman
    self.inputSchema = inputSchema
    self.outputSchema = outputSchema
    self.body = body
  }

  /// Adds a way to find out whether an earlier attempt, whose answer was lost, took effect.
  ///
  /// Matters for actions with the effect ``Effect/once``: without it a run that was interrupted at this action stops and
  /// asks a person. ``ActionContext/key`` is that of the earlier attempt.
  public func verifying(_ verification: @escaping Body<Verification<Output>>) -> Action {
    var action = self
    action.verification = verification
    return action
  }
}

/// The outcome of an attempt whose answer was lost.
public enum Verification<Output: Encodable & Sendable>: Sendable {
  /// It took effect; this is what it would have answered.
  case done(Output)
  /// It took no effect and may be repeated.
  case notDone
  /// The outcome is unknown.
  case unknown

  var json: [UInt8] {
    get throws {
      switch self {
      case .done(let output):
        Array(#"{"verdict":"done","output":"#.utf8) + (try JSONCoding.encode(output)) + Array("}".utf8)
      case .notDone: Array(#"{"verdict":"not_done"}"#.utf8)
      case .unknown: Array(#"{"verdict":"unknown"}"#.utf8)
      }
    }
  }
}
