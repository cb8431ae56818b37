/// The addresses that begin with the same bits, as CIDR writes them: `10.0.0.0/8`.
struct IPNetwork: Sendable, Hashable {
  let address: IPAddress
  let length: Int

  /// Creates a network from its CIDR form; `nil` for anything else.
  init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let address = IPAddress(parts[0]), (1...3).contains(parts[1].utf8.count),
      parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }), let length = Int(parts[1]),
      // The prefix of an IPv4 address that is written as IPv6 would count from elsewhere.
      address.isVersion6 || !parts[0].utf8.contains(UInt8(ascii: ":")), length <= (address.isVersion6 ? 128 : 32)
    else { return nil }
    self.address = address
    self.length = length
  }

  /// Whether an address is in it.
  func contains(_ other: IPAddress) -> Bool {
    switch (address, other) {
    case (.v4(let mine), .v4(let theirs)):
      length == 0 || mine >> (32 - UInt32(length)) == theirs >> (32 - UInt32(length))
    case (.v6(let high, let low), .v6(let otherHigh, let otherLow)):
      switch length {
      case 0: true
      case 1...64: high >> (64 - UInt64(length)) == otherHigh >> (64 - UInt64(length))
      default: high == otherHigh && low >> (128 - UInt64(length)) == otherLow >> (128 - UInt64(length))
      }
    default: false
    }
  }
}

/// An address or a network of addresses: `127.0.0.1`, `10.0.0.0/8`, `fd00::/8`.
package struct AddressRange: Sendable, Hashable {
  private let network: IPNetwork

  /// Creates a range from an address or the CIDR form of a network; `nil` for other texts.
  package init?(_ text: String) {
    let whole = text.contains("/") ? text : text + (text.contains(":") ? "/128" : "/32")
    guard let network = IPNetwork(whole) else { return nil }
    self.network = network
  }

  /// Whether an address is in the range.
  package func contains(_ address: String) -> Bool { IPAddress(address).map(network.contains) ?? false }

  /// Whether a text is an IPv4 or IPv6 address.
  package static func isAddress(_ text: String) -> Bool { IPAddress(text) != nil }
}
