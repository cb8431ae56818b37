extension PlaceholderMapping {
  /// A text with its originals.
  public struct Resolved: Sendable, Equatable {
    /// The text.
    public var text: String
    /// How many placeholders were replaced.
    public var count = 0
    /// Placeholders that no original is known for, each once; they stay in the text.
    public var unknown: [String] = []
  }

  /// How originals are written into a text.
  public enum Escaping: Sendable {
    /// As they are.
    case none
    /// As text of HTML.
    case html
  }

  /// Puts originals back. Linear in the length of the text.
  ///
  /// Placeholders are found also where case, brackets or the underscore's escape have changed, and with the ending of a
  /// genitive, which becomes an apostrophe where the name ends in a sibilant.
  public func resolve(_ text: String, escaping: Escaping = .none) -> Resolved {
    var text = text
    return text.withUTF8 { resolve($0, isComplete: true, escaping).resolved }
  }

  /// Puts originals back as far as the text is certain.
  ///
  /// - Returns: The text with its originals, and where its end begins that may be the beginning of a placeholder.
  func resolve(
    _ bytes: UnsafeBufferPointer<UInt8>, isComplete: Bool, _ escaping: Escaping
  ) -> (resolved: Resolved, held: Int) {
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count)
    var resolved = Resolved(text: "")
    let reader = PlaceholderReader(bytes: bytes, isComplete: isComplete)
    var position = 0
    var copied = 0
    scan: while position < bytes.count {
      guard PlaceholderReader.canBegin[Int(bytes[position])] else {
        position += 1
        continue
      }
      switch reader.read(at: position) {
      case .none: position += 1
      case .cut: break scan
      case .match(let match):
        guard let original = original(match.kind, match.number, form: match.form) else {
          let form = Self.forms.indices.contains(match.form) ? Self.forms[match.form] : ""
          let placeholder = "[\(match.kind.word)_\(match.number)\(form)]"
          if resolved.unknown.count < 100, !resolved.unknown.contains(placeholder) {
            resolved.unknown.append(placeholder)
          }
          position = match.range.upperBound
          continue
        }
        output += bytes[copied..<position]
        output += Self.inflected(original, match.ending, escaping).utf8
        resolved.count += 1
        position = match.range.upperBound
        copied = position
      }
    }
    output += bytes[copied..<position]
    resolved.text = String(decoding: output, as: UTF8.self)
    return (resolved, position)
  }

  private static func inflected(_ original: String, _ ending: String, _ escaping: Escaping) -> String {
    let written: String
    switch escaping {
    case .none: written = original
    case .html:
      written = original.reduce(into: "") { text, character in
        switch character {
        case "&": text += "&amp;"
        case "<": text += "&lt;"
        case ">": text += "&gt;"
        case "\"": text += "&quot;"
        default: text.append(character)
        }
      }
    }
    // "Hans" + "s" is "Hans'", in German; a form with an apostrophe is English and is kept.
    guard ending == "s", let last = original.last?.lowercased(), "sßxz".contains(last) else { return written + ending }
    return written + "\u{2019}"
  }
}

/// Puts originals back into a text that comes in pieces: what may be the beginning of a placeholder is held back.
public struct PlaceholderStream: Sendable {
  private let mapping: PlaceholderMapping
  private var held = ""

  /// Creates a stream.
  public init(_ mapping: PlaceholderMapping) { self.mapping = mapping }

  /// Takes the next piece.
  ///
  /// - Returns: The part of the text that is certain so far, with its originals.
  public mutating func add(_ piece: String) -> String { next(held + piece, isComplete: false) }

  /// Gives what was held back, once nothing more comes.
  public mutating func finish() -> String { next(held, isComplete: true) }

  private mutating func next(_ text: String, isComplete: Bool) -> String {
    var text = text
    return text.withUTF8 { bytes in
      let (resolved, end) = mapping.resolve(bytes, isComplete: isComplete, .none)
      held = String(decoding: UnsafeBufferPointer(rebasing: bytes[end...]), as: UTF8.self)
      return resolved.text
    }
  }
}
