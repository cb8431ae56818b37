/// Who is told that runs fail and work again, and when: `engine.on_failure` in `sous.yaml`, `notify` in a recipe.
public struct FailurePolicy: Sendable, Hashable {
  /// Whether anything is told.
  public var isOn = true
  /// Whether the first failure of a recipe is told.
  public var first = true
  /// Which of the failures one after another are told: every so many; `nil` for none beside the first.
  public var every: Int?
  /// Whether it is told that a recipe works again.
  public var recovery = true
  /// Seconds for which what there is to tell is gathered into one message; `nil` where each is told at once.
  public var digest: Double?
  /// The providers of `notify`, a fallback order; `nil` for the default one.
  public var providers: [String]?
  /// The addresses that get it by mail.
  public var mail: [String] = []

  /// Creates the policy that holds where nobody says otherwise: the first failure and the recovery.
  public init() {}
}
