import Localization

/// The leave to connect to one host, at the addresses that it permits.
struct EgressGrant: Sendable {
  let endpoint: Endpoint
  let provider: String?
  /// Whether the host may be private or this machine.
  let opensOwnNetwork: Bool
  /// The addresses and networks that the user configured.
  let addresses: [EgressRule.Target]

  /// Whether the host may be reached at an address.
  func permits(_ address: IPAddress) -> Bool {
    if addresses.contains(.host(.address(address))) { return true }
    switch address.scope {
    case .public: return true
    case .private, .loopback:
      return opensOwnNetwork
        || addresses.contains { if case .network(let network) = $0 { network.contains(address) } else { false } }
    case .linkLocal, .special: return false
    }
  }

  /// The error if none of the addresses is permitted.
  func refusal(of refused: [IPAddress]) -> NetworkError {
    let address = refused.first ?? .v4(0)
    let onlyExactly = refused.allSatisfy { $0.scope == .linkLocal || $0.scope == .special }
    let who = EgressPolicy.text(of: provider)
    let opening: Host = onlyExactly ? .address(address) : endpoint.host
    var error = NetworkError(
      .auth, .addressNotAllowed,
      LocalizedText(
        "\(endpoint) has the address \(address) (\(address.scope.name.english)), to which \(who.english) may not connect",
        de: "\(endpoint) steht unter \(address) (\(address.scope.name.german)), wohin \(who.german) nicht darf"),
      advice: Self.advice(opening, port: endpoint.port))
    error.refused = Self.line(opening, port: endpoint.port)
    return error
  }

  /// A host as the configuration spells it.
  static func line(_ host: Host, port: Int) -> String {
    [80, 443].contains(port) ? "\(host)" : "\(host.bracketed):\(port)"
  }

  /// The line of the configuration that opens a host.
  static func advice(_ host: Host, port: Int) -> LocalizedText {
    let line = line(host, port: port)
    return LocalizedText(
      "if it should, add it to the provider in sous.yaml: hosts: [\"\(line)\"]",
      de: "falls doch, beim Provider in sous.yaml eintragen: hosts: [\"\(line)\"]")
  }
}
