import Engine
import Neutralisation
import Recipes
import Synchronization

/// The plans whose runs hold personal data, by their fingerprints: what such a run is given and gives is sealed before it is
/// written down.
final class PrivatePlans: Sendable {
  private let fingerprints = Mutex<Set<String>>([])

  /// Whether there is any.
  var isEmpty: Bool { fingerprints.withLock(\.isEmpty) }

  /// Whether a plan is one of them.
  func contains(_ fingerprint: String) -> Bool { fingerprints.withLock { $0.contains(fingerprint) } }

  /// Remembers a plan and those that its steps run, where they are private.
  func note(_ plan: Plan, _ configuration: Configuration) {
    for child in plan.steps.compactMap(\.child) { note(child, configuration) }
    if plan.isPrivate(configuration) { fingerprints.withLock { _ = $0.insert(plan.fingerprint) } }
  }
}

extension Plan {
  /// Whether its runs hold personal data: it neutralises texts, resolves them, or asks a provider that gets neutral texts
  /// only, or runs a recipe that does.
  func isPrivate(_ configuration: Configuration) -> Bool {
    steps.contains { step in
      ["text.neutralise", "text.resolve"].contains(step.action.name)
        || step.providers.contains { configuration.provider(ProviderRoute($0).provider)?.neutralise != nil }
        || ["mail.summary", "mail.summaries"].contains(step.action.name)
          && configuration.providers.contains { $0.neutralise != nil }
        || step.child?.isPrivate(configuration) ?? false
    }
  }
}
