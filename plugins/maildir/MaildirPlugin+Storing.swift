import FoundationEssentials
import Mail
import MailWire
import PluginKit

extension MaildirPlugin {
  /// `mail.append`.
  @ActionListBuilder<MaildirPlugin> static var storing: ActionList<MaildirPlugin> {
    Action(
      "mail.append", effect: .once, summary: "Stores a message in a folder of the Maildir",
      summaryGerman: "Legt eine Nachricht in einem Ordner des Maildir ab",
      input: StoreInput.Append.self,
      output: JSONValue.self, blocking: true
    ) { plugin, input, context in
      try await plugin.append(input, context)
    }
    .verifying { plugin, input, context in
      try await plugin.verifyAppend(input, context)
    }
  }

  private func append(_ input: StoreInput.Append, _ context: ActionContext) async throws -> JSONValue {
    let name = try FolderName(input.folder)
    let flags = try (input.flags ?? []).map { flag throws(ActionError) in try MailFlag.checked(flag) }
    let received = try input.received.map { text throws(ActionError) in try Self.instant(text) }
    let attachments = try await AttachmentFile.load(input.mail.attachments ?? [], blobs: context.blobs)
    let (bytes, messageID) = try await content(input, attachments, context)
    if let earlier = try withMaildir({ maildir in try maildir.existingFolder(name)?.delivery(for: context.key) }) {
      return Self.appended(earlier.uid, messageID)
    }
    return try await noted(context) {
      try withMaildir { maildir in
        let folder = try maildir.makeFolder(name)
        try folder.removeAbandonedFiles(now: context.safeSeconds)
        let letters = MessageFlags(letters: try folder.flagLetters(flags, isMade: true))
        let file = try folder.deliver(
          bytes, flags: letters, mark: UniqueName.mark(key: context.key), received: received, at: context.milliseconds)
        return Self.appended(file.uid, messageID)
      }
    }
  }

  private func verifyAppend(_ input: StoreInput.Append, _ context: ActionContext) async throws -> Verification<
    JSONValue
  > {
    guard let earlier = try withMaildir({ maildir in try maildir.delivery(for: context.key) }) else {
      return try await absence(context)
    }
    // Attachments may be gone by now and do not matter for the question.
    let (_, messageID) = try await content(input, [], context)
    return .done(Self.appended(earlier.uid, messageID))
  }

  private static func instant(_ text: String) throws(ActionError) -> Int {
    guard case .instant(let seconds) = try DateBound(text, name: "received") else {
      throw ActionError(
        .invalidInput, "'received' is a day without a time.", german: "'received' ist ein Tag ohne Uhrzeit.",
        advice: "Write 2026-01-31T08:00:00Z.", adviceGerman: "Möglich ist 2026-01-31T08:00:00Z.")
    }
    return seconds
  }

  /// The largest message that is taken from a blob, in bytes (256 MiB).
  private static let blobLimit = 256 * 1024 * 1024

  private static func appended(_ uid: String, _ messageID: String?) -> JSONValue {
    ["uid": .string(uid), "message_id": .bracketed(messageID)]
  }

