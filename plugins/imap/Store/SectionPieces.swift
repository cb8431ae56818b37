import Mail
import PluginKit

/// The pieces of a section of a message, fetched one after the other and decoded.
struct SectionPieces: AsyncSequence, Sendable {
  typealias Element = [UInt8]
  typealias Failure = ActionError

  /// How much one FETCH asks for, in bytes (1 MiB).
  static let pieceSize = 1 << 20
  /// The most bytes that a section may have (1 GiB): a server may send pieces without end.
  static let longest = 1 << 30

  let session: Session
  let folder: OpenFolder
  let uid: UInt32
  let section: String
  let encoding: String
  /// Whether the server is asked to take the encoding off.
  var isDecodedThere = false
  /// Counts what was handed out.
  let counter: ByteCounter

  func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(pieces: self, decoder: TransferDecoder(encoding: encoding))
  }

  struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let pieces: SectionPieces
    fileprivate var decoder: TransferDecoder
    private var isDecodedThere: Bool
    private var offset = 0
    /// Bytes that were handed out before everything was asked for anew.
    private var skipped = 0
    private var isAtEnd = false

    fileprivate init(pieces: SectionPieces, decoder: TransferDecoder) {
      self.pieces = pieces
      self.decoder = decoder
      isDecodedThere = pieces.isDecodedThere
    }

    mutating func next() async throws(ActionError) -> [UInt8]? {
      while !isAtEnd {
        guard let piece = try await piece() else { throw pieces.folder.notFound([pieces.uid]) }
        offset += piece.bytes.count
        // A short piece is the end; a server that does not know pieces sends everything.
        isAtEnd = piece.isWhole || piece.bytes.count != SectionPieces.pieceSize
        guard offset <= SectionPieces.longest else {
          await pieces.session.abandon()
          throw ActionError(ProtocolFault(.tooLarge, "a part of a message"), host: pieces.session.settings.host)
        }
        var decoded = isDecodedThere ? Array(piece.bytes) : decoder.decode(piece.bytes)
        if isAtEnd, !isDecodedThere { decoded += decoder.finish() }
        if skipped > 0 {
          let count = Swift.min(skipped, decoded.count)
          decoded.removeFirst(count)
          skipped -= count
        }
        guard !decoded.isEmpty else { continue }
        pieces.counter.add(decoded.count)
        return decoded
      }
      return nil
    }

    private mutating func piece() async throws(ActionError) -> (bytes: ArraySlice<UInt8>, isWhole: Bool)? {
      do throws(ActionError) {
        return try await pieces.session.piece(
          of: pieces.uid, section: pieces.section, from: offset, count: SectionPieces.pieceSize,
          isDecoded: isDecodedThere)
      } catch {
        guard isDecodedThere, await !pieces.session.isBroken else { throw error }
        // The server cannot decode what is broken; it is fetched as it stands, and read as far as that goes.
        isDecodedThere = false
        offset = 0
        skipped = pieces.counter.total
        return try await piece()
      }
    }
  }
}
