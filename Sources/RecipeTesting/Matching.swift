import Expressions
import Localization
import Plans
import RecipeModel
public import RecipeSyntax

/// Compares what came out with what a test expects.
///
/// An expected value is compared as it stands, unless it is a map of nothing but matchers: `equals`, `contains`,
/// `matches`, `cel`, `size`. Matchers may stand at any depth, but inside of `equals`.
struct Matching {
  let path: String
  private(set) var diagnostics: [Diagnostic] = []

  static let matchers = RecipeDefinitions.definition(.matchers).keyNames

  init(path: String) { self.path = path }

  /// Whether a map says what a value must be like, rather than being the value.
  static func isMatcher(_ mapping: Node.Mapping) -> Bool {
    !mapping.entries.isEmpty && mapping.entries.allSatisfy { matchers.contains($0.name) }
  }

  // MARK: Reporting

  /// Reports that something differs; what it is, what was expected and what came out stand below each other.
  mutating func differ(
    _ place: LocalizedText, expected: LocalizedText, actual: LocalizedText, at range: SourceRange?,
    suggestion: String? = nil
  ) {
    let tail = suggestion.map { Suggestion.text(suggesting: $0) } ?? LocalizedText(verbatim: "")
    let message = LocalizedText(
      "\(place.english):\n  - expected: \(expected.english)\n  + actual:   \(actual.english)",
      de: "\(place.german):\n  - erwartet:    \(expected.german)\n  + tatsächlich: \(actual.german)")
    diagnostics.append(
      Diagnostic(.expectationFailed, message + tail, path: path, range: range, suggestion: suggestion))
  }

  /// Reports that a value differs; `place` names it: `outputs.digest`.
  mutating func differ(
    _ place: String, expected: LocalizedText, actual: LocalizedText, at range: SourceRange?, suggestion: String? = nil
  ) {
    differ(
      LocalizedText("\(place) differs", de: "\(place) weicht ab"), expected: expected, actual: actual, at: range,
      suggestion: suggestion)
  }

  // MARK: Comparing

  /// Compares a value.
  ///
  /// - Parameters:
  ///   - actual: What came out.
  ///   - expected: What is expected.
  ///   - place: Names the value: `outputs.digest`.
  ///   - note: What explains the value that came out, where it is a single one.
  mutating func compare(_ actual: Value, _ expected: Node, _ place: String, note: LocalizedText? = nil) {
    if let mapping = expected.mapping, Self.isMatcher(mapping) {
      for entry in mapping.entries { apply(entry.name, entry.value, to: actual, place) }
    } else {
      equal(actual, expected, place, note: note)
    }
  }

  private mutating func equal(
    _ actual: Value, _ expected: Node, _ place: String, isLiteral: Bool = false, note: LocalizedText? = nil
  ) {
    switch (actual, expected.content) {
    case (.map(let map), .mapping(let mapping)):
      for entry in mapping.entries {
        let place = "\(place).\(entry.name)"
        if let value = map[entry.name] {
          if isLiteral { equal(value, entry.value, place, isLiteral: true) } else { compare(value, entry.value, place) }
        } else {
          differ(
            place, expected: entry.value.value.briefText, actual: Self.missing, at: entry.nameRange,
            suggestion: Suggestion.closest(to: entry.name, among: map.keys.map(\.text) + Self.matchers))
        }
      }
      for key in map.keys where mapping.entry(key.text) == nil {
        differ(
          "\(place).\(key.text)", expected: LocalizedText("no such key", de: "kein solcher Schlüssel"),
          actual: (map[key] ?? .null).briefText, at: expected.range)
      }
    case (.list(let values), .sequence(let nodes)):
      for (position, (value, node)) in zip(values, nodes).enumerated() {
        let place = "\(place)[\(position)]"
        if isLiteral { equal(value, node, place, isLiteral: true) } else { compare(value, node, place) }
      }
      if values.count != nodes.count {
        differ(
          place, expected: Self.size(nodes.count, of: expected.value), actual: Self.size(values.count, of: actual),
          at: expected.range)
      }
    default:
      let wanted = expected.value
      if actual == wanted { return }
      // A map where a single value came out may be a misspelt matcher.
      let misspelt = actual.mapValue == nil ? expected.mapping?.entries.first : nil
      differ(
        actual, wanted, place, note: note, at: expected.range,
        suggestion: misspelt.flatMap { Suggestion.closest(to: $0.name, among: Self.matchers) })
    }
  }

  private mutating func apply(_ matcher: String, _ node: Node, to actual: Value, _ place: String) {
    switch matcher {
    case "equals": equal(actual, node, place, isLiteral: true)
    case "contains": contain(actual, node, place)
    case "size":
      let size = actual.stringValue?.unicodeScalars.count ?? actual.listValue?.count ?? actual.mapValue?.count
      if size.map({ Value.int(Int64($0)) }) == node.value { return }
      let found = size.map { LocalizedText(verbatim: "\($0): \(actual.brief)") }
      differ(
        LocalizedText("the size of \(place) differs", de: "die Grösse von \(place) weicht ab"),
        expected: node.value.briefText,
        actual: found
          ?? LocalizedText(
            "no text, list or map: \(actual.brief)", de: "kein Text, keine Liste, keine Map: \(actual.brief)"),
        at: node.range)
    case "matches":
      hold(
        "value.matches(pattern)", ["value": actual, "pattern": node.value], node, place,
        wanted: LocalizedText(
          "a text that matches \(node.value.brief)", de: "ein Text, der zu \(node.value.brief) passt"))
    default:
      let source = node.string ?? ""
      hold(
        source, ["value": actual], node, place,
        wanted: LocalizedText("'\(source)' is true of it", de: "'\(source)' trifft darauf zu"))
    }
  }

