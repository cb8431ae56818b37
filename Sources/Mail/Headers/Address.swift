/// A mailbox in a header field: somebody's name and address (RFC 5322 §3.4).
public struct Address: Sendable, Hashable {
  /// The display name, decoded, or the comment that stands in for it in old messages.
  public var name: String?
  /// The address as written, without angle brackets, comments and white space; international domains are left as they
  /// are. Empty where the field names somebody without an address.
  public var address: String
  /// The group the mailbox was listed in, such as `Undisclosed recipients`.
  public var group: String?

  /// Creates a mailbox.
  public init(name: String? = nil, address: String, group: String? = nil) {
    self.name = name
    self.address = address
    self.group = group
  }

  /// The part before the last `@`.
  public var localPart: String {
    guard let at = address.lastIndex(of: "@") else { return address }
    return String(address[..<at])
  }

  /// The part after the last `@` in lower case, or empty.
  public var domain: String {
    guard let at = address.lastIndex(of: "@") else { return "" }
    return address[address.index(after: at)...].lowercased()
  }

  /// The name, or the address where there is no name: what a listing shows.
  public var displayName: String { name ?? address }

  /// Reads one address, as somebody types it: `Anna Berg <anna@example.org>` or `anna@example.org`.
  ///
  /// - Returns: `nil` where the text holds no address; of several the first.
  public init?(parsing text: String) {
    guard let first = Address.parseList(Array(text.utf8)[...]).first, !first.address.isEmpty else { return nil }
    self = first
  }

  /// Reads a list of addresses, as a header field holds it or somebody types it.
  ///
  /// Never fails: what is no address is kept as a name without one, so that a broken field can still be shown.
  public static func parseList(_ text: String) -> [Address] { parseList(Array(text.utf8)[...]) }

  static func parseList(_ value: ArraySlice<UInt8>) -> [Address] {
    if let plain = plainMailbox(value) { return [plain] }
    var parser = AddressParser(value)
    return parser.parse()
  }

  /// The value where it is one mailbox without quotes, comments and encoded words, `Name <address>` or `address`, which
  /// most are.
  private static func plainMailbox(_ value: ArraySlice<UInt8>) -> Address? {
    value.withUnsafeBufferPointer { bytes in
      var start = 0
      var end = bytes.count
      while start < end, bytes[start].isMailWhitespace { start += 1 }
      while end > start, bytes[end - 1].isMailWhitespace { end -= 1 }
      var open: Int?
      var at: Int?
      var previous: UInt8 = 0
      for index in start..<end {
        let byte = bytes[index]
        switch byte {
        case UInt8(ascii: "<"):
          if open != nil || at != nil { return nil }
          open = index
        case UInt8(ascii: ">"):
          if open == nil || index + 1 != end { return nil }
        case UInt8(ascii: "@"):
          if at != nil { return nil }
          at = index
        case UInt8.space:
          if previous == UInt8.space || open != nil { return nil }
        // `isToken`, and what stands in addresses and names without a meaning of its own.
        case UInt8(ascii: "/"), UInt8(ascii: "."): break
        default: if !byte.isToken { return nil }
        }
        previous = byte
      }
      func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
      guard let at, at > start else { return nil }
      guard let open else {
        let isWord = !bytes[start..<end].contains(UInt8.space)
        return isWord ? Address(address: text(start..<end)) : nil
      }
      guard bytes[end - 1] == UInt8(ascii: ">"), at > open + 1, end - 2 > at else { return nil }
      var nameEnd = open
      while nameEnd > start, bytes[nameEnd - 1] == UInt8.space { nameEnd -= 1 }
      return Address(name: nameEnd > start ? text(start..<nameEnd) : nil, address: text((open + 1)..<(end - 1)))
    }
  }
}

extension Address: CustomStringConvertible {
  /// `Name <address>`, the name quoted where it has to be.
  public var description: String {
    guard let name, !name.isEmpty else { return address }
    let isPlain = name.utf8.allSatisfy { $0.isToken || $0 == UInt8.space || $0 >= 0x80 || $0 == UInt8(ascii: "/") }
    if isPlain && !name.contains(".") { return "\(name) <\(address)>" }
    var quoted = ""
    for character in name {
      if character == "\"" || character == "\\" { quoted.append("\\") }
      quoted.append(character)
    }
    return "\"\(quoted)\" <\(address)>"
  }
}
