public import PluginKit

/// Checks a value against JSON Schema 2020-12, as far as answers of models are described by it.
///
/// Understood are `type`, `enum`, `const`, `properties`, `required`, `additionalProperties`, `items`, `minItems`,
/// `maxItems`, `minLength`, `maxLength`, `minimum`, `maximum`, `exclusiveMinimum`, `exclusiveMaximum`, `anyOf`, `oneOf`,
/// `allOf`, and `$ref` into the document. Other keywords allow everything.
public struct SchemaCheck: Sendable {
  /// What is wrong, with its place: `items[2].price: expected number, found string`.
  public struct Problem: Sendable, Hashable {
    /// In English.
    public var english: String
    /// In German.
    public var german: String
  }

  /// Deeper than this nothing is looked at.
  static let maximumDepth = 64
  /// More than this is not said.
  static let maximumProblems = 5

  /// What a walk has found, and how many values and schemas it may still look at: alternatives of alternatives multiply.
  private struct Findings {
    var problems: [Problem] = []
    var remaining = 1_000_000
  }

  private let root: JSONValue

  /// Creates a check.
  public init(_ schema: JSONValue) { root = schema }

  /// What is wrong with a value, at most five problems; empty where it suits.
  public func problems(of value: JSONValue) -> [Problem] {
    var found = Findings()
    check(value, root, path: "", depth: 0, &found)
    return Array(found.problems.prefix(Self.maximumProblems))
  }

  private func check(_ value: JSONValue, _ schema: JSONValue, path: String, depth: Int, _ found: inout Findings) {
    guard found.problems.count < Self.maximumProblems else { return }
    found.remaining -= 1
    guard depth < Self.maximumDepth, found.remaining > 0 else {
      return report(path, "too deep or too large to check", "zu tief oder zu groß für die Prüfung", &found)
    }
    if schema == false { return report(path, "not allowed", "nicht erlaubt", &found) }
    guard case .object(let keywords) = schema else { return }
    if let reference = keywords["$ref"]?.string, let target = target(of: reference) {
      check(value, target, path: path, depth: depth + 1, &found)
    }
    if let types = keywords["type"], !suits(value, types) {
      let wanted = (types.array ?? [types]).compactMap(\.string).joined(separator: " | ")
      return report(
        path, "expected \(wanted), found \(Self.name(of: value))",
        "\(wanted) erwartet, \(Self.name(of: value)) gefunden",
        &found)
    }
    if let choices = keywords["enum"]?.array, !choices.contains(where: { Self.isSame($0, value) }) {
      let names = choices.prefix(10).map(Self.text).joined(separator: ", ")
      report(path, "is none of \(names)", "ist keines von \(names)", &found)
    }
    if let constant = keywords["const"], !Self.isSame(constant, value) {
      report(path, "is not \(Self.text(constant))", "ist nicht \(Self.text(constant))", &found)
    }
    switch value {
    case .object(let members): check(members, keywords, path: path, depth: depth, &found)
    case .array(let elements): check(elements, keywords, path: path, depth: depth, &found)
    case .string(let text):
      let count = Double(text.unicodeScalars.count)
      bound(count, keywords, "minLength", "maxLength", ("characters", "Zeichen"), path, &found)
    case .integer(let number): bound(Double(number), keywords, path, &found)
    case .number(let number): bound(number, keywords, path, &found)
    case .null, .bool: break
    }
    combine(value, keywords, path: path, depth: depth, &found)
  }

  private func check(
    _ members: JSONObject, _ keywords: JSONObject, path: String, depth: Int,
    _ found: inout Findings
  ) {
    for name in (keywords["required"]?.array ?? []).compactMap(\.string) where members[name] == nil {
      report(Self.join(path, name), "missing", "fehlt", &found)
    }
    var properties: JSONObject = [:]
    if case .object(let declared)? = keywords["properties"] { properties = declared }
    for (name, value) in members.sorted(by: { $0.key < $1.key }) {
      if let schema = properties[name] ?? keywords["additionalProperties"] {
        check(value, schema, path: Self.join(path, name), depth: depth + 1, &found)
      }
    }
  }

  private func check(
    _ elements: [JSONValue], _ keywords: JSONObject, path: String, depth: Int, _ found: inout Findings
  ) {
    bound(Double(elements.count), keywords, "minItems", "maxItems", ("elements", "Elemente"), path, &found)
    guard let items = keywords["items"] else { return }
    for (index, element) in elements.enumerated() {
      guard found.problems.count < Self.maximumProblems else { return }
      check(element, items, path: "\(path)[\(index)]", depth: depth + 1, &found)
    }
  }

