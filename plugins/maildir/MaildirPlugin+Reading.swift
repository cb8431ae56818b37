import PluginKit

extension MaildirPlugin {
  /// The input of `mail.fetch`.
  struct FetchInput: Decodable, Sendable {
    var folder: String
    var uid: String
  }

  /// `mail.folders`, `mail.search` and `mail.fetch`.
  @ActionListBuilder<MaildirPlugin> static var reading: ActionList<MaildirPlugin> {
    Action(
      "mail.folders", effect: .read, summary: "Lists the folders of the Maildir", input: NoConfiguration.self,
      output: JSONValue.self, blocking: true
    ) { plugin, _, _ in
      try plugin.folders()
    }
    Action(
      "mail.search", effect: .read, summary: "Finds messages in a folder of the Maildir", input: SearchRequest.self,
      output: JSONValue.self, blocking: true
    ) { plugin, request, context in
      try plugin.search(request, context)
    }
    Action(
      "mail.fetch", effect: .read, summary: "Reads one message of the Maildir", input: FetchInput.self,
      output: JSONValue.self, blocking: true
    ) { plugin, input, _ in
      try plugin.fetch(input)
    }
  }

  private func folders() throws -> JSONValue {
    try withMaildir { maildir in
      let folders = try maildir.folders().map { folder -> JSONValue in
        let messages = try folder.messages()
        return [
          "name": .string(folder.name.display),
          "special_use": SpecialUse(folder.name).map { .string($0.rawValue) } ?? .null,
          "total": .integer(Int64(messages.count)),
          "unseen": .integer(Int64(messages.count { !$0.flags.contains(MessageFlags.seen) })),
        ]
      }
      return ["folders": .array(folders)]
    }
  }

  private func search(_ request: SearchRequest, _ context: ActionContext) throws -> JSONValue {
    let search = try Search(request)
    let name = try request.folder.map { name throws(ActionError) in try FolderName(name) } ?? .inbox
    return try withMaildir { maildir in
      let reader = reader
      let result = try search.run(in: try maildir.folder(name), reader: reader)
      context.log(.debug, "\(result.total) match, \(result.filesRead) files read")
      return [
        "messages": .array(result.messages.map(reader.json)), "total": .integer(Int64(result.total)),
      ]
    }
  }

  private func fetch(_ input: FetchInput) throws -> JSONValue {
    let name = try FolderName(input.folder)
    return try withMaildir { maildir in
      let folder = try maildir.folder(name)
      guard let file = try folder.locate(input.uid), let found = try reader.message(file, in: folder) else {
        throw folder.notFound([input.uid])
      }
      return reader.wholeJSON(found)
    }
  }
}
