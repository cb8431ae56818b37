/// An enhanced status code (RFC 3463): `5.1.1`, bad destination mailbox address.
struct EnhancedStatus: Sendable, Hashable, CustomStringConvertible {
  /// 2 for success, 4 for a failure that may pass, 5 for one that will not.
  let kind: Int
  /// What it is about: 1 the address, 2 the mailbox, 3 the mail system, 4 the network, 5 the protocol, 6 the content,
  /// 7 security and policy.
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
  /// - Returns: The code and what follows it; `nil` where the text begins with none.
  static func leading(_ text: Substring) -> (status: EnhancedStatus, rest: Substring)? {
    let word = text.prefix { $0 != " " }
    let numbers = word.split(separator: ".", omittingEmptySubsequences: false)
    guard numbers.count == 3, ["2", "4", "5"].contains(numbers[0]) else { return nil }
    let values = numbers.compactMap { number in
      number.utf8.count <= 3 && number.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(number) : nil
    }
    guard values.count == 3 else { return nil }
    return (EnhancedStatus(values[0], values[1], values[2]), text.dropFirst(word.count).drop { $0 == " " })
  }

  var description: String { "\(kind).\(subject).\(detail)" }
}
