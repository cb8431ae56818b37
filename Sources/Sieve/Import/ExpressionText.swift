/// Texts as literals of CEL.
enum ExpressionText {
  /// A string literal.
  ///
  /// Two braces in a row are written with an escape, so that no one takes them for a template.
  static func literal(_ text: String) -> String {
    var result = "\""
    var previous: Unicode.Scalar?
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": result += #"\\"#
      case "\"": result += #"\""#
      case "\n": result += #"\n"#
      case "\r": result += #"\r"#
      case "\t": result += #"\t"#
      case "{" where previous == "{": result += #"\x7b"#
      case "}" where previous == "}": result += #"\x7d"#
      case _ where scalar.value < 0x20 || scalar.value == 0x7F:
        let digits = String(scalar.value, radix: 16)
        result += #"\x"# + String(repeating: "0", count: 2 - digits.count) + digits
      case _ where !isPrintable(scalar):
        let digits = String(scalar.value, radix: 16)
        result += #"\u"# + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
      previous = scalar
    }
    return result + "\""
  }

  /// Whether YAML lets a scalar be written without quotes (YAML 1.2, 5.1).
  private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x00..<0x20, 0x7F..<0xA0, 0xFEFF, 0xFFFE, 0xFFFF: false
    default: true
    }
  }

  /// A list of string literals.
  static func list(_ texts: [String]) -> String { "[" + texts.map(literal).joined(separator: ", ") + "]" }

  /// A regular expression as a literal, raw where it can be.
  static func pattern(_ text: String) -> String {
    let isPlain =
      !text.contains("\"") && !text.contains("{{") && !text.contains("}}")
      && text.unicodeScalars.allSatisfy(isPrintable)
    return isPlain && text.contains("\\") ? "r\"\(text)\"" : literal(text)
  }

  /// A text as a part of a regular expression of RE2 that stays as it is.
  static func quoted(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      let isPunctuation =
        scalar.isASCII && !(scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
        && !" <>@=!\"#%&',/:;_`~-".unicodeScalars.contains(scalar) && scalar.value > 0x20
      if isPunctuation { result += "\\" }
      result.unicodeScalars.append(scalar)
    }
    return result
  }
}

extension String {
  /// The text with the letters of ASCII in lower case, as i;ascii-casemap compares (RFC 4790, 9.2).
  var asciiLowercased: String {
    String(decoding: utf8.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }, as: UTF8.self)
  }
}
