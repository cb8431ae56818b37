import Foundation
import Localization
import Neutralisation

/// A letter written by hand in which all personal data is marked: `⟨person|Regula Bühlmann⟩`.
struct MarkedLetter {
  /// A place that holds personal data, or was taken for one, in characters.
  struct Span {
    var kind: String
    var range: Range<Int>
  }

  var name: String
  var text: [Character] = []
  var marks: [Span] = []

  init(name: String, marked: String) {
    self.name = name
    var start: (kind: String, at: Int)?
    var kind: String?
    for character in marked {
      switch character {
      case "⟨": kind = ""
      case "|" where kind != nil:
        start = (kind ?? "", text.count)
        kind = nil
      case "⟩":
        if let start { marks.append(Span(kind: start.kind, range: start.at..<text.count)) }
        start = nil
      default:
        if kind != nil { kind?.append(character) } else { text.append(character) }
      }
    }
  }

  /// The letters of a folder, by name.
  static func letters(in folder: String) throws -> [MarkedLetter] {
    try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".txt") }.sorted().map {
      MarkedLetter(name: $0, marked: try String(contentsOfFile: folder + "/" + $0, encoding: .utf8))
    }
  }

  /// What is replaced, found by walking through letter and neutral text side by side.
  func findings(_ neutraliser: Neutraliser) throws -> [Span] {
    var mapping = PlaceholderMapping()
    let neutral = try neutraliser.neutralise(String(text), format: .text, into: &mapping).text
    let originals = Dictionary(uniqueKeysWithValues: mapping.entries.map { ($0.placeholder, $0) })
    var found: [Span] = []
    var position = 0
    var rest = Substring(neutral)
    while let first = rest.first {
      if first == "[", let end = rest.firstIndex(of: "]"), let entry = originals[String(rest[...end])] {
        found.append(Span(kind: entry.kind.rawValue, range: position..<position + entry.original.count))
        position += entry.original.count
        rest = rest[rest.index(after: end)...]
      } else {
        position += 1
        rest.removeFirst()
      }
    }
    return found
  }

  /// What stands at a place and beside it, for people.
  func context(_ range: Range<Int>) -> String {
    String(text[max(0, range.lowerBound - 25)..<range.lowerBound]) + "⟨" + String(text[range]) + "⟩"
      + String(text[range.upperBound..<min(text.count, range.upperBound + 15)])
  }
}

/// How much of what is marked is replaced, and how much of what is replaced is marked.
struct Recognition {
  struct Row {
    var marked = 0
    var covered = 0
    var found = 0
    var right = 0
    var recall: Double { marked == 0 ? 1 : Double(covered) / Double(marked) }
    var precision: Double { found == 0 ? 1 : Double(right) / Double(found) }
  }

  var rows: [String: Row] = [:]
  var problems: [String] = []

  /// A marked place counts where none of its letters and digits stays, a replaced one where half of its are marked.
  mutating func count(_ letter: MarkedLetter, _ findings: [MarkedLetter.Span]) {
    let replaced = Set(findings.flatMap(\.range))
    let marked = Set(letter.marks.flatMap(\.range))
    func signs(_ range: Range<Int>) -> [Int] { range.filter { letter.text[$0].isLetter || letter.text[$0].isNumber } }
    for mark in letter.marks {
      let isCovered = signs(mark.range).allSatisfy(replaced.contains)
      rows[mark.kind, default: Row()].marked += 1
      if isCovered {
        rows[mark.kind, default: Row()].covered += 1
      } else {
        problems.append("\(letter.name) missed \(mark.kind): \(letter.context(mark.range))")
      }
    }
    for finding in findings {
      let signs = signs(finding.range)
      let isRight = 2 * signs.count(where: marked.contains) >= signs.count
      rows[finding.kind, default: Row()].found += 1
      if isRight {
        rows[finding.kind, default: Row()].right += 1
      } else {
        problems.append("\(letter.name) wrong \(finding.kind): \(letter.context(finding.range))")
      }
    }
  }

  var total: Row {
    rows.values.reduce(into: Row()) {
      $0.marked += $1.marked
      $0.covered += $1.covered
      $0.found += $1.found
      $0.right += $1.right
    }
  }

  /// One line for each kind.
  var table: String {
    func line(_ name: String, _ row: Row) -> String {
      "\(name): recall \(row.covered)/\(row.marked) = \(Self.rounded(row.recall)), "
        + "precision \(row.right)/\(row.found) = \(Self.rounded(row.precision))"
    }
    return (rows.keys.sorted().map { line($0, rows[$0] ?? Row()) } + [line("all", total)]).joined(separator: "\n")
  }

  private static func rounded(_ number: Double) -> String { String(Double(Int(number * 1000 + 0.5)) / 1000) }
}
