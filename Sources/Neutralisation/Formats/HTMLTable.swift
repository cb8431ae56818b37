/// A table of HTML while it is read: what the names of its columns, or of its rows, say of its fields.
struct HTMLTable {
  private struct Cell {
    var range: Range<Int>
    let isHead: Bool
    /// How many columns it spans.
    let span: Int
    /// Whether another table is in it, whose cells speak for themselves.
    var hasTable = false
  }

  private var cells: [Cell] = []
  private var hasOpenCell = false
  /// The kind of each column; `nil` before the row with their names.
  private var columns: [PersonalDataKind?]?

  /// Begins a cell.
  ///
  /// - Parameters:
  ///   - place: Where its text begins in the view.
  ///   - span: How many columns it spans.
  mutating func beginCell(_ place: Int, isHead: Bool, span: Int) {
    cells.append(Cell(range: place..<place, isHead: isHead, span: min(max(span, 1), 100)))
    hasOpenCell = true
  }

  /// Another table begins in the open cell.
  mutating func noteTable() {
    if hasOpenCell, !cells.isEmpty { cells[cells.count - 1].hasTable = true }
  }

  /// Ends the open cell, if there is one.
  ///
  /// - Parameter place: Where its text ends in the view.
  mutating func endCell(_ place: Int) {
    guard hasOpenCell, let last = cells.last else { return }
    cells[cells.count - 1].range = last.range.lowerBound..<max(place, last.range.lowerBound)
    hasOpenCell = false
  }

  /// Ends a row.
  ///
  /// - Parameter bytes: The view.
  /// - Returns: The kinds of the fields in the row.
  mutating func endRow(_ bytes: [UInt8]) -> [Finding] {
    endCell(bytes.count)
    defer { cells = [] }
    guard !cells.isEmpty else { return [] }
    let kinds = cells.map { $0.hasTable ? nil : Self.kind(of: bytes[Self.trimmed($0.range, bytes)]) }
    let named = kinds.count { $0 != nil }
    let areHeads = cells.allSatisfy(\.isHead) && (cells.count > 1 || named == 1)
    if areHeads || columns == nil && named > 1 && named * 2 > cells.count {
      columns = zip(cells, kinds).flatMap { cell, kind in [PersonalDataKind?](repeating: kind, count: cell.span) }
      return []
    }
    var found: [Finding] = []
    var column = 0
    for (index, cell) in cells.enumerated() {
      defer { column += cell.span }
      guard !cell.isHead, !cell.hasTable else { continue }
      // "Nachname" in the cell before, which is a head or the first of two.
      let isLabelled = index > 0 && (cells[index - 1].isHead || cells.count == 2)
      let ofColumn = columns.flatMap { column < $0.count ? $0[column] : nil }
      guard let kind = ofColumn ?? (isLabelled ? kinds[index - 1] : nil) else { continue }
      // Each line by itself, so that what is in several blocks stays in them.
      for line in bytes[cell.range].split(separator: 0x0A) {
        let range = Self.trimmed(line.indices, bytes)
        if !range.isEmpty { found.append(Finding(range: range, kind: kind)) }
      }
    }
    return found
  }

  private static func kind(of bytes: ArraySlice<UInt8>) -> PersonalDataKind? {
    guard bytes.count < 60 else { return nil }
    let name = String(decoding: bytes, as: UTF8.self)
    return CSVView.kind(ofColumn: name) ?? PersonColumns.kind(ofColumn: name)
  }

  private static func trimmed(_ range: Range<Int>, _ bytes: [UInt8]) -> Range<Int> {
    var (start, end) = (range.lowerBound, range.upperBound)
    while start < end, bytes[start] <= 0x20 { start += 1 }
    while end > start, bytes[end - 1] <= 0x20 { end -= 1 }
    return start..<end
  }
}
