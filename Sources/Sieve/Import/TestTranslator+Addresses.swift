import Localization
import Mail

/// The part of an address that a test looks at (RFC 5228, 2.7.4; RFC 5233).
enum AddressPart: String, CaseIterable {
  case all, localpart, domain, user, detail

  /// The text before and after the part in an address, as parts of a regular expression; the characters of the part.
  fileprivate var frame: (before: String, letter: String, after: String) {
    switch self {
    case .all: ("", ".", "")
    case .localpart: ("", "[^@]", "@.*")
    case .domain: (".*@", "[^@]", "")
    case .user: ("", "[^@+]", #"(\+[^@]*)?@.*"#)
    case .detail: (#"[^@+]*\+"#, "[^@]", "@.*")
    }
  }
}

extension TestTranslator {
  func address(_ arguments: inout ArgumentReader) throws(UnsupportedByFilter) -> Formula {
    let settings = try MatchSettings(&arguments)
    let part = try self.part(&arguments)
    let fields = try arguments.texts()
    let names = try self.names(fields)
    var comparison = try self.comparison(settings, try arguments.texts())
    // Filters have addresses with their domains in Unicode.
    comparison.keys = comparison.keys.map { (DomainName.unicode(in: DomainName.ascii(inDomainOf: $0.text)), $0.range) }
    var parts: [Formula] = []
    var counts: [String] = []
    for (name, field) in zip(names, fields) {
      let lists = ["to": "to", "cc": "cc", "bcc": "bcc", "reply-to": "reply_to"]
      if let list = lists[name] {
        counts.append("message.\(list).size()")
        if case .count = settings.kind { continue }
        let condition = try addressFormula("a.address", part, comparison)
        if condition == .constant(false) { continue }
        parts.append(.test("message.\(list).exists(a, \(condition.expression))", isRelation: false))
      } else if name == "from", !settings.isCount {
        problems.note(
          "from",
          .init(
            "of a message with several authors the filter sees the first",
            de: "von einer Nachricht mit mehreren Verfassern sieht der Filter den ersten"), at: field.range)
        parts.append(try addressFormula("message.from.address", part, comparison))
      } else {
        throw problems.refuse(
          .init(
            "filters know the addresses of From, To, Cc, Bcc and Reply-To; compare others with 'header'",
            de: "Filter kennen die Adressen in From, To, Cc, Bcc und Reply-To; andere mit 'header' vergleichen"),
          at: field.range)
      }
    }
    if case .count(let relation) = settings.kind {
      return try Self.count(counts.joined(separator: " + "), relation, comparison)
    }
    return .any(of: parts)
  }

  func envelope(_ arguments: inout ArgumentReader) throws(UnsupportedByFilter) -> Formula {
    let settings = try MatchSettings(&arguments)
    let part = try self.part(&arguments)
    let fields = try arguments.texts()
    var comparison = try self.comparison(settings, try arguments.texts())
    // The field is raw: mostly in ASCII, in Unicode if the server knows SMTPUTF8.
    comparison.keys = comparison.keys.flatMap { key in
      let ascii = DomainName.ascii(inDomainOf: key.text)
      let unicode = DomainName.unicode(in: ascii)
      return unicode == ascii ? [key] : [(unicode, key.range), (ascii, key.range)]
    }
    for field in fields where try expansion.text(field, state).lowercased() != "from" {
      throw problems.refuse(
        .init(
          "a message in a folder says who sent it (Return-Path), not to which address it was delivered",
          de:
            "eine Nachricht im Ordner sagt, wer sie sandte (Return-Path), nicht, an welche Adresse sie zugestellt wurde"
        ),
        at: field.range)
    }
    if settings.isCount {
      throw problems.refuse(
        .init("the envelope has one sender", de: "der Umschlag hat einen Absender"), at: arguments.place)
    }
    problems.note(
      "envelope",
      .init(
        "the sender of the envelope is read from Return-Path, which the mail server writes when it delivers",
        de: "der Absender des Umschlags steht in Return-Path, was der Mailserver bei der Zustellung schreibt"),
      at: arguments.place)
    let condition = try addressFormula("h.value", part, comparison, isBracketed: true)
    return Self.anyField(["return-path"], condition)
  }

  private func part(_ arguments: inout ArgumentReader) throws(UnsupportedByFilter) -> AddressPart {
    let parts = AddressPart.allCases.filter { arguments.flag($0.rawValue) != nil }
    if parts.count > 1 {
      throw problems.refuse(
        .init("a test looks at one part of an address", de: "ein Test sieht auf einen Teil der Adresse"),
        at: arguments.place)
    }
    return parts.first ?? .all
  }

  /// A condition on the part of an address.
  private func addressFormula(
    _ subject: String, _ part: AddressPart, _ comparison: TextComparison, isBracketed: Bool = false
  ) throws(UnsupportedByFilter) -> Formula {
    let settings = comparison.settings
    for key in comparison.keys where key.text.isEmpty && !isBracketed {
      throw problems.refuse(
        .init("a part of an address is not empty", de: "ein Teil einer Adresse ist nicht leer"), at: key.range)
    }
    guard settings.comparator != .numeric, [.equal, .contains, .wildcards].contains(settings.kind) else {
      if settings.kind == .regularExpression, part == .all, !isBracketed { return try comparison.formula(subject) }
      throw problems.refuse(
        .init(
          "parts of addresses are compared with ':is', ':contains' and ':matches'",
          de: "Teile von Adressen lassen sich mit ':is', ':contains' und ':matches' vergleichen"), at: comparison.place)
    }
    if part == .all, !isBracketed { return try comparison.formula(subject) }
    let folds = settings.comparator == .casemap
    let subject = folds ? subject + ".lowerAscii()" : subject
    return .any(
      of: comparison.keys.map { key in
        let text = folds ? key.text.asciiLowercased : key.text
        return Self.addressFormula(subject, part, settings.kind, text, isBracketed: isBracketed)
      })
  }

  private static func addressFormula(
    _ subject: String, _ part: AddressPart, _ kind: MatchSettings.Kind, _ key: String, isBracketed: Bool
  ) -> Formula {
    // No part but a quoted local part has an @, which no key can ask for here.
    if part != .all, key.contains("@") { return .constant(false) }
    if !isBracketed {
      switch (part, kind) {
      case (.domain, .equal):
        return .test("\(subject).endsWith(\(ExpressionText.literal("@" + key)))", isRelation: false)
      case (.localpart, .equal):
        return .test("\(subject).startsWith(\(ExpressionText.literal(key + "@")))", isRelation: false)
      case (.domain, .wildcards):
        if let part = Wildcards(key).part, part.isOpenBefore, !part.isOpenAfter {
          return .test("\(subject).endsWith(\(ExpressionText.literal(part.text)))", isRelation: false)
        }
      default: break
      }
    }
    let (before, letter, after) = part.frame
    let pattern =
      switch kind {
      case .contains: letter + "*" + ExpressionText.quoted(key) + letter + "*"
      case .wildcards: Wildcards(key).expression(any: letter)
      default: ExpressionText.quoted(key)
      }
    let text =
      isBracketed ? "^<?\(before)\(pattern)\(after.replacing(".*", with: "[^>]*"))>?$" : "^\(before)\(pattern)\(after)$"
    return .test("\(subject).matches(\(ExpressionText.pattern(text)))", isRelation: false)
  }
}

extension MatchSettings {
  fileprivate var isCount: Bool { if case .count = kind { true } else { false } }
}

extension TextComparison {
  fileprivate var place: Range<Int> { keys.first?.range ?? 0..<0 }
}
