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
      guard let structure = try await session.fetch([uid], "BODYSTRUCTURE")[uid]?.structure else {
        throw folder.notFound([uid])
      }
      let skeleton = Skeleton(structure)
      guard let part = skeleton.part(input.part), !part.isMultipart else {
        throw ActionError(
          .notFound, "The message \(input.uid) has no file with the part number '\(input.part.prefix(40))'.",
          german: "Die Nachricht \(input.uid) hat keine Datei mit der Teilnummer '\(input.part.prefix(40))'.",
          advice: "Pass on 'part' of an attachment as mail.search returns it.",
          adviceGerman: "'part' eines Anhangs wird so weitergegeben, wie mail.search es liefert.")
      }
      if byServer, part.encoding.lowercased() == "base64" { isDecoded = await session.has("BINARY") }
      let counter = ByteCounter()
      let pieces = SectionPieces(
        session: session, folder: folder, uid: uid, section: input.part, encoding: part.encoding,
        isDecodedThere: byServer && isDecoded, counter: counter)
      let blob = try await context.blobs.write(pieces)
      let name = skeleton.attachments(of: skeleton.message(header: [])).first { $0.part == input.part }?.name
      return [
        "blob": .string(blob.name), "name": .string(name ?? ""), "type": .string(part.mediaType),
        "size": .integer(Int64(counter.total)),
      ]
    }
  }
}
