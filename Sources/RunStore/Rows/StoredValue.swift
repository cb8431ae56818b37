internal import Expressions
internal import Hashing

/// A value in the form in which the database keeps it: JSON, in its row when small, otherwise in `blobs`.
struct StoredValue: Sendable {
  /// The largest JSON text, in bytes, that is kept in its row.
  static let inlineLimit = 4096

  /// The value as JSON.
  let bytes: [UInt8]
  /// The blob's name; `nil` for a value that is kept in its row.
  let hash: String?

  /// Encodes a value; hashing it where it is large. Costs time in proportion to its size.
  ///
  /// - Parameter isAlwaysBlob: For what many runs have in common.
  init(_ value: Value, isAlwaysBlob: Bool = false) {
    bytes = value.json()
    hash = isAlwaysBlob || bytes.count > StoredValue.inlineLimit ? ContentHash.hexadecimal(of: bytes) : nil
  }

  /// The JSON text for the row; `nil` for a value that is kept as a blob.
  var inlineText: String? { hash == nil ? String(decoding: bytes, as: UTF8.self) : nil }
}
