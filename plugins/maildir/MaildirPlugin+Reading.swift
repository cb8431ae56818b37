import Mail
import MailWire
import PluginKit

extension MaildirPlugin {
  /// `mail.folders`, `mail.search`, `mail.fetch` and `mail.thread`.
  @ActionListBuilder<MaildirPlugin> static var reading: ActionList<MaildirPlugin> {
    Action(
      "mail.folders", effect: .read, summary: "Lists the folders of the Maildir",
      summaryGerman: "Listet die Ordner des Maildir auf", input: NoConfiguration.self,
      output: JSONValue.self, blocking: true
    ) { plugin, _, _ in
      try plugin.folders()
    }
    Action(
      "mail.search", effect: .read, summary: "Finds messages in a folder of the Maildir",
      summaryGerman: "Sucht Nachrichten in einem Ordner des Maildir", input: SearchRequest.self,
      output: JSONValue.self, blocking: true
    ) { plugin, request, context in
      try plugin.search(request, context)
    }
    Action(
      "mail.fetch", effect: .read, summary: "Reads one message of the Maildir",
      summaryGerman: "Liest eine Nachricht des Maildir", input: StoreInput.Fetch.self,
      output: JSONValue.self, blocking: true
    ) { plugin, input, _ in
      try plugin.fetch(input)
    }
    Action(
      "mail.thread", effect: .read, summary: "Finds the conversation of a message in all folders",
      summaryGerman: "Sucht die Unterhaltung einer Nachricht in allen Ordnern",
      input: StoreInput.Fetch.self, output: JSONValue.self, blocking: true
    ) { plugin, input, _ in
      try plugin.thread(input)
    }
  }

  private func folders() throws -> JSONValue {
    try withMaildir { maildir in
      let special = try maildir.specialFolders(folderSettings)
      let folders = try maildir.folders().map { folder -> JSONValue in
        let messages = try folder.messages()
        return [
          "name": .string(folder.name.display),
          "special_use": special.use(of: folder.name.display).map { .string($0.rawValue) } ?? .null,
          "total": .integer(Int64(messages.count)),
          "unseen": .integer(Int64(messages.count { !$0.flags.contains(MessageFlags.seen) })),
        ]
      }
      return ["folders": .array(folders)]
    }
  }

  private func search(_ request: SearchRequest, _ context: ActionContext) throws -> JSONValue {
    let search = try Search(request)
    let fields = try request.messageFields
    let name = try request.folder.map { name throws(ActionError) in try FolderName(name) } ?? .inbox
    return try withMaildir { maildir in
      let result = try search.run(reader: try MessageReader(try maildir.folder(name)), dates: dates)
      context.log(.debug, "\(result.total) match, \(result.filesRead) files read")
      for message in result.unreadable { context.log(.warning, message.error.message) }
      let writer = writer
      let output: JSONValue = [
        "messages": .array(result.messages.map { writer.json($0, fields) }), "total": .integer(Int64(result.total)),
        "cursor": result.cursor.map { .string($0.text) } ?? .null,
      ]
      return output.adding(unreadable: result.unreadable)
    }
  }

  private func fetch(_ input: StoreInput.Fetch) throws -> JSONValue {
    let name = try FolderName(input.folder)
    let fields = try MessageFields(input.fields, headers: input.headers)
    return try withMaildir { maildir in
      let folder = try maildir.folder(name)
      let need = input.fields == nil ? fields.need.union(.html) : fields.need
      guard let file = try folder.locate(input.uid), let found = try MessageReader(folder).read(file, need) else {
        throw folder.notFound([input.uid])
      }
      return writer.fetchJSON(found.content, fields, isWhole: input.fields == nil)
    }
  }

  // MARK: Conversations

  /// A conversation of more messages than this is cut.
  private static let threadLimit = 1000

  private struct Place: Sendable {
    var folder: Int
    var file: MessageFile
  }

  private func thread(_ input: StoreInput.Fetch) throws -> JSONValue {
    let name = try FolderName(input.folder)
    let fields = try MessageFields(input.fields, headers: input.headers)
    return try withMaildir { maildir in
      let folder = try maildir.folder(name)
      guard let file = try folder.locate(input.uid), let start = try MessageReader(folder).header(file) else {
        throw folder.notFound([input.uid])
      }
      let readers = try maildir.folders().map { folder in try MessageReader(folder) }
      var search = ThreadSearch<Place>()
      for (position, reader) in readers.enumerated() {
        for file in try reader.folder.messages() {
          try Task.checkCancellation()
          guard let header = try reader.header(file) else { continue }
          search.add(Place(folder: position, file: header.file), header.content.message)
        }
      }
      var places = search.places(of: start.content.message)
      // A message without any identifier is a conversation of its own.
      if places.isEmpty, let position = readers.firstIndex(where: { $0.folder.name == name }) {
        places = [Place(folder: position, file: start.file)]
      }
      return ["messages": .array(try conversation(places, readers, fields))]
    }
  }

  /// The messages of a conversation, the oldest first.
  private func conversation(
    _ places: [Place], _ readers: [MessageReader], _ fields: MessageFields
  ) throws -> [JSONValue] {
    let contents = try places.prefix(Self.threadLimit).compactMap { place in
      try readers[place.folder].read(place.file, fields.need.union(.header))?.content
    }
    let writer = writer
    return contents.sorted { ($0.date.secondsSinceEpoch, $0.facts.uid) < ($1.date.secondsSinceEpoch, $1.facts.uid) }
      .map { writer.json($0, fields) }
  }
}