  private func combine(
    _ value: JSONValue, _ keywords: JSONObject, path: String, depth: Int, _ found: inout Findings
  ) {
    for part in keywords["allOf"]?.array ?? [] { check(value, part, path: path, depth: depth + 1, &found) }
    for (keyword, isExclusive) in [("anyOf", false), ("oneOf", true)] {
      guard let choices = keywords[keyword]?.array, !choices.isEmpty else { continue }
      let fitting = choices.filter { choice in
        var tried = Findings(remaining: found.remaining)
        check(value, choice, path: path, depth: depth + 1, &tried)
        found.remaining = tried.remaining
        return tried.problems.isEmpty
      }.count
      if fitting == 0 || (isExclusive && fitting > 1) {
        report(path, "does not suit '\(keyword)'", "passt nicht zu '\(keyword)'", &found)
      }
    }
  }

  // MARK: Parts

  private func bound(_ number: Double, _ keywords: JSONObject, _ path: String, _ found: inout Findings) {
    bound(number, keywords, "minimum", "maximum", ("", ""), path, &found)
    if let limit = Self.number(keywords["exclusiveMinimum"]), number <= limit {
      report(path, "must be more than \(limit)", "muss größer sein als \(limit)", &found)
    }
    if let limit = Self.number(keywords["exclusiveMaximum"]), number >= limit {
      report(path, "must be less than \(limit)", "muss kleiner sein als \(limit)", &found)
    }
  }

  private func bound(
    _ number: Double, _ keywords: JSONObject, _ lower: String, _ upper: String,
    _ unit: (english: String, german: String), _ path: String, _ found: inout Findings
  ) {
    func say(_ text: String, _ limit: Double, _ unit: String) -> String {
      "\(text) \(limit.formattedShortly)\(unit.isEmpty ? "" : " " + unit)"
    }
    if let limit = Self.number(keywords[lower]), number < limit {
      report(path, say("less than", limit, unit.english), say("weniger als", limit, unit.german), &found)
    }
    if let limit = Self.number(keywords[upper]), number > limit {
      report(path, say("more than", limit, unit.english), say("mehr als", limit, unit.german), &found)
    }
  }

  private func report(_ path: String, _ english: String, _ german: String, _ found: inout Findings) {
    let place = path.isEmpty ? "" : "\(path): "
    found.problems.append(Problem(english: place + english, german: place + german))
  }

  /// What a reference inside the document leads to: `#/$defs/name`.
  private func target(of reference: String) -> JSONValue? {
    guard reference.hasPrefix("#") else { return nil }
    var value: JSONValue? = root
    for part in reference.dropFirst().split(separator: "/") {
      let name = String(part).replacing("~1", with: "/").replacing("~0", with: "~")
      value = value?[name]
    }
    return value
  }

  private func suits(_ value: JSONValue, _ types: JSONValue) -> Bool {
    let names = (types.array ?? [types]).compactMap(\.string)
    guard !names.isEmpty else { return true }
    return names.contains { name in
      switch (name, value) {
      case ("null", .null), ("boolean", .bool), ("integer", .integer), ("number", .integer), ("number", .number),
        ("string", .string), ("array", .array), ("object", .object):
        true
      case ("integer", .number(let number)): number.rounded() == number
      default: false
      }
    }
  }

  private static func isSame(_ left: JSONValue, _ right: JSONValue) -> Bool {
    if let left = number(left), let right = number(right) { return left == right }
    return left == right
  }

  private static func number(_ value: JSONValue?) -> Double? {
    switch value {
    case .integer(let number): Double(number)
    case .number(let number): number
    default: nil
    }
  }

  private static func text(_ value: JSONValue) -> String {
    switch value {
    case .null: "null"
    case .bool(let flag): String(flag)
    case .integer(let number): String(number)
    case .number(let number): String(number)
    case .string(let text): "'\(text.prefix(60))'"
    case .array: "[…]"
    case .object: "{…}"
    }
  }

  private static func name(of value: JSONValue) -> String {
    switch value {
    case .null: "null"
    case .bool: "boolean"
    case .integer: "integer"
    case .number: "number"
    case .string: "string"
    case .array: "array"
    case .object: "object"
    }
  }

  private static func join(_ path: String, _ name: String) -> String {
    let name = name.count > 80 ? name.prefix(80) + "…" : name
    return path.isEmpty ? name : "\(path).\(name)"
  }
}

extension Double {
  /// Without a fraction where there is none.
  fileprivate var formattedShortly: String {
    rounded() == self && magnitude < 1e15 ? String(Int64(self)) : String(self)
  }
}
