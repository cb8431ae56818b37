import FoundationEssentials
public import Mail
public import PluginKit

/// Files that go with a message.
public enum AttachmentFile {
  /// All files of a message together may have this many bytes (25 MiB), the limit of the large mail providers.
  public static let sizeLimit = 25 * 1024 * 1024
  /// A message has no more files than this.
  public static let countLimit = 200

  /// Reads the files that a recipe names.
  ///
  /// - Parameters:
  ///   - attachments: The files that the recipe names.
  ///   - blobs: Where blobs are read.
  ///   - limit: How many bytes all of them may have together.
  /// - Throws: `not_found` for a path without file; `invalid_input` for anything but a regular file, for bad Base64 and above
  ///   the limits; the errors of reading a blob throws.
  public static func load(
    _ attachments: [OutgoingMail.Attachment], blobs: BlobStore, limit: Int = AttachmentFile.sizeLimit
  ) async throws(ActionError) -> [OutgoingAttachment] {
    guard attachments.count <= countLimit else {
      throw ActionError(
        .invalidInput, "\(attachments.count) attachments are more than the \(countLimit) allowed.",
        german: "\(attachments.count) Anhänge sind mehr als die erlaubten \(countLimit).")
    }
    var loaded: [OutgoingAttachment] = []
    var size = 0
    for attachment in attachments {
      let data = try await bytes(attachment, blobs, budget: limit - size, limit: limit)
      size += data.count
      let name = attachment.name ?? attachment.path.map(lastComponent) ?? "attachment"
      loaded.append(OutgoingAttachment(name: name, type: attachment.type ?? mediaType(of: name), data: data))
    }
    return loaded
  }

  private static func bytes(
    _ attachment: OutgoingMail.Attachment, _ blobs: BlobStore, budget: Int, limit: Int
  ) async throws(ActionError) -> [UInt8] {
    if let blob = attachment.blob {
      var bytes: [UInt8] = []
      var pieces = blobs.pieces(of: blob).makeAsyncIterator()
      while let piece = try await pieces.next() {
        guard piece.count <= budget - bytes.count else { throw tooLarge(attachment, limit) }
        bytes += piece
      }
      return bytes
    }
    if let content = attachment.content {
      guard let data = Data(base64Encoded: String(content.filter { !$0.isWhitespace })) else {
        throw ActionError(
          .invalidInput, "The content of the attachment '\(shown(attachment))' is not Base64.",
          german: "Der Inhalt des Anhangs '\(shown(attachment))' ist kein Base64.")
      }
      guard data.count <= budget else { throw tooLarge(attachment, limit) }
      return Array(data)
    }
    guard let path = attachment.path else {
      throw ActionError(
        .invalidInput, "An attachment has neither 'path' nor 'content' nor 'blob'.",
        german: "Ein Anhang hat weder 'path' noch 'content' noch 'blob'.")
    }
    guard let bytes = try LocalFile.read(path, limit: budget) else { throw tooLarge(attachment, limit) }
    return bytes
  }

  private static func tooLarge(_ attachment: OutgoingMail.Attachment, _ limit: Int) -> ActionError {
    ActionError(
      .invalidInput, "With '\(shown(attachment))' the attachments exceed \(limit / 1_048_576) MiB.",
      german: "Mit '\(shown(attachment))' überschreiten die Anhänge \(limit / 1_048_576) MiB.",
      advice: "Send a link to the file instead.",
      adviceGerman: "Stattdessen lässt sich ein Link auf die Datei verschicken.")
  }

  private static func shown(_ attachment: OutgoingMail.Attachment) -> String {
    DisplayedText.text(attachment.name ?? attachment.path.map(lastComponent) ?? "")
  }

  private static func lastComponent(_ path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }

  /// The media type that a file name suggests.
  public static func mediaType(of name: String) -> String {
    let parts = name.lowercased().split(separator: ".")
    guard parts.count > 1, let ending = parts.last else { return "application/octet-stream" }
    return types[String(ending)] ?? "application/octet-stream"
  }

  private static let types: [String: String] = [
    "csv": "text/csv", "doc": "application/msword",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document", "epub": "application/epub+zip",
    "gif": "image/gif", "gz": "application/gzip", "htm": "text/html", "html": "text/html", "ics": "text/calendar",
    "jpeg": "image/jpeg", "jpg": "image/jpeg", "json": "application/json", "md": "text/markdown", "mp3": "audio/mpeg",
    "mp4": "video/mp4", "odp": "application/vnd.oasis.opendocument.presentation",
    "ods": "application/vnd.oasis.opendocument.spreadsheet", "odt": "application/vnd.oasis.opendocument.text",
    "ogg": "audio/ogg", "pdf": "application/pdf", "png": "image/png",
    "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation", "rtf": "application/rtf",
    "svg": "image/svg+xml", "tar": "application/x-tar", "txt": "text/plain", "vcf": "text/vcard", "wav": "audio/wav",
    "webp": "image/webp", "xls": "application/vnd.ms-excel",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "xml": "application/xml",
    "yaml": "application/yaml", "yml": "application/yaml", "zip": "application/zip",
  ]
}
