/// The URLs of a monitoring service that learns how the runs of a recipe go, or that the daemon is alive: `ping`.
///
/// A service that expects such requests reports when they stay away (dead man's switch). Each request is a GET.
public struct PingTargets: Sendable, Hashable {
  /// The signals that the service gets.
  public enum Signal: String, Sendable, CaseIterable {
    /// A run begins.
    case start
    /// A run has succeeded, or the daemon is alive.
    case success
    /// A run has failed or needs attention.
    case failure
  }

  /// The URLs; a signal without one is not sent.
  public var urls: [Signal: SecretText]
  /// Whether ``urls`` has one URL for all signals, in the form of healthchecks.io: `/start` and `/fail` behind its path.
  public var isShared = false

  package init(urls: [Signal: SecretText], isShared: Bool = false) {
    (self.urls, self.isShared) = (urls, isShared)
  }

  /// The ending of the URL's path for a signal.
  public func suffix(of signal: Signal) -> String {
    guard isShared else { return "" }
    return switch signal {
    case .start: "/start"
    case .success: ""
    case .failure: "/fail"
    }
  }
}
