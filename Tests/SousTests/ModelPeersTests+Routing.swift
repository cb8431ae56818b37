import Expressions
import Foundation
import Testing

extension ModelPeersTests {
  /// Three prompts with fallback lists: the first server is killed between two prompts, another one in the middle of its
  /// answer. Programs of the recipe do it, so that it happens when it is to happen.
  @Test func aChainOutlivesItsServers() throws {
    var sous = try SousProcess()
    defer { sous.remove() }
    let litellm = try ModelPeer.litellm.get().address
    let (early, late) = (try ModelPeer.startProxy(), try ModelPeer.startProxy())
    let port = try #require(URL(string: early.address)?.port)
    sous.environment["LOOPBACK_KEY"] = "sk-loopback-master"
    try sous.write(
      "sous.yaml",
      """
      providers:
        early: { plugin: ollama, base_url: "\(early.address)", model: mock-chat }
        late: { plugin: ollama, base_url: "\(late.address)", model: mock-long }
        gpt: { plugin: openai, base_url: "\(litellm)/v1", model: mock-json, api_key: { secret: LOOPBACK_KEY }, local: false }
      engine: { prices: { gpt/mock: { input: 1000, output: 2000 } } }
      """)
    try sous.write(
      "chain.yaml",
      """
      name: chain
      retry: { attempts: 2, backoff: 10ms }
      steps:
        - { id: one, uses: chat.complete, provider: [early, gpt], with: { prompt: One } }
        - id: kill_early
          uses: exec
          with:
            command:
              - bash
              - -c
              - kill -9 \(early.process); while (exec 3<>/dev/tcp/127.0.0.1/\(port)) 2>/dev/null; do sleep 0.02; done
        - id: two
          uses: chat.complete
          provider: [early, { provider: gpt, model: mock-chat }]
          with: { prompt: Two, input: "{{ steps.one.output.text }}" }
        - id: kill_late
          needs: [two]
          uses: exec
          with:
            command:
              - sh
              - -c
              - >-
                start=$(awk '/wchar/ { print $2 }' /proc/\(late.process)/io);
                while [ "$(awk '/wchar/ { print $2 }' /proc/\(late.process)/io)" -lt $((start + 30000)) ]; do sleep 0.02; done;
                kill -9 \(late.process)
        - id: three
          needs: [two]
          uses: chat.complete
          provider: [late, gpt]
          with: { prompt: Three, input: "{{ steps.two.output.text }}" }
      """)
    let outcome = try sous("run", "chain.yaml")
    #expect(outcome.status == 0, "\(outcome.output) \(outcome.errors)")
    let run = try sous("show", "last", "--json").json
    let calls = run["calls"]?.listValue ?? []
    func field(_ name: String) -> [Value?] { calls.map { $0[name] } }
    #expect(field("step") == ["one", "two", "two", "three", "three"])
    #expect(field("provider") == ["early", "early", "gpt", "late", "gpt"])
    #expect(field("state") == ["unknown", "failed", "answered", "unknown", "answered"])
    #expect(field("failure")[1] == "refused" && field("failure")[3] == "io")
    #expect(calls[2]["model"]?.stringValue?.contains("mock-chat") == true)
    #expect(calls[4]["model"]?.stringValue?.contains("mock-json") == true)
    // This proxy counts no tokens, so what its first answer has used is not known either.
    // What was read before the server died has come in pieces.
    #expect(calls[3]["first_token_ms"]?.doubleValue != nil)
    let answers = run["steps"]?.listValue ?? []
    let counted = answers.compactMap { $0["output"]?["usage"] }
    func sum(_ name: String, _ values: [Value]) -> Double { values.reduce(0) { $0 + ($1[name]?.doubleValue ?? 0) } }
    let total = try sous("usage", "--run", "last", "--json").json["total"]
    for name in ["prompt_tokens", "completion_tokens"] {
      #expect(sum(name, counted) > 0 && total?[name]?.doubleValue == sum(name, counted), "\(name)")
    }
    #expect(total?["unknown"] == 2 && total?["failed"] == 1)
    let paid = calls.filter { $0["provider"] == "gpt" }
    let price = (sum("prompt_tokens", paid) * 1000 + sum("completion_tokens", paid) * 2000) / 1_000_000
    #expect(abs((total?["cost"]?.doubleValue ?? 0) - price) < 1e-6)
  }
}
