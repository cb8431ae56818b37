import MailWire
import PluginKit

extension Session {
  /// How many messages a folder has.
  struct Counts: Sendable {
    var messages: UInt32
    var unseen: UInt32
  }

  /// All folders of the account, and how many messages they have if that is wanted.
  func folders(counting isCounting: Bool) async throws(ActionError) -> (FolderTable, [[UInt8]: Counts]) {
    let naming = try await naming()
    var listed: [ListedMailbox] = []
    var unreadable: [String] = []
    var counts: [[UInt8]: Counts] = [:]
    let isExtended = has("LIST-EXTENDED") || has("IMAP4REV2")
    let isCountingAtOnce = isCounting && isExtended && (has("LIST-STATUS") || has("IMAP4REV2"))
    var command = Command("LIST", #""" "*""#)
    var options: [String] = []
    if isExtended, has("SPECIAL-USE") || has("IMAP4REV2") { options.append("SPECIAL-USE") }
    if isCountingAtOnce { options.append("STATUS (MESSAGES UNSEEN)") }
    if !options.isEmpty { command.word("RETURN (\(options.joined(separator: " ")))") }
    func take(_ data: Untagged) throws(ActionError) {
      switch data {
      case .list(let entry):
        guard listed.count < 100_000 else {
          throw ActionError(ProtocolFault(.tooMany, "folders"), host: settings.host)
        }
        listed.append(entry)
      case .unreadableMailbox(let text): if unreadable.count < 100 { unreadable.append(Self.shown(text)) }
      case .mailboxStatus(let status):
        counts[status.name] = Counts(messages: status.messages ?? 0, unseen: status.unseen ?? 0)
      default: break
      }
    }
    try await require(command) { data throws(ActionError) in try take(data) }
    let table = FolderTable(listed, unreadable: unreadable, naming: naming, settings: settings.folders)
    if isCounting, !isCountingAtOnce {
      let asked = table.folders.filter(\.isSelectable).map { folder in
        var command = Command("STATUS")
        command.mailbox(folder.wire)
        command.word("(MESSAGES UNSEEN)")
        return command
      }
      // A folder may be listed and not be readable: it has no messages for us.
      for command in asked { _ = try await perform(command) { data throws(ActionError) in try take(data) } }
    }
    return (table, counts)
  }

  /// How names are written here.
  func naming() async throws(ActionError) -> FolderNaming {
    var naming = FolderNaming(isUTF8: isUTF8)
    if has("NAMESPACE") {
      let isUTF8 = naming.isUTF8
      _ = try await perform(Command("NAMESPACE")) { data throws(ActionError) in
        guard case .namespace(let namespace) = data else { return }
        let text = String(decoding: namespace.prefix, as: UTF8.self)
        naming.prefix = isUTF8 ? text : ModifiedUTF7.decode(text) ?? text
        naming.delimiter = namespace.delimiter
      }
    } else {
      // LIST with an empty name returns the delimiter (RFC 9051 §6.3.9).
      _ = try await perform(Command("LIST", #""" """#)) { data throws(ActionError) in
        if case .list(let entry) = data { naming.delimiter = entry.delimiter }
      }
    }
    return naming
  }

  /// Whether names and headers are UTF-8.
  var isUTF8: Bool { machine.enabled.contains("UTF8=ACCEPT") || machine.enabled.contains("IMAP4REV2") }

  /// Whether the server names by UID what has gone (QRESYNC, RFC 7162).
  var isToldWhatHasGone: Bool { machine.enabled.contains("QRESYNC") }

  // MARK: Opening

  /// Opens a folder, or refreshes it if it is open.
  ///
  /// - Parameter isWriting: Whether messages are to be changed.
  /// - Throws: `not_found` if there is none; `auth` if a change is wanted and it is read-only.
  func open(_ wire: [UInt8], named name: String, writing isWriting: Bool) async throws(ActionError)
    -> ConnectionMachine.Mailbox
  {
    if let open = mailbox, open.name == wire, !isWriting || !open.isReadOnly {
      try await require(Command("NOOP"))
    } else {
      var command = Command(isWriting ? "SELECT" : "EXAMINE")
      command.mailbox(wire)
      // From here on the server numbers changes of flags (RFC 7162 §3.1.8).
      if has("CONDSTORE") || has("QRESYNC") { command.word("(CONDSTORE)") }
      let status = try await perform(command, .select(mailbox: wire, isReadOnly: !isWriting))
      guard status.isOK else {
        var refusal = refusal(status, of: command)
        if refusal.kind == .unsupported { refusal.kind = .notFound }
        refusal.message = "The folder '\(name)' cannot be opened. " + refusal.message
        refusal.messageGerman = "Der Ordner '\(name)' lässt sich nicht öffnen. " + (refusal.messageGerman ?? "")
        throw refusal
      }
    }
    guard let mailbox, mailbox.uidValidity > 0 else {
      throw ActionError(
        .unsupported, "\(settings.host) gives the messages of '\(name)' no lasting numbers.",
        german: "\(settings.host) gibt den Nachrichten von '\(name)' keine bleibenden Nummern.")
    }
    if isWriting, mailbox.isReadOnly {
      throw ActionError(
        .auth, "The folder '\(name)' can only be read.", german: "Der Ordner '\(name)' lässt sich nur lesen.")
    }
    return mailbox
  }

  /// The mailbox's next UID: what comes later gets this or a higher one.
  func status(of wire: [UInt8]) async throws(ActionError) -> MailboxStatus? {
    var command = Command("STATUS")
    command.mailbox(wire)
    command.word("(UIDNEXT UIDVALIDITY MESSAGES)")
    var found: MailboxStatus?
    let status = try await perform(command) { data throws(ActionError) in
      if case .mailboxStatus(let status) = data { found = status }
    }
    return status.isOK ? found : nil
  }

  /// Makes a folder, and says whether there was none.
  func create(_ wire: [UInt8]) async throws(ActionError) -> Bool {
    var command = Command("CREATE")
    command.mailbox(wire)
    let status = try await perform(command)
    if status.isOK { return true }
    guard status.code?.name == "ALREADYEXISTS" || Self.shown(status.text).lowercased().contains("exist") else {
      throw refusal(status, of: command)
    }
    return false
  }
}
