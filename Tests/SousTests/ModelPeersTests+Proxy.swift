import Expressions
import Foundation
import Testing

/// The plugin for Ollama against a proxy of others, which translates Ollama's form into OpenAI's.
///
/// Where it deviates from what Ollama documents:
/// - A streamed chat has the form of `/api/generate`: `response` (and `tool_calls`) instead of `message`, two last lines
///   with `done`, and no counts of tokens. The plugin takes both forms and stops at the first `done`.
/// - A streamed chat that the backend refuses is status 200 and no line at all; the plugin calls that cut off (`io`). With
///   `options: { stream: false }` the failure itself arrives.
/// - Other failures are `{"detail": "text"}`, with the backend's status but without its `retry-after`; an unknown model
///   is what the backend makes of it, here 400.
/// - `format` may be `"json"` alone, a schema is refused with 400; with `options: { format: json }` the answer is still
///   checked against the schema by the plugin.
/// - `/api/embed` has no `prompt_eval_count`; `/api/tags` has neither sizes nor capabilities.
extension ModelPeersTests {
  /// Runs one step with the proxy, and returns what the run log has of it.
  private func run(_ step: String) throws -> (status: Int32, log: String) {
    let sous = try project()
    defer { sous.remove() }
    try sous.write("ask.yaml", "name: ask\nsteps:\n  - id: answer\n    provider: proxy\n    retry: 1\n" + step)
    let status = try sous("run", "ask.yaml").status
    return (status, try sous("show", "last", "--json").output)
  }

  @Test func streamsThroughAProxy() throws {
    let sous = try project()
    defer { sous.remove() }
    let outcome = try sous("chat", "-p", "proxy", "--json", "Say hello")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try outcome.json["text"] == "Grüezi from the mock, in several words.")
    #expect(try outcome.json["finish_reason"] == "stop")
    // The proxy counts only where it does not stream.
    #expect(try outcome.json["usage"]?["prompt_tokens"] == 0)
    let whole = try run("    uses: chat.complete\n    with: { prompt: Hi, options: { stream: false } }\n")
    #expect(whole.status == 0 && whole.log.contains("Grüezi from the mock, in several words."))
  }

  @Test(arguments: [
    ("mock-limit", "options: { stream: false }", "rate_limited"), ("mock-limit", "options: {}", "io"),
    ("mock-down", "options: { stream: false }", "server"), ("nope", "options: { stream: false }", "invalid_input"),
    ("mock-json", "schema: { type: object, required: [height] }, options: { format: json }", "unsuitable"),
  ])
  func failsThroughAProxy(_ model: String, _ more: String, _ code: String) throws {
    let outcome = try run("    uses: chat.complete\n    with: { prompt: Hi, model: \(model), \(more) }\n")
    #expect(outcome.status == 1)
    #expect(outcome.log.contains("\"\(code)\""), "\(outcome.log)")
  }

  @Test func checksAnAnswerOfAProxy() throws {
    let outcome = try run(
      """
          uses: chat.complete
          with:
            prompt: Where is it warm?
            model: mock-json
            schema: { type: object, required: [city, warm], properties: { city: { type: string } } }
            options: { format: json }
      """)
    #expect(outcome.status == 0, "\(outcome.log)")
    #expect(outcome.log.contains("Zug"))
  }

  @Test func makesVectorsThroughAProxy() throws {
    let outcome = try run("    uses: embed.texts\n    with: { texts: [one] }\n")
    #expect(outcome.status == 0, "\(outcome.log)")
    #expect(outcome.log.contains("0.25"))
    // The mock behind it makes one vector, whatever it is asked.
    #expect(try run("    uses: embed.texts\n    with: { texts: [one, two] }\n").status != 0)
  }
}
