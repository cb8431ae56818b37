import Localization

/// The names that expressions use with a dot before or after them: steps, inputs, outputs, loop variables.
enum IdentifierName {
  /// What a name stands for.
  enum Role {
    case step
    case input
    case output
    case loopVariable

    var name: LocalizedText {
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

  /// Reports a name that an expression could not use.
  ///
  /// - Returns: Whether the name can be used.
  static func check(_ name: Located<String>, as role: Role, _ reader: FieldReader) -> Bool {
    let bytes = Array(name.value.utf8)
    let isPlain = bytes.allSatisfy(\.isNameByte) && !(bytes.first.map { $0 >= 0x30 && $0 <= 0x39 } ?? true)
    let isReserved = words.contains(name.value) || (role == .loopVariable && reserved.contains(name.value))
    if isPlain, !isReserved, bytes.count <= 100 { return true }
    let what = role.name
    if isReserved {
      reader.report(
        .invalidName,
        LocalizedText(
          "'\(name.value)' is a word of the expression language and cannot name \(what.english)",
          de: "'\(name.value)' ist ein Wort der Ausdruckssprache und kann \(what.german) nicht benennen"),
        at: name.range)
      return false
    }
    let mended = String(name.value.map { $0.isLetter || $0.isNumber ? $0 : "_" })
    let usable = mended.utf8.allSatisfy(\.isNameByte) && !(mended.first?.isNumber ?? true)
    let tail: LocalizedText =
      name.value.contains("-")
      ? LocalizedText(" ('-' would be a minus in an expression)", de: " ('-' wäre in einem Ausdruck ein Minus)")
      : LocalizedText(verbatim: "")
    reader.report(
      .invalidName,
      LocalizedText(
        "'\(name.value)' cannot name \(what.english): use the letters a to z, digits and '_'",
        de: "'\(name.value)' kann \(what.german) nicht benennen: nimm die Buchstaben a bis z, Ziffern und '_'") + tail,
      at: name.range, suggestion: usable && mended != name.value ? mended : nil)
    return false
  }
}
