import MailWire
import PluginKit

extension IMAPPlugin {
  /// The input of `mail.flag`.
  struct FlagInput: Decodable, Sendable {
    var folder: String
    var uids: [String]
    var add: [String]?
    var remove: [String]?
  }

  /// The input of `mail.move` and `mail.copy`.
  struct TransferInput: Decodable, Sendable {
    var folder: String
    var uids: [String]
    var to: String
    var create: Bool?
  }

  /// The input of `mail.delete`.
  struct DeleteInput: Decodable, Sendable {
    var folder: String
    var uids: [String]
    var permanently: Bool?
  }

  /// The input of `mail.archive` and `mail.spam`.
  struct SortInput: Decodable, Sendable {
    var folder: String
    var uids: [String]
  }

  /// `mail.flag`, `mail.move`, `mail.copy`, `mail.delete`, `mail.archive` and `mail.spam`.
  @ActionListBuilder<IMAPPlugin> static var changing: ActionList<IMAPPlugin> {
    Action(
      "mail.flag", effect: .idempotent, summary: "Adds and removes flags and labels",
      summaryGerman: "Setzt und löscht Markierungen und Schlagwörter", input: FlagInput.self, output: JSONValue.self
    ) { plugin, input, _ in
      try await plugin.flag(input)
    }
    Action(
      "mail.move", effect: .idempotent, summary: "Moves messages to another folder",
      summaryGerman: "Verschiebt Nachrichten in einen Ordner", input: TransferInput.self, output: JSONValue.self
    ) { plugin, input, context in
      let names = try await plugin.move(input, context)
      return ["moved": .integer(Int64(Set(input.uids).count)), "uids": .array(names.map(JSONValue.string))]
    }
    Action(
      "mail.copy", effect: .once, summary: "Copies messages to another folder",
      summaryGerman: "Kopiert Nachrichten in einen Ordner", input: TransferInput.self, output: JSONValue.self
    ) { plugin, input, context in
      Self.copied(try await plugin.transfer(input, isMove: false, context))
    }
    .verifying { plugin, input, context in
      try await plugin.verifyCopy(input, context)
    }
    Action(
      "mail.delete", effect: .idempotent, summary: "Moves messages to the trash, or removes them for good",
      summaryGerman: "Legt Nachrichten in den Papierkorb oder löscht sie endgültig", input: DeleteInput.self,
      output: JSONValue.self
    ) { plugin, input, context in
      try await plugin.delete(input, context)
    }
    Action(
      "mail.archive", effect: .idempotent, summary: "Moves messages to the archive",
      summaryGerman: "Verschiebt Nachrichten ins Archiv", input: SortInput.self, output: JSONValue.self
    ) { plugin, input, context in
      try await plugin.sort(input, into: .archive, orNew: "Archive", context)
    }
    Action(
      "mail.spam", effect: .idempotent, summary: "Moves messages to the folder for spam",
      summaryGerman: "Verschiebt Nachrichten in den Spam-Ordner", input: SortInput.self, output: JSONValue.self
    ) { plugin, input, context in
      try await plugin.sort(input, into: .junk, orNew: "Junk", context)
    }
  }

  // MARK: Flags

  private func flag(_ input: FlagInput) async throws(ActionError) -> JSONValue {
    let adding = try (input.add ?? []).map { name throws(ActionError) in try MailFlag.checked(name) }
    let removing = try (input.remove ?? []).map { name throws(ActionError) in try MailFlag.checked(name) }
    if let both = adding.first(where: { name in removing.contains { $0.lowercased() == name.lowercased() } }) {
      throw ActionError(
        .invalidInput, "The flag \(both) is to be added and removed.",
        german: "Die Markierung \(both) soll gesetzt und gelöscht werden.")
    }
    return try await account.withFolder(input.folder, writing: true) { session, folder throws(ActionError) in
      let uids = try folder.uids(input.uids)
      let isGmail = await session.has("X-GM-EXT-1")
      let messages = try await session.fetch(uids, isGmail ? "FLAGS X-GM-LABELS" : "FLAGS")
      let missing = uids.filter { messages[$0] == nil }
      guard missing.isEmpty else { throw folder.notFound(missing) }
      var changed: Set<UInt32> = []
      for (names, change) in [(adding, "+"), (removing, "-")] {
        for name in names {
          let isLabel = isGmail && MailFlag.isLabel(name)
          let concerned = uids.filter { uid in
            let flags = (isLabel ? messages[uid]?.gmailLabels?.map(GmailLabel.name) : messages[uid]?.flags) ?? []
            return flags.contains { $0.lowercased() == name.lowercased() } != (change == "+")
          }
          guard !concerned.isEmpty else { continue }
          if isLabel {
            try await session.storeLabel(UIDSet(concerned), change, name)
          } else {
            try await session.store(UIDSet(concerned), change, [name])
          }
          changed.formUnion(concerned)
        }
      }
      return ["changed": .integer(Int64(changed.count))]
    }
  }

  // MARK: Moving and copying

  private func move(_ input: TransferInput, _ context: ActionContext) async throws(ActionError) -> [String] {
    try await transfer(input, isMove: true, context)
  }

