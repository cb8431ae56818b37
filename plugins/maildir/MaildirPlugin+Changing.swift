import PluginKit

extension MaildirPlugin {
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

  /// `mail.flag`, `mail.move`, `mail.copy` and `mail.delete`.
  @ActionListBuilder<MaildirPlugin> static var changing: ActionList<MaildirPlugin> {
    Action(
      "mail.flag", effect: .idempotent, summary: "Adds and removes flags", input: FlagInput.self,
      output: JSONValue.self, blocking: true
    ) { plugin, input, _ in
      try plugin.flag(input)
    }
    Action(
      "mail.move", effect: .idempotent, summary: "Moves messages to another folder", input: TransferInput.self,
      output: JSONValue.self, blocking: true
    ) { plugin, input, context in
      try plugin.move(input, context)
    }
    Action(
      "mail.copy", effect: .once, summary: "Copies messages to another folder", input: TransferInput.self,
      output: JSONValue.self, blocking: true
    ) { plugin, input, context in
      try plugin.copy(input, context)
    }
    .verifying { plugin, input, context in
      try plugin.verifyCopy(input, context)
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
    let adding = try (input.add ?? []).map { flag throws(ActionError) in try MessageFlags.letter(flag) }
    let removing = try (input.remove ?? []).map { flag throws(ActionError) in try MessageFlags.letter(flag) }
    if let both = adding.first(where: removing.contains) {
      throw ActionError(
        .invalidInput, "The flag \(MessageFlags(letters: [both]).imapNames.joined()) is to be added and removed.",
        german: "Die Markierung \(MessageFlags(letters: [both]).imapNames.joined()) soll gesetzt und gelöscht werden.")
    }
    return try withMaildir { maildir in
      let folder = try maildir.folder(name)
      var changed = 0
      for file in try folder.locate(all: input.uids) {
        guard let didChange = try folder.setFlags(file, adding: adding, removing: removing) else {
          throw folder.notFound([file.uid])
        }
        if didChange { changed += 1 }
      }
      if changed > 0 { try MaildirFolder(name: name, directory: folder.directory).synchronize() }
      return ["changed": .integer(Int64(changed))]
    }
  }

  // MARK: Moving and copying

  private func target(_ input: TransferInput, in maildir: Maildir) throws -> MaildirFolder {
    let name = try FolderName(input.to)
    return try input.create ?? true ? maildir.makeFolder(name) : maildir.folder(name)
  }

  private func move(_ input: TransferInput, _ context: ActionContext) throws -> JSONValue {
    let name = try FolderName(input.folder)
    return try withMaildir { maildir in
      let source = try maildir.folder(name)
      let target = try target(input, in: maildir)
      if source.name == target.name {
        let files = try source.locate(all: input.uids)
        return Self.moved(files.map(\.uid))
      }
      return Self.moved(try move(input.uids, from: source, to: target, at: context.milliseconds))
    }
  }

  private static func moved(_ uids: [String]) -> JSONValue {
    ["moved": .integer(Int64(uids.count)), "uids": .array(uids.map(JSONValue.string))]
  }

  /// Moves messages; those that are in the target already count as moved.
  /// - Returns: Their names in the target, in the order given.
  private func move(
    _ uids: [String], from source: MaildirFolder, to target: MaildirFolder, at milliseconds: Int64
  ) throws -> [String] {
    let occupied = Dictionary(try target.messages().map { ($0.uid, $0) }) { first, _ in first }
    let files = try source.locate(all: uids) { occupied[$0] != nil }
    let here = Dictionary(files.map { ($0.uid, $0) }) { first, _ in first }
    var names: [String] = []
    var seen: Set<String> = []
    for uid in uids where seen.insert(uid).inserted {
      guard let file = here[uid] else {
        names.append(uid)
        continue
      }
      guard let name = try source.move(file, to: target, occupied: occupied, at: milliseconds) else {
        throw source.notFound([uid])
      }
      names.append(name)
    }
    // First where the messages are now, so that no crash can lose one.
    try MaildirFolder(name: target.name, directory: target.directory).synchronize()
    try source.synchronize()
    return names
  }

  private func copy(_ input: TransferInput, _ context: ActionContext) throws -> JSONValue {
    let name = try FolderName(input.folder)
    return try withMaildir { maildir in
      let source = try maildir.folder(name)
      let target = try target(input, in: maildir)
      let files = try source.locate(all: input.uids)
      let present = try target.messages()
      var names: [String] = []
      for file in files {
        let mark = Self.copyMark(file.uid, context)
        if let copy = present.first(where: { UniqueName.carries(mark, $0.uid) }) {
          names.append(copy.uid)
          continue
        }
        guard let copy = try source.copy(file, to: target, mark: mark, at: context.milliseconds) else {
          throw source.notFound([file.uid])
        }
        names.append(copy)
      }
      try MaildirFolder(name: target.name, directory: target.directory).synchronize()
      return Self.copied(names)
    }
  }

  private static func copied(_ uids: [String]) -> JSONValue {
    ["copied": .integer(Int64(uids.count)), "uids": .array(uids.map(JSONValue.string))]
  }

  private static func copyMark(_ uid: String, _ context: ActionContext) -> String {
    UniqueName.mark(key: "\(context.key)\n\(uid)")
  }

  /// Done where every copy is there; a part of them may be repeated, since copies that exist are not made again.
  private func verifyCopy(_ input: TransferInput, _ context: ActionContext) throws -> Verification<JSONValue> {
    let name = try FolderName(input.to)
    return try withMaildir { maildir in
      guard let present = try maildir.existingFolder(name)?.messages() else { return .notDone }
      var names: [String] = []
      var seen: Set<String> = []
      for uid in input.uids where seen.insert(uid).inserted {
        let mark = Self.copyMark(uid, context)
        guard let copy = present.first(where: { UniqueName.carries(mark, $0.uid) }) else { return .notDone }
        names.append(copy.uid)
      }
      return .done(Self.copied(names))
    }
  }

  // MARK: Deleting

  /// Moves to the trash folder, which is made where there is none; from there, or where asked to, removes for good.
  private func delete(_ input: DeleteInput, _ context: ActionContext) throws -> JSONValue {
    let name = try FolderName(input.folder)
    return try withMaildir { maildir in
      let folder = try maildir.folder(name)
      if !(input.permanently ?? false), SpecialUse(name) != .trash {
        let trash = try maildir.folder(for: .trash) ?? maildir.makeFolder(try FolderName("Trash"))
        let moved = try move(input.uids, from: folder, to: trash, at: context.milliseconds)
        return ["deleted": .integer(Int64(moved.count))]
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
