import RecipeModel
import RecipeSyntax
import Schedules

/// Rows of text for people, in columns that are aligned by the width characters take in a terminal.
///
/// A table with headers is a list: where its lines are wider than the terminal, columns are moved below their row, then cut,
/// as their ``Column/Fit`` says. A table without headers holds names and values: the last cell goes on in further lines.
/// In a pipe, lines are as wide as they are, unless `COLUMNS` says otherwise.
struct TextTable {
  /// A column of a list.
  struct Column {
    /// What becomes of a column where the lines are too wide.
    enum Fit {
      /// Stays as it is: what people copy, such as ids, names and times.
      case whole
      /// Is cut, to no fewer than so many terminal columns.
      case cut(to: Int)
      /// Goes to a line of its own below the row: reasons and remarks.
      case below
      /// Has a line of its own below the row whatever the width: problems, which few rows have.
      case apart
    }

    let title: String
    var fit = Fit.whole
    private(set) var isNumber = false
    private(set) var isTime = false

    init(_ title: String, _ fit: Fit = .whole) { (self.title, self.fit) = (title.uppercased(), fit) }

    /// A column of numbers: they end below each other.
    static func number(_ title: String) -> Column {
      var column = Column(title)
      column.isNumber = true
      return column
    }

    /// A column of times of day in the zone of the system, which the header names.
    static func time(_ title: String) -> Column {
      Column(time: "\(title.uppercased()) (\(Zone.current.identifier))")
    }

    private init(time title: String) {
      self.title = title
      isTime = true
    }
  }

  private let columns: [Column]
  private var rows: [[String]] = []

  /// - Parameter columns: The headers; none for names and values.
  init(_ columns: [Column] = []) { self.columns = columns }

  var isEmpty: Bool { rows.isEmpty }

  /// Adds a row; it has a cell for each header, or at least one cell where the table has no headers.
  mutating func append(_ cells: [String]) {
    rows.append(cells.map(\.singleLine))
  }

  /// The rows, columns two spaces apart, below a line of headers if the table has them; no line ends in spaces.
  func lines(_ terminal: Terminal = Terminal()) -> [String] {
    guard !rows.isEmpty else { return [] }
    return columns.isEmpty ? valueLines(terminal.columns) : listLines(terminal)
  }

  /// The lines as a text, each with its line break.
  func text(_ terminal: Terminal = Terminal()) -> String { lines(terminal).map { $0 + "\n" }.joined() }

  // MARK: - Names and values

  private func valueLines(_ limit: Int?) -> [String] {
    var widths: [Int] = []
    for row in rows {
      for (column, cell) in row.enumerated() {
        if column == widths.count { widths.append(0) }
        widths[column] = max(widths[column], cell.columns)
      }
    }
    return rows.flatMap { row -> [String] in
      let start = widths.prefix(row.count - 1).reduce(0) { $0 + $1 + 2 }
      let head = row.dropLast().enumerated().map { column, cell in cell.padded(to: widths[column] + 2) }.joined()
      guard let limit, let last = row.last, start + last.columns > limit else {
        return [(head + (row.last ?? "")).withoutTrailingSpaces]
      }
      // Below a few columns of room a value is easier to read under its name.
      let indentation = limit - start < 24 ? 4 : start
      let pieces = last.wrapped(to: limit - indentation)
      let isBelow = indentation != start
      let rest = pieces.dropFirst(isBelow ? 0 : 1).map { String(repeating: " ", count: indentation) + $0 }
      return ([isBelow ? head : head + (pieces.first ?? "")] + rest).map(\.withoutTrailingSpaces).filter { !$0.isEmpty }
    }
  }

  // MARK: - Lists

  private func listLines(_ terminal: Terminal) -> [String] {
    let layout = Layout(columns, rows, terminal.columns)
    func line(_ cells: [String]) -> String {
      layout.shown.enumerated().map { place, column in
        let cell =
          cells[column].columns > layout.widths[column] ? cells[column].cut(to: layout.widths[column]) : cells[column]
        let isLast = place == layout.shown.count - 1
        if columns[column].isNumber {
          return cell.padded(to: layout.widths[column], isRight: true) + (isLast ? "" : "  ")
        }
        return isLast ? cell : cell.padded(to: layout.widths[column] + 2)
      }.joined().withoutTrailingSpaces
    }
    var lines = [terminal.styled(line(columns.map(\.title)), .bold)]
    for row in rows {
      let cells = row + Array(repeating: "", count: max(0, columns.count - row.count))
      lines.append(line(cells))
      for column in layout.below where !cells[column].isEmpty {
        // What is always whole has a header that says what it is; a remark explains itself.
        let name =
          switch columns[column].fit {
          case .below, .apart: ""
          case .whole, .cut: columns[column].title + ": "
          }
        let room = max(Layout.leastRoom, (terminal.columns ?? Int.max) - Layout.indentation)
        lines += (name + cells[column]).wrapped(to: room).map { String(repeating: " ", count: Layout.indentation) + $0 }
      }
    }
    return lines
  }

