/// Columns of text for people, aligned by the width characters take in a terminal.
struct TextTable {
  private var rows: [[String]] = []

  /// Adds a row; rows may differ in length.
  mutating func append(_ cells: [String]) {
    rows.append(cells.map(\.singleLine))
  }

  /// The rows, one line each, columns two spaces apart; no line ends in spaces.
  func lines() -> [String] {
    var widths: [Int] = []
    for row in rows {
      for (column, cell) in row.enumerated() {
        if column == widths.count { widths.append(0) }
        widths[column] = max(widths[column], cell.columns)
      }
    }
    return rows.map { row in
      var line = ""
      for (column, cell) in row.enumerated() {
        line += cell
        if column < row.count - 1 {
          line += String(repeating: " ", count: widths[column] - cell.columns + 2)
        }
      }
      while line.last == " " { line.removeLast() }
      return line
    }
  }
}

extension String {
  /// How many terminal columns the text takes, escape sequences not counted, East Asian wide characters twice.
  var columns: Int {
    var columns = 0
    var inEscape = false
    for scalar in unicodeScalars {
      if inEscape {
        if scalar == "m" { inEscape = false }
      } else if scalar == "\u{1B}" {
        inEscape = true
      } else {
        columns += scalar.columns
      }
    }
    return columns
  }

  /// The text cut to so many columns, with an ellipsis where something is missing; line breaks become spaces.
  func cut(to limit: Int) -> String {
    let line = singleLine
    guard line.columns > limit else { return line }
    var result = ""
    var used = 0
    for character in line {
      let width = String(character).columns
      if used + width > limit - 1 { break }
      result.append(character)
      used += width
    }
    return result + "…"
  }
}

extension Unicode.Scalar {
  fileprivate var columns: Int {
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: return 0
    default: break
    }
    // East Asian Wide and Fullwidth, and emoji; Unicode Standard Annex #11, condensed to its large blocks.
    switch value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
      0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1F9FF, 0x20000...0x3FFFD:
      return 2
    default: return 1
    }
  }
}
