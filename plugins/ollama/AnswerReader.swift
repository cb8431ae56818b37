import ModelWire
import PluginKit

/// Reads the answer of `/api/chat` or `/api/generate`: a line of JSON for each piece, or one object.
struct AnswerReader: Sendable {
  /// The longest line, in bytes.
  static let maximumLine = 16 << 20

  let service: ModelService
  let model: String
  let context: ActionContext

  /// Reads an answer to its end, and hands its pieces over as they come.
  ///
  /// - Throws: `io` where it ends without `done`, `server` for an error in the middle, `protocol` for what is no JSON.
  func read(_ response: HTTPResponse) async throws(ActionError) -> ChatAnswer {
    var answer = ChatAnswer()
    var isDone = false
    if response.headers["content-type"]?.lowercased().hasPrefix("application/json") ?? false {
      isDone = try take(try await service.json(response, model: model), into: &answer)
    } else {
      var lines = response.body.lines(limit: Self.maximumLine).makeAsyncIterator()
      while !isDone, let line = try await lines.next() {
        if line.allSatisfy(\.isWhitespace) { continue }
        let value = try piece(line)
        if let failure = ServiceFailure(inStream: value) {
          throw service.error(failure, headers: response.headers, model: model, now: context.clock)
        }
        isDone = try take(value, into: &answer)
      }
    }
    guard isDone else {
      throw ActionError(
        .io, "\(service.host) ended the answer before it was complete.",
        german: "\(service.host) beendete die Antwort, bevor sie vollständig war.")
    }
    return answer
  }

  private func piece(_ line: String) throws(ActionError) -> JSONValue {
    do throws(ActionError) {
      return try JSONValue(json: Array(line.utf8))
    } catch {
      throw ActionError(
        .protocol, "\(service.host) sent a line that is no JSON: \(error.message)",
        german: "\(service.host) schickte eine Zeile, die kein JSON ist: \(error.messageGerman ?? error.message)",
        advice: "Check that 'base_url' is that of an Ollama server.",
        adviceGerman: "Prüfen, ob 'base_url' die eines Ollama-Servers ist.")
    }
  }

  /// Takes what a piece adds; says whether it was the last.
  private func take(_ value: JSONValue, into answer: inout ChatAnswer) throws(ActionError) -> Bool {
    if let model = value["model"]?.string, !model.isEmpty { answer.model = model }
    let message = value["message"]
    let text = message?["content"]?.string ?? value["response"]?.string ?? ""
    let reasoning = message?["thinking"]?.string ?? value["thinking"]?.string ?? ""
    // Proxies that stream a chat in the form of /api/generate leave the message out.
    for call in (message?["tool_calls"] ?? value["tool_calls"])?.array ?? [] { try answer.toolCalls.add(call) }
    answer.text += text
    answer.reasoning += reasoning
    try context.hand(text: text, reasoning: reasoning)
    guard value["done"] == true else { return false }
    answer.finishReason = value["done_reason"]?.string
    answer.usage.prompt = TokenUsage.count(value["prompt_eval_count"]) ?? 0
    answer.usage.completion = TokenUsage.count(value["eval_count"]) ?? 0
    return true
  }
}
