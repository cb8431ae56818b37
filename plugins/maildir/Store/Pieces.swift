import MailWire
import PluginKit
import Synchronization

/// The pieces of a message as it goes over the wire: every line ends with CRLF.
final class WirePieces: AsyncSequence, Sendable {
  typealias Element = [UInt8]

  /// How much is read at once, in bytes (128 KiB).
  private static let pieceSize = 128 << 10

  private let file: OpenFile
  private let bytes = Atomic(0)

  init(_ file: OpenFile) { self.file = file }

  /// How many bytes have gone by.
  var count: Int { bytes.load(ordering: .relaxed) }

  struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let pieces: WirePieces
    private var endsWithReturn = false

    fileprivate init(_ pieces: WirePieces) { self.pieces = pieces }

    mutating func next() async throws -> [UInt8]? {
      try Task.checkCancellation()
      do {
        let read = try pieces.file.next(WirePieces.pieceSize)
        guard !read.isEmpty else { return nil }
        let piece = LineEnds.wire(read, after: &endsWithReturn)
        pieces.bytes.add(piece.count, ordering: .relaxed)
        return piece
      } catch {
        throw ActionError(error)
      }
    }
  }

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}

/// Bytes in pieces of 256 KiB.
struct BytePieces: AsyncSequence, Sendable {
  typealias Element = [UInt8]

  let bytes: [UInt8]

  struct AsyncIterator: AsyncIteratorProtocol {
    var rest: ArraySlice<UInt8>

    mutating func next() async throws -> [UInt8]? {
      guard !rest.isEmpty else { return nil }
      let piece = Array(rest.prefix(256 << 10))
      rest = rest.dropFirst(piece.count)
      return piece
    }
  }

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(rest: bytes[...]) }
}
