import Networking

/// The proxies whose word about their clients counts.
struct TrustedProxies: Sendable {
  private let networks: [AddressRange]

  /// - Parameter texts: Addresses and networks: `127.0.0.1`, `10.0.0.0/8`, or `unix` for the Unix socket.
  init(_ texts: [String]) {
    networks = texts.compactMap(AddressRange.init)
    trustsSocket = texts.contains("unix")
  }

  private let trustsSocket: Bool

  /// The client of a request.
  ///
  /// The last address in `X-Forwarded-For` that is not a trusted proxy counts: a client can write any address before it.
  ///
  /// - Parameters:
  ///   - peer: The address at the other end of the connection; `unix` for the Unix socket.
  ///   - forwarded: `X-Forwarded-For`.
  func client(peer: String, forwarded: String?) -> (address: String, isForwarded: Bool) {
    guard trusts(peer), let forwarded else { return (peer, trusts(peer)) }
    for part in forwarded.split(separator: ",").reversed() {
      let address = String(part.filter { $0 != " " })
      guard AddressRange.isAddress(address) else { break }
      if !trusts(address) { return (address, true) }
    }
    return (peer, true)
  }

  /// Whether a text is an address or a network.
  static func isAddress(_ text: String) -> Bool { AddressRange(text) != nil }

  private func trusts(_ address: String) -> Bool {
    address == "unix" ? trustsSocket : networks.contains { $0.contains(address) }
  }
}
