import MailWire
import PluginKit

extension IMAPPlugin {
  /// `mail.flag`, `mail.move`, `mail.copy`, `mail.delete`, `mail.archive` and `mail.spam`.
  @ActionListBuilder<IMAPPlugin> static var changing: ActionList<IMAPPlugin> {
    Action(
      "mail.flag", effect: .idempotent, summary: "Adds and removes flags and labels",
      summaryGerman: "Setzt und löscht Markierungen und Schlagwörter", input: StoreInput.Flag.self,
      output: JSONValue.self
    ) { plugin, input, _ in
      try await plugin.flag(input)
    }
    Action(
      "mail.move", effect: .idempotent, summary: "Moves messages to another folder",
      summaryGerman: "Verschiebt Nachrichten in einen Ordner", input: StoreInput.Transfer.self, output: JSONValue.self
    ) { plugin, input, context in
      try await plugin.transfer(input, isMove: true, context).placed(as: "moved")
    }
    Action(
      "mail.copy", effect: .once, summary: "Copies messages to another folder",
      summaryGerman: "Kopiert Nachrichten in einen Ordner", input: StoreInput.Transfer.self, output: JSONValue.self
    ) { plugin, input, context in
      try await plugin.transfer(input, isMove: false, context).placed(as: "copied")
    }
    .verifying { plugin, input, context in
      try await plugin.verifyCopy(input, context)
    }
    Action(
      "mail.delete", effect: .idempotent, summary: "Moves messages to the trash, or removes them for good",
      summaryGerman: "Legt Nachrichten in den Papierkorb oder löscht sie endgültig", input: StoreInput.Deletion.self,
      output: JSONValue.self
    ) { plugin, input, context in
      try await plugin.delete(input, context)
    }
    Action(
      "mail.archive", effect: .idempotent, summary: "Moves messages to the archive",
      summaryGerman: "Verschiebt Nachrichten ins Archiv", input: StoreInput.Filing.self, output: JSONValue.self
    ) { plugin, input, context in
      try await plugin.sort(input, into: .archive, orNew: "Archive", context)
    }
    Action(
      "mail.spam", effect: .idempotent, summary: "Moves messages to the folder for spam",
      summaryGerman: "Verschiebt Nachrichten in den Spam-Ordner", input: StoreInput.Filing.self, output: JSONValue.self
    ) { plugin, input, context in
      try await plugin.sort(input, into: .junk, orNew: "Junk", context)
    }
  }

  // MARK: Flags

  private func flag(_ input: StoreInput.Flag) async throws(ActionError) -> JSONValue {
    let (adding, removing) = try input.changes
    return try await account.withFolder(input.folder, writing: true) { session, folder throws(ActionError) in
      let uids = try folder.uids(input.uids)
      let isGmail = await session.has("X-GM-EXT-1")
      if let modSeq = input.modseq {
        return try await ConditionalFlags(session: session, folder: folder, modSeq: UInt64(max(1, modSeq)))
          .change(uids, adding: adding, removing: removing)
      }
      return try await FlagChange(session: session, folder: folder, isGmail: isGmail)
        .carryOut(uids, adding: adding, removing: removing).counted(as: "changed")
    }
  }

  // MARK: Moving and copying

  private func transfer(
    _ input: StoreInput.Transfer, isMove: Bool, _ context: ActionContext
  ) async throws(ActionError) -> ChangeReport {
    let account = account
    let journal = EffectJournal(context: context)
    try await journal.tidy(account.tidying)
    return try await account.withFolder(input.folder, writing: isMove) { session, folder throws(ActionError) in
      let uids = try folder.uids(input.uids)
      guard !uids.isEmpty else { return ChangeReport(count: 0) }
      let target = try await account.target(input.to, create: input.create ?? true, session)
      if isMove, target == folder.mailbox.name {
        let present = Set(try await session.present(uids))
        let here = uids.filter(present.contains)
        return ChangeReport(
          count: here.count, uids: folder.names(of: here),
          missing: folder.names(of: uids.filter { !present.contains($0) }))
      }
      let transfer = BulkCopy(
        session: session, source: folder, target: target, isMove: isMove, journal: journal
      ) { () async throws(ActionError) in
        let again = try await session.open(folder.mailbox.name, named: folder.name, writing: isMove)
        guard again.uidValidity == folder.validity else { throw folder.renumbered }
      }
      return try await transfer.run(uids)
    }
  }

