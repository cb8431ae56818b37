import PluginKit

extension MaildirPlugin {
  /// `mail.send`.
  @ActionListBuilder<MaildirPlugin> static var sending: ActionList<MaildirPlugin> {
    Action(
      "mail.send", effect: .once, summary: "Delivers a message into the Maildir", input: OutgoingMail.self,
      output: JSONValue.self, blocking: true
    ) { plugin, mail, context in
      try plugin.send(mail, context)
    }
    .verifying { plugin, mail, context in
      try plugin.verifySend(mail, context)
    }
  }

  /// Delivers a message, unless it has been delivered for the same key already.
  ///
  /// The copy for `sent` is made first: once the message itself is there, nothing is left to do, so that its presence
  /// answers ``verifySend(_:_:)``.
  private func send(_ mail: OutgoingMail, _ context: ActionContext) throws -> JSONValue {
    let composed = try compose(mail, context)
    return try withMaildir { maildir in
      let folder = try maildir.makeFolder(deliveryFolder)
      if try isDelivered(composed.messageID, in: folder, context, readingHeaders: context.attempt > 1) {
        return Self.sent(composed)
      }
      let mark = UniqueName.mark(key: context.key)
      if let sentFolder, sentFolder != deliveryFolder {
        let copies = try maildir.makeFolder(sentFolder)
        if try copies.delivery(for: context.key) == nil {
          _ = try copies.deliver(
            composed.bytes, flags: MessageFlags(letters: [MessageFlags.seen]), mark: mark, at: context.milliseconds)
        }
      }
      try folder.removeAbandonedFiles(now: context.safeSeconds)
      _ = try folder.deliver(composed.bytes, mark: mark, at: context.milliseconds)
      return Self.sent(composed)
    }
  }

  private func verifySend(_ mail: OutgoingMail, _ context: ActionContext) throws -> Verification<JSONValue> {
    // Attachments may be gone by now and do not matter for the question.
    var mail = mail
    mail.attachments = nil
    let composed = try compose(mail, context)
    return try withMaildir { maildir in
      guard let folder = try maildir.existingFolder(deliveryFolder) else { return .notDone }
      let isThere = try isDelivered(composed.messageID, in: folder, context, readingHeaders: true)
      return isThere ? .done(Self.sent(composed)) : .notDone
    }
  }

  private func compose(_ mail: OutgoingMail, _ context: ActionContext) throws(ActionError) -> Composer.Composed {
    guard mail.to?.isEmpty == false else {
      throw ActionError(
        .invalidInput, "'to' names no recipient.", german: "'to' nennt keinen Empfänger.",
        advice: "Give at least one address.", adviceGerman: "Gib mindestens eine Adresse an.")
    }
    return try composer.compose(mail, key: context.key, seconds: context.seconds)
  }

  /// Whether the message is there: by the mark in the file names, and, where a doubt exists, by Message-ID.
  private func isDelivered(
    _ messageID: String, in folder: MaildirFolder, _ context: ActionContext, readingHeaders: Bool
  ) throws -> Bool {
    if try folder.delivery(for: context.key) != nil { return true }
    return try readingHeaders && folder.message(withID: messageID, reader: reader) != nil
  }

  private static func sent(_ composed: Composer.Composed) -> JSONValue {
    [
      "message_id": .bracketed(composed.messageID),
      "accepted": .array(composed.recipients.map(JSONValue.string)),
      "refused": [],
    ]
  }
}
