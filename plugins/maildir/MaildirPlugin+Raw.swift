import Mail
import MailWire
import PluginKit

extension MaildirPlugin {
  /// `mail.raw` and `mail.attachment`.
  @ActionListBuilder<MaildirPlugin> static var raw: ActionList<MaildirPlugin> {
    Action(
      "mail.raw", effect: .read, summary: "Keeps a whole message of the Maildir as a blob",
      summaryGerman: "Holt eine Nachricht des Maildir, wie sie ist", input: StoreInput.Raw.self,
      output: JSONValue.self, blocking: true
    ) { plugin, input, context in
      try await plugin.raw(input, context)
    }
    Action(
      "mail.attachment", effect: .read, summary: "Keeps a part of a message as a blob",
      summaryGerman: "Holt eine Datei aus einer Nachricht",
      input: StoreInput.Attachment.self,
      output: JSONValue.self, blocking: true
    ) { plugin, input, context in
      try await plugin.attachment(input, context)
    }
  }

  /// The largest message whose parts are taken out, in bytes (256 MiB).
  private static let sizeLimit = 256 * 1024 * 1024

  private func raw(_ input: StoreInput.Raw, _ context: ActionContext) async throws -> JSONValue {
    let name = try FolderName(input.folder)
    let file = try withMaildir { maildir in
      let folder = try maildir.folder(name)
      guard let file = try folder.locate(input.uid), let opened = try folder.open(file) else {
        throw folder.notFound([input.uid])
      }
      return opened
    }
    let pieces = WirePieces(file)
    let blob = try await context.blobs.write(pieces)
    return ["blob": .string(blob.name), "size": .integer(Int64(clamping: pieces.count))]
  }

  private func attachment(_ input: StoreInput.Attachment, _ context: ActionContext) async throws -> JSONValue {
    let name = try FolderName(input.folder)
    let message = try withMaildir { maildir in
      let folder = try maildir.folder(name)
      let reader = try MessageReader(folder, sizeLimit: Self.sizeLimit)
      guard let file = try folder.locate(input.uid), let found = try reader.message(file) else {
        throw folder.notFound([input.uid])
      }
      guard !found.content.isHeaderOnly else {
        throw ActionError(
          .unsupported, "The message has more than \(Self.sizeLimit >> 20) MiB; it is not taken apart.",
          german: "Die Nachricht hat mehr als \(Self.sizeLimit >> 20) MiB; sie wird nicht zerlegt.",
          advice: "mail.raw gives the whole message.", adviceGerman: "mail.raw liefert die ganze Nachricht.")
      }
      return found.content.message
    }
    guard let part = message.part(input.part) else {
      let parts = message.attachments.prefix(20).map(\.partNumber).joined(separator: ", ")
      throw ActionError(
        .notFound, "The message has no part '\(DisplayedText.text(input.part))'.",
        german: "Die Nachricht hat keinen Teil '\(DisplayedText.text(input.part))'.",
        advice: parts.isEmpty ? "It has no attachments." : "Its attachments are: \(parts)",
        adviceGerman: parts.isEmpty ? "Sie hat keine Anhänge." : "Ihre Anhänge sind: \(parts)")
    }
    let bytes = part.decodedBytes
    let blob = try await context.blobs.write(BytePieces(bytes: bytes))
    return [
      "blob": .string(blob.name), "name": .string(part.fileName ?? ""), "type": .string(part.contentType.mediaType),
      "size": .integer(Int64(clamping: bytes.count)),
    ]
  }
}
