/// Texts as Sieve writes them (RFC 5228, 2.4).
enum ScriptText {
  /// A string.
  static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      if scalar == "\"" || scalar == "\\" { result += "\\" }
      result.unicodeScalars.append(scalar)
    }
    return result + "\""
  }

  /// A string, or a list of several.
  static func list(_ texts: [String]) -> String {
    texts.count == 1 ? quoted(texts[0]) : "[" + texts.map(quoted).joined(separator: ", ") + "]"
  }
}
