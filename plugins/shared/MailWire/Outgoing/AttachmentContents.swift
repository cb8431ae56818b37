import FoundationEssentials
public import Mail
public import PluginKit

/// The files that go with a message, read piece by piece while it is written.
///
/// ```swift
/// var contents = try await AttachmentContents(mail.attachments ?? [], blobs: context.blobs)
/// var stream = try composer.message(mail, attachments: contents.attachments).stream(messageID: id, date: date)
/// while let step = try stream.next() {
///   switch step {
///   case .bytes(let bytes): send(bytes)
///   case .read(let source, let count): try stream.supply(try await contents.read(source, upTo: count))
///   }
/// }
/// ```
public struct AttachmentContents: Sendable {
  /// All files of a message together may have this many bytes: 1 GiB, the limit of a blob. Most servers take less.
  public static let sizeLimit = 1 << 30
  /// Files up to this size are read at once.
  private static let smallSize = 128 << 10

  private enum Origin: Sendable {
    case file(LocalFile.Reader)
    case blob(BlobPieces.AsyncIterator, rest: [UInt8])
  }

  /// The files, for ``Composer``.
  public private(set) var attachments: [OutgoingAttachment] = []
  private var origins: [Origin] = []

  /// Looks at the files that a recipe names; large ones are read later.
  ///
  /// - Parameters:
  ///   - files: The files that the recipe names.
  ///   - blobs: Where blobs are read.
  ///   - limit: How many bytes all of them may have together.
  /// - Throws: `not_found` for a path without file; `invalid_input` for anything but a regular file, for bad Base64 and above
  ///   the limits; the errors of reading a blob throws.
  public init(
    _ files: [OutgoingMail.Attachment], blobs: BlobStore, limit: Int = AttachmentContents.sizeLimit
  ) async throws(ActionError) {
    guard files.count <= AttachmentFile.countLimit else {
      throw ActionError(
        .invalidInput, "\(files.count) attachments are more than the \(AttachmentFile.countLimit) allowed.",
        german: "\(files.count) Anhänge sind mehr als die erlaubten \(AttachmentFile.countLimit).")
    }
    var left = limit
    for file in files {
      let name = file.name ?? file.path.map { $0.split(separator: "/").last.map(String.init) ?? $0 } ?? "attachment"
      let type = file.type ?? AttachmentFile.mediaType(of: name)
      // A message within a message is not encoded, so that its lines have to be looked through first.
      let isWhole = type.lowercased() == "message/rfc822"
      guard let (origin, size) = try await Self.origin(of: file, blobs), size > Self.smallSize, !isWhole else {
        let loaded = try await AttachmentFile.load([file], blobs: blobs, limit: min(left, AttachmentFile.sizeLimit))
        left -= loaded.reduce(0) { $0 + $1.data.count }
        attachments += loaded
        continue
      }
      guard size <= left else {
        throw ActionError(
          .invalidInput, "With '\(DisplayedText.text(name))' the attachments exceed \(limit / 1_048_576) MiB.",
          german: "Mit '\(DisplayedText.text(name))' überschreiten die Anhänge \(limit / 1_048_576) MiB.",
          advice: "Send a link to the file instead.",
          adviceGerman: "Stattdessen lässt sich ein Link auf die Datei verschicken.")
      }
      left -= size
      attachments.append(OutgoingAttachment(name: name, type: type, source: origins.count, size: size))
      origins.append(origin)
    }
  }

  /// The next bytes of a file.
  ///
  /// - Parameters:
  ///   - source: The number that the writer has asked by.
  ///   - count: The most bytes.
  /// - Returns: At least one byte, but at the end of the file.
  /// - Throws: The error of reading the file or blob.
  public mutating func read(_ source: Int, upTo count: Int) async throws(ActionError) -> [UInt8] {
    guard origins.indices.contains(source), count > 0 else { return [] }
    switch origins[source] {
    case .file(let reader): return try reader.read(upTo: count)
    case .blob(var pieces, var rest):
      while rest.isEmpty {
        guard let piece = try await pieces.next() else { return [] }
        rest = piece
      }
      let bytes = Array(rest.prefix(count))
      rest.removeFirst(bytes.count)
      origins[source] = .blob(pieces, rest: rest)
      return bytes
    }
  }

  /// Where a file is read from, and its size; `nil` for what is in memory already.
  private static func origin(
    of file: OutgoingMail.Attachment, _ blobs: BlobStore
  ) async throws(ActionError) -> (Origin, size: Int)? {
    if let blob = file.blob {
      // The host does not say how large a blob is.
      var size = 0
      var pieces = blobs.pieces(of: blob).makeAsyncIterator()
      while let piece = try await pieces.next() { size += piece.count }
      return (.blob(blobs.pieces(of: blob).makeAsyncIterator(), rest: []), size)
    }
    guard file.content == nil, let path = file.path else { return nil }
    let reader = try LocalFile.Reader(path)
    return (.file(reader), reader.size)
  }
}
