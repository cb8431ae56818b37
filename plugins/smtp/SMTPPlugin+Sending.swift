import FoundationEssentials
import Mail
import MailWire
import PluginKit

extension SMTPPlugin {
  /// `mail.send`.
  @ActionListBuilder<SMTPPlugin> static var sending: ActionList<SMTPPlugin> {
    Action(
      "mail.send", effect: .once, summary: "Sends a message by the mail server",
      summaryGerman: "Verschickt eine Nachricht über den Mailserver", input: OutgoingMail.self, output: JSONValue.self,
      // It waits for the disk before and behind the end of each message.
      blocking: true
    ) { plugin, mail, context in
      try await plugin.send(mail, context)
    }
    .verifying { plugin, mail, context in
      try await plugin.verifySend(mail, context)
    }
  }

  private func send(_ mail: OutgoingMail, _ context: ActionContext) async throws(ActionError) -> JSONValue {
    try checkActive()
    if let record = try await earlier(context) { return Self.output(await copied(record, mail, context)) }
    guard mail.to?.isEmpty == false else {
      throw ActionError(
        .invalidInput, "'to' names no recipient.", german: "'to' nennt keinen Empfänger.",
        advice: "Give at least one address.", adviceGerman: "Mindestens eine Adresse angeben.")
    }
    if mail.blob != nil { return try await redirect(mail, context) }
    let message = try await Written(account.completing(mail), by: composer, at: ledger.seconds, context)
    var envelope = try Envelope(sender: message.sender, recipients: message.recipients)
    envelope.size = message.source.size
    envelope.is8Bit = message.source.is8Bit
    envelope.requiresTLS = requiresTLS
    envelope.notification = notification
    let messageID = message.messageID
    envelope.notification.identifier = messageID.utf8.allSatisfy { (0x20...0x7E).contains($0) } ? messageID : nil
    let name = MessageSender.Name(
      key: context.key, messageID: messageID, seconds: message.seconds, isToBeCopied: copies != nil)
    let record = try await sender.deliver(envelope, message.source, name)
    return Self.output(await copied(record, message, context))
  }

  /// The result of an earlier attempt whose answer was lost. A repeated attempt that believes to be the first notices that when
  /// it writes its record.
  private func earlier(_ context: ActionContext) async throws(ActionError) -> SendRecord? {
    if let reply = ledger.pendingReply(for: context.key) {
      switch try await reply.outcome() {
      case .sent(let record): return record
      case .refused: return nil
      case .unknown(let error): throw error
      }
    }
    guard context.attempt > 1, let record = try await ledger.record(of: context.key) else { return nil }
    return record.stage == .sent ? record : nil
  }

  /// Sends a whole message on as it is. No copy of it goes into the Sent folder: it is not the user's own.
  private func redirect(_ mail: OutgoingMail, _ context: ActionContext) async throws(ActionError) -> JSONValue {
    let message = try await RedirectedMail(
      mail, composer, blobs: context.blobs, key: context.key, seconds: ledger.seconds)
    var envelope = try Envelope(sender: message.sender.address, recipients: message.recipients)
    envelope.size = message.bytes.count
    envelope.is8Bit = message.is8Bit
    envelope.requiresTLS = requiresTLS
    envelope.notification = notification
    let name = MessageSender.Name(
      key: context.key, messageID: message.messageID, seconds: ledger.seconds, isToBeCopied: false)
    return Self.output(try await sender.deliver(envelope, WholeSource(message.bytes), name))
  }

  /// The result of an attempt whose answer was lost; ``SendRecord`` has the table.
  private func verifySend(
    _ mail: OutgoingMail, _ context: ActionContext
  ) async throws(ActionError) -> Verification<JSONValue> {
    if let reply = ledger.pendingReply(for: context.key) {
      switch try await reply.outcome() {
      case .sent(let record): return .done(Self.output(await copied(record, mail, context)))
      case .refused: return .notDone
      case .unknown: break
      }
    }
    guard var record = try await ledger.record(of: context.key) else { return .notDone }
    if record.stage == .sent { return .done(Self.output(await copied(record, mail, context))) }
    // Services that keep copies themselves have one as soon as they have taken the message.
    guard let copies, (try? await copies.find(record.messageID)) != nil else {
      context.log(
        .warning,
        "<\(record.messageID)> may have been sent; look for it in a recipient's mailbox or in the server's log")
      return .unknown
    }
    record.stage = .sent
    record.isCopied = true
    _ = await ledger.sent(context.key, record)
    return .done(Self.output(record))
  }

  // MARK: Copies

  private func copied(_ record: SendRecord, _ mail: OutgoingMail, _ context: ActionContext) async -> SendRecord {
    guard copies != nil, record.isCopied == false else { return record }
    do {
      let message = try await Written(
        account.completing(mail), by: composer, at: record.at, context, messageID: record.messageID)
      return await copied(record, message, context)
    } catch {
      warn(record, error, context)
      return record
    }
  }

  /// Puts a copy into the Sent folder. Where that fails the step does not: the message was sent.
  private func copied(_ record: SendRecord, _ message: Written, _ context: ActionContext) async -> SendRecord {
    guard let copies, record.isCopied == false else { return record }
    do {
      try await copies.store(message.source, messageID: record.messageID)
    } catch {
      warn(record, error, context)
      return record
    }
    var record = record
    record.isCopied = true
    // Where that is not on disk, the copy is found when it is looked for.
    _ = await ledger.sent(context.key, record)
    return record
  }

  private func warn(_ record: SendRecord, _ error: ActionError, _ context: ActionContext) {
    context.log(.warning, "<\(record.messageID)> was sent; no copy went into the Sent folder: \(error.message)")
  }

  // MARK: Parts

  var sender: MessageSender {
    MessageSender(
      pool: pool, ledger: ledger, connect: { () async throws(ActionError) in try await connect() },
      warn: { [plugin = self.context] message in plugin.log(.warning, message) })
  }

  var composer: Composer { Composer(defaultSender: account.sender) }

  private static func output(_ record: SendRecord) -> JSONValue {
    [
      "message_id": .string("<\(record.messageID)>"),
      "accepted": .array(record.accepted.map(JSONValue.string)),
      "refused": .array(
        record.refused.map { refusal in
          [
            "address": .string(refusal.address), "reason": .string(refusal.reason),
            "code": refusal.code.map { .integer(Int64($0)) } ?? .null,
            "status": refusal.status.map(JSONValue.string) ?? .null,
            "temporary": .bool(refusal.temporary),
          ]
        }),
      "queue_id": record.queueID.map(JSONValue.string) ?? .null,
    ]
  }
}

/// A message that is ready to go out.
private struct Written: Sendable {
  let source: ComposedSource
  let messageID: String
  /// When it was written, in seconds since 1970.
  let seconds: Int
  let sender: String
  let recipients: [String]

  /// - Throws: `invalid_input` for what is not an address, a header that would break, a file that is not there.
  init(
    _ mail: OutgoingMail, by composer: Composer, at seconds: Int, _ context: ActionContext, messageID: String? = nil
  ) async throws(ActionError) {
    let contents = try await AttachmentContents(mail.attachments ?? [], blobs: context.blobs)
    let message = try composer.message(mail, attachments: contents.attachments)
    let messageID = messageID ?? Composer.messageID(key: context.key, sender: message.from)
    self.messageID = messageID
    sender = message.from.address
    recipients = message.recipients.map(\.address)
    self.seconds = seconds
    source = try await ComposedSource(message, messageID: messageID, seconds: seconds, contents: contents)
  }
}
