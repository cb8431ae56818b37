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
    private var offset = 0
    private var isAtEnd = false

    fileprivate init(pieces: SectionPieces, decoder: TransferDecoder) {
      self.pieces = pieces
      self.decoder = decoder
    }

    mutating func next() async throws(ActionError) -> [UInt8]? {
      while !isAtEnd {
        guard
          let piece = try await pieces.session.piece(
            of: pieces.uid, section: pieces.section, from: offset, count: SectionPieces.pieceSize,
            isDecoded: pieces.isDecodedThere)
        else { throw pieces.folder.notFound([pieces.uid]) }
        offset += piece.bytes.count
        // A short piece is the end; a server that does not know pieces sends everything.
        isAtEnd = piece.isWhole || piece.bytes.count != SectionPieces.pieceSize
        guard offset <= SectionPieces.longest else {
          await pieces.session.abandon()
          throw ActionError(ProtocolFault(.tooLarge, "a part of a message"), host: pieces.session.settings.host)
        }
        var decoded = pieces.isDecodedThere ? Array(piece.bytes) : decoder.decode(piece.bytes)
        if isAtEnd, !pieces.isDecodedThere { decoded += decoder.finish() }
        guard !decoded.isEmpty else { continue }
        pieces.counter.add(decoded.count)
        return decoded
      }
      return nil
    }
  }
}