  /// Which columns stand beside each other, how wide, and which go below their row.
  private struct Layout {
    static let indentation = 4
    static let leastRoom = 16

    private(set) var widths: [Int]
    private(set) var shown: [Int]
    private(set) var below: [Int] = []

    init(_ columns: [Column], _ rows: [[String]], _ limit: Int?) {
      let contents = columns.indices.map { column in
        rows.reduce(0) { max($0, column < $1.count ? $1[column].columns : 0) }
      }
      shown = columns.indices.filter { contents[$0] > 0 }
      widths = columns.indices.map { max(contents[$0], columns[$0].title.columns) }
      for column in shown.reversed() {
        if case .apart = columns[column].fit { moveBelow(column) }
      }
      guard let limit else { return }
      for column in shown.reversed() where total > limit {
        if case .below = columns[column].fit { moveBelow(column) }
      }
      // The zone in a header is cut before anything else is.
      if total > limit {
        for column in shown where columns[column].isTime { widths[column] = contents[column] }
      }
      while total > limit,
        let widest = shown.filter({ excess(columns[$0], $0) > 0 }).max(by: { widths[$0] < widths[$1] })
      {
        widths[widest] -= 1
      }
      for column in shown.dropFirst().reversed() where total > limit { moveBelow(column) }
      // Where columns went below, the others get their room back.
      for column in shown where total < limit {
        widths[column] = min(max(contents[column], columns[column].title.columns), widths[column] + limit - total)
      }
    }

    private var total: Int { shown.reduce(2 * (shown.count - 1)) { $0 + widths[$1] } }

    /// By how much a column may still be cut.
    private func excess(_ column: Column, _ index: Int) -> Int {
      if case .cut(let least) = column.fit { widths[index] - least } else { 0 }
    }

    private mutating func moveBelow(_ column: Int) {
      shown.removeAll { $0 == column }
      below.insert(column, at: 0)
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

  /// The text in lines of at most so many columns, broken at spaces. A longer word is broken where the line ends.
  ///
  /// - Parameter isWhole: Whether a longer word gets a line of its own instead: people copy URLs.
  func wrapped(to limit: Int, isWhole: (Substring) -> Bool = { $0.contains("://") }) -> [String] {
    guard limit > 0, columns > limit else { return [self] }
    var lines: [String] = []
    var line = ""
    var used = 0
    for word in split(separator: " ", omittingEmptySubsequences: false) {
      let width = String(word).columns
      if used > 0, used + 1 + width > limit {
        lines.append(line)
        (line, used) = ("", 0)
      } else if used > 0 || !line.isEmpty {
        line += " "
        used += 1
      }
      guard width > limit, !isWhole(word) else {
        line += word
        used += width
        continue
      }
      for character in String(word).withoutStyles {
        let next = DisplayWidth.of(character)
        if used + next > limit {
          lines.append(line)
          (line, used) = ("", 0)
        }
        line.append(character)
        used += next
      }
    }
    return (lines + [line]).map(\.withoutTrailingSpaces)
  }

  /// The text in lines that fit the terminal, each further one indented by two columns more than the first.
  func fitted(to terminal: Terminal) -> [String] {
    guard let limit = terminal.columns, columns > limit else { return [self] }
    let indentation = prefix { $0 == " " }
    let rest = String(dropFirst(indentation.count))
    let room = max(16, limit - indentation.count - 2)
    return rest.wrapped(to: room).enumerated().map { indentation + ($0.offset == 0 ? "" : "  ") + $0.element }
  }

  /// The text with each line that is wider wrapped at words, further lines indented by two columns more than the first. A URL or a
  /// path is not broken.
  ///
  /// - Parameter isInLine: Whether the text begins within a line; that line stays as it is.
  func fitted(to columns: Int, isInLine: Bool = false) -> String {
    // Every character takes a byte at least, and most lines are short.
    guard utf8.split(separator: 0x0A).contains(where: { $0.count > columns }) else { return self }
    return split(separator: "\n", omittingEmptySubsequences: false).enumerated().map { number, line in
      let line = String(line)
      guard line.columns > columns, number > 0 || !isInLine else { return line }
      let indentation = String(line.prefix { $0 == " " }.prefix(columns / 2))
      let rest = String(line.drop { $0 == " " })
      let pieces = rest.wrapped(to: max(8, columns - indentation.columns - 2)) { $0.contains("/") }
      return pieces.enumerated().map { indentation + ($0.offset == 0 ? "" : "  ") + $0.element }.joined(separator: "\n")
    }.joined(separator: "\n")
  }

  fileprivate func padded(to width: Int, isRight: Bool = false) -> String {
    let space = String(repeating: " ", count: max(0, width - columns))
    return isRight ? space + self : self + space
  }

  fileprivate var withoutTrailingSpaces: String {
    var line = self
    while line.last == " " { line.removeLast() }
    return line
  }
}
