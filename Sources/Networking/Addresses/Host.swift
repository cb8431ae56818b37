import Foundation

/// A host as the policy compares it and as connections are made to it: one form for every spelling.
enum Host: Sendable, Hashable {
  /// A name in lower case and ASCII (`xn--…`), without a dot at the end.
  case name(String)
  /// An address.
  case address(IPAddress)

  /// Reads a host as it is in a URL or in a setting, without brackets and port.
  ///
  /// Every spelling that the system's own functions would take for an IPv4 address is one here (`127.1`, `0x7f000001`,
  /// `0177.0.0.1`; WHATWG URL, "ends in a number"), so that no spelling gets past the policy. Names in other scripts
  /// become ASCII (UTS 46), which may turn them into addresses as well.
  ///
  /// - Throws: ``NetworkError/Code/hostInvalid``
  init(parsing text: some StringProtocol) throws(NetworkError) {
    guard let host = Self.parse(String(text)) else { throw NetworkError(host: text) }
    self = host
  }

  private static func parse(_ text: String) -> Host? {
    guard !text.isEmpty, text.utf8.count <= 1024 else { return nil }
    if text.utf8.contains(UInt8(ascii: ":")) { return IPAddress(text).map(Host.address) }
    guard var name = ascii(text)?.lowercased() else { return nil }
    if name.hasSuffix(".") { name.removeLast() }
    let labels = name.split(separator: ".", omittingEmptySubsequences: false)
    guard name.utf8.count <= 253, let last = labels.last, labels.allSatisfy(isLabel) else { return nil }
    // No top-level domain is a number, so what ends in one is meant as an address.
    if number(last) != nil || last.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      return version4(labels).map(Host.address)
    }
    return .name(name)
  }

  private static func isLabel(_ label: Substring) -> Bool {
    (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
      && label.utf8.allSatisfy { byte in
        (0x61...0x7a).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2d || byte == 0x5f
      }
  }

  private static func ascii(_ text: String) -> String? {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
    // Nothing that ends a host in a URL may reach the encoder.
    guard text.unicodeScalars.allSatisfy({ $0.value >= 0x80 || isLabelCharacter($0) || $0 == "." }),
      let url = URL(string: "http://\(text)/")?.absoluteString, url.hasPrefix("http://"), url.hasSuffix("/")
    else { return nil }
    let encoded = url.dropFirst(7).dropLast()
    return encoded.utf8.allSatisfy { $0 < 0x80 } ? String(encoded) : nil
  }

  private static func isLabelCharacter(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "-", "_": true
    default: false
    }
  }

  /// One part of an IPv4 address in decimal, octal (`0…`) or hexadecimal (`0x…`).
  private static func number(_ part: Substring) -> UInt64? {
    if part.hasPrefix("0x") { return part.count == 2 ? 0 : UInt64(part.dropFirst(2), radix: 16) }
    guard let first = part.first, first.isASCII, first.isNumber else { return nil }
    if first == "0", part.count > 1 { return UInt64(part, radix: 8) }
    return UInt64(part, radix: 10)
  }

  /// One to four parts, of which the last fills what is left.
  private static func version4(_ labels: [Substring]) -> IPAddress? {
    guard labels.count <= 4 else { return nil }
    let numbers = labels.compactMap(number)
    guard numbers.count == labels.count, let last = numbers.last, numbers.dropLast().allSatisfy({ $0 <= 255 }),
      last < UInt64(1) << (8 * UInt64(5 - numbers.count))
    else { return nil }
    var value = UInt32(truncatingIfNeeded: last)
    for (index, part) in numbers.dropLast().enumerated() {
      value |= UInt32(truncatingIfNeeded: part) << UInt32(24 - 8 * index)
    }
    return .v4(value)
  }
}

extension Host: CustomStringConvertible {
  /// The host without brackets.
  var description: String {
    switch self {
    case .name(let name): name
    case .address(let address): address.description
    }
  }
}

/// A host and a port.
struct Endpoint: Sendable, Hashable {
  var host: Host
  var port: Int
}

extension Endpoint: CustomStringConvertible {
  /// `host:port`, IPv6 in brackets.
  var description: String { "\(host.bracketed):\(port)" }
}

extension Host {
  /// The host as it is in a URL: IPv6 in brackets.
  var bracketed: String {
    if case .address(.v6) = self { "[\(self)]" } else { description }
  }
}
