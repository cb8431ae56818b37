/// A large value beside the JSON of a call: an attachment, a recording. In JSON it is the string
/// `blob:sha256:<64 hex digits>`.
///
/// Use it as the type of a property of an input or output.
public struct Blob: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The name.
  public let name: String

  /// Takes a name.
  public init(name: String) { self.name = name }

  /// Decodes a name.
  ///
  /// - Throws: `DecodingError` if the text is not the name of a blob.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    name = try container.decode(String.self)
    let digits = name.utf8.dropFirst(12)
    let isName =
      name.hasPrefix("blob:sha256:") && digits.count == 64
      && digits.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    guard isName else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "expected blob:sha256:…")
    }
  }

  /// Encodes the name.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(name)
  }

  /// The name.
  public var description: String { name }
}

/// Reads and writes blobs. A plugin reads those that its input names, and those it has made.
public struct BlobStore: Sendable {
  static let capability = "sous.blob/1"
  let services: any HostServices
  let call: UInt64

  /// Keeps bytes as a blob.
  ///
  /// - Throws: `invalid_input` beyond 1 GiB, `io` if the host cannot keep them.
  public func write(_ bytes: [UInt8]) async throws(ActionError) -> Blob {
    try await write { writer throws(ActionError) in try await writer(bytes) }
  }

  /// Keeps pieces as a blob while they come: the body of a response, for instance.
  ///
  /// - Throws: As ``write(_:)-([UInt8])``, and what the sequence throws; then nothing is kept.
  public func write<Pieces: AsyncSequence>(
    _ pieces: Pieces
  ) async throws(ActionError) -> Blob where Pieces.Element == [UInt8] {
    try await write { writer throws(ActionError) in
      do {
        for try await piece in pieces { try await writer(piece) }
      } catch {
        throw ActionError(any: error)
      }
    }
  }

  /// Keeps as a blob what a closure hands over piece by piece.
  ///
  /// - Parameter body: Calls `writer` with each piece.
  /// - Throws: As ``write(_:)-([UInt8])``, and what the closure throws; then nothing is kept.
  public func write(
    _ body: (_ writer: ([UInt8]) async throws(ActionError) -> Void) async throws(ActionError) -> Void
  ) async throws(ActionError) -> Blob {
    let call = call
    let number = try await services.blocking(Self.capability, "blob") { services throws(HostRefusal) in
      try services.createBlob(call: call)
    }
    do {
      try await body { piece throws(ActionError) in
        try await services.blocking(Self.capability, "blob") { services throws(HostRefusal) in
          try services.writeBlob(number, piece)
        }
      }
      let name = try await services.blocking(Self.capability, "blob") { services throws(HostRefusal) in
        try services.finishBlob(number)
      }
      return Blob(name: name)
    } catch {
      services.discardBlob(number)
      throw error
    }
  }

  /// The whole of a blob.
  ///
  /// - Throws: `not_found`, `auth` if the plugin may not read it, `invalid_input` if it is larger than `limit`
  ///   bytes, `io`.
  public func read(_ blob: Blob, upTo limit: Int) async throws(ActionError) -> [UInt8] {
    var bytes: [UInt8] = []
    var pieces = self.pieces(of: blob).makeAsyncIterator()
    while let piece = try await pieces.next() {
      guard piece.count <= limit - bytes.count else {
        throw ActionError(HostRefusal.tooLarge, Self.capability, blob.name)
      }
      bytes += piece
    }
    return bytes
  }

  /// A part of a blob: up to `count` bytes from an offset, fewer only at its end.
  ///
  /// - Throws: `not_found`, `auth` or `io`.
  public func read(_ blob: Blob, from offset: Int, count: Int) async throws(ActionError) -> [UInt8] {
    guard let start = UInt64(exactly: offset), let length = UInt64(exactly: count) else { return [] }
    let call = call
    return try await services.blocking(Self.capability, blob.name) { services throws(HostRefusal) in
      try services.readBlob(call: call, name: blob.name, offset: start, length: length)
    }
  }

  /// The pieces of a blob, 256 KiB each.
  public func pieces(of blob: Blob) -> BlobPieces { BlobPieces(store: self, blob: blob) }
}

/// The pieces of a blob, read one after the other.
public struct BlobPieces: AsyncSequence, Sendable {
  /// A piece, never empty.
  public typealias Element = [UInt8]
  /// `not_found`, `auth` or `io`.
  public typealias Failure = ActionError

  let store: BlobStore
  let blob: Blob

  /// Reads the pieces.
  public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
    fileprivate let pieces: BlobPieces
    private var offset: UInt64 = 0

    fileprivate init(_ pieces: BlobPieces) { self.pieces = pieces }

    /// The next piece, or `nil` after the last.
    ///
    /// - Throws: `not_found`, `auth` or `io`.
    public mutating func next() async throws(ActionError) -> [UInt8]? {
      let (offset, call, name) = (offset, pieces.store.call, pieces.blob.name)
      let piece = try await pieces.store.services.blocking(BlobStore.capability, name) {
        services throws(HostRefusal) in
        try services.readBlob(call: call, name: name, offset: offset, length: 256 << 10)
      }
      self.offset += UInt64(piece.count)
      return piece.isEmpty ? nil : piece
    }
  }

  /// Begins reading.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}
