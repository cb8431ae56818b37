/// An enhanced status code (RFC 3463): `5.1.1`, bad destination mailbox address.
struct EnhancedStatus: Sendable, Hashable, CustomStringConvertible {
  /// 2 for success, 4 for a failure that may pass, 5 for one that will not.
  let kind: Int
  /// The subject: 1 the address, 2 the mailbox, 3 the mail system, 4 the network, 5 the protocol, 6 the content, 7 security and
  /// policy.
  let subject: Int
  /// The detail.
  let detail: Int

  init(_ kind: Int, _ subject: Int, _ detail: Int) {
    self.kind = kind
    self.subject = subject
    self.detail = detail
  }

  /// Reads a code at the beginning of a reply's text (RFC 2034, section 4).
  ///
  /// - Returns: The code and what follows it; `nil` if the text begins with none.
  static func leading(_ text: Substring) -> (status: EnhancedStatus, rest: Substring)? {
    var numbers: [Int] = []
    var rest = text.utf8[...]
    for place in 0..<3 {
      let digits = rest.prefix(3).prefix { (0x30...0x39).contains($0) }
      guard !digits.isEmpty else { return nil }
      numbers.append(digits.reduce(0) { $0 * 10 + Int($1 & 15) })
      rest = rest.dropFirst(digits.count)
      if place < 2, rest.popFirst() != UInt8(ascii: ".") { return nil }
    }
    guard rest.isEmpty || rest.first == 0x20, [2, 4, 5].contains(numbers[0]), text.utf8.dropFirst().first == 0x2E else {
      return nil
    }
    return (EnhancedStatus(numbers[0], numbers[1], numbers[2]), Substring(rest.drop { $0 == 0x20 }))
  }

  var description: String { "\(kind).\(subject).\(detail)" }
}
