import Engine
import Plans

/// The calls of providers that this process makes, counted from the journals of its runs.
struct ProviderCalls {
  /// The most providers, and models, that are counted one by one; the others count as `other`.
  private static let mostNames = 200
  /// The most runs whose open attempts are known.
  private static let mostRuns = 10_000

  private struct Unit: Hashable {
    var step: Int
    var item: Int?
    var number: Int
  }

  private struct Outcome: Hashable {
    var provider: String
    var isSuccess: Bool
  }

  private struct Used: Hashable {
    var provider: String
    var model: String
    var kind: String
  }

  private var open: [RunID: [Unit: String]] = [:]
  private var calls: [Outcome: UInt64] = [:]
  private var durations: [String: DurationHistogram] = [:]
  private var tokens: [Used: UInt64] = [:]

  /// Counts an entry of a run's journal.
  mutating func observe(_ run: RunID, _ entry: JournalEntry) {
    switch entry {
    case .attemptStarted(let start):
      guard let provider = start.kind.provider else { return }
      if open.count >= Self.mostRuns { open = [:] }
      open[start.run, default: [:]][Unit(step: start.step, item: start.item, number: start.number)] = provider
    case .attemptFinished(let end):
      let unit = Unit(step: end.step, item: end.item, number: end.number)
      if let provider = open[end.run]?.removeValue(forKey: unit) {
        add(provider, isSuccess: end.failure == nil, seconds: end.duration)
        for usage in end.usage { add(usage, of: provider) }
      }
    case .runFinished(let end): open[end.run] = nil
    case .runParked(let run, _, _, _, _): open[run] = nil
    default: break
    }
  }

  private mutating func add(_ name: String, isSuccess: Bool, seconds: Double) {
    let provider = durations[name] == nil && durations.count >= Self.mostNames ? "other" : name
    calls[Outcome(provider: provider, isSuccess: isSuccess), default: 0] += 1
    durations[provider, default: DurationHistogram([0.05, 0.2, 1, 5, 20, 60, 300])].add(max(0, seconds))
  }

  private mutating func add(_ usage: CallUsage, of provider: String) {
    for (kind, count) in [("input", usage.tokens.prompt), ("output", usage.tokens.completion)] where count > 0 {
      var key = Used(provider: provider, model: usage.model ?? "", kind: kind)
      if tokens[key] == nil, tokens.count >= Self.mostNames * 2 { (key.provider, key.model) = ("other", "other") }
      tokens[key, default: 0] += UInt64(count)
    }
  }

  /// Adds its metrics.
  func write(to text: inout PrometheusText) {
    text.metric("sous_provider_calls_total", .counter, "Calls of providers by this process.")
    for (key, count) in calls.sorted(by: {
      ($0.key.provider, $0.key.isSuccess ? 0 : 1) < ($1.key.provider, $1.key.isSuccess ? 0 : 1)
    }) {
      text.sample(
        "sous_provider_calls_total",
        [("provider", key.provider), ("outcome", key.isSuccess ? "succeeded" : "failed")], Double(count))
    }
    text.metric("sous_provider_call_duration_seconds", .histogram, "Time of a call of a provider.")
    for (provider, histogram) in durations.sorted(by: { $0.key < $1.key }) {
      histogram.write("sous_provider_call_duration_seconds", [("provider", provider)], to: &text)
    }
    text.metric("sous_model_tokens_total", .counter, "Tokens of language models that this process has used.")
    for (key, count) in tokens.sorted(by: {
      ($0.key.provider, $0.key.model, $0.key.kind) < ($1.key.provider, $1.key.model, $1.key.kind)
    }) {
      text.sample(
        "sous_model_tokens_total", [("provider", key.provider), ("model", key.model), ("kind", key.kind)],
        Double(count))
    }
  }
}