  /// Done where every copy is there. A part of them may be repeated: copies that exist are not made again.
  private func verifyCopy(
    _ input: StoreInput.Transfer, _ context: ActionContext
  ) async throws(ActionError) -> Verification<JSONValue> {
    let journal = EffectJournal(context: context)
    guard journal.isKept else { return .unknown }
    let account = account
    var report = ChangeReport(count: 0)
    let count = Set(input.uids).count
    for part in 0..<max(1, (count + BulkCopy.partSize - 1) / BulkCopy.partSize) {
      // An effect without a note has not begun.
      guard let entry = try await journal.entry(part) else { return .notDone }
      let verdict = try await journal.verdict(on: entry) { () async throws(ActionError) in
        try await account.withSession { session throws(ActionError) in try await session.copies(of: entry) }
      }
      switch verdict {
      case .notDone: return .notDone
      case .unknown: return .unknown
      case .done(let names):
        report.count += names.count
        report.uids += names
        report.missing += entry.missing
      }
    }
    return .done(report.placed(as: "copied"))
  }

  // MARK: Deleting and sorting

  private func delete(_ input: StoreInput.Deletion, _ context: ActionContext) async throws(ActionError) -> JSONValue {
    let account = account
    // By the names on the server: users may write one folder in several ways.
    let (trash, isInTrash) = try await account.withSession { session throws(ActionError) in
      let folders = try await account.folders(session)
      let trash = folders.special[.trash] ?? "Trash"
      return (trash, try folders.wire(of: trash) == folders.wire(of: input.folder))
    }
    if !(input.permanently ?? false), !isInTrash {
      let transfer = StoreInput.Transfer(folder: input.folder, uids: input.uids, to: trash)
      return try await self.transfer(transfer, isMove: true, context).placed(as: "deleted", in: trash)
    }
    return try await account.withFolder(input.folder, writing: true) { session, folder throws(ActionError) in
      let uids = try folder.uids(input.uids)
      let present = Set(try await session.present(uids))
      for start in stride(from: 0, to: uids.count, by: BulkCopy.partSize) {
        let part = uids[start..<min(start + BulkCopy.partSize, uids.count)].filter(present.contains)
        if !part.isEmpty { try await session.expunge(part, in: folder) }
      }
      // Messages that an earlier attempt removed count as removed.
      let missing = context.attempt > 1 ? [] : uids.filter { !present.contains($0) }
      return ChangeReport(count: uids.count - missing.count, missing: folder.names(of: missing)).counted(as: "deleted")
    }
  }

  private func sort(
    _ input: StoreInput.Filing, into use: SpecialUse, orNew name: String, _ context: ActionContext
  ) async throws(ActionError) -> JSONValue {
    let account = account
    let target = try await account.withSession { session throws(ActionError) in
      try await account.folders(session).special[use] ?? name
    }
    let transfer = StoreInput.Transfer(folder: input.folder, uids: input.uids, to: target)
    return try await self.transfer(transfer, isMove: true, context).placed(as: "moved", in: target)
  }
}

extension Account {
  /// The server's name of a target folder, which is made if it is missing.
  func target(_ name: String, create isMade: Bool, _ session: Session) async throws(ActionError) -> [UInt8] {
    let wire = try await wire(of: name, session)
    guard name.uppercased() != "INBOX", try await folders(session).folder(name) == nil else { return wire }
    guard isMade else {
      throw ActionError(
        .notFound, "There is no folder '\(name)'.", german: "Den Ordner '\(name)' gibt es nicht.",
        advice: "Leave out 'create: false', or create it first.",
        adviceGerman: "'create: false' weglassen oder ihn vorher anlegen.")
    }
    if try await session.create(wire) {
      var subscription = Command("SUBSCRIBE")
      subscription.mailbox(wire)
      _ = try await session.perform(subscription)
    }
    forgetFolders()
    return wire
  }
}

extension OpenFolder {
  /// The folder has been made anew since it was opened.
  var renumbered: ActionError {
    ActionError(
      .notFound, "The server has numbered the messages of '\(name)' anew.",
      german: "Der Server hat die Nachrichten von '\(name)' neu nummeriert.",
      advice: "Search for the messages again.", adviceGerman: "Die Nachrichten neu suchen.")
  }
}
