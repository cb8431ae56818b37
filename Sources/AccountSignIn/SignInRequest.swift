public import UseCases

/// What somebody wants to sign in to.
public struct SignInRequest: Sendable {
  /// An account of `sous.yaml`, or a service: `google`, `microsoft`, `custom`.
  public var target: String
  /// The account's name where the target is a service.
  public var account: String?
  /// The address that must be signed in to; this and what follows goes before what `sous.yaml` says.
  public var address: String?
  /// The client's id.
  public var clientID: String?
  /// The name of the secret that holds the client's secret.
  public var clientSecretName: String?
  /// The scopes to ask for.
  public var scopes: [String]?
  /// The issuer whose endpoints are looked up.
  public var issuer: String?
  /// Endpoints, by their names in RFC 8414.
  public var endpoints: [String: String] = [:]
  /// Whether a code is typed in on another device.
  public var usesDevice = false
  /// The seconds in which a person must have finished.
  public var patience: Int64 = 300
  /// How a new vault is locked.
  public var newVault = NewLock.keyFile

  /// Creates a request.
  public init(_ target: String) { self.target = target }
}