  private mutating func contain(_ actual: Value, _ node: Node, _ place: String) {
    switch actual {
    case .string(let text):
      for part in node.sequence ?? [node] {
        guard let wanted = part.string, text.contains(wanted) else {
          differ(
            place,
            expected: LocalizedText(
              "a text with \(part.value.brief) in it", de: "ein Text mit \(part.value.brief) darin"),
            actual: actual.briefText, at: part.range)
          continue
        }
      }
    case .list(let elements):
      for part in node.sequence ?? [node] {
        let isThere = elements.contains { element in
          var trial = Matching(path: path)
          if element.mapValue != nil, part.mapping != nil {
            trial.contain(element, part, "")
          } else {
            trial.compare(element, part, "")
          }
          return trial.diagnostics.isEmpty
        }
        if !isThere {
          differ(
            place,
            expected: LocalizedText("an element like \(part.value.brief)", de: "ein Element wie \(part.value.brief)"),
            actual: actual.briefText, at: part.range)
        }
      }
    case .map(let map):
      guard let mapping = node.mapping else { return equal(actual, node, place) }
      for entry in mapping.entries {
        let place = "\(place).\(entry.name)"
        guard let value = map[entry.name] else {
          differ(
            place, expected: entry.value.value.briefText, actual: Self.missing, at: entry.nameRange,
            suggestion: Suggestion.closest(to: entry.name, among: map.keys.map(\.text)))
          continue
        }
        if value.mapValue != nil, let nested = entry.value.mapping, !Self.isMatcher(nested) {
          contain(value, entry.value, place)
        } else {
          compare(value, entry.value, place)
        }
      }
    default: equal(actual, node, place)
    }
  }

  private mutating func hold(
    _ source: String, _ variables: [String: Value], _ node: Node, _ place: String, wanted: LocalizedText
  ) {
    let actual = (variables["value"] ?? .null).briefText
    var reason = LocalizedText(verbatim: "")
    do {
      let expression = try Expression(source, in: Environment(variables: variables.mapValues { _ in .dynamic }))
      if try expression.evaluate(Bindings(variables: variables)) == .bool(true) { return }
    } catch let errors as ExpressionErrors {
      reason = errors.all.first?.message ?? reason
    } catch {
      reason = (error as? ExpressionError)?.message ?? LocalizedText(verbatim: "\(error)")
    }
    if !reason.english.isEmpty { reason = LocalizedText(verbatim: " (") + reason + LocalizedText(verbatim: ")") }
    differ(place, expected: wanted, actual: actual + reason, at: node.range)
  }

  // MARK: Words

  private static let missing = LocalizedText("missing", de: "fehlt")

  private static func size(_ count: Int, of value: Value) -> LocalizedText {
    LocalizedText.count(count, "element", "elements", de: "Element", "Elemente")
      + LocalizedText(verbatim: ": \(value.brief)")
  }

  /// Reports a difference; of long texts, the first line that differs.
  private mutating func differ(
    _ actual: Value, _ wanted: Value, _ place: String, note: LocalizedText?, at range: SourceRange, suggestion: String?
  ) {
    if case .string(let got) = actual, case .string(let text) = wanted, got.contains("\n") || text.contains("\n") {
      let gotLines = got.split(separator: "\n", omittingEmptySubsequences: false)
      let wantedLines = text.split(separator: "\n", omittingEmptySubsequences: false)
      let line =
        zip(gotLines, wantedLines).enumerated().first { $1.0 != $1.1 }?.offset ?? min(gotLines.count, wantedLines.count)
      let end = LocalizedText("the text ends here", de: "der Text endet hier")
      let expected = line < wantedLines.count ? LocalizedText(verbatim: "'\(wantedLines[line])'") : end
      let found = line < gotLines.count ? LocalizedText(verbatim: "'\(gotLines[line])'") : end
      return differ(
        LocalizedText("\(place) differs in line \(line + 1)", de: "\(place) weicht in Zeile \(line + 1) ab"),
        expected: expected, actual: found, at: range)
    }
    let reason = note.map { LocalizedText(verbatim: " (") + $0 + LocalizedText(verbatim: ")") }
    differ(
      place, expected: wanted.briefText, actual: actual.briefText + (reason ?? LocalizedText(verbatim: "")), at: range,
      suggestion: suggestion)
  }
}

extension Diagnostic.Code {
  /// What a test expects did not come out.
  public static let expectationFailed = Self(rawValue: "expectation_failed")
  /// A step was called that the test has no answer for.
  public static let unansweredCall = Self(rawValue: "unanswered_call")
}

extension Value {
  /// The value on one line, cut.
  var brief: String {
    let text = jsonString
    return text.count > 300 ? text.prefix(299) + "…" : text
  }

  /// The value on one line, cut, in every language.
  var briefText: LocalizedText { LocalizedText(verbatim: brief) }
}
