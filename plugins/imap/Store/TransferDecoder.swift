import PluginKit

/// Decodes the content of a part while it comes, in pieces of any size (RFC 2045 §6).
///
/// What is not in the alphabet is left out, as readers of mail do.
struct TransferDecoder: Sendable {
  private enum Encoding: Sendable {
    case none
    case base64
    case quotedPrintable
  }

  private let encoding: Encoding
  private var bits: UInt32 = 0
  private var count = 0
  private var isOver = false
  /// What may be the beginning of an escape, or white space that may stand at the end of a line.
  private var held: [UInt8] = []

  /// - Parameter name: The encoding as the message names it, in lowercase.
  init(_ name: String) {
    encoding = name == "base64" ? .base64 : name == "quoted-printable" ? .quotedPrintable : .none
  }

  mutating func decode(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    switch encoding {
    case .none: Array(bytes)
    case .base64: base64(bytes)
    case .quotedPrintable: quotedPrintable(bytes)
    }
  }

  /// What is left at the end.
  mutating func finish() -> [UInt8] {
    defer { held = [] }
    guard encoding == .quotedPrintable, held.first == UInt8(ascii: "=") else { return [] }
    return held.count > 1 && held[1] != 0x0D ? held : []
  }

  private mutating func base64(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count / 4 * 3 + 3)
    for byte in bytes where !isOver {
      let value: UInt32
      switch byte {
      case 0x41...0x5A: value = UInt32(byte - 0x41)
      case 0x61...0x7A: value = UInt32(byte - 0x61) + 26
      case 0x30...0x39: value = UInt32(byte - 0x30) + 52
      case 0x2B: value = 62
      case 0x2F: value = 63
      case 0x3D:
        isOver = true
        continue
      default: continue
      }
      bits = bits << 6 | value
      count += 6
      if count >= 8 {
        count -= 8
        result.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
        bits &= (1 << UInt32(count)) - 1
      }
    }
    return result
  }

  private mutating func quotedPrintable(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    for byte in bytes {
      if held.first == UInt8(ascii: "=") {
        escape(byte, &result)
      } else if byte == 0x20 || byte == 0x09 {
        // White space at the end of a line was added on the way.
        held.append(byte)
      } else if byte == 0x0D || byte == 0x0A {
        held = []
        result.append(byte)
      } else {
        result += held
        held = []
        if byte == UInt8(ascii: "=") { held = [byte] } else { result.append(byte) }
      }
    }
    return result
  }

  private mutating func escape(_ byte: UInt8, _ result: inout [UInt8]) {
    if byte == 0x0A {
      // A soft line end.
      held = []
      return
    }
    held.append(byte)
    let tail = held.dropFirst()
    // White space, and CR, may come between the sign and the end of the line.
    if tail.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }), held.count < 80 { return }
    if held.count < 3, Self.digit(byte) != nil { return }
    if held.count == 3, let high = Self.digit(held[1]), let low = Self.digit(held[2]) {
      result.append(high << 4 | low)
    } else {
      result += held
    }
    held = []
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x37
    case 0x61...0x66: byte - 0x57
    default: nil
    }
  }
}

/// The pieces of a section of a message, fetched one after the other and decoded.
struct SectionPieces: AsyncSequence, Sendable {
  typealias Element = [UInt8]
  typealias Failure = ActionError

  /// How much one FETCH asks for, in bytes (1 MiB).
  static let pieceSize = 1 << 20

  let session: Session
  let folder: OpenFolder
  let uid: UInt32
  let section: String
  let encoding: String
  /// Counts what was handed out.
  let counter: ByteCounter

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(pieces: self, decoder: TransferDecoder(encoding)) }

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
            of: pieces.uid, section: pieces.section, from: offset, count: SectionPieces.pieceSize)
        else { throw pieces.folder.notFound([pieces.uid]) }
        offset += piece.count
        // A server that does not know pieces sends everything.
        isAtEnd = piece.count != SectionPieces.pieceSize
        var decoded = decoder.decode(piece)
        if isAtEnd { decoded += decoder.finish() }
        guard !decoded.isEmpty else { continue }
        pieces.counter.add(decoded.count)
        return decoded
      }
      return nil
    }
  }
}
