import Mail
import MailWire
import PluginKit

extension IMAPPlugin {
  /// `mail.raw` and `mail.attachment`.
  @ActionListBuilder<IMAPPlugin> static var attachments: ActionList<IMAPPlugin> {
    Action(
      "mail.raw", effect: .read, summary: "Fetches a message as it is",
      summaryGerman: "Holt eine Nachricht, wie sie ist", input: StoreInput.Raw.self, output: JSONValue.self
    ) { plugin, input, context in
      try await plugin.raw(input, context)
    }
    Action(
      "mail.attachment", effect: .read, summary: "Fetches a file of a message",
      summaryGerman: "Holt eine Datei aus einer Nachricht", input: StoreInput.Attachment.self, output: JSONValue.self
    ) { plugin, input, context in
      var isDecoded = false
      do throws(ActionError) {
        return try await plugin.attachment(input, context, byServer: true, &isDecoded)
      } catch {
        // A server may refuse to decode a broken file, or end the connection over it; the plugin reads as much as there is.
        guard isDecoded, ![.cancelled, .notFound].contains(error.kind) else { throw error }
        return try await plugin.attachment(input, context, byServer: false, &isDecoded)
      }
    }
  }

  private func raw(_ input: StoreInput.Raw, _ context: ActionContext) async throws(ActionError) -> JSONValue {
    try await account.withFolder(input.folder, writing: false) { session, folder throws(ActionError) in
      let counter = ByteCounter()
      let pieces = SectionPieces(
        session: session, folder: folder, uid: try folder.uid(input.uid), section: "", encoding: "", counter: counter)
      let blob = try await context.blobs.write(pieces)
      return ["blob": .string(blob.name), "size": .integer(Int64(counter.total))]
    }
  }

  /// - Parameters:
  ///   - byServer: Whether the server may be asked to decode the file (BINARY).
  ///   - isDecoded: Whether it was.
  private func attachment(
    _ input: StoreInput.Attachment, _ context: ActionContext, byServer: Bool, _ isDecoded: inout Bool
  ) async throws(ActionError) -> JSONValue {
    try await account.withFolder(input.folder, writing: false) { session, folder throws(ActionError) in
      let uid = try folder.uid(input.uid)
      let fetched = try await session.fetchAvailable([uid], "BODYSTRUCTURE").messages[uid]
      guard let fetched, let structure = fetched.structure, !fetched.isDamaged else {
        return try await undescribedAttachment(input, uid, session, folder, context)
      }
      let outline = BodyOutline(structure)
      guard let part = outline.part(input.part), !part.isMultipart else {
        guard outline.hasOpaqueParts else { throw Self.noPart(input) }
        return try await undescribedAttachment(input, uid, session, folder, context)
      }
      if byServer, part.encoding.lowercased() == "base64" { isDecoded = await session.has("BINARY") }
      let counter = ByteCounter()
      let pieces = SectionPieces(
        session: session, folder: folder, uid: uid, section: input.part, encoding: part.encoding,
        isDecodedThere: byServer && isDecoded, counter: counter)
      let blob = try await context.blobs.write(pieces)
      let name = outline.attachments(of: outline.message(header: [])).first { $0.part == input.part }?.name
      return [
        "blob": .string(blob.name), "name": .string(name ?? ""), "type": .string(part.mediaType),
        "size": .integer(Int64(counter.total)),
      ]
    }
  }

  /// Fetches a message that the server cannot describe, and extracts the file.
  private func undescribedAttachment(
    _ input: StoreInput.Attachment, _ uid: UInt32, _ session: Session, _ folder: OpenFolder, _ context: ActionContext
  ) async throws(ActionError) -> JSONValue {
    let content = try await MessageLoader(session: session, folder: folder).whole(uid)
    guard !content.isTextCut else { throw Self.tooLarge(input) }
    guard let part = content.message.part(input.part) else { throw Self.noPart(input) }
    let bytes = part.decodedBytes
    let blob = try await context.blobs.write(bytes)
    return [
      "blob": .string(blob.name), "name": .string(part.fileName ?? ""), "type": .string(part.contentType.mediaType),
      "size": .integer(Int64(clamping: bytes.count)),
    ]
  }

  private static func tooLarge(_ input: StoreInput.Attachment) -> ActionError {
    ActionError(
      .unsupported,
      "The server does not describe the parts of message \(input.uid), and the message has 32 MiB or more.",
      german: "Der Server beschreibt die Teile der Nachricht \(input.uid) nicht, und sie hat 32 MiB oder mehr.",
      advice: "Save its files with another mail program.",
      adviceGerman: "Ihre Dateien mit einem anderen Mailprogramm speichern.")
  }

  private static func noPart(_ input: StoreInput.Attachment) -> ActionError {
    ActionError(
      .notFound, "The message \(input.uid) has no file with the part number '\(input.part.prefix(40))'.",
      german: "Die Nachricht \(input.uid) hat keine Datei mit der Teilnummer '\(input.part.prefix(40))'.",
      advice: "Pass on 'part' of an attachment as mail.search returns it.",
      adviceGerman: "'part' eines Anhangs wird so weitergegeben, wie mail.search es liefert.")
  }
}
