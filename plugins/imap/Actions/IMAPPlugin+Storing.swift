import FoundationEssentials
import Mail
import MailWire
import PluginKit

extension IMAPPlugin {
  /// The largest message that is stored from memory, in bytes (64 MiB).
  static let appendLimit = 64 << 20
  /// A message that is composed is written while it goes out from this size on.
  private static let wholeSize = 1 << 20

  /// A message to store.
  private enum Content {
    case whole([UInt8], messageID: String?)
    case composed(ComposedSource, messageID: String)

    var size: Int {
      switch self {
      case .whole(let bytes, _): bytes.count
      case .composed(let source, _): source.size
      }
    }

    var messageID: String? {
      switch self {
      case .whole(_, let messageID): messageID
      case .composed(_, let messageID): messageID
      }
    }
  }

  /// `mail.append`.
  @ActionListBuilder<IMAPPlugin> static var storing: ActionList<IMAPPlugin> {
    Action(
      "mail.append", effect: .once, summary: "Stores a message in a folder",
      summaryGerman: "Legt eine Nachricht in einem Ordner ab", input: StoreInput.Append.self, output: JSONValue.self
    ) { plugin, input, context in
      try await plugin.append(input, context)
    }
    .verifying { plugin, input, context in
      try await plugin.verifyAppend(input, context)
    }
  }

  private func append(_ input: StoreInput.Append, _ context: ActionContext) async throws(ActionError) -> JSONValue {
    let flags = try (input.flags ?? []).map { name throws(ActionError) in try MailFlag.checked(name) }
    let received = try input.received.map(Self.instant)
    let content = try await content(input, context)
    let messageID = content.messageID
    let account = account
    let journal = EffectJournal(context: context)
    try await journal.tidy(account.tidying)
    return try await account.withSession { session throws(ActionError) in
      if let earlier = try await journal.entry() {
        if let done = earlier.done?.first { return Self.appended(done, messageID) }
        if let uid = try await session.arrivals(of: earlier)[0] {
          return Self.appended("\(earlier.validity).\(uid)", messageID)
        }
      }
      let target = try await account.target(input.folder, create: true, session)
      guard let before = try await session.status(of: target), let validity = before.uidValidity else {
        throw ActionError(
          .notFound, "The folder '\(input.folder)' cannot be written to.",
          german: "In den Ordner '\(input.folder)' lässt sich nicht schreiben.")
      }
      var entry = EffectJournal.Entry(
        key: context.key, target: target, validity: validity, next: before.uidNext ?? 1,
        items: [.init(uid: 0, identity: MessageIdentity(messageID: messageID, size: content.size))],
        messageID: messageID.flatMap { $0.utf8.count > 998 ? nil : $0 }, at: context.seconds)
      try await journal.note(entry)
      let told: (validity: UInt32, uid: UInt32)?
      do throws(ActionError) {
        switch content {
        case .whole(let bytes, _):
          told = try await session.append(bytes, to: target, flags: flags, received: received)
        case .composed(let source, _):
          told = try await session.append(source, size: source.size, to: target, flags: flags, received: received)
        }
      } catch {
        // Sending may have taken long: the time in which the server may still be busy with it begins now.
        if await session.isBroken {
          entry.at = max(entry.at, context.seconds)
          try? await journal.note(entry)
        }
        throw error
      }
      var name = told.map { "\($0.validity).\($0.uid)" }
      if name == nil { name = try await session.arrivals(of: entry)[0].map { "\(validity).\($0)" } }
      guard let name else {
        throw ActionError(
          .protocol, "\(account.settings.host) has taken the message, and it is not in the folder.",
          german: "\(account.settings.host) hat die Nachricht angenommen, im Ordner ist sie nicht.")
      }
      entry.done = [name]
      entry.items = []
      try await journal.note(entry)
      return Self.appended(name, messageID)
    }
  }

  private func verifyAppend(
    _ input: StoreInput.Append, _ context: ActionContext
  ) async throws(ActionError) -> Verification<JSONValue> {
    let journal = EffectJournal(context: context)
    guard journal.isKept else { return .unknown }
    // An effect without a note has not begun.
    guard let entry = try await journal.entry() else { return .notDone }
    let account = account
    let verdict = try await journal.verdict(on: entry) { () async throws(ActionError) in
      try await account.withSession { session throws(ActionError) in try await session.copies(of: entry) }
    }
    switch verdict {
    case .done(let names): return .done(Self.appended(names.first ?? "", entry.messageID))
    case .notDone: return .notDone
    // Something else has come, or the folder is another one: perhaps the message was there and another client moved it on.
    case .unknown: return .unknown
    }
  }

  private static func instant(_ text: String) throws(ActionError) -> Int {
    guard case .instant(let seconds) = try DateBound(text, name: "received") else {
      throw ActionError(
        .invalidInput, "'received' is a day without a time.", german: "'received' ist ein Tag ohne Uhrzeit.")
    }
    return seconds
  }

  private static func appended(_ uid: String, _ messageID: String?) -> JSONValue {
    ["uid": .string(uid), "message_id": .bracketed(messageID)]
  }

  // MARK: Content

  private func content(
    _ input: StoreInput.Append, _ context: ActionContext
  ) async throws(ActionError) -> Content {
    if let blob = input.blob {
      let bytes = LineEnds.wire(try await context.blobs.read(blob, upTo: Self.appendLimit))
      return .whole(bytes, messageID: Self.messageID(bytes))
    }
    if let raw = input.raw {
      guard let data = Data(base64Encoded: String(raw.filter { !$0.isWhitespace })), !data.isEmpty else {
        throw ActionError(
          .invalidInput, "'raw' is not a message in Base64.", german: "'raw' ist keine Nachricht in Base64.")
      }
      guard data.count <= Self.appendLimit else { throw Self.tooLarge(data.count) }
      let bytes = LineEnds.wire(Array(data))
      return .whole(bytes, messageID: Self.messageID(bytes))
    }
    guard input.mail.from != nil || account.settings.owner != nil, input.mail.to != nil, input.mail.subject != nil,
      input.mail.text != nil
    else {
      throw ActionError(
        .invalidInput, "Neither 'raw' nor all of 'from', 'to', 'subject' and 'text' are given.",
        german: "Angegeben ist weder 'raw' noch 'from', 'to', 'subject' und 'text' zusammen.")
    }
    let contents = try await AttachmentContents(input.mail.attachments ?? [], blobs: context.blobs)
    let message = try Composer(defaultSender: account.settings.owner)
      .message(input.mail, attachments: contents.attachments)
    let messageID = Composer.messageID(key: context.key, sender: message.from)
    var source = try await ComposedSource(message, messageID: messageID, seconds: context.seconds, contents: contents)
    // Headers beyond ASCII are announced in another way, which a small message is good enough for.
    guard source.is8Bit || source.size <= Self.wholeSize else { return .composed(source, messageID: messageID) }
    guard source.size <= Self.appendLimit else { throw Self.tooLarge(source.size) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(source.size)
    while let piece = try await source.next() { bytes += piece }
    return .whole(bytes, messageID: messageID)
  }

  private static func tooLarge(_ size: Int) -> ActionError {
    ActionError(
      .invalidInput, "The message has \(size) bytes; the limit is \(appendLimit).",
      german: "Die Nachricht hat \(size) Byte; die Grenze ist \(appendLimit).")
  }

  private static func messageID(_ bytes: [UInt8]) -> String? {
    Message(parsing: Array(bytes.prefix(256 << 10))).messageID
  }
}
