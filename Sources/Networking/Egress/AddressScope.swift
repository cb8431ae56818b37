import Localization

/// From where an address can be reached, which decides who has to allow it.
enum AddressScope: Sendable, Hashable {
  /// Everybody reaches it.
  case `public`
  /// One's own network: RFC 1918, RFC 6598 (shared, also used by overlay networks), unique local IPv6.
  case `private`
  /// This machine.
  case loopback
  /// The same cable, and the addresses at which clouds hand out credentials.
  case linkLocal
  /// Groups, broadcasts, "this network", and what is set aside for other purposes.
  case special

  /// The name for messages.
  var name: LocalizedText {
    switch self {
    case .public: LocalizedText("public", de: "öffentlich")
    case .private: LocalizedText("private", de: "privat")
    case .loopback: LocalizedText("this machine", de: "dieser Rechner")
    case .linkLocal: LocalizedText("link-local or metadata", de: "link-lokal oder Metadaten")
    case .special: LocalizedText("set aside for special use", de: "für Sonderzwecke vergeben")
    }
  }
}

extension IPAddress {
  /// From where it can be reached (IANA special-purpose address registries, RFC 6890).
  var scope: AddressScope {
    switch self {
    case .v4(let value): Self.scope(v4: value)
    case .v6(let high, let low): Self.scope(high: high, low: low)
    }
  }

  private static func scope(v4 value: UInt32) -> AddressScope {
    for (prefix, length, scope) in special4 where value >> (32 - length) == prefix >> (32 - length) { return scope }
    return .public
  }

  private static func scope(high: UInt64, low: UInt64) -> AddressScope {
    let embedded: UInt32? =
      switch (high, low) {
      // NAT64 (RFC 6052) and 6to4 (RFC 3056) lead to the IPv4 address inside.
      case (0x0064_ff9b_0000_0000, 0...0xffff_ffff): UInt32(truncatingIfNeeded: low)
      case (0x2002_0000_0000_0000...0x2002_ffff_ffff_ffff, _): UInt32(truncatingIfNeeded: high >> 16)
      default: nil
      }
    if let embedded { return scope(v4: embedded) }
    if high == 0, low == 1 { return .loopback }
    if high == 0xfd00_0ec2_0000_0000, low == 0x254 { return .linkLocal }
    for (prefix, length, scope) in special6 where high >> (64 - length) == prefix >> (64 - length) { return scope }
    // Only 2000::/3 has been given out.
    return high >> 61 == 1 ? .public : .special
  }

  private static let special4: [(prefix: UInt32, length: UInt32, scope: AddressScope)] = [
    (0x0000_0000, 8, .special),  // 0.0.0.0/8, "this network"
    (0x0a00_0000, 8, .private),  // 10.0.0.0/8
    (0x6464_64c8, 32, .linkLocal),  // 100.100.100.200, metadata
    (0x6440_0000, 10, .private),  // 100.64.0.0/10
    (0x7f00_0000, 8, .loopback),  // 127.0.0.0/8
    (0xa9fe_0000, 16, .linkLocal),  // 169.254.0.0/16
    (0xac10_0000, 12, .private),  // 172.16.0.0/12
    (0xc000_0000, 24, .special),  // 192.0.0.0/24, metadata 192.0.0.192 among them
    (0xc000_0200, 24, .special),  // 192.0.2.0/24, documentation
    (0xc058_6300, 24, .special),  // 192.88.99.0/24, 6to4 relays
    (0xc0a8_0000, 16, .private),  // 192.168.0.0/16
    (0xc612_0000, 15, .special),  // 198.18.0.0/15, benchmarks
    (0xc633_6400, 24, .special),  // 198.51.100.0/24, documentation
    (0xcb00_7100, 24, .special),  // 203.0.113.0/24, documentation
    (0xe000_0000, 4, .special),  // 224.0.0.0/4, multicast
    (0xf000_0000, 4, .special),  // 240.0.0.0/4, reserved and broadcast
  ]

  private static let special6: [(prefix: UInt64, length: UInt64, scope: AddressScope)] = [
    (0x2001_0000_0000_0000, 23, .special),  // 2001::/23, Teredo among them
    (0x2001_0db8_0000_0000, 32, .special),  // documentation
    (0x3fff_0000_0000_0000, 20, .special),  // documentation
    (0xfc00_0000_0000_0000, 7, .private),  // unique local
    (0xfe80_0000_0000_0000, 10, .linkLocal),
    (0xfec0_0000_0000_0000, 10, .private),  // site-local, given up
  ]
}
