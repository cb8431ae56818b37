import Glibc

/// An IPv4 or IPv6 address. An IPv4 address that is written as IPv6 (`::ffff:10.0.0.1`) is the IPv4 address.
enum IPAddress: Sendable, Hashable {
  /// IPv4, the first byte in the highest bits.
  case v4(UInt32)
  /// IPv6, the first eight bytes and the last eight.
  case v6(high: UInt64, low: UInt64)

  /// Creates an address from its usual form; `nil` for anything else, such as short or octal IPv4 and scoped IPv6.
  init?(_ text: some StringProtocol) {
    if text.utf8.contains(UInt8(ascii: ":")) {
      // inet_pton stops at a NUL; nothing it accepts is longer than 45 characters.
      guard text.utf8.count <= 45, text.utf8.allSatisfy({ $0 > 0x20 }) else { return nil }
      var raw = [UInt8](repeating: 0, count: 16)
      guard inet_pton(AF_INET6, String(text), &raw) == 1 else { return nil }
      self.init(v6: raw)
    } else {
      let parts = text.split(separator: ".", omittingEmptySubsequences: false)
      guard parts.count == 4 else { return nil }
      var value: UInt32 = 0
      for part in parts {
        guard (1...3).contains(part.utf8.count), part.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
          let byte = UInt8(part), part == "0" || part.first != "0"
        else { return nil }
        value = value << 8 | UInt32(byte)
      }
      self = .v4(value)
    }
  }

  /// Creates an address from 16 bytes in the order of the network.
  init(v6 bytes: [UInt8]) {
    let high = bytes.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let low = bytes.dropFirst(8).prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    self = high == 0 && low >> 32 == 0xffff ? .v4(UInt32(truncatingIfNeeded: low)) : .v6(high: high, low: low)
  }

  /// The bytes in the order of the network: 4 or 16.
  var bytes: [UInt8] {
    switch self {
    case .v4(let value): (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
    case .v6(let high, let low):
      [high, low].flatMap { part in
        (0..<8).map { UInt8(truncatingIfNeeded: part >> (56 - 8 * $0)) }
      }
    }
  }

  /// Whether this is an IPv6 address.
  var isVersion6: Bool {
    if case .v6 = self { true } else { false }
  }
}

extension IPAddress: CustomStringConvertible {
  /// The usual form; IPv6 as in RFC 5952, without brackets.
  var description: String {
    switch self {
    case .v4: bytes.map(String.init).joined(separator: ".")
    case .v6: describeVersion6()
    }
  }

  private func describeVersion6() -> String {
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    let made = bytes.withUnsafeBytes { raw in
      inet_ntop(AF_INET6, raw.baseAddress, &text, socklen_t(text.count)) != nil
    }
    return made ? String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self) : "::"
  }
}
