import Plans

/// What answers an attempt.
public enum AttemptKind: Sendable, Hashable {
  /// A provider, by its configured name, with a model where a list of providers names one: the text of a
  /// ``Plans/ProviderRoute``.
  case provider(String)
  /// A provider again, by its configured name, with its answer and what is wrong with it: the answer did not suit the
  /// recipe's schema.
  case repair(String)
  /// An action of Sous itself.
  case builtin
  /// A run of another recipe; the attempt's key is that run's name.
  case recipe
  /// A kept result of an earlier call.
  case cache
  /// A recorded result of the run that is replayed.
  case replay
  /// Nothing: it stands for the attempts of the run that this one repeats, whose idempotency key stays in use.
  case carried

  /// The kind as the run log spells it; the same for all providers.
  public var name: String {
    switch self {
    case .provider: "provider"
    case .repair: "repair"
    case .builtin: "builtin"
    case .recipe: "recipe"
    case .cache: "cache"
    case .replay: "replay"
    case .carried: "carried"
    }
  }

  /// What people see: the provider's name, or a word for what stands in its place.
  public var label: String {
    switch self {
    case .provider(let name), .repair(let name): name
    case .carried: "earlier"
    case .builtin, .recipe, .cache, .replay: name
    }
  }

  /// The provider's configured name; `nil` where no provider is asked.
  public var provider: String? { route.map { ProviderRoute($0).provider } }

  /// The provider with its model, as the text of a ``Plans/ProviderRoute``; `nil` where no provider is asked.
  public var route: String? {
    switch self {
    case .provider(let route), .repair(let route): route
    default: nil
    }
  }

  /// Whether it asks for a better answer to the same.
  public var isRepair: Bool { if case .repair = self { true } else { false } }

  /// The same provider, asked for the first time.
  var plain: AttemptKind { if case .repair(let name) = self { .provider(name) } else { self } }

  /// The same provider, to repair its answer.
  var repairing: AttemptKind { if case .provider(let name) = self { .repair(name) } else { self } }

  /// Reads a kind from the run log; `nil` for a name that is not known.
  ///
  /// - Parameters:
  ///   - name: What ``name`` gives.
  ///   - label: What ``label`` gives.
  public init?(name: String, label: String) {
    switch name {
    case "provider": self = .provider(label)
    case "repair": self = .repair(label)
    case "builtin": self = .builtin
    case "recipe": self = .recipe
    case "cache": self = .cache
    case "replay": self = .replay
    case "carried": self = .carried
    default: return nil
    }
  }
}
