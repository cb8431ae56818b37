import MailWire
import PluginKit

extension MaildirPlugin {
  /// `mail.move`, `mail.copy`, `mail.archive` and `mail.spam`.
  @ActionListBuilder<MaildirPlugin> static var moving: ActionList<MaildirPlugin> {
    Action(
      "mail.move", effect: .idempotent, summary: "Moves messages to another folder",
      summaryGerman: "Verschiebt Nachrichten in einen Ordner", input: StoreInput.Transfer.self,
      output: JSONValue.self, blocking: true
    ) { plugin, input, context in
      try plugin.move(input, context)
    }
    Action(
      "mail.copy", effect: .once, summary: "Copies messages to another folder",
      summaryGerman: "Kopiert Nachrichten in einen Ordner", input: StoreInput.Transfer.self,
      output: JSONValue.self, blocking: true
    ) { plugin, input, context in
      try await plugin.copy(input, context)
    }
    .verifying { plugin, input, context in
      try await plugin.verifyCopy(input, context)
    }
    Action(
      "mail.archive", effect: .idempotent, summary: "Moves messages to the archive folder",
      summaryGerman: "Verschiebt Nachrichten ins Archiv",
      input: StoreInput.Filing.self,
      output: JSONValue.self, blocking: true
    ) { plugin, input, context in
      try plugin.file(input, as: .archive, "Archive", context)
    }
    Action(
      "mail.spam", effect: .idempotent, summary: "Moves messages to the folder for unwanted mail",
      summaryGerman: "Verschiebt Nachrichten in den Spam-Ordner",
      input: StoreInput.Filing.self, output: JSONValue.self, blocking: true
    ) { plugin, input, context in
      try plugin.file(input, as: .junk, "Spam", context)
    }
  }

  // MARK: Moving

  private func target(_ input: StoreInput.Transfer, in maildir: Maildir) throws -> MaildirFolder {
    let name = try FolderName(input.to)
    return try input.create ?? true ? maildir.makeFolder(name) : maildir.folder(name)
  }

  private func move(_ input: StoreInput.Transfer, _ context: ActionContext) throws -> JSONValue {
    let name = try FolderName(input.folder)
    return try withMaildir { maildir in
      let source = try maildir.folder(name)
      return try move(input.uids, from: source, to: try target(input, in: maildir), at: context.milliseconds)
        .placed(as: "moved")
    }
  }

  /// Moves messages to the folder for a use, which is made if there is none.
  private func file(
    _ input: StoreInput.Filing, as use: SpecialUse, _ usual: String, _ context: ActionContext
  ) throws -> JSONValue {
    let name = try FolderName(input.folder)
    return try withMaildir { maildir in
      let source = try maildir.folder(name)
      let target = try maildir.makeFolder(FolderName(try maildir.specialFolders(folderSettings)[use] ?? usual))
      return try move(input.uids, from: source, to: target, at: context.milliseconds)
        .placed(as: "moved", in: target.name.display)
    }
  }

  /// Moves messages; those that are in the target already count as moved.
  func move(
    _ uids: [String], from source: MaildirFolder, to target: MaildirFolder, at milliseconds: Int64
  ) throws -> ChangeReport {
    if source.name == target.name {
      let (files, missing) = try source.locate(all: uids)
      return ChangeReport(count: files.count, uids: files.map(\.uid), missing: missing)
    }
    let occupied = Dictionary(try target.messages().map { ($0.uid, $0) }) { first, _ in first }
    let (files, absent) = try source.locate(all: uids)
    var missing = Set(absent.filter { occupied[$0] == nil })
    let keywords = try KeywordTranslation(files, from: source, to: target)
    let here = Dictionary(files.map { ($0.uid, $0) }) { first, _ in first }
    var names: [String] = []
    var seen: Set<String> = []
    for uid in uids where !missing.contains(uid) && seen.insert(uid).inserted {
      guard let file = here[uid] else {
        names.append(uid)
        continue
      }
      if let name = try source.move(file, to: target, occupied: occupied, keywords: keywords, at: milliseconds) {
        names.append(name)
      } else {
        missing.insert(uid)
      }
    }
    // First where the messages are now, so that no crash can lose one.
    try MaildirFolder(name: target.name, directory: target.directory).synchronize()
    try source.synchronize()
    return ChangeReport(count: names.count, uids: names, missing: uids.filter { missing.remove($0) != nil })
  }

  // MARK: Copying

  private func copy(_ input: StoreInput.Transfer, _ context: ActionContext) async throws -> JSONValue {
    let name = try FolderName(input.folder)
    let present = try withMaildir { maildir in try maildir.folder(name).locate(all: input.uids).files }
    return try await noted(context, present.map(\.uid)) {
      try withMaildir { maildir in
        let source = try maildir.folder(name)
        let target = try target(input, in: maildir)
        var (files, missing) = try source.locate(all: input.uids)
        let keywords = try KeywordTranslation(files, from: source, to: target)
        let present = try target.deliveries()
        var names: [String] = []
        for file in files {
          let mark = Self.copyMark(file.uid, context)
          if let copy = present[mark] {
            names.append(copy.uid)
          } else if let copy = try source.copy(
            file, to: target, keywords: keywords, mark: mark, at: context.milliseconds)
          {
            names.append(copy)
          } else {
            missing.append(file.uid)
          }
        }
        try MaildirFolder(name: target.name, directory: target.directory).synchronize()
        return ChangeReport(count: names.count, uids: names, missing: missing).placed(as: "copied")
      }
    }
  }

  private static func copyMark(_ uid: String, _ context: ActionContext) -> String {
    UniqueName.mark(key: "\(context.key)\n\(uid)")
  }

  /// Done where every copy is there, in this folder or in one that somebody has moved it to.
  private func verifyCopy(
    _ input: StoreInput.Transfer, _ context: ActionContext
  ) async throws -> Verification<JSONValue> {
    let copies = try withMaildir { maildir in
      try maildir.folders().reduce(into: [:]) { $0.merge(try $1.deliveries()) { first, _ in first } }
    }
    guard let uids = try await begun(context) else { return try await absence(context) }
    let names = uids.compactMap { uid in copies[Self.copyMark(uid, context)]?.uid }
    guard names.count == uids.count else { return .unknown }
    let known = Set(uids)
    var missing: [String] = []
    for uid in input.uids where !known.contains(uid) && !missing.contains(uid) { missing.append(uid) }
    return .done(ChangeReport(count: names.count, uids: names, missing: missing).placed(as: "copied"))
  }
}
