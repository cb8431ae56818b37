import Builtins
import Engine
import Expressions
import Foundation
import Localization
import OperatingSystem
import RunStore
import UseCases

/// The recipients of a mail merge: a row for each message.
struct MergeRows: Sendable {
  /// A row and where it stands, for people.
  struct Row: Sendable {
    var place: String
    var values: [String: Value]
  }

  /// The most messages of one merge.
  static let limit = 10_000
  private static let fileLimit = 64 << 20

  /// The names of the columns, as templates use them.
  let columns: [String]
  let rows: [Row]

  /// Reads a file: `.csv` with a header, otherwise JSON lines.
  ///
  /// - Throws: ``UseCaseError`` with code `wrong_input` and the line that cannot be read.
  init(file name: String, _ surroundings: Surroundings) throws(UseCaseError) {
    let path = surroundings.resolve(name)
    let size = (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
    guard size <= Self.fileLimit, let data = FileManager.default.contents(atPath: path) else {
      throw .wrongInput(
        .init("'\(name)' cannot be read, or is too large", de: "'\(name)' ist nicht lesbar oder zu groß"))
    }
    guard let text = String(utf8Text: Array(data)) else {
      throw .wrongInput(.init("'\(name)' is not UTF-8", de: "'\(name)' ist nicht UTF-8"))
    }
    if name.lowercased().hasSuffix(".csv") {
      try self.init(csv: text, name)
    } else {
      try self.init(lines: text, name)
    }
  }

  /// Takes a list of maps, such as a step of a run has given it.
  init(_ value: Value, of name: String) throws(UseCaseError) {
    var list = value.listValue
    if list == nil, case .map(let map) = value {
      let lists = map.entries.compactMap { $0.value.listValue }
      list = lists.count == 1 ? lists.first : nil
    }
    guard let list else {
      throw .wrongInput(.init("\(name) has given no list of rows", de: "\(name) hat keine Liste von Zeilen ergeben"))
    }
    try self.init(list.enumerated().map { ("\(name)[\($0)]", $1) })
  }

  private init(csv text: String, _ name: String) throws(UseCaseError) {
    let header = text.prefix { !$0.isNewline }
    let delimiter: Unicode.Scalar = header.contains(";") && !header.contains(",") ? ";" : ","
    let records: [CSVReader.Record]
    do throws(ActionFailure) {
      records = try CSVReader.read(text, delimiter: delimiter)
    } catch {
      throw .wrongInput(LocalizedText(verbatim: "\(name): ") + error.message)
    }
    guard let first = records.first else {
      throw .wrongInput(.init("'\(name)' has no header", de: "'\(name)' hat keine Kopfzeile"))
    }
    let names = first.fields.map(Self.identifier)
    if let index = names.indices.first(where: { names[..<$0].contains(names[$0]) }) {
      throw .wrongInput(
        .init(
          "\(name):1: two columns are called '\(names[index])'", de: "\(name):1: zwei Spalten heißen '\(names[index])'")
      )
    }
    try self.init(
      records.dropFirst().map { record in
        var map = ValueMap()
        for (name, field) in zip(names, record.fields) { map[name] = .string(field) }
        return ("\(name):\(record.line)", .map(map))
      }, columns: names)
  }

  private init(lines text: String, _ name: String) throws(UseCaseError) {
    var values: [(String, Value)] = []
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let line = line.trimmingCharacters(in: .whitespaces)
      if line.isEmpty { continue }
      guard let value = try? Value(json: Array(line.utf8)) else {
        throw .wrongInput(
          .init("\(name):\(index + 1): this is no JSON object", de: "\(name):\(index + 1): das ist kein JSON-Objekt"))
      }
      values.append(("\(name):\(index + 1)", value))
    }
    try self.init(values)
  }

  private init(_ values: [(place: String, value: Value)], columns given: [String] = []) throws(UseCaseError) {
    var columns = given
    var rows: [Row] = []
    guard values.count <= Self.limit else {
      throw .wrongInput(
        .init(
          "more than \(Self.limit) messages at once: split the list",
          de: "mehr als \(Self.limit) Nachrichten auf einmal: die Liste aufteilen"))
    }
    for (place, value) in values {
      guard case .map(let map) = value else {
        throw .wrongInput(.init("\(place): this is no object", de: "\(place): das ist kein Objekt"))
      }
      var row = Row(place: place, values: [:])
      for entry in map.entries {
        guard case .string(let key) = entry.key else { continue }
        let name = Self.identifier(key)
        if !columns.contains(name) { columns.append(name) }
        row.values[name] = entry.value
      }
      rows.append(row)
    }
    (self.columns, self.rows) = (columns, rows)
  }

  /// A column's name as expressions can use it: `Vor Name` is `Vor_Name`.
  private static func identifier(_ name: String) -> String {
    let trimmed = name.trimmingCharacters(in: .whitespaces)
    let mended = String(
      trimmed.unicodeScalars.map { scalar -> Character in
        let isPlain = scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(Character(scalar)))
        return isPlain ? Character(scalar) : "_"
      })
    return mended.first?.isNumber ?? true ? "_" + mended : mended
  }
}
