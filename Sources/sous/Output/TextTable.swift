import RecipeModel
import RecipeSyntax

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
  /// How many terminal columns the text takes, styles not counted.
  var columns: Int {
    withoutStyles.reduce(0) { $0 + DisplayWidth.of($1) }
  }

  /// The text cut to so many columns, with an ellipsis and no styles where something is missing; one line.
  func cut(to limit: Int) -> String {
    let line = singleLine
    guard line.columns > limit else { return line }
    var result = ""
    var used = 0
    for character in line.withoutStyles {
      let width = DisplayWidth.of(character)
      if used + width > limit - 1 { break }
      result.append(character)
      used += width
    }
    return result + "…"
  }
}
