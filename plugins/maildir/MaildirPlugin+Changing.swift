import MailWire
import PluginKit

extension MaildirPlugin {
  /// The input of `mail.flag`.
  struct FlagInput: Decodable, Sendable {
    var folder: String
    var uids: [String]
    var add: [String]?
    var remove: [String]?
  }

  /// The input of `mail.delete`.
  struct DeleteInput: Decodable, Sendable {
    var folder: String
    var uids: [String]
    var permanently: Bool?
  }

  /// `mail.flag` and `mail.delete`.
  @ActionListBuilder<MaildirPlugin> static var changing: ActionList<MaildirPlugin> {
    Action(
      "mail.flag", effect: .idempotent, summary: "Adds and removes flags and labels", input: FlagInput.self,
      output: JSONValue.self, blocking: true
    ) { plugin, input, _ in
      try plugin.flag(input)
    }
    Action(
      "mail.delete", effect: .idempotent, summary: "Moves messages to the trash, or removes them for good",
      input: DeleteInput.self, output: JSONValue.self, blocking: true
    ) { plugin, input, context in
      try plugin.delete(input, context)
    }
  }

  // MARK: Flags

  private func flag(_ input: FlagInput) throws -> JSONValue {
    let name = try FolderName(input.folder)
    let adding = try (input.add ?? []).map { flag throws(ActionError) in try MailFlag.checked(flag) }
    let removing = try (input.remove ?? []).map { flag throws(ActionError) in try MailFlag.checked(flag) }
    let refused = Set(removing.map { $0.lowercased() })
    if let both = adding.first(where: { refused.contains($0.lowercased()) }) {
      throw ActionError(
        .invalidInput, "The flag \(both) is to be added and removed.",
        german: "Die Markierung \(both) soll gesetzt und gelöscht werden.")
    }
    return try withMaildir { maildir in
      let folder = try maildir.folder(name)
      let files = try folder.locate(all: input.uids)
      let added = try folder.flagLetters(adding, isMade: true)
      let removed = try folder.flagLetters(removing, isMade: false)
      var changed = 0
      for file in files {
        guard let didChange = try folder.setFlags(file, adding: added, removing: removed) else {
          throw folder.notFound([file.uid])
        }
        if didChange { changed += 1 }
      }
      if changed > 0 { try MaildirFolder(name: name, directory: folder.directory).synchronize() }
      return ["changed": .integer(Int64(changed))]
    }
  }

  // MARK: Deleting

  /// Moves to the trash folder, which is made where there is none; from there, or where asked to, removes for good.
  private func delete(_ input: DeleteInput, _ context: ActionContext) throws -> JSONValue {
    let name = try FolderName(input.folder)
    return try withMaildir { maildir in
      let folder = try maildir.folder(name)
      let special = try maildir.specialFolders(folderSettings)
      let trashName = try FolderName(special[.trash] ?? "Trash")
      if !(input.permanently ?? false), special.use(of: name.display) != .trash, trashName != name {
        let trash = try maildir.makeFolder(trashName)
        let moved = try move(input.uids, from: folder, to: trash, at: context.milliseconds)
        return [
          "deleted": .integer(Int64(moved.count)), "uids": .array(moved.map(JSONValue.string)),
          "to": .string(trash.name.display),
        ]
      }
      // What an earlier attempt removed is gone as it should be.
      let isRepetition = context.attempt > 1
      let files = try folder.locate(all: input.uids) { _ in isRepetition }
      for file in files { _ = try folder.remove(file) }
      try folder.synchronize()
      return ["deleted": .integer(Int64(Set(input.uids).count))]
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
