import Mail
import MailWire
import PluginKit

extension MaildirPlugin {
  /// `mail.list`, `mail.export` and `mail.import`.
  @ActionListBuilder<MaildirPlugin> static var bulk: ActionList<MaildirPlugin> {
    Action(
      "mail.list", effect: .read, summary: "Lists all messages of a folder of the Maildir",
      summaryGerman: "Listet alle Nachrichten eines Ordners des Maildir auf", input: ListRequest.self,
      output: JSONValue.self, blocking: true
    ) { plugin, request, context in
      try plugin.list(request, context)
    }
    Action(
      "mail.export", effect: .read, summary: "Keeps many messages of the Maildir as blobs",
      summaryGerman: "Holt viele Nachrichten des Maildir, wie sie sind", input: ExportRequest.self,
      output: JSONValue.self, blocking: true
    ) { plugin, request, context in
      try await plugin.export(request, context)
    }
    Action(
      "mail.import", effect: .once, summary: "Stores many messages in a folder of the Maildir",
      summaryGerman: "Legt viele Nachrichten in einem Ordner des Maildir ab",
      input: ImportRequest.self, output: JSONValue.self, blocking: true
    ) { plugin, request, context in
      try await plugin.importAll(request, context)
    }
  }

  private func list(_ request: ListRequest, _ context: ActionContext) throws -> JSONValue {
    let name = try FolderName(request.folder)
    return try withMaildir { maildir in
      let folder = try maildir.folder(name)
      var flags = FlagNames(try folder.keywords())
      var unnamed: Set<String> = []
      let files = try folder.messages(&unnamed)
      for name in unnamed.sorted() {
        context.log(.warning, UnreadableMessage(unnamed: name, folder.name).error.message)
      }
      let messages = files.map { file -> JSONValue in
        ["uid": .string(file.uid), "flags": flags.json(of: file.flags)]
      }
      return ["messages": .array(messages)]
    }
  }

  // MARK: Reading

  /// Larger messages are read in pieces, in bytes.
  private static let pieceLimit = 1 << 20

  private func export(_ request: ExportRequest, _ context: ActionContext) async throws -> JSONValue {
    let name = try FolderName(request.folder)
    let (folder, files) = try withMaildir { maildir in
      let folder = try maildir.folder(name)
      return (folder, Dictionary(try folder.messages().map { ($0.uid, $0) }) { first, _ in first })
    }
    var flags = FlagNames(try withMaildir { _ in try folder.keywords() })
    var messages: [ExportedMessage] = []
    var missing: [String] = []
    var unreadable: [UnreadableMessage] = []
    var total = 0
    let blob = try await context.blobs.write { writer throws(ActionError) in
      for uid in request.uids {
        guard !Task.isCancelled else { throw ActionError(.cancelled, "Cancelled", german: "Abgebrochen") }
        guard let file = files[uid] else {
          missing.append(uid)
          continue
        }
        let read: (bytes: [UInt8], status: Directory.Status, file: MessageFile)?
        do {
          read = try folder.read(file, .upTo(Self.pieceLimit + 1))
        } catch let error as FileError where error.concernsOneFile {
          unreadable.append(UnreadableMessage(uid: uid, error: ActionError(error)))
          continue
        } catch {
          throw Self.typed(error)
        }
        guard let (bytes, status, now) = read else {
          missing.append(uid)
          continue
        }
        guard messages.isEmpty || status.size <= request.budget - total else { return }
        let start = total
        if bytes.count <= Self.pieceLimit {
          var endsWithReturn = false
          let wire = LineEnds.wire(bytes, after: &endsWithReturn)
          if !wire.isEmpty { try await writer(wire) }
          total += wire.count
        } else {
          guard let opened = try Self.reading({ try folder.open(now) }) else {
            missing.append(uid)
            continue
          }
          var pieces = WirePieces(opened).makeAsyncIterator()
          while let piece = try await Self.next(&pieces) {
            try await writer(piece)
            total += piece.count
          }
        }
        messages.append(
          ExportedMessage(
            uid: uid, offset: start, size: total - start, flags: flags.names(of: now.flags),
            received: .init(secondsSinceEpoch: status.modified)))
      }
    }
    return ExportedMessage.json(messages, in: blob, missing: missing, unreadable: unreadable)
  }

  private static func next(_ pieces: inout WirePieces.AsyncIterator) async throws(ActionError) -> [UInt8]? {
    do { return try await pieces.next() } catch { throw typed(error) }
  }

  private static func reading<Result>(_ body: () throws -> Result) throws(ActionError) -> Result {
    do { return try body() } catch { throw typed(error) }
  }

  private static func typed(_ error: any Error) -> ActionError {
    if let error = error as? FileError { return ActionError(error) }
    if let error = error as? ActionError { return error }
    if error is CancellationError { return ActionError(.cancelled, "Cancelled", german: "Abgebrochen") }
    return ActionError(.io, "\(error)")
  }

  // MARK: Writing

  /// The largest message that is stored, in bytes (256 MiB).
  private static let importLimit = 256 << 20

  private func importAll(_ request: ImportRequest, _ context: ActionContext) async throws -> JSONValue {
    let name = try FolderName(request.folder)
    var delivery = try withMaildir { maildir in
      let folder = try maildir.makeFolder(name)
      try folder.removeAbandonedFiles(now: context.safeSeconds)
      return try BulkDelivery(to: folder, at: context.milliseconds)
    }
    var window = BlobWindow(context.blobs)
    do {
      for message in request.messages {
        try Task.checkCancellation()
        let bytes = try await window.slice(
          of: message.blob, from: message.offset, count: message.size, upTo: Self.importLimit)
        try Self.reading {
          try delivery.add(bytes, flags: message.keptFlags, received: message.receivedSeconds)
        }
      }
      let uids = try Self.reading { try delivery.publish() }
      return ImportResult.json(uids.map { .stored(uid: $0) })
    } catch {
      delivery.discard()
      throw error
    }
  }
}

/// The names of flags and labels of a folder's messages, each combination looked up once.
private struct FlagNames {
  private let keywords: Keywords
  private var known: [MessageFlags: [String]] = [:]
  private var values: [MessageFlags: JSONValue] = [:]

  init(_ keywords: Keywords) { self.keywords = keywords }

  mutating func names(of flags: MessageFlags) -> [String] {
    if let names = known[flags] { return names }
    let system = flags.imapNames
    let named = MailFlag.sorted(keywords.names(of: flags))
    let names = system + named.flags.filter { !system.contains($0) } + named.labels
    known[flags] = names
    return names
  }

  mutating func json(of flags: MessageFlags) -> JSONValue {
    if let value = values[flags] { return value }
    let value = JSONValue.array(names(of: flags).map(JSONValue.string))
    values[flags] = value
    return value
  }
}
