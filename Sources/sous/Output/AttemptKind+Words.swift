import Engine

extension AttemptKind {
  /// The name of the provider, or a word for what answers in its place.
  var spoken: String {
    switch self {
    case .carried: say("earlier", de: "früher")
    case .recipe: say("recipe", de: "Rezept")
    case .cache: say("cache", de: "Cache")
    case .replay: say("replay", de: "Replay")
    case .provider, .repair, .builtin: label
    }
  }
}

extension StepRecord {
  /// The providers that were tried, in order of first use, and words for what answered in the place of one.
  var spokenProviders: [String] {
    let words = Dictionary(attempts.map { ($0.kind.label, $0.kind.spoken) }) { first, _ in first }
    return providers.map { words[$0] ?? $0 }
  }
}
