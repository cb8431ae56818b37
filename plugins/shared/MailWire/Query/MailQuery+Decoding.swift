public import PluginKit

extension MailQuery {
  /// A tree deeper than this is refused.
  static let depthLimit = 32
  /// A tree of more nodes than this is refused.
  static let nodeLimit = 1000

  /// Reads the tree `query` of an input: one key a node.
  ///
  /// - Throws: `invalid_input` that names the place.
  public init(_ json: JSONValue) throws(ActionError) {
    var reader = QueryReader()
    self = try reader.query(json, "query", depth: 0)
  }
}

/// Reads a tree and counts its nodes.
private struct QueryReader {
  private var count = 0

  mutating func query(_ json: JSONValue, _ path: String, depth: Int) throws(ActionError) -> MailQuery {
    count += 1
    guard count <= MailQuery.nodeLimit, depth <= MailQuery.depthLimit else {
      throw ActionError(
        .invalidInput, "The query has more than \(MailQuery.nodeLimit) conditions or \(MailQuery.depthLimit) levels.",
        german: "Die Abfrage hat mehr als \(MailQuery.nodeLimit) Bedingungen oder \(MailQuery.depthLimit) Ebenen.")
    }
    guard let object = json.object, object.count == 1, let key = object.keys.first, let value = object[key] else {
      throw invalid(
        path, "is not an object with one key", "ist kein Objekt mit einem Schlüssel",
        "Write one condition: {\"from\": \"anna\"}; join several with {\"and\": […]}.",
        "Eine Bedingung schreibt man {\"from\": \"anna\"}; mehrere stehen in {\"and\": […]}.")
    }
    return try node(key, value, "\(path).\(DisplayedText.text(key))", depth: depth)
  }

  private mutating func node(
    _ key: String, _ value: JSONValue, _ path: String, depth: Int
  ) throws(ActionError) -> MailQuery {
    if let field = MailQuery.AddressField(rawValue: key) { return .address(field, try pattern(value, path)) }
    switch key {
    case "and": return .and(try list(value, path, depth: depth))
    case "or": return .or(try list(value, path, depth: depth))
    case "not": return .not(try query(value, path, depth: depth + 1))
    case "header": return try header(value, path)
    case "subject": return .subject(try pattern(value, path))
    case "text": return .text(try pattern(value, path))
    case "body": return .body(try pattern(value, path))
    case "flag": return .flag(MailFlag.canonical(try text(value, path)))
    case "larger": return .larger(try size(value, path))
    case "smaller": return .smaller(try size(value, path))
    case "since": return .since(try date(value, path))
    case "before": return .before(try date(value, path))
    case "received_since": return .receivedSince(try date(value, path))
    case "received_before": return .receivedBefore(try date(value, path))
    case "gmail": return .gmail(try gmail(value, path))
    case "uid": return .uids(try uids(value, path))
    case "all":
      guard value == .bool(true) else { throw invalid(path, "is not true", "ist nicht true") }
      return .all
    default:
      throw invalid(
        path, "is not a condition of a query", "ist keine Bedingung, die eine Abfrage kennt",
        "Conditions are: \(Self.names).", "Bedingungen sind: \(Self.names).")
    }
  }

  private static let names =
    "and, or, not, header, from, to, cc, bcc, subject, text, body, flag, larger, smaller, since, before, "
    + "received_since, received_before, gmail, uid, all"

  private mutating func list(_ value: JSONValue, _ path: String, depth: Int) throws(ActionError) -> [MailQuery] {
    guard let elements = value.array else { throw invalid(path, "is not a list", "ist keine Liste") }
    var queries: [MailQuery] = []
    for (index, element) in elements.enumerated() {
      queries.append(try query(element, "\(path)[\(index)]", depth: depth + 1))
    }
    return queries
  }

  private func header(_ value: JSONValue, _ path: String) throws(ActionError) -> MailQuery {
    guard let name = value["name"]?.string, !name.isEmpty, !name.utf8.contains(where: { $0 <= 0x20 || $0 >= 0x7f }),
      let contains = (value["contains"] ?? "").string, !contains.utf8.contains(0)
    else {
      throw invalid(
        path, "is not {\"name\": …, \"contains\": …}", "ist nicht {\"name\": …, \"contains\": …}")
    }
    return .header(name: name, contains: TextPattern(contains))
  }

  private func text(_ value: JSONValue, _ path: String) throws(ActionError) -> String {
    // NUL can occur in no command of a mail protocol, and in no text that is looked for.
    guard let text = value.string, text.utf8.count <= 10_000, !text.utf8.contains(0) else {
      throw invalid(path, "is not a text of up to 10 000 bytes", "ist kein Text von bis zu 10 000 Byte")
    }
    return text
  }

  private func gmail(_ value: JSONValue, _ path: String) throws(ActionError) -> String {
    let text = try text(value, path)
    guard text.contains(where: { !$0.isWhitespace }) else {
      throw invalid(
        path, "is empty", "ist leer", "Write a search as in Gmail's search box: has:attachment larger:5M.",
        "Hier steht, was im Suchfeld von Gmail stünde: has:attachment larger:5M.")
    }
    return text
  }

  private func pattern(_ value: JSONValue, _ path: String) throws(ActionError) -> TextPattern {
    TextPattern(try text(value, path))
  }

  private func size(_ value: JSONValue, _ path: String) throws(ActionError) -> Int {
    guard let size = value.integer, size >= 0 else {
      throw invalid(path, "is not a number of bytes", "ist keine Anzahl von Byte")
    }
    return Int(clamping: size)
  }

  private func date(_ value: JSONValue, _ path: String) throws(ActionError) -> DateBound {
    try DateBound(try text(value, path), name: path)
  }

  private func uids(_ value: JSONValue, _ path: String) throws(ActionError) -> [String] {
    guard let elements = value.array, elements.count <= 100_000 else {
      throw invalid(path, "is not a list of uids", "ist keine Liste von uids")
    }
    var uids: [String] = []
    for element in elements { uids.append(try text(element, path)) }
    return uids
  }

  private func invalid(
    _ path: String, _ english: String, _ german: String, _ advice: String? = nil, _ adviceGerman: String? = nil
  ) -> ActionError {
    ActionError(
      .invalidInput, "'\(path)' \(english).", german: "'\(path)' \(german).", advice: advice,
      adviceGerman: adviceGerman)
  }
}
