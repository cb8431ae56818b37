import Expressions
import Localization
import RecipeSyntax

/// Gives the steps that a kind implies ids that expressions can use, each once.
struct StepNames {
  let reader: FieldReader
  private var taken: [String: SourceRange] = [:]

  init(reader: FieldReader) {
    self.reader = reader
  }

  /// The id that a node gives, or one that is made up.
  mutating func id(_ node: Node?, otherwise name: String, at place: SourceRange) -> Located<String> {
    guard let node, let given = reader.name(node, "id"), IdentifierName.check(given, as: .step, reader) else {
      return Located(unused(name, at: place), at: place)
    }
    if let first = taken[given.value] {
      reader.report(
        .duplicateStep,
        LocalizedText(
          "the step id '\(given.value)' is used twice", de: "die Schritt-ID '\(given.value)' ist doppelt"),
        at: given.range,
        related: [Diagnostic.Related(LocalizedText("first defined here", de: "zuerst hier festgelegt"), at: first)])
    }
    return Located(unused(given.value, at: given.range), at: given.range)
  }

  /// Takes an id that the file gives to another step.
  mutating func reserve(_ id: Located<String>) { if taken[id.value] == nil { taken[id.value] = id.range } }

  private mutating func unused(_ name: String, at place: SourceRange) -> String {
    var candidate = name
    var number = 2
    while taken[candidate] != nil {
      candidate = "\(name)_\(number)"
      number += 1
    }
    taken[candidate] = place
    return candidate
  }

  /// A text as an identifier; `nil` where nothing of it can be used.
  static func identifier(_ text: String) -> String? {
    let mended = String(
      text.lowercased().unicodeScalars.prefix(40).map { scalar -> Character in
        scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)) ? Character(scalar) : "_"
      })
    guard let first = mended.first, first.isLetter, !["in", "true", "false", "null"].contains(mended) else {
      return nil
    }
    return mended
  }
}
