/// The figures, and whether they are what they have to be.
struct Table {
  /// One thing that was measured, over several rounds.
  struct Row {
    /// What was measured.
    var name: String
    /// The figure to show.
    var figure: Double
    /// What it counts.
    var unit: String
    /// How many times the rate of single commits that is, where it can be compared.
    var ratio: Double?
    /// What it has to be, in words; empty for nothing.
    var bound = ""
    /// Whether it is.
    var isMet = true
  }

  private enum Line {
    case title(String)
    case row(Row)
  }

  private var lines: [Line] = []
  private var rows: [Row] { lines.compactMap { if case .row(let row) = $0 { row } else { nil } } }

  /// Whether every figure is what it has to be.
  var isMet: Bool { rows.allSatisfy(\.isMet) }

  mutating func add(_ row: Row) { lines.append(.row(row)) }

  /// Says what the rows after it are about.
  mutating func add(title: String) { lines.append(.title(title)) }

  func show() {
    line("", "figure", "", "to commits", "bound")
    for line in lines {
      switch line {
      case .title(let title): print(title)
      case .row(let row):
        self.line(
          "  " + row.name, Table.text(row.figure), row.unit, row.ratio.map { Table.text($0) } ?? "",
          row.bound + (row.isMet ? "" : "  MISSED"))
      }
    }
  }

  private func line(_ name: String, _ figure: String, _ unit: String, _ ratio: String, _ bound: String) {
    let columns = [padded(name, 50), aligned(figure, 9), " " + padded(unit, 10), aligned(ratio, 11), "  " + bound]
    var text = columns.joined()
    while text.last == " " { text.removeLast() }
    print(text)
  }

  private func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  private func aligned(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }

  private static func text(_ number: Double) -> String {
    number >= 100 ? "\(Int(number.rounded()))" : "\((number * 100).rounded() / 100)"
  }
}
