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

  /// What this program wrote it must be able to read: the depth is the one at which writing JSON stops.
  private static let limits = JSONLimits(depth: 1000, size: .max, decodedSize: .max)

  func text(_ column: String) throws -> String { try required(optionalText(column), column) }

  func integer(_ column: String) throws -> Int { try required(optionalInteger(column), column) }

  /// A column of bytes.
  func bytes(_ column: String) throws -> [UInt8] {
    if case .blob(let data) = content(column) { return Array(data) }
    return try required(nil, column)
  }

  func time(_ column: String) throws -> Timestamp { try required(optionalTime(column), column) }

  func optionalText(_ column: String) -> String? {
    if case .string(let text) = content(column) { text } else { nil }
  }

  func optionalInteger(_ column: String) -> Int? {
    if case .int64(let number) = content(column) { Int(exactly: number) } else { nil }
  }

  /// A column of any number.
  func number(_ column: String) -> Double? {
    switch content(column) {
    case .int64(let number): Double(number)
    case .double(let number): number
    default: nil
    }
  }

  /// A column of milliseconds as seconds.
  func seconds(_ column: String) -> Double? { number(column).map { $0 / 1000 } }

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
    } else if case .blob(let data) = content(blob) {
      bytes = Array(data)
    } else {
      return nil
    }
    return try required(try? Value(json: bytes, limits: RowReader.limits), column)
  }

  /// The failure columns; `nil` where there was none.
  func failure() throws -> ActionFailure? {
    guard let kind = optionalText("failure_kind") else { return nil }
    let message = optionalText("failure_message") ?? ""
    let advice = optionalText("failure_advice")
    return ActionFailure(
      ActionFailure.Kind(rawValue: kind),
      LocalizedText(message, de: optionalText("failure_message_de") ?? message),
      advice: advice.map { LocalizedText($0, de: optionalText("failure_advice_de") ?? $0) },
      retryAfter: seconds("retry_after_ms"))
  }

  /// What answers an attempt.
  func attemptKind() throws -> AttemptKind {
    try required(AttemptKind(name: try text("kind"), label: try text("provider")), "kind")
  }

  /// What a column holds; null for a column that the query does not have.
  private func content(_ column: String) -> DatabaseValue.Storage {
    let value: DatabaseValue? = row[column]
    return value?.storage ?? .null
  }

  private func required<Wanted>(_ value: Wanted?, _ column: String) throws -> Wanted {
    guard let value else { throw RunStoreError.damaged(path: path, cause: "column \(column) cannot be read") }
    return value
  }
}
