import Mail
import MailWire
import PluginKit

extension IMAPPlugin {
  /// `mail.list`, `mail.export` and `mail.import`.
  @ActionListBuilder<IMAPPlugin> static var bulk: ActionList<IMAPPlugin> {
    Action(
      "mail.list", effect: .read, summary: "Lists all messages of a folder",
      summaryGerman: "Listet alle Nachrichten eines Ordners auf", input: ListRequest.self, output: JSONValue.self
    ) { plugin, request, context in
      try await plugin.list(request, context)
    }
    Action(
      "mail.export", effect: .read, summary: "Fetches many messages as they are",
      summaryGerman: "Holt viele Nachrichten, wie sie sind", input: ExportRequest.self, output: JSONValue.self
    ) { plugin, request, context in
      try await plugin.export(request, context)
    }
    Action(
      "mail.import", effect: .once, summary: "Stores many messages in a folder",
      summaryGerman: "Legt viele Nachrichten in einem Ordner ab", input: ImportRequest.self, output: JSONValue.self
    ) { plugin, request, context in
      try await plugin.importAll(request, context)
    }
  }

  private func list(_ request: ListRequest, _ context: ActionContext) async throws(ActionError) -> JSONValue {
    try await account.withFolder(request.folder, writing: false) { session, folder throws(ActionError) in
      guard folder.mailbox.exists > 0 else { return ["messages": []] }
      let listing = try await FlagListing(
        session: session, folder: folder, context: context, origin: MailboxOrigin(account.settings)
      ).load()
      var known: [[String]: JSONValue] = [:]
      let messages = listing.sorted { $0.key < $1.key }.map { uid, names -> JSONValue in
        let flags = known[names] ?? .array(names.map(JSONValue.string))
        known[names] = flags
        return ["uid": .string(folder.name(of: uid)), "flags": flags]
      }
      return ["messages": .array(messages)]
    }
  }

  private func export(_ request: ExportRequest, _ context: ActionContext) async throws(ActionError) -> JSONValue {
    try await account.withFolder(request.folder, writing: false) { session, folder throws(ActionError) in
      let uids = try folder.uids(request.uids)
      var export = BulkExport(session: session, folder: folder, budget: request.budget)
      do throws(ActionError) {
        let plan = try await export.plan(uids)
        let blob = try await context.blobs.write { writer throws(ActionError) in
          for group in plan.groups {
            for piece in try await export.advance(to: group) { try await writer(piece) }
            if let single = group.single { try await export.fetch(single, writer) }
          }
          for piece in try await export.finish() { try await writer(piece) }
          try await export.fetchRest(writer)
        }
        return ExportedMessage.json(
          export.messages, in: blob, missing: export.missing(of: plan), unreadable: export.unreadable)
      } catch {
        // Messages may be on their way that have no reader any more.
        if export.isWaiting { await session.abandon() }
        throw error
      }
    }
  }

  private func importAll(_ request: ImportRequest, _ context: ActionContext) async throws(ActionError) -> JSONValue {
    let account = account
    return try await account.withSession { session throws(ActionError) in
      let target = try await account.target(request.folder, create: true, session)
      var window = BlobWindow(context.blobs)
      var bulk = await BulkAppend(session: session, target: target)
      do throws(ActionError) {
        for message in request.messages {
          guard !Task.isCancelled else { throw ActionError(.cancelled, "Cancelled", german: "Abgebrochen") }
          let bytes = try await window.slice(
            of: message.blob, from: message.offset, count: message.size, upTo: Self.appendLimit)
          try await bulk.add(
            NewMessage(
              bytes: LineEnds.wire(Array(bytes)), flags: message.keptFlags, received: message.receivedSeconds))
        }
        return ImportResult.json(try await bulk.finish())
      } catch {
        // Stored messages must not be stored again.
        return ImportResult.json(try await bulk.finish(after: error, count: request.messages.count))
      }
    }
  }
}

extension FetchedMessage {
  /// Flags and labels in their usual spelling, in one order; without what is the server's own business.
  var names: [String] {
    let (flags, keywords) = MailFlag.sorted((self.flags ?? []).filter { $0.lowercased() != "\\recent" })
    let labels = gmailLabels.map { $0.map(GmailLabel.name) } ?? keywords
    return flags.sorted() + labels.sorted()
  }
}
