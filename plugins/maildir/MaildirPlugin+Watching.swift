import Mail
import MailWire
import PluginKit

extension MaildirPlugin {
  /// `mail.new`.
  @ActionListBuilder<MaildirPlugin> static var watching: ActionList<MaildirPlugin> {
    Trigger(
      "mail.new", summary: "A message has come into a folder of the Maildir",
      summaryGerman: "Eine Nachricht ist in einen Ordner des Maildirs gekommen", settings: StoreInput.Watch.self,
      event: JSONValue.self, announcesWatching: true, blocking: true
    ) { plugin, settings, _, emitter in
      try await plugin.watch(settings, emitter)
    }
  }

  /// How often the folder is looked at; a look costs two system calls where nothing has changed.
  private static let interval = Duration.seconds(1)

  /// Watches until the task is cancelled.
  ///
  /// What was there at the very first beginning is not new. A message is noted as known after its event was accepted: a
  /// crash in between tells it twice under the same id, of which the host drops the second.
  private func watch(_ settings: StoreInput.Watch, _ emitter: EventEmitter<JSONValue>) async throws {
    let name = try settings.folder.map { name throws(ActionError) in try FolderName(name) } ?? .inbox
    let fields = try MessageFields(settings.fields, headers: settings.headers)
    let state = emitter.context.state
    var known = KnownMessages(subscription: emitter.context.key, folder: name)
    let hasBegun = try await known.load(state)
    do {
      let first = try look(name).files.map(\.uid)
      if !hasBegun { try await known.update(adding: first, state) }
    } catch let error as ActionError where error.kind == .notFound {
      // Everything in a folder that is made later is new. A missing Maildir may be a disk that is not mounted yet.
      if try !hasBegun && hasFolders() { try await known.update(adding: [], state) }
      throw error
    }
    try await emitter.announceWatching()
    var last: FolderLook?
    var absent: Set<String> = []
    while true {
      if try last?.isCurrent != true {
        let look = try look(name)
        last = look
        for file in look.files where !known.contains(file.uid) {
          if let event = try event(file, look.reader, fields, emitter) {
            try await emitter.emit(event, id: file.uid, cursor: file.uid)
          }
          try await known.update(adding: [file.uid], state)
        }
        // A message that is being renamed can miss from one listing; from two it is gone.
        let missing = known.missing(from: look.files.map(\.uid))
        let gone = missing.intersection(absent)
        if !gone.isEmpty { try await known.update(adding: [], removing: Array(gone), state) }
        absent = missing.subtracting(gone)
      }
      try await emitter.context.clock.sleep(for: Self.interval)
    }
  }

  /// What one look at a folder showed.
  private struct FolderLook {
    var files: [MessageFile]
    var reader: MessageReader
    var changes: [Int]
    var isSettled: Bool

    /// Whether nothing has changed since.
    var isCurrent: Bool {
      get throws { try isSettled && FolderLook.changes(reader.folder) == changes }
    }

    init(_ folder: MaildirFolder) throws {
      changes = try Self.changes(folder)
      isSettled = changes.count == 2 && changes.allSatisfy(Directory.isSettled)
      reader = try MessageReader(folder)
      files = try folder.messages()
    }

    private static func changes(_ folder: MaildirFolder) throws -> [Int] {
      try MessageFile.Box.allCases.compactMap { box throws in try folder.directory(of: box)?.changed }
    }
  }

  /// Whether the Maildir itself is there.
  private func hasFolders() throws -> Bool {
    do {
      return try withMaildir { _ in true }
    } catch let error as ActionError where error.kind == .notFound {
      return false
    }
  }

  private func look(_ name: FolderName) throws -> FolderLook {
    try withMaildir { maildir in try FolderLook(try maildir.folder(name)) }
  }

  /// The event of a message; `nil` if the message was removed. The event of an unreadable file has only uid and folder, so that a step
  /// that reads another field fails and names the message.
  private func event(
    _ file: MessageFile, _ reader: MessageReader, _ fields: MessageFields, _ emitter: EventEmitter<JSONValue>
  ) throws -> JSONValue? {
    try withMaildir { _ in
      let found: MessageReader.Found?
      do {
        found = try reader.read(file, fields.need)
      } catch let error as FileError where error.concernsOneFile {
        let folder = reader.folder.name.display
        emitter.context.log(.warning, "mail.new \(folder): \(ActionError(error).message)")
        return [
          "folder": .string(folder), "uid": .string(file.uid),
          "message": ["uid": .string(file.uid), "folder": .string(folder)],
        ]
      }
      guard let found else { return nil }
      return [
        "folder": .string(reader.folder.name.display), "uid": .string(file.uid),
        "message": writer.json(found.content, fields),
      ]
    }
  }
}
