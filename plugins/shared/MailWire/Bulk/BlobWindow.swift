public import PluginKit

/// Reads messages that lie one behind the other in blobs, about a MiB at a time.
public struct BlobWindow: Sendable {
  private static let size = 1 << 20

  private let blobs: BlobStore
  private var blob: Blob?
  private var start = 0
  private var bytes: [UInt8] = []

  /// Reads from `blobs`.
  public init(_ blobs: BlobStore) { self.blobs = blobs }

  /// A part of a blob.
  ///
  /// - Parameters:
  ///   - blob: The blob.
  ///   - offset: The first byte.
  ///   - count: How many bytes.
  /// - Throws: `invalid_input` where the blob ends before, or the part is larger than `limit`; `not_found`, `auth`, `io`.
  public mutating func slice(
    of blob: Blob, from offset: Int, count: Int, upTo limit: Int
  ) async throws(ActionError) -> ArraySlice<UInt8> {
    guard offset >= 0, count >= 0, count <= limit else { throw Self.outside(blob) }
    if blob != self.blob || offset < start || offset - start > bytes.count || count > bytes.count - (offset - start) {
      // Unused contents are removed first.
      bytes = []
      bytes = try await blobs.read(blob, from: offset, count: max(count, Self.size))
      (self.blob, start) = (blob, offset)
    }
    let first = offset - start
    guard count <= bytes.count - first else { throw Self.outside(blob) }
    return bytes[first..<(first + count)]
  }

  private static func outside(_ blob: Blob) -> ActionError {
    ActionError(
      .invalidInput, "A message is to be read from beyond the end of \(blob.name), or is too large.",
      german: "Eine Nachricht soll jenseits des Endes von \(blob.name) gelesen werden oder ist zu groß.")
  }
}
