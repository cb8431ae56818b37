import FoundationEssentials
import Mail
import MailWire
import PluginKit

extension SMTPPlugin {
  /// `mail.send`.
  @ActionListBuilder<SMTPPlugin> static var sending: ActionList<SMTPPlugin> {
    Action(
      "mail.send", effect: .once, summary: "Sends a message by the mail server",
      summaryGerman: "Verschickt eine Nachricht über den Mailserver", input: OutgoingMail.self, output: JSONValue.self
    ) { plugin, mail, context in
      try await plugin.send(mail, context)
    }
    .verifying { plugin, mail, context in
      try await plugin.verifySend(mail, context)
    }
  }

  private func send(_ mail: OutgoingMail, _ context: ActionContext) async throws(ActionError) -> JSONValue {
    try checkActive()
    let mail = account.completing(mail)
    let messageID = try messageID(of: mail, context)
    // Said before, where an answer was lost on its way: it is said again.
    if let record = try await ledger.record(of: messageID), record.stage == .sent {
      return Self.output(messageID, record)
    }
    guard mail.to?.isEmpty == false else {
      throw ActionError(
        .invalidInput, "'to' names no recipient.", german: "'to' nennt keinen Empfänger.",
        advice: "Give at least one address.", adviceGerman: "Mindestens eine Adresse angeben.")
    }
    if mail.blob != nil { return try await redirect(mail, messageID: messageID, context) }
    let contents = try await AttachmentContents(mail.attachments ?? [], blobs: context.blobs)
    let message = try composer.message(mail, attachments: contents.attachments)
    let source = try await ComposedSource(message, messageID: messageID, seconds: seconds, contents: contents)
    var envelope = try Envelope(sender: message.from.address, recipients: message.recipients.map(\.address))
    envelope.size = source.size
    envelope.is8Bit = source.is8Bit
    envelope.requiresTLS = requiresTLS
    envelope.notification = notification
    envelope.notification.identifier = messageID.utf8.allSatisfy { (0x20...0x7E).contains($0) } ? messageID : nil
    let record = try await courier(context).deliver(envelope, source, messageID: messageID)
    return Self.output(messageID, record)
  }

  /// Sends a whole message on as it is.
  private func redirect(
    _ mail: OutgoingMail, messageID: String, _ context: ActionContext
  ) async throws(ActionError) -> JSONValue {
    let message = try await RedirectedMail(
      mail, composer, blobs: context.blobs, key: context.key, seconds: seconds)
    var envelope = try Envelope(sender: message.sender.address, recipients: message.recipients)
    envelope.size = message.bytes.count
    envelope.is8Bit = message.is8Bit
    envelope.requiresTLS = requiresTLS
    envelope.notification = notification
    let record = try await courier(context).deliver(
      envelope, WholeSource(message.bytes), messageID: messageID)
    return Self.output(messageID, record)
  }

  /// What became of an attempt whose answer was lost; ``SendRecord`` has the table.
  private func verifySend(_ mail: OutgoingMail, _ context: ActionContext) async throws(ActionError)
    -> Verification<JSONValue>
  {
    let messageID = try messageID(of: account.completing(mail), context)
    if let reply = ledger.pendingReply(for: messageID) {
      switch try await reply.outcome() {
      case .sent(let record): return .done(Self.output(messageID, record))
      case .refused: return .notDone
      case .unknown: break
      }
    }
    guard let record = try await ledger.record(of: messageID) else { return .notDone }
    if record.stage == .sent { return .done(Self.output(messageID, record)) }
    for source in evidence {
      if try await source.find(messageID, context) != nil { return .done(Self.output(messageID, record)) }
    }
    return .unknown
  }

  func courier(_ context: ActionContext) -> Courier {
    Courier(
      pool: pool, ledger: ledger, connect: { () async throws(ActionError) in try await connect() },
      warn: { [plugin = self.context] message in plugin.log(.warning, message) }, seconds: { seconds })
  }

  var composer: Composer { Composer(defaultSender: account.sender) }

  private func messageID(of mail: OutgoingMail, _ context: ActionContext) throws(ActionError) -> String {
    Composer.messageID(key: context.key, sender: try composer.sender(mail))
  }

  var seconds: Int { Int(clamping: Int64(context.clock.now.timeIntervalSince1970)) }

  private static func output(_ messageID: String, _ record: SendRecord) -> JSONValue {
    [
      "message_id": .string("<\(messageID)>"),
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
