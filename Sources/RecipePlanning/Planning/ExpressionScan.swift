import RecipeSyntax

/// Finds what expressions refer to — `steps.ID`, `inputs.NAME`, `keywords.NAME` — by their tokens alone.
///
/// It needs no parsed expression, so a misspelt step is found beside a syntax error or a wrong type.
enum ExpressionScan {
  /// The variables whose first field is looked at.
  enum Root: String, CaseIterable {
    case steps
    case inputs
    case keywords
  }

  /// `steps.unread`: the variable, the field and where the field stands.
  struct Reference: Hashable {
    var root: Root
    var name: String
    /// UTF-8 offsets of the name in the scanned text.
    var range: Range<Int>
  }

  /// The references of a text with `{{ … }}`.
  static func references(inTemplate text: String) -> [Reference] {
    var text = text
    return text.withUTF8 { bytes in
      var result: [Reference] = []
      var index = 0
      while index + 1 < bytes.count {
        guard bytes[index] == UInt8(ascii: "{"), bytes[index + 1] == UInt8(ascii: "{") else {
          index += 1
          continue
        }
        var scanner = Scanner(bytes: bytes, index: index + 2, isTemplate: true)
        scanner.run()
        result += scanner.references
        index = max(scanner.index, index + 2)
      }
      return result
    }
  }

  /// The references of an expression.
  static func references(inExpression text: String) -> [Reference] {
    var text = text
    return text.withUTF8 { bytes in
      var scanner = Scanner(bytes: bytes, index: 0, isTemplate: false)
      scanner.run()
      return scanner.references
    }
  }

  /// Walks the tokens of one expression.
  private struct Scanner {
    let bytes: UnsafeBufferPointer<UInt8>
    var index: Int
    let isTemplate: Bool
    var references: [Reference] = []
    private var braces = 0

    init(bytes: UnsafeBufferPointer<UInt8>, index: Int, isTemplate: Bool) {
      self.bytes = bytes
      self.index = index
      self.isTemplate = isTemplate
    }

    private func byte(_ offset: Int) -> UInt8 { offset < bytes.count ? bytes[offset] : 0 }

    mutating func run() {
      var afterDot = false
      while index < bytes.count {
        let current = bytes[index]
        switch current {
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
          skipString(isRaw: false)
          afterDot = false
        case UInt8(ascii: "/") where byte(index + 1) == current:
          while index < bytes.count, bytes[index] != 0x0A,
            !(isTemplate && byte(index) == 0x7D && byte(index + 1) == 0x7D)
          {
            index += 1
          }
        case UInt8(ascii: "{"):
          braces += 1
          index += 1
          afterDot = false
        case UInt8(ascii: "}"):
          if isTemplate, braces == 0, byte(index + 1) == current {
            index += 2
            return
          }
          braces = max(0, braces - 1)
          index += 1
          afterDot = false
        case UInt8(ascii: "."):
          afterDot = true
          index += 1
        case _ where current.isNameByte:
          word(afterDot: afterDot)
          afterDot = false
        default:
          if current > 0x20 { afterDot = false }
          index += 1
        }
      }
    }

    private mutating func word(afterDot: Bool) {
      let range = nameRange()
      let text = String(decoding: bytes[range], as: UTF8.self)
      if byte(index) == UInt8(ascii: "\"") || byte(index) == UInt8(ascii: "'"), range.count <= 2 {
        skipString(isRaw: text.lowercased().contains("r"))
        return
      }
      guard !afterDot, let root = Root(rawValue: text) else { return }
      var position = skipSpace(index)
      if byte(position) == UInt8(ascii: ".") {
        position = skipSpace(position + 1)
        guard byte(position).isNameByte else { return }
        index = position
        let field = nameRange()
        // The rest of the name has letters that no name has, which is reported as that.
        if byte(index) >= 0x80 { return }
        // A call is a method of the map itself: steps.size().
        if byte(skipSpace(index)) == UInt8(ascii: "(") { return }
        add(root, field)
      } else if byte(position) == UInt8(ascii: "[") {
        position = skipSpace(position + 1)
        let quote = byte(position)
        guard quote == UInt8(ascii: "'") || quote == UInt8(ascii: "\"") else { return }
        var end = position + 1
        while end < bytes.count, bytes[end] != quote, bytes[end] != UInt8(ascii: "\\") { end += 1 }
        guard byte(end) == quote, byte(skipSpace(end + 1)) == UInt8(ascii: "]") else { return }
        add(root, position + 1..<end)
        index = end + 1
      }
    }

    private mutating func add(_ root: Root, _ range: Range<Int>) {
      references.append(
        Reference(root: root, name: String(decoding: bytes[range], as: UTF8.self), range: range))
    }

    private mutating func nameRange() -> Range<Int> {
      let start = index
      while index < bytes.count, bytes[index].isNameByte { index += 1 }
      return start..<index
    }

    private func skipSpace(_ start: Int) -> Int {
      var position = start
      while position < bytes.count, bytes[position] <= 0x20 { position += 1 }
      return position
    }

    private mutating func skipString(isRaw: Bool) {
      let quote = byte(index)
      let isTriple = byte(index + 1) == quote && byte(index + 2) == quote
      index += isTriple ? 3 : 1
      while index < bytes.count {
        if bytes[index] == UInt8(ascii: "\\"), !isRaw {
          index += 2
        } else if bytes[index] == quote {
          if !isTriple {
            index += 1
            return
          }
          if byte(index + 1) == quote, byte(index + 2) == quote {
            index += 3
            return
          }
          index += 1
        } else {
          index += 1
        }
      }
      index = min(index, bytes.count)
    }
  }
}
