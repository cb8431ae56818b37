public import Engine
import Localization

/// Reads comma-separated values as RFC 4180 has them, with any line ends and any delimiter.
///
/// A quote inside a field that does not begin with one stays as it is. Rows of nothing at all are left out.
public struct CSVReader {
  /// One row.
  public struct Record: Sendable, Equatable {
    /// The line it begins on, counted from 1.
    public var line: Int
    /// The values of its fields.
    public var fields: [String]
  }

  private let delimiter: Unicode.Scalar
  private var records: [Record] = []
  private var fields: [String] = []
  private var field = String.UnicodeScalarView()
  private var line = 1
  private var recordLine = 1

  /// Reads all rows.
  ///
  /// - Throws: ``Engine/ActionFailure`` of kind `parse` for a quote that is not closed, text behind a closing one, and rows
  ///   with another number of fields than the first; of kind `invalid_input` for a delimiter that cannot be one.
  public static func read(_ text: String, delimiter: Unicode.Scalar = ",") throws(ActionFailure) -> [Record] {
    guard !["\"", "\n", "\r"].contains(delimiter) else {
      throw ActionFailure(
        .invalidInput,
        LocalizedText("this character cannot be the delimiter", de: "dieses Zeichen kann kein Trennzeichen sein"))
    }
    var reader = CSVReader(delimiter: delimiter)
    try reader.readAll(text)
    return reader.records
  }

  private init(delimiter: Unicode.Scalar) {
    self.delimiter = delimiter
  }

  private mutating func readAll(_ text: String) throws(ActionFailure) {
    let scalars = text.unicodeScalars
    var index = scalars.startIndex
    if scalars.first == "\u{FEFF}" { index = scalars.index(after: index) }
    while index < scalars.endIndex {
      let scalar = scalars[index]
      scalars.formIndex(after: &index)
      switch scalar {
      case delimiter: endField()
      case "\n", "\r":
        if scalar == "\r", index < scalars.endIndex, scalars[index] == "\n" { scalars.formIndex(after: &index) }
        line += 1
        try endRecord()
      case "\"" where field.isEmpty:
        try readQuoted(scalars, &index)
      default: field.append(scalar)
      }
    }
    try endRecord()
  }

  /// Reads a quoted field from behind its first quote to behind its last.
  private mutating func readQuoted(
    _ scalars: String.UnicodeScalarView, _ index: inout String.UnicodeScalarView.Index
  ) throws(ActionFailure) {
    let first = line
    while index < scalars.endIndex {
      let scalar = scalars[index]
      scalars.formIndex(after: &index)
      if scalar == "\n" { line += 1 }
      guard scalar == "\"" else {
        field.append(scalar)
        continue
      }
      if index < scalars.endIndex, scalars[index] == "\"" {
        field.append("\"")
        scalars.formIndex(after: &index)
        continue
      }
      guard index == scalars.endIndex || [delimiter, "\n", "\r"].contains(scalars[index]) else {
        throw Self.failure(
          line, LocalizedText("there is text behind a closing quote", de: "hinter einem Schlusszeichen steht Text"))
      }
      // An empty quoted field makes a row of one empty field, not an empty row.
      if field.isEmpty { isQuoted = true }
      return
    }
    throw Self.failure(first, LocalizedText("a quote is not closed", de: "ein Anführungszeichen ist nicht geschlossen"))
  }

  private var isQuoted = false

  private mutating func endField() {
    fields.append(String(field))
    field = String.UnicodeScalarView()
  }

  private mutating func endRecord() throws(ActionFailure) {
    defer {
      recordLine = line
      isQuoted = false
    }
    guard !fields.isEmpty || !field.isEmpty || isQuoted else { return }
    endField()
    let record = Record(line: recordLine, fields: fields)
    fields = []
    if let first = records.first, first.fields.count != record.fields.count {
      throw Self.failure(
        record.line,
        LocalizedText("the row has ", de: "die Zeile hat ")
          + .count(record.fields.count, "field", "fields", de: "Feld", "Felder")
          + LocalizedText(", the first one \(first.fields.count)", de: ", die erste \(first.fields.count)"))
    }
    records.append(record)
  }

  private static func failure(_ line: Int, _ message: LocalizedText) -> ActionFailure {
    ActionFailure(.parse, LocalizedText("line \(line): ", de: "Zeile \(line): ") + message)
  }
}
