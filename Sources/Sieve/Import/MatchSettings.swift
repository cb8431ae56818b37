import Localization

/// How a test compares texts (RFC 5228, 2.7; RFC 5231).
struct MatchSettings {
  /// The kinds of comparison.
  enum Kind: Equatable {
    case equal, contains, wildcards, regularExpression
    /// The number of values, and how it is compared: `ge`.
    case count(String)
    case value(String)
  }

  /// The comparators (RFC 4790).
  enum Comparator: String {
    case casemap = "i;ascii-casemap"
    case octet = "i;octet"
    case numeric = "i;ascii-numeric"
  }

  var kind = Kind.equal
  var comparator = Comparator.casemap

  /// Operators of CEL for the relations of RFC 5231.
  static let relations = ["gt": ">", "ge": ">=", "lt": "<", "le": "<=", "eq": "==", "ne": "!="]

  /// Takes the match type and the comparator out of a test's arguments.
  init(_ arguments: inout ArgumentReader) throws(UnsupportedByFilter) {
    let problems = arguments.problems
    if let name = try arguments.texts(behind: "comparator")?.first {
      guard let known = Comparator(rawValue: name.text.lowercased()) else {
        throw problems.refuse(
          .init("unknown comparator '\(name.text)'", de: "unbekannter Vergleich '\(name.text)'"), at: name.range)
      }
      comparator = known
    }
    var kinds: [Kind] = []
    if arguments.flag("is") != nil { kinds.append(.equal) }
    if arguments.flag("contains") != nil { kinds.append(.contains) }
    if arguments.flag("matches") != nil { kinds.append(.wildcards) }
    if arguments.flag("regex") != nil { kinds.append(.regularExpression) }
    for name in ["count", "value"] {
      guard let relation = try arguments.texts(behind: name)?.first else { continue }
      let word = relation.text.lowercased()
      guard Self.relations[word] != nil else {
        throw problems.refuse(
          .init(
            "'\(relation.text)' is not a relation; they are gt, ge, lt, le, eq and ne",
            de: "'\(relation.text)' ist keine Relation; es gibt gt, ge, lt, le, eq und ne"), at: relation.range)
      }
      kinds.append(name == "count" ? .count(word) : .value(word))
    }
    if kinds.count > 1 {
      throw problems.refuse(
        .init("a test has one match type", de: "ein Test hat eine Vergleichsart"), at: arguments.place)
    }
    kind = kinds.first ?? .equal
    if comparator == .numeric, [.contains, .wildcards, .regularExpression].contains(kind) {
      throw problems.refuse(
        .init("numbers have no parts to compare", de: "Zahlen haben keine Teile zum Vergleichen"), at: arguments.place)
    }
  }
}
