public import Localization
import Plans
import RecipeSyntax

/// The names that expressions use with a dot before or after them: steps, inputs, outputs, loop variables.
public enum IdentifierName {
  /// What a name stands for.
  public enum Role: Sendable {
    /// A step's `id`.
    case step
    /// A declared input.
    case input
    /// A declared output.
    case output
    /// What `as` calls an item.
    case loopVariable

    package var name: LocalizedText {
      switch self {
      case .step: LocalizedText("a step", de: "einen Schritt")
      case .input: LocalizedText("an input", de: "eine Eingabe")
      case .output: LocalizedText("an output", de: "eine Ausgabe")
      case .loopVariable: LocalizedText("a loop variable", de: "eine Schleifenvariable")
      }
    }
  }

  /// Words of CEL that cannot follow a dot.
  private static let words: Set<String> = ["true", "false", "null", "in"]
  /// Words of CEL that cannot be variables.
  private static let reserved: Set<String> = [
    "as", "break", "const", "continue", "else", "for", "function", "if", "import", "let", "loop", "package",
    "namespace", "return", "var", "void", "while",
  ]

  /// Why an expression could not use a name.
  ///
  /// - Returns: What is wrong and, where a small change mends it, the mended name; `nil` for a name that can be used.
  public static func problem(with name: String, as role: Role) -> (message: LocalizedText, suggestion: String?)? {
    let bytes = Array(name.utf8)
    let isPlain = bytes.allSatisfy(\.isNameByte) && !(bytes.first.map { $0 >= 0x30 && $0 <= 0x39 } ?? true)
    let isReserved = words.contains(name) || (role == .loopVariable && reserved.contains(name))
    if isPlain, !isReserved, bytes.count <= 100 { return nil }
    let what = role.name
    if isReserved {
      return (
        LocalizedText(
          "'\(name)' is a word of the expression language and cannot name \(what.english)",
          de: "'\(name)' ist ein Wort der Ausdruckssprache und kann \(what.german) nicht benennen"), nil
      )
    }
    let mended = String(name.map { $0.isLetter || $0.isNumber ? $0 : "_" })
    let usable = mended.utf8.allSatisfy(\.isNameByte) && !(mended.first?.isNumber ?? true)
    let tail: LocalizedText =
      name.contains("-")
      ? LocalizedText(" ('-' would be a minus in an expression)", de: " ('-' wäre in einem Ausdruck ein Minus)")
      : LocalizedText(verbatim: "")
    return (
      LocalizedText(
        "'\(name)' cannot name \(what.english): use the letters a to z, digits and '_'",
        de: "'\(name)' kann \(what.german) nicht benennen: möglich sind die Buchstaben a bis z, Ziffern und '_'")
        + tail,
      usable && mended != name ? mended : nil
    )
  }

  /// Reports a name that an expression could not use.
  ///
  /// - Returns: Whether the name can be used.
  package static func check(_ name: Located<String>, as role: Role, _ reader: FieldReader) -> Bool {
    guard let (message, suggestion) = problem(with: name.value, as: role) else { return true }
    reader.report(.invalidName, message, at: name.range, suggestion: suggestion)
    return false
  }
}
