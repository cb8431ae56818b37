/// How the providers of a step are chosen from their list.
public struct RoutingSettings: Sendable, Hashable {
  /// Where the work has to be done.
  public enum Locality: String, Sendable, CaseIterable {
    /// On this machine, or one of the private network.
    case required
  }

  /// Who is asked first.
  public enum Preference: String, Sendable, CaseIterable {
    /// Whoever stands first.
    case listed
    /// Whoever costs least.
    case cheapest
  }

  /// Where the work has to be done; `nil` for anywhere.
  public var locality: Locality?
  /// Who is asked first; `nil` for the order of the list.
  public var preference: Preference?

  /// Creates settings that leave everything open.
  public init() {}

  /// What these settings leave open is as in the others.
  package func falling(back other: RoutingSettings) -> RoutingSettings {
    var result = self
    result.locality = locality ?? other.locality
    result.preference = preference ?? other.preference
    return result
  }

  /// The contracts that a recipe's settings are for; those of a step are for whatever it does.
  package static let contracts: Set<String> = ["chat", "embed", "transcribe", "speak"]
}
