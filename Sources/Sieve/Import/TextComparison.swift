import Localization

/// Makes conditions that compare a text of a message with the keys of a test.
struct TextComparison {
  let problems: Problems
  let settings: MatchSettings
  /// The keys, with what is in the script.
  var keys: [(text: String, range: Range<Int>)]

  /// A condition on a text.
  ///
  /// - Parameter subject: The text as an expression: `message.subject`.
  func formula(_ subject: String) throws(UnsupportedByFilter) -> Formula {
    if settings.comparator == .numeric { return try numeric(subject) }
    let folds = settings.comparator == .casemap
    let subject = folds ? subject + ".lowerAscii()" : subject
    let keys = self.keys.map { folds ? $0.text.asciiLowercased : $0.text }
    switch settings.kind {
    case .equal: return Self.equal(subject, keys)
    case .contains:
      return .any(of: keys.map { .test("\(subject).contains(\(ExpressionText.literal($0)))", isRelation: false) })
    case .wildcards: return .any(of: keys.map { Self.wildcards(subject, Wildcards($0)) })
    case .regularExpression:
      var parts: [Formula] = []
      for key in self.keys { parts.append(try regularExpression(subject, key, ignoresCase: folds)) }
      return .any(of: parts)
    case .count, .value:
      throw problems.refuse(
        .init(
          "only numbers are compared by size; use the comparator i;ascii-numeric",
          de: "nur Zahlen lassen sich nach Grösse vergleichen; mit dem Vergleich i;ascii-numeric"),
        at: self.keys.first?.range ?? 0..<0)
    }
  }

  private static func equal(_ subject: String, _ keys: [String]) -> Formula {
    if keys.count == 1 { return .test("\(subject) == \(ExpressionText.literal(keys[0]))", isRelation: true) }
    return .test("\(subject) in \(ExpressionText.list(keys))", isRelation: true)
  }

  /// The plainest condition that says the same as a pattern.
  static func wildcards(_ subject: String, _ pattern: Wildcards) -> Formula {
    func call(_ method: String, _ text: String) -> Formula {
      .test("\(subject).\(method)(\(ExpressionText.literal(text)))", isRelation: false)
    }
    if pattern.pieces.isEmpty { return equal(subject, [""]) }
    if pattern.pieces == [.any] { return .constant(true) }
    if let part = pattern.part {
      switch (part.isOpenBefore, part.isOpenAfter) {
      case (true, true): return call("contains", part.text)
      case (false, true): return call("startsWith", part.text)
      case (true, false): return call("endsWith", part.text)
      case (false, false): return equal(subject, [part.text])
      }
    }
    // A single octet may be a part of a letter.
    let expression = pattern.expression(any: pattern.pieces.contains(.one) ? #"\C"# : ".")
    return .test("\(subject).matches(\(ExpressionText.pattern("(?s)^\(expression)$")))", isRelation: false)
  }

  private func regularExpression(
    _ subject: String, _ key: (text: String, range: Range<Int>), ignoresCase: Bool
  ) throws(UnsupportedByFilter) -> Formula {
    guard let expression = PosixExpression.re2(key.text) else {
      throw problems.refuse(
        .init(
          "this regular expression has parts that filters do not know",
          de: "dieser reguläre Ausdruck hat Teile, die Filter nicht kennen"), at: key.range)
    }
    let text = ExpressionText.pattern((ignoresCase ? "(?i)" : "") + expression)
    return .test("\(subject).matches(\(text))", isRelation: false)
  }

  // MARK: Numbers

  /// Numbers at the beginning of texts (RFC 4790, 9.1): a text that begins with no digit is infinitely large.
  private func numeric(_ subject: String) throws(UnsupportedByFilter) -> Formula {
    let relation = if case .value(let word) = settings.kind { word } else { "eq" }
    var parts: [Formula] = []
    for key in keys {
      let digits = key.text.prefix { ("0"..."9").contains($0) }
      guard digits.count == key.text.count, let number = Int64(digits), number < 1_000_000_000 else {
        throw problems.refuse(
          .init(
            "'\(key.text)' is not a number that can be compared",
            de: "'\(key.text)' ist keine Zahl, die sich vergleichen lässt"),
          at: key.range)
      }
      func matches(_ pattern: String) -> Formula {
        .test("\(subject).matches(\(ExpressionText.pattern(pattern)))", isRelation: false)
      }
      let equal = matches("^0*\(number == 0 ? "0" : String(number))([^0-9]|$)")
      // Every other text is at least as large: that without digits, too.
      let less = number == 0 ? Formula.constant(false) : matches("^0*(\(Self.below(number)))([^0-9]|$)")
      switch relation {
      case "lt": parts.append(less)
      case "ge": parts.append(less.negated)
      case "le": parts.append(.any(of: [less, equal]))
      case "gt": parts.append(Formula.any(of: [less, equal]).negated)
      case "ne": parts.append(equal.negated)
      default: parts.append(equal)
      }
    }
    return .any(of: parts)
  }

  /// A pattern for the numbers below one, without leading zeros but for one digit.
  private static func below(_ number: Int64) -> String {
    let digits = String(number).utf8.map { Int($0) - 0x30 }
    var alternatives: [String] = []
    if digits.count > 1 { alternatives.append(digits.count == 2 ? "[0-9]" : "[0-9]{1,\(digits.count - 1)}") }
    for (position, digit) in digits.enumerated() {
      let least = position == 0 && digits.count > 1 ? 1 : 0
      guard digit > least else { continue }
      let prefix = digits[..<position].map(String.init).joined()
      let rest = digits.count - position - 1
      alternatives.append("\(prefix)[\(least)-\(digit - 1)]" + (rest == 0 ? "" : "[0-9]{\(rest)}"))
    }
    return alternatives.joined(separator: "|")
  }
}
