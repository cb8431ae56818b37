import Expressions
import Localization

/// Carries out the calls of assistants, with the operations and the rights of the caller.
public struct Assistant: Sendable {
  /// The secret of this process for `requestState`.
  let key: [UInt8]
  /// Seconds since 1970.
  let now: @Sendable () -> Double
  /// Seconds after which a run becomes a task, for clients that know tasks.
  var taskDelay = 1.0

  /// Creates an assistant's side of this process.
  ///
  /// - Parameter now: Seconds since 1970.
  public init(now: @escaping @Sendable () -> Double) {
    self.now = now
    key = (0..<32).map { _ in UInt8.random(in: .min ... .max) }
  }

  /// Carries out a call.
  func perform(
    _ call: AssistantCall, _ operations: any AssistantOperations, _ channel: CallChannel
  ) async -> Result<ValueMap, AssistantError> {
    do {
      return .success(try await result(of: call, operations, channel))
    } catch let required as InputRequired {
      return .success(required.result)
    } catch let error as AssistantError {
      return .failure(error)
    } catch {
      return .failure(channel.refusal ?? Self.stopping)
    }
  }

  /// The error of a call that ended before it had an effect.
  static let stopping = AssistantError(
    .interrupted, .internalError, "the server is stopping; repeat the call",
    de: "der Server hält gerade an; den Aufruf wiederholen")

  private func result(
    of call: AssistantCall, _ operations: any AssistantOperations, _ channel: CallChannel
  ) async throws -> ValueMap {
    switch call.method {
    case "tools/list":
      try Self.requireNoCursor(call)
      let tools = try await ToolList(operations).all()
      return ["tools": .list(tools.map { $0.value(call.version) })]
    case "tools/call": return try await callTool(call, operations, channel)
    case "resources/list": return try await ResourceReader(call, operations).list()
    case "resources/templates/list": return ResourceReader(call, operations).templates
    case "resources/read": return try await ResourceReader(call, operations).read()
    case "subscriptions/listen": return try await Subscription(call, operations).listen(channel)
    case "tasks/get": return try await RunTask(call, operations).show()
    case "tasks/update": return try await RunTask(call, operations).update()
    case "tasks/cancel": return try await RunTask(call, operations).cancel()
    case "tasks/result": return try await RunTask(call, operations).result(channel, self)
    default:
      throw AssistantError(
        .unknownMethod, .unknownMethod, "no method '\(call.method)'", de: "keine Methode '\(call.method)'")
    }
  }

  private func callTool(
    _ call: AssistantCall, _ operations: any AssistantOperations, _ channel: CallChannel
  ) async throws -> ValueMap {
    let name = try call.text("name")
    guard let tool = try await ToolList(operations).tool(name) else {
      throw AssistantError(
        .unknownTool, .invalidParameters, "no tool '\(name)', or you may not use it; tools/list shows the tools",
        de: "kein Werkzeug '\(name)', oder es ist nicht erlaubt; tools/list zeigt die Werkzeuge")
    }
    var toolCall = ToolCall(call, tool, operations, channel, self)
    return try await toolCall.result()
  }

  private static func requireNoCursor(_ call: AssistantCall) throws(AssistantError) {
    guard call.params["cursor"]?.stringValue == nil else {
      throw .invalidParameters("the list has one page only", de: "die Liste hat nur eine Seite")
    }
  }
}

/// The end of a round of a call without a handshake: the client asks a person and repeats the call.
struct InputRequired: Error {
  /// The name of the question.
  let key: String
  /// The parameters of `elicitation/create`.
  let question: ValueMap
  /// The data that the repetition needs.
  let state: String

  /// The result of the call.
  var result: ValueMap {
    [
      "resultType": "input_required",
      "inputRequests": [key: ["method": "elicitation/create", "params": .map(question)]],
      "requestState": .string(state),
    ]
  }
}
