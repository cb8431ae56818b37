import MailWire
import PluginKit

extension MaildirPlugin {
  /// `mail.flag` and `mail.delete`.
  @ActionListBuilder<MaildirPlugin> static var changing: ActionList<MaildirPlugin> {
    Action(
      "mail.flag", effect: .idempotent, summary: "Adds and removes flags and labels",
      summaryGerman: "Setzt und löscht Markierungen und Schlagwörter", input: StoreInput.Flag.self,
      output: JSONValue.self, blocking: true
    ) { plugin, input, _ in
      try plugin.flag(input)
    }
    Action(
      "mail.delete", effect: .idempotent, summary: "Moves messages to the trash, or removes them for good",
      summaryGerman: "Legt Nachrichten in den Papierkorb oder löscht sie endgültig",
      input: StoreInput.Deletion.self, output: JSONValue.self, blocking: true
    ) { plugin, input, context in
      try plugin.delete(input, context)
    }
  }

  // MARK: Flags

  private func flag(_ input: StoreInput.Flag) throws -> JSONValue {
    let name = try FolderName(input.folder)
    let (adding, removing) = try input.changes
    guard input.modseq == nil else { throw ActionError.unnumbered("Maildir") }
    return try withMaildir { maildir in
      let folder = try maildir.folder(name)
      var (files, missing) = try folder.locate(all: input.uids)
      let added = try folder.flagLetters(adding, isMade: !files.isEmpty)
      let removed = try folder.flagLetters(removing, isMade: false)
      var changed = 0
      for file in files {
        switch try folder.setFlags(file, adding: added, removing: removed) {
        case nil: missing.append(file.uid)
        case true?: changed += 1
        case false?: break
        }
      }
      if changed > 0 { try MaildirFolder(name: name, directory: folder.directory).synchronize() }
      return ChangeReport(count: changed, missing: missing).counted(as: "changed")
    }
  }

  // MARK: Deleting

  /// Moves to the trash folder, which is made if there is none; from there, or where asked to, removes for good.
  private func delete(_ input: StoreInput.Deletion, _ context: ActionContext) throws -> JSONValue {
    let name = try FolderName(input.folder)
    return try withMaildir { maildir in
      let folder = try maildir.folder(name)
      let special = try maildir.specialFolders(folderSettings)
      let trashName = try FolderName(special[.trash] ?? "Trash")
      if !(input.permanently ?? false), special.use(of: name.display) != .trash, trashName != name {
        let trash = try maildir.makeFolder(trashName)
        return try move(input.uids, from: folder, to: trash, at: context.milliseconds)
          .placed(as: "deleted", in: trash.name.display)
      }
      var (files, missing) = try folder.locate(all: input.uids)
      for file in files where try !folder.remove(file) { missing.append(file.uid) }
      try folder.synchronize()
      // What an earlier attempt removed is gone as it should be.
      if context.attempt > 1 { missing = [] }
      let count = Set(input.uids).count - missing.count
      return ChangeReport(count: count, missing: missing).counted(as: "deleted")
    }
  }
}

extension MaildirFolder {
  /// The letters of flags and labels in their usual spelling.
  /// - Parameter isMade: Whether labels are given letters; those without one are left out otherwise.
  func flagLetters(_ names: [String], isMade: Bool) throws -> [Character] {
    let letters = names.compactMap(MessageFlags.letter)
    let labels = names.filter { MessageFlags.letter($0) == nil }
    // Dovecot keeps $Forwarded as a keyword, too.
    let twofold = names.filter { MessageFlags.letter($0) != nil && $0.hasPrefix("$") }
    if labels.isEmpty, twofold.isEmpty { return letters }
    let keywords = try keywords()
    let more = isMade ? try self.letters(of: labels) : labels.compactMap(keywords.letter)
    return letters + more + twofold.compactMap(keywords.letter)
  }
}