  private func content(
    _ input: StoreInput.Append, _ attachments: [OutgoingAttachment], _ context: ActionContext
  ) async throws(ActionError) -> (bytes: [UInt8], messageID: String?) {
    if let blob = input.blob {
      let bytes = LineEnds.unix(try await context.blobs.read(blob, upTo: Self.blobLimit))
      return (bytes, Message(parsing: bytes).messageID)
    }
    if let raw = input.raw {
      guard let data = Data(base64Encoded: String(raw.filter { !$0.isWhitespace })), !data.isEmpty else {
        throw ActionError(
          .invalidInput, "'raw' is not a message in Base64.", german: "'raw' ist keine Nachricht in Base64.")
      }
      guard data.count <= MessageReader.sizeLimit else {
        throw ActionError(
          .invalidInput, "The message has \(data.count) bytes; the limit is \(MessageReader.sizeLimit).",
          german: "Die Nachricht hat \(data.count) Byte; die Grenze ist \(MessageReader.sizeLimit).",
          advice: "Pass it as a blob.", adviceGerman: "Sie lässt sich als Blob übergeben.")
      }
      let bytes = LineEnds.unix(Array(data))
      return (bytes, Message(parsing: bytes).messageID)
    }
    guard input.mail.from != nil, input.mail.to != nil, input.mail.subject != nil, input.mail.text != nil else {
      throw ActionError(
        .invalidInput, "Neither 'raw' or 'blob' nor all of 'from', 'to', 'subject' and 'text' are given.",
        german: "Angegeben ist weder 'raw' oder 'blob' noch 'from', 'to', 'subject' und 'text' zusammen.")
    }
    let composed = try composer.compose(
      input.mail, attachments: attachments, key: context.key, seconds: context.seconds)
    return (LineEnds.unix(composed.bytes), composed.messageID)
  }
}

extension MaildirPlugin {
  /// What is noted of something that is delivered for a call.
  struct Begun: Codable, Sendable {
    /// The messages that are copied.
    var uids: [String] = []
    /// Whether it is done.
    var isDone: Bool?
  }

  /// Does something that delivers for a call: noted before, and when it is done.
  ///
  /// - Parameter uids: The messages that are copied.
  func noted<Result>(
    _ context: ActionContext, _ uids: [String] = [], _ body: () throws -> Result
  ) async throws -> Result {
    let notes = DatedState(context, prefix: "begun")
    try await notes.tidy(tidying, Begun.self) { $0.isDone == true }
    try await notes.set(Begun(uids: uids), for: "", at: context.seconds)
    let result = try body()
    // A note that stays open is only kept longer.
    try? await notes.set(Begun(uids: uids, isDone: true), for: "", at: context.seconds)
    return result
  }

  /// What an earlier attempt has noted; nil if none has begun.
  func begun(_ context: ActionContext) async throws(ActionError) -> [String]? {
    try await DatedState(context, prefix: "begun").value(Begun.self, for: "")?.uids
  }

  /// What it means that a call's delivery is nowhere: it has not begun, or another program has taken the message away.
  func absence(_ context: ActionContext) async throws(ActionError) -> Verification<JSONValue> {
    guard DatedState(context, prefix: "begun").isKept else { return .unknown }
    return try await begun(context) == nil ? .notDone : .unknown
  }
}

extension Maildir {
  /// What was delivered for an idempotency key, in whichever folder it is by now.
  func delivery(for key: String) throws -> MessageFile? {
    for folder in try folders() { if let file = try folder.delivery(for: key) { return file } }
    return nil
  }
}

extension MaildirFolder {
  /// What was delivered here for an idempotency key, told from the file names alone.
  func delivery(for key: String) throws -> MessageFile? {
    let mark = UniqueName.mark(key: key)
    return try messages().first { UniqueName.mark(of: $0.uid) == mark }
  }

  /// All that was delivered here for idempotency keys, by mark.
  func deliveries() throws -> [String: MessageFile] {
    try messages().reduce(into: [:]) { marked, file in
      if let mark = UniqueName.mark(of: file.uid) { marked[mark] = file }
    }
  }

  /// The message with a Message-ID; opens every message of the folder.
  func message(withID messageID: String) throws -> MessageFile? {
    let reader = try MessageReader(self)
    // Newest first: a delivery that is in doubt was made a short while ago.
    for file in try messages().reversed() {
      try Task.checkCancellation()
      if let found = try reader.header(file), found.content.message.messageID == messageID { return found.file }
    }
    return nil
  }
}

extension ActionContext {
  /// The earlier of the host's and the system's time, in seconds since 1970: a simulated future makes no file old.
  var safeSeconds: Int { min(seconds, Int(Date().timeIntervalSince1970)) }
}
