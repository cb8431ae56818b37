import MailWire
import PluginKit

extension MaildirPlugin {
  /// The input of `mail.move` and `mail.copy`.
  struct TransferInput: Decodable, Sendable {
    var folder: String
    var uids: [String]
    var to: String
    var create: Bool?
  }

  /// The input of `mail.archive` and `mail.spam`.
  struct FilingInput: Decodable, Sendable {
    var folder: String
    var uids: [String]
  }

  /// `mail.move`, `mail.copy`, `mail.archive` and `mail.spam`.
  @ActionListBuilder<MaildirPlugin> static var moving: ActionList<MaildirPlugin> {
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
      "mail.archive", effect: .idempotent, summary: "Moves messages to the archive folder", input: FilingInput.self,
      output: JSONValue.self, blocking: true
    ) { plugin, input, context in
      try plugin.file(input, as: .archive, "Archive", context)
    }
    Action(
      "mail.spam", effect: .idempotent, summary: "Moves messages to the folder for unwanted mail",
      input: FilingInput.self, output: JSONValue.self, blocking: true
    ) { plugin, input, context in
      try plugin.file(input, as: .junk, "Spam", context)
    }
  }

  // MARK: Moving

  private func target(_ input: TransferInput, in maildir: Maildir) throws -> MaildirFolder {
    let name = try FolderName(input.to)
    return try input.create ?? true ? maildir.makeFolder(name) : maildir.folder(name)
  }

  private func move(_ input: TransferInput, _ context: ActionContext) throws -> JSONValue {
    let name = try FolderName(input.folder)
    return try withMaildir { maildir in
      let source = try maildir.folder(name)
      return Self.moved(
        try move(input.uids, from: source, to: try target(input, in: maildir), at: context.milliseconds))
    }
  }

  /// Moves messages to the folder for a use, which is made where there is none.
  private func file(
    _ input: FilingInput, as use: SpecialUse, _ usual: String, _ context: ActionContext
  ) throws -> JSONValue {
    let name = try FolderName(input.folder)
    return try withMaildir { maildir in
      let source = try maildir.folder(name)
      let target = try maildir.makeFolder(FolderName(try maildir.specialFolders(folderSettings)[use] ?? usual))
      var result = Self.moved(try move(input.uids, from: source, to: target, at: context.milliseconds)).object ?? [:]
      result["to"] = .string(target.name.display)
      return .object(result)
    }
  }

  private static func moved(_ uids: [String]) -> JSONValue {
    ["moved": .integer(Int64(uids.count)), "uids": .array(uids.map(JSONValue.string))]
  }

  /// Moves messages; those that are in the target already count as moved.
  /// - Returns: Their names in the target, in the order given.
  func move(
    _ uids: [String], from source: MaildirFolder, to target: MaildirFolder, at milliseconds: Int64
  ) throws -> [String] {
    if source.name == target.name { return try source.locate(all: uids).map(\.uid) }
    let occupied = Dictionary(try target.messages().map { ($0.uid, $0) }) { first, _ in first }
    let files = try source.locate(all: uids) { occupied[$0] != nil }
    let keywords = try KeywordTranslation(files, from: source, to: target)
    let here = Dictionary(files.map { ($0.uid, $0) }) { first, _ in first }
    var names: [String] = []
    var seen: Set<String> = []
    for uid in uids where seen.insert(uid).inserted {
      guard let file = here[uid] else {
        names.append(uid)
        continue
      }
      guard
        let name = try source.move(
          file, to: target, occupied: occupied, keywords: keywords, at: milliseconds)
      else { throw source.notFound([uid]) }
      names.append(name)
    }
    // First where the messages are now, so that no crash can lose one.
    try MaildirFolder(name: target.name, directory: target.directory).synchronize()
    try source.synchronize()
    return names
  }

  // MARK: Copying

  private func copy(_ input: TransferInput, _ context: ActionContext) throws -> JSONValue {
    let name = try FolderName(input.folder)
    return try withMaildir { maildir in
      let source = try maildir.folder(name)
      let target = try target(input, in: maildir)
      let files = try source.locate(all: input.uids)
      let keywords = try KeywordTranslation(files, from: source, to: target)
      let present = try target.messages()
      var names: [String] = []
      for file in files {
        let mark = Self.copyMark(file.uid, context)
        if let copy = present.first(where: { UniqueName.carries(mark, $0.uid) }) {
          names.append(copy.uid)
          continue
        }
        guard
          let copy = try source.copy(file, to: target, keywords: keywords, mark: mark, at: context.milliseconds)
        else { throw source.notFound([file.uid]) }
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
}
