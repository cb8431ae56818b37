internal import Engine
internal import Expressions
internal import Foundation
internal import GRDB
internal import Localization

/// Reads columns of a row into the module's types.
///
/// The file may have been edited by hand: whatever does not fit ends in an error of code `database_damaged` that names
/// the column, never in a trap.
struct RowReader {
  let row: Row
  let path: String

  func text(_ column: String) throws -> String { try required(optionalText(column), column) }

  func integer(_ column: String) throws -> Int { try required(optionalInteger(column), column) }

  func time(_ column: String) throws -> Timestamp { try required(optionalTime(column), column) }

  func optionalText(_ column: String) -> String? { String.fromDatabaseValue(value(column)) }

  func optionalInteger(_ column: String) -> Int? { Int.fromDatabaseValue(value(column)) }

  /// A column of milliseconds as seconds.
  func seconds(_ column: String) -> Double? { Double.fromDatabaseValue(value(column)).map { $0 / 1000 } }

  func optionalTime(_ column: String) throws -> Timestamp? {
    guard let text = optionalText(column) else { return nil }
    return try required(Timestamp(rfc3339: text), column)
  }

  func choice<Choice: RawRepresentable<String>>(_ column: String) throws -> Choice {
    try required(Choice(rawValue: try text(column)), column)
  }

  /// A value from its JSON text or, where that is null, from its blob's content; `nil` where both are null.
  func value(_ column: String, blob: String) throws -> Value? {
    let bytes: [UInt8]
    if let text = optionalText(column) {
      bytes = Array(text.utf8)
    } else if let data = Data.fromDatabaseValue(value(blob)) {
      bytes = Array(data)
    } else {
      return nil
    }
    return try required(try? Value(json: bytes), column)
  }

  /// The failure columns; `nil` where there was none.
  func failure() throws -> RecordedFailure? {
    guard let kind = optionalText("failure_kind") else { return nil }
    let message = optionalText("failure_message") ?? ""
    let advice = optionalText("failure_advice")
    return RecordedFailure(
      kind: ActionFailure.Kind(rawValue: kind),
      message: LocalizedText(message, de: optionalText("failure_message_de") ?? message),
      advice: advice.map { LocalizedText($0, de: optionalText("failure_advice_de") ?? $0) },
      retryAfter: seconds("retry_after_ms"))
  }

  private func value(_ column: String) -> DatabaseValue { row[column] ?? .null }

  private func required<Wanted>(_ value: Wanted?, _ column: String) throws -> Wanted {
    guard let value else { throw RunStoreError.damaged(path: path, cause: "column \(column) cannot be read") }
    return value
  }
}
