import Expressions
import Localization
public import Recipes

/// Compares what came out with what a test expects.
///
/// An expected value is compared as it stands, unless it is a map of nothing but matchers: `equals`, `contains`,
/// `matches`, `cel`, `size`. Matchers may stand at any depth.
struct Matching {
  let path: String
  private(set) var diagnostics: [Diagnostic] = []

  static let matchers = ["equals", "contains", "matches", "cel", "size"]

  init(path: String) { self.path = path }

  /// Reports an expectation that was not met.
  mutating func fail(_ message: LocalizedText, at range: SourceRange?, suggestion: String? = nil) {
    let tail = suggestion.map { Suggestion.text(suggesting: $0) } ?? LocalizedText(verbatim: "")
    diagnostics.append(
      Diagnostic(.expectationFailed, message + tail, path: path, range: range, suggestion: suggestion))
  }

  /// Compares a value; `place` names it: `outputs.digest`.
  mutating func compare(_ actual: Value, _ expected: Node, _ place: String) {
    if let mapping = expected.mapping, !mapping.entries.isEmpty,
      mapping.entries.allSatisfy({ Self.matchers.contains($0.name) })
    {
      for entry in mapping.entries { apply(entry.name, entry.value, to: actual, place) }
    } else {
      equal(actual, expected, place)
    }
  }

  private mutating func equal(_ actual: Value, _ expected: Node, _ place: String) {
    switch (actual, expected.content) {
    case (.map(let map), .mapping(let mapping)):
      for entry in mapping.entries {
        let place = "\(place).\(entry.name)"
        if let value = map[entry.name] {
          compare(value, entry.value, place)
        } else {
          fail(.init("\(place) is missing", de: "\(place) fehlt"), at: entry.nameRange)
        }
      }
      for key in map.keys where mapping.entry(key.text) == nil {
        fail(
          .init(
            "\(place).\(key.text) is not expected: \((map[key] ?? .null).brief)",
            de: "\(place).\(key.text) wird nicht erwartet: \((map[key] ?? .null).brief)"),
          at: expected.range)
      }
    case (.list(let values), .sequence(let nodes)):
      for (position, (value, node)) in zip(values, nodes).enumerated() {
        compare(value, node, "\(place)[\(position)]")
      }
      if values.count != nodes.count {
        fail(
          .init(
            "\(place) has \(values.count) elements, \(nodes.count) are expected",
            de: "\(place) hat \(values.count) Elemente, erwartet werden \(nodes.count)"),
          at: expected.range)
      }
    default:
      let wanted = expected.value
      if actual != wanted { differ(actual, wanted, place, at: expected.range) }
    }
  }

  private mutating func apply(_ matcher: String, _ node: Node, to actual: Value, _ place: String) {
    switch matcher {
    case "equals": equal(actual, node, place)
    case "contains": contain(actual, node, place)
    case "size":
      let size = actual.stringValue?.unicodeScalars.count ?? actual.listValue?.count ?? actual.mapValue?.count
      if size.map({ Value.int(Int64($0)) }) != node.value {
        let count = size.map(String.init) ?? "–"
        fail(
          .init(
            "the size of \(place) is \(count), not \(node.value.brief)",
            de: "die Größe von \(place) ist \(count), nicht \(node.value.brief)"),
          at: node.range)
      }
    case "matches":
      hold("value.matches(pattern)", ["value": actual, "pattern": node.value], node) { value in
        LocalizedText(
          "\(place) does not match: \(value)", de: "\(place) passt nicht: \(value)")
      }
    default:
      hold(node.string ?? "", ["value": actual], node) { value in
        LocalizedText("not true of \(place): \(value)", de: "trifft auf \(place) nicht zu: \(value)")
      }
    }
  }

  private mutating func contain(_ actual: Value, _ node: Node, _ place: String) {
    switch actual {
    case .string(let text):
      for part in node.sequence ?? [node] {
        guard let wanted = part.string else {
          fail(.init("'contains' must be a text", de: "'contains' muss ein Text sein"), at: part.range)
          continue
        }
        if !text.contains(wanted) {
          fail(
            .init(
              "\(place) does not contain it: \(actual.brief)", de: "\(place) enthält es nicht: \(actual.brief)"),
            at: part.range)
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
          fail(
            .init(
              "no element of \(place) is like it: \(actual.brief)",
              de: "kein Element von \(place) ist so: \(actual.brief)"),
            at: part.range)
        }
      }
    case .map(let map):
      guard let mapping = node.mapping else { return equal(actual, node, place) }
      for entry in mapping.entries {
        guard let value = map[entry.name] else {
          fail(.init("\(place).\(entry.name) is missing", de: "\(place).\(entry.name) fehlt"), at: entry.nameRange)
          continue
        }
        if value.mapValue != nil, entry.value.mapping != nil {
          contain(value, entry.value, "\(place).\(entry.name)")
        } else {
          compare(value, entry.value, "\(place).\(entry.name)")
        }
      }
    default: equal(actual, node, place)
    }
  }

  private mutating func hold(
    _ source: String, _ variables: [String: Value], _ node: Node, _ message: (String) -> LocalizedText
  ) {
    do {
      let expression = try Expression(source, in: Environment(variables: variables.mapValues { _ in .dynamic }))
      let result = try expression.evaluate(Bindings(variables: variables))
      if result == .bool(true) { return }
      fail(message((variables["value"] ?? .null).brief), at: node.range)
    } catch let errors as ExpressionErrors {
      for error in errors.all { fail(error.message, at: node.range) }
    } catch {
      let reason = (error as? ExpressionError)?.message ?? LocalizedText(verbatim: "\(error)")
      fail(
        message((variables["value"] ?? .null).brief) + LocalizedText(verbatim: " (") + reason
          + LocalizedText(verbatim: ")"), at: node.range)
    }
  }

  /// Reports a difference; of long texts, the first line that differs.
  private mutating func differ(_ actual: Value, _ wanted: Value, _ place: String, at range: SourceRange) {
    if case .string(let got) = actual, case .string(let text) = wanted, got.contains("\n") || text.contains("\n") {
      let gotLines = got.split(separator: "\n", omittingEmptySubsequences: false)
      let wantedLines = text.split(separator: "\n", omittingEmptySubsequences: false)
      let line =
        zip(gotLines, wantedLines).enumerated().first { $1.0 != $1.1 }?.offset ?? min(gotLines.count, wantedLines.count)
      let expected = line < wantedLines.count ? "'\(wantedLines[line])'" : "–"
      let found = line < gotLines.count ? "'\(gotLines[line])'" : "–"
      fail(
        .init(
          "\(place) differs in line \(line + 1):\n  - expected: \(expected)\n  + actual:   \(found)",
          de: "\(place) weicht in Zeile \(line + 1) ab:\n  - erwartet:     \(expected)\n  + tatsächlich: \(found)"),
        at: range)
      return
    }
    fail(
      .init(
        "\(place) differs:\n  - expected: \(wanted.brief)\n  + actual:   \(actual.brief)",
        de: "\(place) weicht ab:\n  - erwartet:     \(wanted.brief)\n  + tatsächlich: \(actual.brief)"),
      at: range)
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
}