  private func transfer(
    _ input: TransferInput, isMove: Bool, _ context: ActionContext
  ) async throws(ActionError) -> [String] {
    let account = account
    let journal = EffectJournal(context: context)
    try await journal.tidy()
    return try await account.withFolder(input.folder, writing: isMove) { session, folder throws(ActionError) in
      let uids = try folder.uids(input.uids)
      guard !uids.isEmpty else { return [] }
      let target = try await account.target(input.to, create: input.create ?? true, session)
      if isMove, target == folder.mailbox.name {
        let present = Set(try await session.present(uids))
        let missing = uids.filter { !present.contains($0) }
        guard missing.isEmpty else { throw folder.notFound(missing) }
        return uids.map { folder.name(of: $0) }
      }
      let transfer = Transfer(
        session: session, source: folder, target: target, isMove: isMove, journal: journal, seconds: context.seconds
      ) { () async throws(ActionError) in
        let again = try await session.open(folder.mailbox.name, named: folder.name, writing: isMove)
        guard again.uidValidity == folder.validity else { throw folder.renumbered }
      }
      return try await transfer.run(uids)
    }
  }

  private static func copied(_ names: [String]) -> JSONValue {
    ["copied": .integer(Int64(names.count)), "uids": .array(names.map(JSONValue.string))]
  }

  /// Done where every copy is there. A part of them may be repeated: copies that exist are not made again.
  private func verifyCopy(
    _ input: TransferInput, _ context: ActionContext
  ) async throws(ActionError) -> Verification<JSONValue> {
    let journal = EffectJournal(context: context)
    guard context.plugin.offers("sous.state/1") else { return .unknown }
    var names: [String] = []
    let count = Set(input.uids).count
    for part in 0..<max(1, (count + Transfer.partSize - 1) / Transfer.partSize) {
      // What was not noted has not begun.
      guard let entry = try await journal.entry(part) else { return .notDone }
      if let done = entry.done {
        names += done
        continue
      }
      let (found, isUntouched) = try await account.withSession { session throws(ActionError) in
        (try await session.arrivals(of: entry), try await session.isUntouched(entry))
      }
      guard found.count == entry.items.count else { return found.isEmpty && isUntouched ? .notDone : .unknown }
      names += entry.items.compactMap { item in found[item.uid].map { "\(entry.validity).\($0)" } }
    }
    return .done(Self.copied(names))
  }

  // MARK: Deleting and sorting

  private func delete(_ input: DeleteInput, _ context: ActionContext) async throws(ActionError) -> JSONValue {
    let account = account
    // By the names on the server: users may write one folder in several ways.
    let (trash, isInTrash) = try await account.withSession { session throws(ActionError) in
      let folders = try await account.folders(session)
      let trash = folders.special[.trash] ?? "Trash"
      return (trash, try folders.wire(of: trash) == folders.wire(of: input.folder))
    }
    let count: JSONValue = ["deleted": .integer(Int64(Set(input.uids).count))]
    if !(input.permanently ?? false), !isInTrash {
      let transfer = TransferInput(folder: input.folder, uids: input.uids, to: trash, create: true)
      let names = try await move(transfer, context)
      return [
        "deleted": .integer(Int64(Set(input.uids).count)), "uids": .array(names.map(JSONValue.string)),
        "to": .string(trash),
      ]
    }
    return try await account.withFolder(input.folder, writing: true) { session, folder throws(ActionError) in
      let uids = try folder.uids(input.uids)
      let present = Set(try await session.present(uids))
      let missing = uids.filter { !present.contains($0) }
      // What an earlier attempt removed is gone as it should be.
      guard missing.isEmpty || context.attempt > 1 else { throw folder.notFound(missing) }
      for start in stride(from: 0, to: uids.count, by: Transfer.partSize) {
        let part = uids[start..<min(start + Transfer.partSize, uids.count)].filter(present.contains)
        if !part.isEmpty { try await session.expunge(UIDSet(part)) }
      }
      return count
    }
  }

  private func sort(
    _ input: SortInput, into use: SpecialUse, orNew name: String, _ context: ActionContext
  ) async throws(ActionError) -> JSONValue {
    let account = account
    let target = try await account.withSession { session throws(ActionError) in
      try await account.folders(session).special[use] ?? name
    }
    let names = try await move(
      TransferInput(folder: input.folder, uids: input.uids, to: target, create: true), context)
    return [
      "moved": .integer(Int64(Set(input.uids).count)), "uids": .array(names.map(JSONValue.string)),
      "to": .string(target),
    ]
  }
}

extension Account {
  /// What a folder that messages are put into is called on the server; it is made where it is missing.
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

extension Session {
  /// Adds or removes a label of Gmail's.
  func storeLabel(_ uids: UIDSet, _ change: String, _ label: String) async throws(ActionError) {
    var command = Command("UID STORE", "\(uids.text) \(change)X-GM-LABELS.SILENT")
    command.astring(isUTF8 ? label : ModifiedUTF7.encode(label))
    try await require(command)
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
