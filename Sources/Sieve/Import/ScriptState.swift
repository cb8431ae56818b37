import Localization

/// The state at a point of a script.
struct ScriptState: Hashable {
  /// The values of variables by their names in lower case; `nil` if it depends on the message.
  var variables: [String: String?] = [:]
  /// The flags that messages may have been given so far.
  var flags: Set<String> = []

  /// The same without what branches may differ in harmlessly.
  var decisive: [String: String?] { variables }
}

/// Puts the values of variables into texts (RFC 5229, 3).
struct Expansion {
  let problems: Problems
  /// Whether the script asks for variables; otherwise `${x}` is text.
  let isWanted: Bool
  /// The longest value; longer ones are cut by RFC 5229, and refused here.
  private static let longest = 4000

  /// A text with the values of its variables.
  func text(_ string: SieveString, _ state: ScriptState) throws(UnsupportedByFilter) -> String {
    guard isWanted, string.text.contains("${") else { return string.text }
    var result = ""
    var rest = string.text[...]
    while let open = rest.firstRange(of: "${") {
      guard let close = rest[open.upperBound...].firstIndex(of: "}") else { break }
      let name = rest[open.upperBound..<close].lowercased()
      guard Self.isName(name) else {
        result += rest[..<open.upperBound]
        rest = rest[open.upperBound...]
        continue
      }
      result += rest[..<open.lowerBound]
      result += try value(name, string.range, state)
      rest = rest[rest.index(after: close)...]
      if result.utf8.count > Self.longest { throw tooLong(string.range) }
    }
    return result + rest
  }

  /// Texts with the values of their variables.
  func texts(_ strings: [SieveString], _ state: ScriptState) throws(UnsupportedByFilter) -> [String] {
    var result: [String] = []
    for string in strings { result.append(try text(string, state)) }
    return result
  }

  private static func isName(_ name: String) -> Bool {
    if !name.isEmpty, name.utf8.allSatisfy({ (0x30...0x39).contains($0) }) { return true }
    guard let first = name.utf8.first, first == 0x5F || (0x61...0x7A).contains(first) else { return false }
    return name.utf8.allSatisfy { $0 == 0x5F || $0 == 0x2E || (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) }
  }

  private func value(_ name: String, _ range: Range<Int>, _ state: ScriptState) throws(UnsupportedByFilter) -> String {
    let isMatch = name.utf8.first.map { (0x30...0x39).contains($0) } ?? false
    if isMatch || name.contains(".") || state.variables[name] == .some(nil) {
      throw problems.refuse(
        .init(
          "the value of '${\(name)}' depends on the message; rules act on all their messages at once",
          de: "erst eine Nachricht sagt, was '${\(name)}' ist; Regeln wirken auf alle ihre Nachrichten auf einmal"),
        at: range)
    }
    return (state.variables[name] ?? nil) ?? ""
  }

  private func tooLong(_ range: Range<Int>) -> UnsupportedByFilter {
    problems.refuse(.init("this text becomes too long", de: "dieser Text wird zu lang"), at: range)
  }
}
