import Mail
import MailWire
import PluginKit

extension IMAPPlugin {
  /// `mail.folders`, `mail.search`, `mail.fetch` and `mail.thread`.
  @ActionListBuilder<IMAPPlugin> static var reading: ActionList<IMAPPlugin> {
    Action(
      "mail.folders", effect: .read, summary: "Lists the folders of the account",
      summaryGerman: "Listet die Ordner des Kontos auf", input: NoConfiguration.self, output: JSONValue.self
    ) { plugin, _, _ in
      try await plugin.folders()
    }
    Action(
      "mail.search", effect: .read, summary: "Finds messages in a folder",
      summaryGerman: "Sucht Nachrichten in einem Ordner", input: SearchRequest.self, output: JSONValue.self
    ) { plugin, request, context in
      try await plugin.search(request, context)
    }
    Action(
      "mail.fetch", effect: .read, summary: "Fetches one message", summaryGerman: "Holt eine Nachricht",
      input: StoreInput.Fetch.self, output: JSONValue.self
    ) { plugin, input, _ in
      try await plugin.fetch(input)
    }
    Action(
      "mail.thread", effect: .read, summary: "Fetches the messages of a conversation",
      summaryGerman: "Holt die Nachrichten einer Unterhaltung", input: StoreInput.Fetch.self, output: JSONValue.self
    ) { plugin, input, _ in
      try await plugin.thread(input)
    }
  }

  private func folders() async throws(ActionError) -> JSONValue {
    let account = account
    return try await account.withSession { session throws(ActionError) in
      let (table, counts) = try await session.folders(counting: true)
      account.remember(table)
      let folders = table.folders.filter(\.isSelectable).map { folder -> JSONValue in
        [
          "name": .string(folder.name),
          "special_use": table.special.use(of: folder.name).map { .string($0.rawValue) } ?? .null,
          "total": .integer(Int64(counts[folder.wire]?.messages ?? 0)),
          "unseen": .integer(Int64(counts[folder.wire]?.unseen ?? 0)),
        ]
      }
      guard !table.unreadable.isEmpty else { return ["folders": .array(folders)] }
      return ["folders": .array(folders), "unreadable": .array(table.unreadable.map(JSONValue.string))]
    }
  }

  private func search(_ request: SearchRequest, _ context: ActionContext) async throws(ActionError) -> JSONValue {
    let query = try request.conditions
    let fields = try request.messageFields
    let limit = try request.pageSize
    let isNewestFirst = try request.isNewestFirst
    let cursor = try request.cursor.map { text throws(ActionError) in
      try PageCursor(text, isNewestFirst: isNewestFirst)
    }
    let writer = account.writer
    return try await account.withFolder(request.folder ?? "INBOX", writing: false) {
      session, folder throws(ActionError) in
      let search = FolderSearch(
        session: session, folder: folder, query: query, isNewestFirst: isNewestFirst, limit: limit)
      let page = try await search.page(after: cursor)
      let wanted = FetchFields(fields)
      let last = wanted.tellsDate ? page.last.map { folder.name(of: $0) } : nil
      let messages = try await MessageLoader(session: session, folder: folder).load(page.uids, wanted) { content in
        let seconds = content.facts.uid == last ? content.date.secondsSinceEpoch : nil
        return (json: writer.json(content, fields), seconds: seconds)
      }
      let next = try await search.cursor(after: page, writtenAt: messages.outputs.last?.seconds)
      let unreadable = page.unreadable + messages.unreadable
      for message in unreadable { context.log(.warning, message.error.message) }
      let output: JSONValue = [
        "messages": .array(messages.outputs.map(\.json)), "total": .integer(Int64(page.total)),
        "cursor": next.map { .string($0.text) } ?? .null,
      ]
      return output.adding(unreadable: unreadable)
    }
  }

  private func fetch(_ input: StoreInput.Fetch) async throws(ActionError) -> JSONValue {
    let isWhole = input.fields == nil
    let fields = try MessageFields(input.fields, headers: input.headers)
    let writer = account.writer
    return try await account.withFolder(input.folder, writing: false) { session, folder throws(ActionError) in
      let uid = try folder.uid(input.uid)
      var wanted = FetchFields(fields)
      if isWhole { wanted.text = true }
      let content = try await MessageLoader(session: session, folder: folder).loadOne(uid, wanted)
      return writer.fetchJSON(content, fields, isWhole: isWhole)
    }
  }

  // MARK: Threads

  /// The messages of a conversation: by Gmail's number if there is one; else those that refer to its beginning, here and among
  /// what was sent.
  private func thread(_ input: StoreInput.Fetch) async throws(ActionError) -> JSONValue {
    let fields = try MessageFields(input.fields, headers: input.headers)
    let account = account
    let (own, key, others) = try await account.withFolder(input.folder, writing: false) {
      session, folder throws(ActionError) in
      let uid = try folder.uid(input.uid)
      let loader = MessageLoader(session: session, folder: folder)
      let wanted = FetchFields(MessageFields(names: [.thread, .messageID, .references, .inReplyTo]))
      let content = try await loader.loadOne(uid, wanted)
      let key = Self.threadKey(content)
      let uids = try await session.search(.or([.uid(UIDSet([uid])), key])) ?? [uid]
      let own = try await loader.load(uids, FetchFields(fields).adding(FetchFields(MailQuery.since(.day(0))))).outputs
      let table = try await account.folders(session)
      return (own, key, Self.otherFolders(of: table, than: folder.mailbox.name))
    }
    var contents = own
    for other in others {
      contents += try await account.withFolder(other, writing: false) { session, folder throws(ActionError) in
        let uids = try await session.search(key) ?? []
        return try await MessageLoader(session: session, folder: folder)
          .load(uids, FetchFields(fields).adding(FetchFields(MailQuery.since(.day(0))))).outputs
      }
    }
    contents.sort { $0.date.secondsSinceEpoch < $1.date.secondsSinceEpoch }
    return ["messages": .array(contents.prefix(1000).map { account.writer.json($0, fields) })]
  }

  /// Where else messages of a conversation usually are: what came in, what was sent, what was put away.
  private static func otherFolders(of table: FolderTable, than wire: [UInt8]) -> [String] {
    var seen: Set<[UInt8]> = [wire]
    return ["INBOX", table.special[.sent], table.special[.archive]].compactMap { name in
      guard let name, let folder = table.folder(name), folder.isSelectable, seen.insert(folder.wire).inserted else {
        return nil
      }
      return name
    }
  }

  private static func threadKey(_ content: MessageContent) -> SearchKey {
    if let thread = content.facts.thread, let number = UInt64(thread.dropFirst(6)) { return .gmailThread(number) }
    guard let root = content.message.threadReferences.first ?? content.message.messageID else { return .none }
    return .or(["Message-ID", "References", "In-Reply-To"].map { .header($0, root) })
  }
}
