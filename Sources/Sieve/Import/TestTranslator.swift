import Localization

/// Translates tests into conditions.
struct TestTranslator {
  let problems: Problems
  let options: SieveImport.Options
  let expansion: Expansion
  let state: ScriptState

  /// The condition that says what a test says.
  func formula(_ test: SieveTest) throws(UnsupportedByFilter) -> Formula {
    switch test.name {
    case "true": return .constant(true)
    case "false": return .constant(false)
    case "not":
      guard let inner = test.tests.first, test.tests.count == 1 else { throw needsTests(test) }
      return try formula(inner).negated
    case "allof", "anyof":
      guard !test.tests.isEmpty else { throw needsTests(test) }
      var parts: [Formula] = []
      var failed: UnsupportedByFilter?
      for part in test.tests {
        do throws(UnsupportedByFilter) { parts.append(try formula(part)) } catch { failed = error }
      }
      if let failed { throw failed }
      return test.name == "allof" ? .all(of: parts) : .any(of: parts)
    default: break
    }
    var arguments = ArgumentReader(test.arguments, of: test.name, at: test.place, problems)
    let result: Formula
    switch test.name {
    case "header": result = try header(&arguments)
    case "exists": result = try exists(&arguments)
    case "size": result = try size(&arguments)
    case "address": result = try address(&arguments)
    case "envelope": result = try envelope(&arguments)
    case "body": result = try body(&arguments)
    case "date", "currentdate": result = try date(&arguments, isNow: test.name == "currentdate")
    case "string": result = try string(&arguments)
    case "ihave": result = .constant(try arguments.texts().allSatisfy { SieveImport.extensions.contains($0.text) })
    default: throw Self.refuse(test, problems)
    }
    try arguments.finish()
    return result
  }

  private func needsTests(_ test: SieveTest) -> UnsupportedByFilter {
    problems.refuse(
      .init("'\(test.name)' needs a test", de: "'\(test.name)' braucht einen Test"), at: test.place)
  }

  private static func refuse(_ test: SieveTest, _ problems: Problems) -> UnsupportedByFilter {
    let reason: LocalizedText =
      switch test.name {
      case "mailboxexists", "metadata", "mailboxidexists", "specialuse_exists":
        .init(
          "rules see messages, not which folders there are; a folder is made with ':create'",
          de: "Regeln sehen Nachrichten, nicht, welche Ordner es gibt; ':create' legt einen an")
      case "hasflag":
        .init(
          "rules see the flags that a message had at the beginning, not those that rules give it",
          de: "Regeln sehen die Markierungen vom Anfang, nicht die, die Regeln geben")
      case "duplicate":
        .init("rules do not remember earlier messages", de: "Regeln merken sich keine früheren Nachrichten")
      case "spamtest", "virustest":
        .init(
          "only the mail server knows this; test the header field that it writes",
          de: "das weiß nur der Mailserver; statt dessen die Kopfzeile prüfen, die er schreibt")
      case "environment":
        .init("rules know only the message", de: "Regeln kennen nur die Nachricht")
      default:
        .init("filters do not know this test", de: "diesen Test kennen Filter nicht")
      }
    return problems.refuse(LocalizedText(verbatim: "'\(test.name)': ") + reason, at: test.place)
  }

  // MARK: Parts that tests share

  /// The keys of a test with the values of their variables.
  func comparison(
    _ settings: MatchSettings, _ keys: [SieveString]
  ) throws(UnsupportedByFilter) -> TextComparison {
    var texts: [(text: String, range: Range<Int>)] = []
    for key in keys { texts.append((try expansion.text(key, state), key.range)) }
    return TextComparison(problems: problems, settings: settings, keys: texts)
  }

