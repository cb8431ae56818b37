internal import Localization

/// `number.format(digits, language)`: grouped, with so many digits behind the decimal separator.
enum NumberFormat {
  /// The separators of groups and of decimals, as CLDR has them.
  private static let separators: [String: (group: String, decimal: String)] = [
    "en": (",", "."), "de": (".", ","), "de-CH": ("’", "."), "de-AT": ("\u{A0}", ","), "fr": ("\u{202F}", ","),
    "it": (".", ","), "es": (".", ","), "nl": (".", ","),
  ]

  static func format(
    _ frame: inout Frame, _ value: Value, _ digits: Value, _ language: Value
  ) throws(Fault) -> Value {
    guard case .int(let digits) = digits, case .string(let language) = language else { throw .noOverload }
    let text: String
    switch value {
    case .int(let number): text = String(number)
    case .uint(let number): text = String(number)
    case .double(let number):
      guard number.isFinite else { return .string(number.text) }
      text = number.positionalText
    default: throw .noOverload
    }
    guard (0...100).contains(digits) else {
      throw .evaluation(
        LocalizedText("format() takes 0 to 100 digits", de: "format() nimmt 0 bis 100 Nachkommastellen"))
    }
    guard let separators = separators[language] else {
      let known = separators.keys.sorted().joined(separator: ", ")
      throw .evaluation(
        LocalizedText("format() knows the languages \(known)", de: "format() kennt die Sprachen \(known)"))
    }
    let (whole, fraction) = rounded(text, Int(digits))
    try frame.chargeBytes(whole.count + fraction.count)
    var grouped = ""
    for (index, digit) in whole.enumerated() {
      if index > 0, (whole.count - index) % 3 == 0 { grouped += separators.group }
      grouped.append(digit)
    }
    let isZero = (whole + fraction).allSatisfy { $0 == "0" }
    return .string(
      (text.hasPrefix("-") && !isZero ? "-" : "") + grouped
        + (fraction.isEmpty ? "" : separators.decimal + String(fraction)))
  }

  /// The digits before and behind the point; a half is rounded away from zero, as people do with prices.
  private static func rounded(_ text: String, _ digits: Int) -> (whole: [Character], fraction: [Character]) {
    let parts = text.drop { $0 == "-" }.split(separator: ".", omittingEmptySubsequences: false)
    var whole = Array(parts.first ?? "0")
    var fraction = parts.count > 1 ? Array(parts[1]) : []
    let roundsUp = fraction.count > digits && fraction[digits] >= "5"
    fraction = Array(fraction.prefix(digits)) + [Character](repeating: "0", count: max(0, digits - fraction.count))
    guard roundsUp else { return (whole, fraction) }
    var all = whole + fraction
    var position = all.count - 1
    while position >= 0, all[position] == "9" {
      all[position] = "0"
      position -= 1
    }
    if position >= 0 {
      all[position] = Character(String((all[position].wholeNumberValue ?? 0) + 1))
    } else {
      all.insert("1", at: 0)
    }
    whole = Array(all.dropLast(fraction.count))
    return (whole, Array(all.suffix(fraction.count)))
  }
}
