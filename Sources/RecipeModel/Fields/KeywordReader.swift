import Expressions
import Localization
package import RecipeSyntax
import Schemas

/// A keyword as a file defines it.
package struct KeywordSource {
  package var name: String
  package var nameRange: SourceRange
  /// The text of the value, which may hold `{{ … }}`.
  package var text: PlacedText
}

/// Reads `keywords:` — a map, or the text form `"Anrede: Du; Stil: formell"`.
package struct KeywordReader {
  package let reader: FieldReader

  package init(reader: FieldReader) {
    self.reader = reader
  }

  package func keywords(_ node: Node) -> [KeywordSource] {
    if node.isInvalid || node.isNull { return [] }
    if node.string != nil { return list(node) }
    guard let map = node.mapping else {
      reader.mismatch(
        node, "keywords",
        wanted: LocalizedText(
          "a map or a text like \"Anrede: Du; Stil: knapp\"",
          de: "eine Map oder ein Text wie \"Anrede: Du; Stil: knapp\""))
      return []
    }
    return map.entries.compactMap { entry in
      guard check(entry.name, at: entry.nameRange) else { return nil }
      guard let scalar = entry.value.scalar, !entry.value.isNull else {
        reader.mismatch(entry.value, "keywords.\(entry.name)", wanted: SchemaType.string.name)
        return nil
      }
      return KeywordSource(
        name: entry.name, nameRange: entry.nameRange,
        text: PlacedText(text: scalar.text, node: entry.value, document: reader.document))
    }
  }

  /// The text form: pairs between semicolons, each a name, a colon and a value.
  private func list(_ node: Node) -> [KeywordSource] {
    let text = node.scalar?.text ?? ""
    let bytes = Array(text.utf8)
    var result: [KeywordSource] = []
    var seen: [String: SourceRange] = [:]
    for pair in Self.pairs(bytes) {
      let trimmed = Self.trim(pair, bytes)
      if trimmed.isEmpty { continue }
      guard let colon = bytes[trimmed].firstIndex(of: UInt8(ascii: ":")) else {
        reader.report(
          .invalidValue,
          LocalizedText(
            "a keyword has the form \"Name: value\"", de: "ein Schlüsselwort hat die Form \"Name: Wert\""),
          at: reader.document.range(of: trimmed, in: node))
        continue
      }
      let nameBytes = Self.trim(trimmed.lowerBound..<colon, bytes)
      let valueBytes = Self.trim(colon + 1..<trimmed.upperBound, bytes)
      let name = String(decoding: bytes[nameBytes], as: UTF8.self)
      let nameRange = reader.document.range(of: nameBytes, in: node)
      guard check(name, at: nameRange) else { continue }
      if let first = seen[name] {
        reader.report(
          .duplicateKey, LocalizedText("duplicate keyword '\(name)'", de: "doppeltes Schlüsselwort '\(name)'"),
          at: nameRange,
          related: [Diagnostic.Related(LocalizedText("first defined here", de: "zuerst hier festgelegt"), at: first)])
        continue
      }
      seen[name] = nameRange
      result.append(
        KeywordSource(
          name: name, nameRange: nameRange,
          text: PlacedText(
            text: String(decoding: bytes[valueBytes], as: UTF8.self), node: node, document: reader.document,
            base: valueBytes.lowerBound)))
    }
    return result
  }

  /// A keyword in a text.
  struct TextPair {
    var name: String
    var value: String
    /// UTF-8 offsets in the text.
    var nameOffsets: Range<Int>
    var valueOffset: Int
  }

  /// The pairs of a text, `Anrede: Du; Stil: formell`, in their order; a piece without a colon is a tag and none.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - isLiteral: Whether braces are text; a semicolon inside `{{ … }}` does not separate otherwise.
  static func texts(_ text: String, isLiteral: Bool) -> [TextPair] {
    let bytes = Array(text.utf8)
    return pairs(bytes, isLiteral: isLiteral).compactMap { piece in
      guard let colon = bytes[piece].firstIndex(of: UInt8(ascii: ":")) else { return nil }
      let name = trim(piece.lowerBound..<colon, bytes)
      let value = trim(colon + 1..<piece.upperBound, bytes)
      if name.isEmpty { return nil }
      return TextPair(
        name: String(decoding: bytes[name], as: UTF8.self), value: String(decoding: bytes[value], as: UTF8.self),
        nameOffsets: name, valueOffset: value.lowerBound)
    }
  }

  /// The parts between semicolons; one inside `{{ … }}` does not separate.
  private static func pairs(_ bytes: [UInt8], isLiteral: Bool = false) -> [Range<Int>] {
    var result: [Range<Int>] = []
    var start = 0
    var depth = 0
    for index in bytes.indices {
      let next = index + 1 < bytes.count ? bytes[index + 1] : 0
      if isLiteral {
        depth = 0
      } else if bytes[index] == UInt8(ascii: "{"), next == UInt8(ascii: "{") {
        depth += 1
      } else if bytes[index] == UInt8(ascii: "}"), next == UInt8(ascii: "}"), depth > 0 {
        depth -= 1
      }
      if bytes[index] == UInt8(ascii: ";"), depth == 0 {
        result.append(start..<index)
        start = index + 1
      }
    }
    result.append(start..<bytes.count)
    return result
  }

  private static func trim(_ range: Range<Int>, _ bytes: [UInt8]) -> Range<Int> {
    var lower = range.lowerBound
    var upper = range.upperBound
    while lower < upper, bytes[lower] <= 0x20 { lower += 1 }
    while upper > lower, bytes[upper - 1] <= 0x20 { upper -= 1 }
    return lower..<upper
  }

  private func check(_ name: String, at range: SourceRange) -> Bool {
    if KeywordName.isValid(name) { return true }
    reader.report(
      .invalidName,
      LocalizedText(
        "'\(name)' is no name for a keyword: it begins with a letter or '_' and has letters, digits, '_' and '-' only",
        de: "'\(name)' ist kein Name für ein Schlüsselwort: er beginnt mit einem Buchstaben oder '_' und hat nur "
          + "Buchstaben, Ziffern, '_' und '-'"),
      at: range)
    return false
  }
}

/// The names keywords may have: letters of any script, digits, `_` and `-`.
public enum KeywordName {
  /// Whether a text is a name for a keyword.
  public static func isValid(_ name: String) -> Bool {
    guard let first = name.first, first.isLetter || first == "_" else { return false }
    return name.count <= 100 && name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
  }
}