  /// The names of header fields, in lower case.
  func names(_ strings: [SieveString]) throws(UnsupportedByFilter) -> [String] {
    var names: [String] = []
    for string in strings {
      let name = try expansion.text(string, state).asciiLowercased
      guard (1...76).contains(name.utf8.count), name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != 0x3A }) else {
        throw problems.refuse(
          .init("'\(name)' is not the name of a header field", de: "'\(name)' ist kein Name eines Header-Felds"),
          at: string.range)
      }
      if !names.contains(name) { names.append(name) }
    }
    return names
  }

  /// Whether a variable represents one of some header fields.
  static func isNamed(_ names: [String], _ variable: String = "h") -> Formula {
    .any(of: names.map { .test("\(variable).name.lowerAscii() == \(ExpressionText.literal($0))", isRelation: true) })
  }

  /// A condition for any header field of some names.
  static func anyField(_ names: [String], _ condition: Formula) -> Formula {
    if condition == .constant(false) { return condition }
    let inner = Formula.all(of: [isNamed(names), condition]).expression
    return .test("message.headers.exists(h, \(inner))", isRelation: false)
  }

  // MARK: Tests

  private func header(_ arguments: inout ArgumentReader) throws(UnsupportedByFilter) -> Formula {
    let settings = try MatchSettings(&arguments)
    let names = try self.names(try arguments.texts())
    let comparison = try self.comparison(settings, try arguments.texts())
    if case .count(let relation) = settings.kind {
      return try Self.count(
        "message.headers.filter(h, \(Self.isNamed(names).expression)).size()", relation, comparison)
    }
    // A pattern that matches an empty text must not match a missing field.
    if names == ["subject"], settings.comparator != .numeric, try !comparison.fitsEmpty {
      return try comparison.formula("message.subject")
    }
    return Self.anyField(names, try comparison.formula("h.value"))
  }

  /// Compares the number of something.
  static func count(
    _ number: String, _ relation: String, _ comparison: TextComparison
  ) throws(UnsupportedByFilter) -> Formula {
    var parts: [Formula] = []
    for key in comparison.keys {
      guard let wanted = Int64(key.text), wanted >= 0, let sign = MatchSettings.relations[relation] else {
        throw comparison.problems.refuse(
          .init("'\(key.text)' is not a number", de: "'\(key.text)' ist keine Zahl"), at: key.range)
      }
      parts.append(.test("\(number) \(sign) \(wanted)", isRelation: true))
    }
    return .any(of: parts)
  }

  private func exists(_ arguments: inout ArgumentReader) throws(UnsupportedByFilter) -> Formula {
    let names = try self.names(try arguments.texts())
    return .all(of: names.map { Self.anyField([$0], .constant(true)) })
  }

  private func size(_ arguments: inout ArgumentReader) throws(UnsupportedByFilter) -> Formula {
    let (over, under) = (arguments.flag("over"), arguments.flag("under"))
    guard (over == nil) != (under == nil) else {
      throw problems.refuse(
        .init("'size' needs ':over' or ':under'", de: "'size' braucht ':over' oder ':under'"), at: arguments.place)
    }
    let number = try arguments.number()
    return .test("message.size \(over != nil ? ">" : "<") \(number)", isRelation: true)
  }

  private func body(_ arguments: inout ArgumentReader) throws(UnsupportedByFilter) -> Formula {
    let settings = try MatchSettings(&arguments)
    for tag in ["raw", "content"] {
      let range = tag == "raw" ? arguments.flag(tag) : try arguments.texts(behind: tag)?.first?.range
      guard let range else { continue }
      throw problems.refuse(
        .init(
          "filters see the readable text of a message, not its parts; use 'body :text'",
          de: "Filter sehen den lesbaren Text einer Nachricht, nicht ihre Teile; stattdessen 'body :text'"), at: range)
    }
    _ = arguments.flag("text")
    let keys = try arguments.texts()
    let comparison = try self.comparison(settings, keys)
    guard settings.isPart(comparison), comparison.keys.allSatisfy({ !$0.text.contains("\n") && !$0.text.isEmpty })
    else {
      throw problems.refuse(
        .init(
          "of the body only ':contains' of a text on one line is the same in a filter",
          de: "vom Inhalt ist nur ':contains' mit einem Text in einer Zeile in einem Filter dasselbe"),
        at: keys.first?.range ?? arguments.place)
    }
    problems.note(
      "body",
      .init(
        "the filter looks at the text that people read: in plain text if there is one, at most 64 KiB",
        de: "der Filter sieht den Text, den Menschen lesen: als einfachen Text, wo es ihn gibt, höchstens 64 KiB"),
      at: arguments.place)
    return try comparison.formula("message.text")
  }

  /// Texts that the script knows itself.
  private func string(_ arguments: inout ArgumentReader) throws(UnsupportedByFilter) -> Formula {
    let settings = try MatchSettings(&arguments)
    let sources = try expansion.texts(try arguments.texts(), state)
    let comparison = try self.comparison(settings, try arguments.texts())
    guard settings.comparator != .numeric else { return try numbers(sources, comparison, settings, arguments.place) }
    let folds = settings.comparator == .casemap
    func settled(_ text: String) -> String { folds ? text.asciiLowercased : text }
    var holds = false
    for source in sources.map(settled) {
      for key in comparison.keys.map({ settled($0.text) }) {
        switch settings.kind {
        case .equal: holds = holds || Array(source.utf8) == Array(key.utf8)
        case .contains: holds = holds || key.isEmpty || source.contains(key)
        case .wildcards: holds = holds || Wildcards(key).matches(source)
        default:
          throw problems.refuse(
            .init("this comparison of variables is not known", de: "dieser Vergleich von Variablen ist nicht bekannt"),
            at: arguments.place)
        }
      }
    }
    return .constant(holds)
  }

  private func numbers(
    _ sources: [String], _ comparison: TextComparison, _ settings: MatchSettings, _ place: Range<Int>
  ) throws(UnsupportedByFilter) -> Formula {
    var holds = false
    for source in sources {
      for key in comparison.keys {
        guard let left = Int64(source), let right = Int64(key.text) else {
          throw problems.refuse(.init("these are not numbers", de: "das sind keine Zahlen"), at: place)
        }
        let relation = if case .value(let word) = settings.kind { word } else { "eq" }
        switch relation {
        case "gt": holds = holds || left > right
        case "ge": holds = holds || left >= right
        case "lt": holds = holds || left < right
        case "le": holds = holds || left <= right
        case "ne": holds = holds || left != right
        default: holds = holds || left == right
        }
      }
    }
    return .constant(holds)
  }
}

extension MatchSettings {
  /// Whether a comparison looks for parts of a text.
  func isPart(_ comparison: TextComparison) -> Bool {
    if comparator == .numeric { return false }
    if kind == .contains { return true }
    guard kind == .wildcards else { return false }
    return comparison.keys.allSatisfy { key in
      Wildcards(key.text).part.map { $0.isOpenBefore && $0.isOpenAfter } ?? false
    }
  }
}

extension TextComparison {
  /// Whether an empty text could fit.
  var fitsEmpty: Bool {
    get throws(UnsupportedByFilter) {
      keys.contains { key in
        switch settings.kind {
        case .equal, .contains: key.text.isEmpty
        case .wildcards: Wildcards(key.text).matches("")
        default: true
        }
      }
    }
  }
}
