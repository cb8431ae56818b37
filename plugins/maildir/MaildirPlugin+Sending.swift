import Mail
import MailWire
import PluginKit

extension MaildirPlugin {
  /// The input of `mail.verify`.
  struct VerifyInput: Decodable, Sendable {
    var messageID: String
  }

  /// `mail.send` and `mail.verify`.
  @ActionListBuilder<MaildirPlugin> static var sending: ActionList<MaildirPlugin> {
    Action(
      "mail.send", effect: .once, summary: "Delivers a message into the Maildir",
      summaryGerman: "Stellt eine Nachricht in das Maildir zu", input: OutgoingMail.self,
      output: JSONValue.self, blocking: true
    ) { plugin, mail, context in
      try await plugin.send(mail, context)
    }
    .verifying { plugin, mail, context in
      try await plugin.verifySend(mail, context)
    }
    Action(
      "mail.verify", effect: .read, summary: "Looks for a message among those delivered and sent",
      summaryGerman: "Sucht eine Nachricht unter den zugestellten und gesendeten",
      input: VerifyInput.self, output: JSONValue.self, blocking: true
    ) { plugin, input, _ in
      try plugin.verify(input)
    }
  }

  /// Delivers a message, unless it has been delivered for the same key already.
  ///
  /// The copy for `sent` is made first: once the message itself is there, nothing is left to do, so that its presence
  /// answers ``verifySend(_:_:)``.
  private func send(_ mail: OutgoingMail, _ context: ActionContext) async throws -> JSONValue {
    let composed = try await composed(mail, context)
    let bytes = LineEnds.unix(composed.bytes)
    let isThere = try withMaildir { maildir in
      let folder = try maildir.makeFolder(deliveryFolder)
      if try isDelivered(composed.messageID, in: folder, context, readingHeaders: context.attempt > 1) { return true }
      if let sentFolder, sentFolder != deliveryFolder {
        let copies = try maildir.makeFolder(sentFolder)
        if try copies.delivery(for: context.key) == nil {
          _ = try copies.deliver(
            bytes, flags: MessageFlags(letters: [MessageFlags.seen]), mark: UniqueName.mark(key: context.key),
            at: context.milliseconds)
        }
      }
      return false
    }
    if isThere { return Self.sent(composed) }
    return try await noted(context) {
      try withMaildir { maildir in
        let folder = try maildir.makeFolder(deliveryFolder)
        try folder.removeAbandonedFiles(now: context.safeSeconds)
        _ = try folder.deliver(bytes, mark: UniqueName.mark(key: context.key), at: context.milliseconds)
        return Self.sent(composed)
      }
    }
  }

  private func composed(_ mail: OutgoingMail, _ context: ActionContext) async throws -> Composer.Composed {
    if mail.blob != nil {
      let redirected = try await RedirectedMail(
        mail, composer, blobs: context.blobs, key: context.key, seconds: context.seconds)
      return Composer.Composed(
        bytes: redirected.bytes, messageID: redirected.messageID, recipients: redirected.recipients,
        sender: redirected.sender)
    }
    // Wrong addresses are told before files are read.
    _ = try compose(mail, [], context)
    let files = try await AttachmentFile.load(mail.attachments ?? [], blobs: context.blobs)
    return try compose(mail, files, context)
  }

  private func verifySend(_ mail: OutgoingMail, _ context: ActionContext) async throws -> Verification<JSONValue> {
    // Attachments may be gone by now and do not matter for the question.
    let composed = try compose(mail, [], context)
    let isThere = try withMaildir { maildir in
      if let folder = try maildir.existingFolder(deliveryFolder),
        try isDelivered(composed.messageID, in: folder, context, readingHeaders: true)
      {
        return true
      }
      // The copy of what was sent carries the same mark.
      return try maildir.folders().contains { folder in
        try folder.name != sentFolder && folder.delivery(for: context.key) != nil
      }
    }
    return isThere ? .done(Self.sent(composed)) : try await absence(context)
  }

  private func compose(
    _ mail: OutgoingMail, _ files: [OutgoingAttachment], _ context: ActionContext
  ) throws(ActionError) -> Composer.Composed {
    guard mail.to?.isEmpty == false else {
      throw ActionError(
        .invalidInput, "'to' names no recipient.", german: "'to' nennt keinen Empfänger.",
        advice: "Give at least one address.", adviceGerman: "Mindestens eine Adresse ist nötig.")
    }
    return try composer.compose(mail, attachments: files, key: context.key, seconds: context.seconds)
  }

  /// Whether the message is there: by the mark in the file names, and, where a doubt exists, by Message-ID.
  private func isDelivered(
    _ messageID: String, in folder: MaildirFolder, _ context: ActionContext, readingHeaders: Bool
  ) throws -> Bool {
    if try folder.delivery(for: context.key) != nil { return true }
    return try readingHeaders && folder.message(withID: messageID) != nil
  }

  private static func sent(_ composed: Composer.Composed) -> JSONValue {
    [
      "message_id": .bracketed(composed.messageID),
      "accepted": .array(composed.recipients.map(JSONValue.string)),
      "refused": [], "queue_id": .null,
    ]
  }

  /// Looks where this provider delivers to and keeps copies, newest first.
  private func verify(_ input: VerifyInput) throws -> JSONValue {
    let wanted = input.messageID.trimmedIdentifier
    return try withMaildir { maildir in
      let names = try [
        deliveryFolder, sentFolder, maildir.specialFolders(folderSettings)[.sent].map { try FolderName($0) },
      ]
      var seen: Set<FolderName> = []
      for name in names.compactMap({ $0 }) where seen.insert(name).inserted {
        if let found = try maildir.existingFolder(name)?.message(withID: wanted) {
          return ["found": true, "evidence": .string("\(name.display): \(found.uid)")]
        }
      }
      return ["found": false, "evidence": .null]
    }
  }
}
