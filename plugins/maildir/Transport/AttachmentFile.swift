import FoundationEssentials
import Mail
import PluginKit

/// Files that go with a message.
enum AttachmentFile {
  /// All files of a message together may have this many bytes (25 MiB), the limit of the large mail providers.
  static let sizeLimit = 25 * 1024 * 1024
  /// A message has no more files than this.
  static let countLimit = 200

  /// Reads the files that a recipe names.
  /// - Throws: `not_found` for a path without file; `invalid_input` for anything but a regular file, for bad Base64 and
  ///   above the limits.
  static func load(_ attachments: [OutgoingMail.Attachment]) throws(ActionError) -> [OutgoingAttachment] {
    guard attachments.count <= countLimit else {
      throw ActionError(
        .invalidInput, "\(attachments.count) attachments are more than the \(countLimit) allowed.",
        german: "\(attachments.count) Anhänge sind mehr als die erlaubten \(countLimit).")
    }
    var loaded: [OutgoingAttachment] = []
    var size = 0
    for attachment in attachments {
      let data = try bytes(attachment, budget: sizeLimit - size)
      size += data.count
      let name = attachment.name ?? attachment.path.map(lastComponent) ?? "attachment"
      loaded.append(OutgoingAttachment(name: name, type: attachment.type ?? mediaType(of: name), data: data))
    }
    return loaded
  }

  private static func bytes(
    _ attachment: OutgoingMail.Attachment, budget: Int
  ) throws(ActionError) -> [UInt8] {
    if let content = attachment.content {
      guard let data = Data(base64Encoded: String(content.filter { !$0.isWhitespace })) else {
        throw ActionError(
          .invalidInput, "The content of the attachment '\(shown(attachment))' is not Base64.",
          german: "Der Inhalt des Anhangs '\(shown(attachment))' ist kein Base64.")
      }
      guard data.count <= budget else { throw tooLarge(attachment) }
      return Array(data)
    }
    guard let path = attachment.path else {
      throw ActionError(
        .invalidInput, "An attachment has neither 'path' nor 'content'.",
        german: "Ein Anhang hat weder 'path' noch 'content'.")
    }
    return try file(path, attachment, budget: budget)
  }

  private static func file(
    _ path: String, _ attachment: OutgoingMail.Attachment, budget: Int
  ) throws(ActionError) -> [UInt8] {
    do throws(FileError) {
      guard let bytes = try Directory.readFile(path, limit: budget + 1) else {
        throw FileError.missing(path)
      }
      guard bytes.count <= budget else { throw FileError.tooLarge(path) }
      return bytes
    } catch  where error.isMissing {
      throw ActionError(
        .notFound, "There is no file '\(path)' to attach.", german: "Die Datei '\(path)' zum Anhängen gibt es nicht.")
    } catch  where error.isTooLarge {
      throw tooLarge(attachment)
    } catch  where error.isUnsuitable {
      throw ActionError(
        .invalidInput, "'\(path)' is not a regular file and cannot be attached.",
        german: "'\(path)' ist keine gewöhnliche Datei und lässt sich nicht anhängen.")
    } catch {
      throw ActionError(error)
    }
  }

  private static func tooLarge(_ attachment: OutgoingMail.Attachment) -> ActionError {
    ActionError(
      .invalidInput, "With '\(shown(attachment))' the attachments exceed \(sizeLimit / 1_048_576) MiB.",
      german: "Mit '\(shown(attachment))' überschreiten die Anhänge \(sizeLimit / 1_048_576) MiB.",
      advice: "Send a link to the file instead.", adviceGerman: "Verschicke stattdessen einen Link auf die Datei.")
  }

  private static func shown(_ attachment: OutgoingMail.Attachment) -> String {
    FolderName.shown(attachment.name ?? attachment.path.map(lastComponent) ?? "")
  }

  private static func lastComponent(_ path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }

  /// The media type that a file name suggests.
  static func mediaType(of name: String) -> String {
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
