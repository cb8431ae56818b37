public import PluginKit

/// Reads the answer to `POST /chat/completions`: a stream of chunks, or one object where the server does not stream.
public struct CompletionReader: Sendable {
  /// The longest line and the largest event of a stream, in bytes.
  public static let maximumEvent = 16 << 20

  private let service: ModelService
  private let model: String
  private let context: ActionContext

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - service: The service that answers, for messages.
  ///   - model: The model that was asked for.
  ///   - context: The call; gets the deltas.
  public init(service: ModelService, model: String, context: ActionContext) {
    self.service = service
    self.model = model
    self.context = context
  }

  /// Reads an answer to its end, and hands its pieces over as they come.
  ///
  /// A stream is complete with `[DONE]`, or with a finish reason where the server leaves the mark out.
  ///
  /// - Throws: `io` where a stream ends before that, the service's own failure, `protocol` for an answer without any
  ///   choice.
  public func read(_ response: HTTPResponse) async throws(ActionError) -> ChatAnswer {
    let type = response.headers["content-type"]?.lowercased() ?? ""
    var start: [UInt8] = []
    if !type.contains("event-stream"), !type.isEmpty {
      // Some servers and proxies call a stream `text/plain` or worse: so the first bytes decide.
      var pieces = response.body.makeAsyncIterator()
      while start.count < 8, let piece = try await pieces.next() { start += piece }
      guard Self.beginsStream(start) else { return try await whole(response, after: start) }
    }
    var answer = ChatAnswer()
    var (hasChoice, isDone) = (false, false)
    var events = response.body.serverSentEvents(after: start, limit: Self.maximumEvent).makeAsyncIterator()
    while !isDone, let event = try await events.next() {
      let data = event.data
      if data.isEmpty { continue }
      if data == "[DONE]" {
        isDone = true
        continue
      }
      let chunk = try chunk(data)
      if let failure = ServiceFailure(inStream: chunk) {
        throw service.error(failure, headers: response.headers, model: model, now: context.clock)
      }
      hasChoice = try take(chunk, part: "delta", into: &answer) || hasChoice
    }
    guard isDone || answer.finishReason != nil else {
      throw ActionError(
        .io, "\(service.host) ended the stream before the answer was complete.",
        german: "\(service.host) beendete den Strom, bevor die Antwort vollständig war.")
    }
    guard hasChoice else { throw nothing }
    return try checked(answer)
  }

  /// Whether bytes begin an event stream: with a field's name, or with a comment.
  private static func beginsStream(_ bytes: [UInt8]) -> Bool {
    let text = bytes.drop { $0 == 0x0A || $0 == 0x0D || $0 == 0x20 }
    return ["data:", "event:", "id:", "retry:", ":"].contains { text.starts(with: $0.utf8) }
  }

  private func whole(_ response: HTTPResponse, after start: [UInt8]) async throws(ActionError) -> ChatAnswer {
    var answer = ChatAnswer()
    let value = try await service.json(response, after: start, model: model)
    guard try take(value, part: "message", into: &answer) else { throw nothing }
    return try checked(answer)
  }

  private var nothing: ActionError {
    ActionError(
      .protocol, "\(service.host) sent an answer without any choice.",
      german: "\(service.host) schickte eine Antwort ohne jede Auswahl ('choices').")
  }

  /// An answer that the service itself gives up on is a failure, not an answer.
  private func checked(_ answer: ChatAnswer) throws(ActionError) -> ChatAnswer {
    guard answer.finishReason != "error" else {
      throw ActionError(
        .server, "\(service.host) gave the answer of the model '\(model)' up.",
        german: "\(service.host) gab die Antwort des Modells '\(model)' auf."
      ).paid(answer.usage)
    }
    return answer
  }

  private func chunk(_ data: String) throws(ActionError) -> JSONValue {
    do throws(ActionError) {
      return try JSONValue(json: Array(data.utf8))
    } catch {
      throw ActionError(
        .protocol, "\(service.host) sent an event that is not JSON: \(error.message)",
        german: "\(service.host) schickte ein Ereignis, das kein JSON ist: \(error.messageGerman ?? error.message)")
    }
  }

  /// Takes what a chunk or a whole answer adds; says whether it had the first choice.
  private func take(_ value: JSONValue, part: String, into answer: inout ChatAnswer) throws(ActionError) -> Bool {
    if let model = value["model"]?.string, !model.isEmpty { answer.model = model }
    if let usage = TokenUsage(openAI: value["usage"]) { answer.usage = usage }
    // Only the first choice is wanted; with `n` in the options there are others.
    guard let choice = value["choices"]?.array?.first(where: { ($0["index"]?.integer ?? 0) == 0 }) else { return false }
    if let reason = choice["finish_reason"]?.string { answer.finishReason = reason }
    guard let message = choice[part] ?? choice["delta"] ?? choice["message"] else { return true }
    try take(message, isWhole: part == "message", into: &answer)
    return true
  }

  private func take(_ message: JSONValue, isWhole: Bool, into answer: inout ChatAnswer) throws(ActionError) {
    let (text, thought) = Self.words(message["content"])
    // Not of OpenAI: how DeepSeek, vLLM and OpenRouter call it.
    let reasoning = thought + (message["reasoning_content"]?.string ?? message["reasoning"]?.string ?? "")
    if let refusal = message["refusal"]?.string { answer.refusal += refusal }
    for call in message["tool_calls"]?.array ?? [] { try answer.toolCalls.add(call, isWhole: isWhole) }
    answer.text += text
    answer.reasoning += reasoning
    try context.hand(text: text, reasoning: reasoning)
  }

  /// The words and thoughts of `content`: text, `null`, or Mistral's list of chunks.
  private static func words(_ content: JSONValue?) -> (text: String, reasoning: String) {
    switch content {
    case .string(let text): return (text, "")
    case .array(let chunks):
      var (text, reasoning) = ("", "")
      for chunk in chunks {
        switch chunk["type"]?.string {
        case "thinking":
          reasoning += chunk["thinking"]?.string ?? words(chunk["thinking"]).text
        case "text", nil: text += chunk["text"]?.string ?? chunk.string ?? ""
        default: break
        }
      }
      return (text, reasoning)
    default: return ("", "")
    }
  }
}

extension ActionContext {
  /// Hands the next piece of an answer over, if there is one.
  public func hand(text: String, reasoning: String) throws(ActionError) {
    guard !text.isEmpty || !reasoning.isEmpty else { return }
    var piece: JSONObject = [:]
    if !text.isEmpty { piece["text"] = .string(text) }
    if !reasoning.isEmpty { piece["reasoning"] = .string(reasoning) }
    do {
      try delta(JSONValue.object(piece))
    } catch let error as ActionError {
      throw error
    } catch {
      throw ActionError(.protocol, "The delta cannot be encoded.", german: "Das Delta lässt sich nicht kodieren.")
    }
  }

  /// Whether pieces of an answer are wanted.
  public var wantsDeltas: Bool { plugin.offers("sous.delta/1") }
}
