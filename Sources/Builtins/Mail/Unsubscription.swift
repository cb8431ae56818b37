import Expressions

/// How a message says that its list is left: RFC 2369, and RFC 8058 for one request without questions.
enum Unsubscription: Hashable {
  /// A POST to this address, https, with `List-Unsubscribe=One-Click`.
  case request(url: String)
  /// A message.
  case message(to: String, subject: String, text: String)

  /// Reads it from a message; `nil` where the message says nothing that a program can do.
  init?(_ message: Value) {
    guard let field = message["list_unsubscribe"], !field.isNull else { return nil }
    let urls = field["http"]?.listValue?.compactMap(\.stringValue) ?? []
    if field["one_click"]?.boolValue == true, let url = urls.first(where: { $0.lowercased().hasPrefix("https://") }) {
      self = .request(url: url)
      return
    }
    let addresses = field["mailto"]?.listValue?.compactMap(\.stringValue) ?? []
    guard let found = addresses.lazy.compactMap({ Self(mailto: $0) }).first else { return nil }
    self = found
  }

  /// Reads a URI such as `mailto:leave@example.com?subject=leave`: RFC 6068. Only subject and text are taken from it.
  private init?(mailto uri: String) {
    guard uri.utf8.count <= 2000, uri.lowercased().hasPrefix("mailto:") else { return nil }
    let parts = uri.dropFirst(7).split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let address = Self.decoded(parts[0].prefix { $0 != "," })
    guard address.utf8.count <= 320, address.split(separator: "@", omittingEmptySubsequences: false).count == 2,
      !address.hasPrefix("@"), !address.hasSuffix("@"),
      address.unicodeScalars.allSatisfy({
        $0.value > 0x20 && $0.value < 0x7F && !"<>(),;:\"\\[]".unicodeScalars.contains($0)
      })
    else { return nil }
    var subject = "unsubscribe"
    for field in parts.count > 1 ? parts[1].split(separator: "&") : [] {
      let pair = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard pair.count == 2 else { continue }
      // Line ends would be fields of their own in a header.
      let value = String(Self.decoded(pair[1]).unicodeScalars.map { $0.value < 0x20 ? " " : Character($0) })
      if pair[0].lowercased() == "subject" { subject = value }
    }
    // The text would be the sender's words in the reader's name.
    self = .message(to: address, subject: subject, text: "")
  }

  private static func decoded(_ text: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) {
        bytes.append(code)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Whether it is a request rather than a message.
  var isRequest: Bool { if case .request = self { true } else { false } }

  /// As the step's output has it.
  var value: Value {
    switch self {
    case .request(let url): ["url": .string(url)]
    case .message(let to, let subject, let text):
      ["to": .string(to), "subject": .string(subject), "text": .string(text)]
    }
  }
}
