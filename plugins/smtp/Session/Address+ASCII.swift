import Mail
import SASL

extension Address {
  /// The address with its domain in ASCII (A-labels, RFC 5891): `anna@xn--bcher-kva.example` for `anna@bücher.example`.
  ///
  /// Letters are taken as small ones and composed (NFC); what RFC 5892 forbids beyond punctuation, white space, symbols and
  /// controls is left to the registries. `nil` if the domain is none.
  var withASCIIDomain: Address? {
    guard domain.utf8.contains(where: { $0 >= 0x80 }) else { return self }
    guard let at = address.lastIndex(of: "@"), let domain = Self.ascii(domain) else { return nil }
    var copy = self
    copy.address = address[...at] + domain
    return copy
  }

  private static func ascii(_ domain: String) -> String? {
    // RFC 3490, section 3.1: the full stops of East Asian scripts.
    let dots: Set<Character> = [".", "\u{3002}", "\u{FF0E}", "\u{FF61}"]
    let normal = UnicodeForm.composed.of(domain.lowercased())
    var labels: [String] = []
    for label in normal.split(omittingEmptySubsequences: false, whereSeparator: dots.contains) {
      guard let label = ascii(label: String(label)) else { return nil }
      labels.append(label)
    }
    let name = labels.joined(separator: ".")
    return name.utf8.count <= 253 ? name : nil
  }

  private static func ascii(label: String) -> String? {
    let isClean =
      !label.isEmpty && !label.hasPrefix("-") && !label.hasSuffix("-")
      && label.unicodeScalars.allSatisfy { scalar in
        switch scalar.properties.generalCategory {
        case .lowercaseLetter, .otherLetter, .modifierLetter, .decimalNumber: true
        case .nonspacingMark, .spacingMark: scalar != label.unicodeScalars.first
        // The joiners and the middle dots that some scripts need (RFC 5892, appendix A).
        default: scalar == "-" || [0x200C, 0x200D, 0xB7, 0x30FB, 0x5F3, 0x5F4, 0x375].contains(scalar.value)
        }
      }
    guard isClean else { return nil }
    if label.utf8.allSatisfy({ $0 < 0x80 }) { return label.utf8.count <= 63 ? label : nil }
    guard let code = Punycode.encode(label) else { return nil }
    return code.utf8.count + 4 <= 63 ? "xn--" + code : nil
  }
}

extension OutgoingMessage {
  /// The message with all domains in ASCII, where no address needs more: it then goes over servers that know nothing else
  /// (without SMTPUTF8, RFC 6531).
  var withASCIIDomains: OutgoingMessage {
    let all = [from] + replyTo + to + cc + bcc
    let isPlain = all.allSatisfy { $0.localPart.utf8.allSatisfy { $0 < 0x80 } }
    guard isPlain, all.contains(where: { $0.domain.utf8.contains { $0 >= 0x80 } }) else { return self }
    func ascii(_ list: [Address]) -> [Address] { list.map { $0.withASCIIDomain ?? $0 } }
    var message = self
    message.from = from.withASCIIDomain ?? from
    message.replyTo = ascii(replyTo)
    message.to = ascii(to)
    message.cc = ascii(cc)
    message.bcc = ascii(bcc)
    return message
  }
}
