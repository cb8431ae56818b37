/// An amount of money as a text states it.
public struct MoneyAmount: Sendable, Hashable {
  /// The amount in hundredths of the currency's unit.
  public var hundredths: Int
  /// The currency by its code, such as `EUR`, `CHF`, `USD`.
  public var currency: String

  /// The amount with two digits after the point, and the currency: `18400.00 EUR`.
  public var text: String { "\(hundredths / 100).\(MessageDate.pad(hundredths % 100)) \(currency)" }

  /// Names and signs of currencies, in lower case.
  static let currencies: [String: String] = [
    "€": "EUR", "eur": "EUR", "euro": "EUR", "euros": "EUR", "$": "USD", "usd": "USD", "us$": "USD", "dollar": "USD",
    "dollars": "USD", "£": "GBP", "gbp": "GBP", "pounds": "GBP", "chf": "CHF", "sfr": "CHF", "fr.": "CHF",
    "franken": "CHF",
    "francs": "CHF", "¥": "JPY", "jpy": "JPY", "yen": "JPY", "pln": "PLN", "zł": "PLN", "sek": "SEK", "nok": "NOK",
    "dkk": "DKK", "czk": "CZK", "cad": "CAD", "aud": "AUD",
  ]

  /// Reads a number as people write it: `1.234,50`, `1,234.50`, `1'234.50`, `18.400`, `86,40`, `12,–`, `30`.
  ///
  /// - Returns: The number in hundredths; `nil` if the text is not such a number.
  static func hundredths(_ text: some StringProtocol) -> Int? {
    var whole = 0
    var digits = 0
    var fraction: [Int]?
    let scalars = Array(text.unicodeScalars)
    guard scalars.count <= 20, let first = scalars.first, isDigit(first) else { return nil }
    // The last separator is the decimal one where two or fewer digits, or a dash, follow it.
    let last = scalars.lastIndex { $0 == "." || $0 == "," }
    let tail = last.map { scalars[($0 + 1)...] } ?? []
    let isDecimal =
      last != nil && tail.count <= 2 && tail.allSatisfy { isDigit($0) || $0 == "-" || $0 == "–" || $0 == "—" }
    for (index, scalar) in scalars.enumerated() {
      if isDigit(scalar) {
        digits += 1
        guard digits <= 13 else { return nil }
        let digit = Int(scalar.value) - 0x30
        if fraction != nil { fraction?.append(digit) } else { whole = whole * 10 + digit }
      } else if index == last, isDecimal {
        fraction = []
      } else if [".", ",", "'", "’", "\u{202F}"].contains(scalar) {
        // Thousands come in threes.
        let group = scalars[(index + 1)...].prefix { isDigit($0) }
        guard group.count == 3, fraction == nil else { return nil }
      } else if fraction == nil || !["-", "–", "—"].contains(scalar) {
        return nil
      }
    }
    let cents = (fraction ?? []) + [0, 0]
    return whole * 100 + cents[0] * 10 + cents[1]
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { scalar.value >= 0x30 && scalar.value <= 0x39 }
}
