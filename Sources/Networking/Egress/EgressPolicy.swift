import Localization

/// Where connections may go, and where not.
///
/// A host of the manifest ("declared") must have a public address. One that the user configured may be private or
/// loopback too. Link-local and metadata addresses, multicast and the like are reached only where the user configured
/// exactly that address. The policy is asked twice: for the host before a name is looked up, and for each address before
/// it is connected to, so that no answer of a name service leads past it.
public struct EgressPolicy: Sendable, Hashable {
  private let declared: [EgressRule]
  private let configured: [EgressRule]
  private let provider: String?
  private var isOffline = false

  /// Creates a policy from hosts as they are written.
  ///
  /// - Parameters:
  ///   - declared: Hosts from the manifest: `api.example.com`, `*.example.com` for all below, `*` for all; each with
  ///     `:port` as wanted.
  ///   - configured: Hosts from `sous.yaml`: the same, and IP addresses, networks (`10.0.0.0/8`), and URLs, which represent
  ///     their host and port. A network opens addresses, also those of hosts that are named elsewhere; it opens no names.
  ///   - provider: The provider's name in `sous.yaml`, for messages.
  /// - Throws: ``NetworkError`` with the code ``NetworkError/Code/hostInvalid`` or ``NetworkError/Code/urlInvalid``,
  ///   naming what cannot be read.
  public init(declared: [String], configured: [String], provider: String? = nil) throws(NetworkError) {
    var rules: [EgressRule] = []
    for text in declared { rules.append(try EgressRule(parsing: text)) }
    self.declared = rules
    rules = []
    for text in configured { rules.append(try EgressRule(parsingConfigured: text)) }
    self.configured = rules
    self.provider = provider
  }

  /// A policy that refuses every host before its name is looked up, as a network that is not there would.
  ///
  /// - Parameter provider: The provider's name, for messages.
  public static func offline(provider: String? = nil) -> EgressPolicy {
    var policy = EgressPolicy(offlineFor: provider)
    policy.isOffline = true
    return policy
  }

  private init(offlineFor provider: String?) {
    declared = []
    configured = []
    self.provider = provider
  }

  /// Whether a URL names a host that may be reached, as far as that can be said before its address is known.
  public func allows(_ url: String) -> Bool { refusal(of: url) == nil }

  /// Why a URL cannot be reached, as far as that can be said before its address is known; `nil` if nothing is against it.
  public func refusal(of url: String) -> NetworkError? {
    do {
      _ = try grant(for: try WebAddress(parsing: url).endpoint)
      return nil
    } catch {
      return error
    }
  }

  /// Checks a host before its addresses are known.
  ///
  /// - Throws: ``NetworkError/Code/hostNotAllowed``; ``NetworkError/Code/addressNotAllowed`` for a host that is an
  ///   address; ``NetworkError/Code/offline``.
  func grant(for endpoint: Endpoint) throws(NetworkError) -> EgressGrant {
    guard !isOffline else {
      throw NetworkError(
        .unreachable, .offline,
        LocalizedText(
          "\(endpoint) was not asked: \(providerText.english) is kept from the network",
          de: "\(endpoint) wurde nicht gefragt: \(providerText.german) ist vom Netz getrennt"))
    }
    let ours = configured.filter { $0.matches(endpoint) }
    guard !ours.isEmpty || declared.contains(where: { $0.matches(endpoint) }) else { throw refusal(of: endpoint) }
    let grant = EgressGrant(
      endpoint: endpoint, provider: provider,
      opensOwnNetwork: ours.contains { rule in if case .network = rule.target { false } else { true } },
      addresses: configured.filter { rule in
        guard rule.port == nil || rule.port == endpoint.port else { return false }
        return switch rule.target {
        case .network, .host(.address): true
        default: false
        }
      }.map(\.target))
    if case .address(let address) = endpoint.host, !grant.permits(address) { throw grant.refusal(of: [address]) }
    return grant
  }

  private func refusal(of endpoint: Endpoint) -> NetworkError {
    var error = NetworkError(
      .auth, .hostNotAllowed,
      LocalizedText(
        "\(endpoint) is not among the hosts that \(providerText.english) may reach",
        de: "\(endpoint) gehört nicht zu den Rechnern, die \(providerText.german) erreichen darf"),
      advice: EgressGrant.advice(endpoint.host, port: endpoint.port))
    error.refused = EgressGrant.line(endpoint.host, port: endpoint.port)
    return error
  }

  private var providerText: LocalizedText { Self.text(of: provider) }

  static func text(of provider: String?) -> LocalizedText {
    provider.map { LocalizedText("the provider '\($0)'", de: "der Provider '\($0)'") }
      ?? LocalizedText("this provider", de: "dieser Provider")
  }
}
