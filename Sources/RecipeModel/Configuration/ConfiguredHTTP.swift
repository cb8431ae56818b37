/// What `sous.yaml` says about the actions of HTTP.
public struct ConfiguredHTTP: Sendable {
  /// A secret that requests to a host carry.
  public struct Credential: Sendable {
    /// What the secret is.
    public enum Form: Sendable, Hashable {
      /// A token: `Authorization: Bearer …`.
      case bearer
      /// The password of a user: `Authorization: Basic …`.
      case basic(user: String)
      /// The value of a header.
      case header(String)
    }

    /// The host, as it is written.
    public var host: Located<String>
    /// What the secret is.
    public var form: Form
    /// The secret.
    public var secret: SecretReference
  }

  /// The hosts that may be reached, as they are written; empty for none.
  public var hosts: [Located<String>] = []
  /// The secrets that requests carry.
  public var credentials: [Credential] = []
  /// Whom connections trust.
  public var trust = ConfiguredProvider.Trust()

  /// Creates the settings of a file that says nothing: no host may be reached.
  public init() {}
}
