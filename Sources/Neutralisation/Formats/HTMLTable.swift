/// A table of HTML while it is read: what the names of its columns, or of its rows, say of its fields.
struct HTMLTable {
  private struct Cell {
    var range: Range<Int>
    let isHead: Bool
  }

  private var cells: [Cell] = []
  private var hasOpenCell = false
  /// What each column has; `nil` before the row with their names.
  private var columns: [PersonalDataKind?]?

  /// Begins a cell.
  ///
  /// - Parameter place: Where its text begins in the view.
  mutating func beginCell(_ place: Int, isHead: Bool) {
    cells.append(Cell(range: place..<place, isHead: isHead))
    hasOpenCell = true
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
  /// - Returns: What the fields of the row are.
  mutating func endRow(_ bytes: [UInt8]) -> [Finding] {
    endCell(bytes.count)
    defer { cells = [] }
    guard !cells.isEmpty else { return [] }
    let ranges = cells.map { Self.trimmed($0.range, bytes) }
    let kinds = ranges.map { Self.kind(of: bytes[$0]) }
    let named = kinds.count { $0 != nil }
    if cells.count > 1, cells.allSatisfy(\.isHead) || columns == nil && named > 1 && named * 2 > cells.count {
      columns = kinds
      return []
    }
    return cells.indices.compactMap { index in
      guard !cells[index].isHead, !ranges[index].isEmpty else { return nil }
      // "Nachname" in the cell before, which is a head or the first of two.
      let isLabelled = index > 0 && (cells[index - 1].isHead || cells.count == 2)
      let ofColumn = columns.flatMap { index < $0.count ? $0[index] : nil }
      guard let kind = ofColumn ?? (isLabelled ? kinds[index - 1] : nil) else { return nil }
      return Finding(range: ranges[index], kind: kind)
    }
  }

  private static func kind(of bytes: ArraySlice<UInt8>) -> PersonalDataKind? {
    guard bytes.count < 60 else { return nil }
    let name = String(decoding: bytes, as: UTF8.self)
    return CSVView.kind(ofColumn: name) ?? PartsOfPeople.kind(ofColumn: name)
  }

  private static func trimmed(_ range: Range<Int>, _ bytes: [UInt8]) -> Range<Int> {
    var (start, end) = (range.lowerBound, range.upperBound)
    while start < end, bytes[start] <= 0x20 { start += 1 }
    while end > start, bytes[end - 1] <= 0x20 { end -= 1 }
    return start..<end
  }
}
