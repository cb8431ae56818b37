/// A pattern of `:matches`: `*` for any text, `?` for any octet, `\` before what stays as it is (RFC 5228, 2.7.1).
struct Wildcards {
  /// A part of a pattern.
  enum Piece: Equatable {
    case text(String)
    case any
    case one
  }

  private(set) var pieces: [Piece] = []

  /// Reads a pattern.
  init(_ pattern: String) {
    var text = ""
    var isEscaped = false
    for scalar in pattern.unicodeScalars {
      if !isEscaped, scalar == "\\" {
        isEscaped = true
        continue
      }
      if !isEscaped, scalar == "*" || scalar == "?" {
        if !text.isEmpty { pieces.append(.text(text)) }
        text = ""
        if scalar == "?" { pieces.append(.one) } else if pieces.last != .any { pieces.append(.any) }
      } else {
        text.unicodeScalars.append(scalar)
      }
      isEscaped = false
    }
    if isEscaped { text += "\\" }
    if !text.isEmpty { pieces.append(.text(text)) }
  }

  /// The one text of a pattern that has wildcards at most before and behind it: `*text*`; `nil` for all others.
  var part: (text: String, isOpenBefore: Bool, isOpenAfter: Bool)? {
    let isOpenBefore = pieces.first == .any
    let isOpenAfter = pieces.count > 1 && pieces.last == .any
    let inner = pieces.dropFirst(isOpenBefore ? 1 : 0).dropLast(isOpenAfter ? 1 : 0)
    guard inner.count == 1, case .text(let text)? = inner.first else { return nil }
    return (text, isOpenBefore, isOpenAfter)
  }

  /// The pattern as a part of a regular expression.
  ///
  /// - Parameters:
  ///   - any: The expression for any octet.
  func expression(any: String) -> String {
    pieces.map { piece in
      switch piece {
      case .text(let text): ExpressionText.quoted(text)
      case .any: any + "*"
      case .one: any
      }
    }.joined()
  }

  /// Whether a text matches as a whole, letter by letter.
  func matches(_ text: String) -> Bool {
    var reached: Set<Int> = [0]
    let bytes = Array(text.utf8)
    for piece in pieces {
      switch piece {
      case .text(let part):
        let wanted = Array(part.utf8)
        reached = Set(
          reached.compactMap { start in
            bytes.dropFirst(start).starts(with: wanted) ? start + wanted.count : nil
          })
      case .one: reached = Set(reached.compactMap { $0 < bytes.count ? $0 + 1 : nil })
      case .any:
        guard let first = reached.min() else { return false }
        reached = Set(first...bytes.count)
      }
    }
    return reached.contains(bytes.count)
  }

  /// A text that matches the pattern alone.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      if "*?\\".unicodeScalars.contains(scalar) { result += "\\" }
      result.unicodeScalars.append(scalar)
    }
    return result
  }
}
