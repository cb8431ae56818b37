public import Engine
public import Localization
public import Networking
import Plans

/// The permitted targets of the HTTP actions, with their credentials.
public struct HTTPAccess: Sendable {
  /// Gets a secret by its name; the failure if it is not available.
  public typealias NamedSecret = @Sendable (String) throws(ActionFailure) -> String

  /// A secret that requests to a host carry, over TLS or to this machine only.
  public struct Credential: Sendable {
    /// The failure if a secret is not available.
    public typealias Read = @Sendable () throws(ActionFailure) -> String

    let host: String
    let header: String
    let secret: Read
    let value: @Sendable (String) -> String

    /// Creates a credential.
    ///
    /// - Parameters:
    ///   - host: The host, as an ``Network/EgressPolicy`` reads it.
    ///   - header: The name of the header.
    ///   - secret: Gets the secret; may block for seconds.
    ///   - value: Makes the header's value of it.
    public init(
      host: String, header: String, secret: @escaping Read, value: @escaping @Sendable (String) -> String = { $0 }
    ) {
      self.host = host
      self.header = header
      self.secret = secret
      self.value = value
    }
  }

  /// Hosts as they are written; those with a `*` represent public hosts only.
  let hosts: [String]
  let credentials: [Credential]
  /// Hosts that the configuration names and the user has not allowed, as they are written.
  let withheld: [String]
  private let refusal: LocalizedText?
  let tls: TLSOptions
  let network: NetworkService

  /// Creates access.
  ///
  /// - Parameters:
  ///   - hosts: The hosts that may be reached: names, addresses, networks, URLs, `*.example.com` and `*`.
  ///   - credentials: The secrets that requests carry; the first that is for a host counts.
  ///   - withheld: Hosts that the configuration names and the user has not allowed.
  ///   - refusal: Why they are not reached.
  ///   - tls: Whom connections trust.
  ///   - network: The network, which makes nothing before it is used.
  public init(
    hosts: [String] = [], credentials: [Credential] = [], withheld: [String] = [], refusal: LocalizedText? = nil,
    tls: TLSOptions = TLSOptions(), network: NetworkService = NetworkService()
  ) {
    self.withheld = withheld
    self.refusal = refusal
    self.hosts = hosts
    self.credentials = credentials
    self.tls = tls
    self.network = network
  }

  /// The permitted targets.
  ///
  /// - Throws: ``Engine/ActionFailure`` of kind `auth` where the configuration names something that is not a host.
  func policy() throws(ActionFailure) -> EgressPolicy { try Self.policy(hosts) }

  /// Makes sure that a URL is not one of a host that the user has not allowed.
  ///
  /// - Throws: ``Engine/ActionFailure`` of kind `auth` with the reason.
  func admit(_ url: String) throws(ActionFailure) {
    guard let refusal, try Self.policy(withheld).allows(url), try !policy().allows(url) else { return }
    throw ActionFailure(.auth, refusal)
  }

  private static func policy(_ hosts: [String]) throws(ActionFailure) -> EgressPolicy {
    do {
      return try EgressPolicy(
        declared: hosts.filter { $0.hasPrefix("*") }, configured: hosts.filter { !$0.hasPrefix("*") },
        provider: "http")
    } catch {
      throw ActionFailure(
        .auth, LocalizedText(verbatim: "sous.yaml, http.hosts: ") + error.message)
    }
  }

  /// The refusal of a request for a URL, as far as known without network access; `nil` if it is permitted.
  public func refusal(of url: String) -> LocalizedText? {
    let refusal: ActionFailure
    do {
      guard let error = try policy().refusal(of: url) else { return nil }
      refusal = HTTPCall.failure(error, host: url, effect: .read)
    } catch {
      refusal = error
    }
    return refusal.message + (refusal.advice.map { LocalizedText(verbatim: "; ") + $0 } ?? LocalizedText(verbatim: ""))
  }

  /// The credential of a URL; `nil` if none is configured, or the way there can be listened to.
  func credential(for url: String) -> Credential? {
    guard Self.isPrivate(url) else { return nil }
    return credentials.first { Self.names([$0.host], url) }
  }

  /// Whether no third party can read a request on its way: it uses TLS, or stays on this machine.
  static func isPrivate(_ url: String) -> Bool {
    url.lowercased().hasPrefix("https:") || names(["localhost", "127.0.0.1", "[::1]"], url)
  }

  private static func names(_ hosts: [String], _ url: String) -> Bool {
    (try? EgressPolicy(declared: [], configured: hosts))?.allows(url) ?? false
  }
}
