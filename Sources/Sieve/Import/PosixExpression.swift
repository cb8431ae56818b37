/// Extended regular expressions of POSIX, which `:regex` takes.
enum PosixExpression {
  /// The same expression for RE2; `nil` if it has parts that mean something else there, or nothing.
  static func re2(_ text: String) -> String? {
    let scalars = Array(text.unicodeScalars)
    guard !scalars.isEmpty, scalars.count <= 500 else { return nil }
    var result = ""
    var index = 0
    while index < scalars.count {
      let scalar = scalars[index]
      index += 1
      switch scalar {
      case "\\":
        guard index < scalars.count, scalars[index].isASCII, !scalars[index].properties.isAlphabetic,
          !("0"..."9").contains(scalars[index])
        else { return nil }
        result.unicodeScalars.append(contentsOf: [scalar, scalars[index]])
        index += 1
      case "[":
        guard let (set, end) = set(scalars, index) else { return nil }
        result += set
        index = end
      case "(":
        // `(?` has no meaning in POSIX.
        if index < scalars.count, scalars[index] == "?" { return nil }
        result += "("
      case "*", "+", "?", "}":
        // Doubled operators are lazy in RE2.
        if index < scalars.count, "*+?".unicodeScalars.contains(scalars[index]) { return nil }
        result.unicodeScalars.append(scalar)
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// A set behind its opening bracket: a backslash stays as it is in it.
  private static func set(_ scalars: [Unicode.Scalar], _ start: Int) -> (text: String, end: Int)? {
    var result = "["
    var index = start
    if index < scalars.count, scalars[index] == "^" {
      result += "^"
      index += 1
    }
    if index < scalars.count, scalars[index] == "]" {
      result += "\\]"
      index += 1
    }
    while index < scalars.count {
      let scalar = scalars[index]
      index += 1
      switch scalar {
      case "]": return (result + "]", index)
      case "\\": result += "\\\\"
      case "[":
        guard index < scalars.count, scalars[index] == ":" else {
          if index < scalars.count, scalars[index] == "." || scalars[index] == "=" { return nil }
          result += "\\["
          continue
        }
        guard let end = scalars[index...].firstIndex(of: "]") else { return nil }
        result += "["
        result.unicodeScalars.append(contentsOf: scalars[index...end])
        index = end + 1
      default: result.unicodeScalars.append(scalar)
      }
    }
    return nil
  }
}
