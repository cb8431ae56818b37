import Mail
import MailWire
import PluginKit

/// Reads messages of one folder, as far as they are needed.
struct MessageReader: Sendable {
  /// Larger messages are shown by their headers only, in bytes (32 MiB).
  static let sizeLimit = 32 * 1024 * 1024
  /// A header beyond this many bytes is cut.
  static let headerLimit = 256 * 1024

  /// The folder.
  let folder: MaildirFolder
  /// Its keywords.
  let keywords: Keywords
  /// Messages above this many bytes are not read whole.
  let sizeLimit: Int

  /// Makes a reader.
  /// - Parameters:
  ///   - folder: The folder.
  ///   - sizeLimit: The largest message that is read whole, in bytes.
  init(_ folder: MaildirFolder, sizeLimit: Int = MessageReader.sizeLimit) throws {
    self.folder = folder
    self.sizeLimit = sizeLimit
    keywords = try folder.keywords()
  }

  /// A message that was read, and if it is by now.
  struct Found {
    var file: MessageFile
    var content: MessageContent
    /// How many files were opened for it.
    var filesRead: Int
  }

  /// What the name of a message tells, and the status of its file if that is known.
  func facts(_ file: MessageFile, _ status: Directory.Status?) -> MessageFacts {
    let named = MailFlag.sorted(keywords.names(of: file.flags))
    let flags = file.flags.imapNames
    return MessageFacts(
      uid: file.uid, folder: folder.name.display, flags: flags + named.flags.filter { !flags.contains($0) },
      labels: named.labels,
      received: status.map { MessageDate(secondsSinceEpoch: $0.modified) }, size: status?.size ?? file.name.size ?? 0)
  }

  /// Reads what fields or conditions need of a message; nil if it is gone.
  func read(_ file: MessageFile, _ need: MessageNeed) throws -> Found? {
    if need.isEmpty {
      guard let status = try folder.status(file) else { return nil }
      return Found(file: file, content: MessageContent(facts(file, status)), filesRead: 0)
    }
    return need.reachesBody ? try message(file) : try header(file)
  }

  /// Reads the header of a message; nil if it is gone.
  func header(_ file: MessageFile) throws -> Found? {
    guard let (bytes, status, file) = try folder.read(file, .header(limit: Self.headerLimit)) else { return nil }
    return found(file, bytes, status, isHeaderOnly: true)
  }

  /// Reads a message, whole if it is not too large; nil if it is gone.
  func message(_ file: MessageFile) throws -> Found? {
    // One byte more shows that a file without a size in its name is too large.
    let isKnownLarge = file.name.size.map { $0 > sizeLimit } ?? false
    if !isKnownLarge {
      guard let (bytes, status, file) = try folder.read(file, .upTo(sizeLimit + 1)) else { return nil }
      if bytes.count <= sizeLimit { return found(file, bytes, status, isHeaderOnly: false) }
    }
    return try header(file)
  }

  private func found(
    _ file: MessageFile, _ bytes: [UInt8], _ status: Directory.Status, isHeaderOnly: Bool
  ) -> Found {
    Found(
      file: file,
      content: MessageContent(facts(file, status), Message(parsing: bytes), isHeaderOnly: isHeaderOnly), filesRead: 1)
  }
}
