/// The fields of a form or of a query (URL Standard, `application/x-www-form-urlencoded`), in their order.
struct FormFields: Sendable {
  /// The fields.
  let all: [(name: String, value: String)]

  /// Reads a text; bytes that are not UTF-8 become U+FFFD.
  init(_ text: some StringProtocol) {
    all = text.split(separator: "&").prefix(200).map { field in
      let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (Self.decoded(parts[0]), parts.count > 1 ? Self.decoded(parts[1]) : "")
    }
  }

  /// The first field of a name.
  subscript(name: String) -> String? { all.first { $0.name == name }?.value }

  private static func decoded(_ text: some StringProtocol) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "+") {
        bytes.append(0x20)
      } else if byte == UInt8(ascii: "%"), rest.count >= 2,
        let number = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      {
        bytes.append(number)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
