/// A mailbox in a header field: a name and an address (RFC 5322 §3.4).
public struct Address: Sendable, Hashable {
  /// The display name, decoded, or the comment that old messages have instead.
  public var name: String?
  /// The address as written, without angle brackets, comments and white space; international domains are left as they are; see ``withUnicodeDomain``.
  /// Empty if the field has a name only.
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
    guard let at = lastAt else { return address }
    return String(address[..<at])
  }

  /// The part after the last `@` in lower case, or empty.
  public var domain: String {
    guard let at = lastAt else { return "" }
    return address[address.index(after: at)...].lowercased()
  }

  private var lastAt: String.Index? {
    // A mark on the sign would make it another character.
    address.utf8.allSatisfy { $0 < 0x80 } ? address.utf8.lastIndex(of: UInt8(ascii: "@")) : address.lastIndex(of: "@")
  }

  /// For listings: the name, or the address if there is no name.
  public var displayName: String { name ?? address }

  /// Reads one address, as users type it: `Anna Berg <anna@example.org>` or `anna@example.org`.
  ///
  /// - Returns: `nil` if the text holds no address; of several the first.
  public init?(parsing text: String) {
    guard let first = Address.parseList(Array(text.utf8)[...]).first, !first.address.isEmpty else { return nil }
    self = first
  }

  /// Reads a list of addresses, as a header field holds it or users type it.
  ///
  /// Never fails: other text is kept as a name without an address, so that a broken field can still be shown.
  public static func parseList(_ text: String) -> [Address] { parseList(Array(text.utf8)[...]) }

  static func parseList(_ value: ArraySlice<UInt8>) -> [Address] {
    if let plain = PlainMailboxes.read(value) { return plain }
    var parser = AddressParser(value)
    return parser.parse()
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
