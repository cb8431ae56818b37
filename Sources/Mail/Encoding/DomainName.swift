// The standard library has NFC in this interface only, and Foundation brings 50 MB of ICU into each plugin that imports it.
@_spi(_Unicode) import Swift

/// The two forms of an international domain name (RFC 5890): in Unicode, `müller.example`, and in ASCII,
/// `xn--mller-kva.example`.
///
/// Addresses that are read from a message have the Unicode form, because people write it in conditions. Addresses that are
/// sent have the ASCII form, because every server takes it.
public enum DomainName {
  /// The ASCII form, in lower case.
  ///
  /// Letters become small ones and composed (NFC). Code points that RFC 5892 forbids beyond punctuation, white space, symbols
  /// and controls are left to the registries.
  ///
  /// - Returns: `nil` if the text is not a domain name.
  public static func ascii(_ domain: String) -> String? {
    // RFC 3490, section 3.1: the full stops of East Asian scripts.
    let dots: Set<Character> = [".", "\u{3002}", "\u{FF0E}", "\u{FF61}"]
    let normal = composed(domain.lowercased())
    var labels: [String] = []
    for label in normal.split(omittingEmptySubsequences: false, whereSeparator: dots.contains) {
      guard let label = ascii(label: String(label)) else { return nil }
      labels.append(label)
    }
    let name = labels.joined(separator: ".")
    return name.utf8.count <= 253 ? name : nil
  }

  private static func composed(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    scalars.append(contentsOf: text._nfc)
    return String(scalars)
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

  /// A text with each label `xn--…` in its Unicode form: `anna@xn--mller-kva.example` becomes `anna@müller.example`.
  ///
  /// Labels that decode to something that a domain cannot have stay as they are.
  public static func unicode(in text: String) -> String {
    guard mayHaveCodes(text) else { return text }
    var output = ""
    var rest = text[...]
    while !rest.isEmpty {
      let label = rest.prefix(while: isInLabel)
      output += unicode(label: label)
      rest = rest[label.endIndex...]
      let between = rest.prefix { !isInLabel($0) }
      output += between
      rest = rest[between.endIndex...]
    }
    return output
  }

  /// A text with the international labels behind its last `@`, or in all of it, in ASCII and lower case; other labels stay as
  /// they are.
  public static func ascii(inDomainOf text: String) -> String {
    guard !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text }
    let start = text.lastIndex(of: "@").map { text.index(after: $0) } ?? text.startIndex
    let labels = text[start...].split(separator: ".", omittingEmptySubsequences: false).map { label in
      label.utf8.allSatisfy { $0 < 0x80 } ? String(label) : ascii(String(label)) ?? String(label)
    }
    return text[..<start] + labels.joined(separator: ".")
  }

  private static func isInLabel(_ character: Character) -> Bool {
    character == "-" || character.isASCII && (character.isLetter || character.isNumber)
  }

  private static func unicode(label: Substring) -> String {
    let name = label.lowercased()
    guard name.hasPrefix("xn--"), let decoded = Punycode.decode(String(name.dropFirst(4))),
      !decoded.utf8.allSatisfy({ $0 < 0x80 }), ascii(label: decoded) == name
    else { return String(label) }
    return decoded
  }

  /// Whether a text may hold a label in the ASCII form.
  public static func mayHaveCodes(_ text: String) -> Bool {
    var matched = 0
    for byte in text.utf8 {
      switch (matched, byte) {
      case (0, 0x78), (0, 0x58), (1, 0x6E), (1, 0x4E), (2, 0x2D): matched += 1
      case (3, 0x2D): return true
      default: matched = byte == 0x78 || byte == 0x58 ? 1 : 0
      }
    }
    return false
  }
}
