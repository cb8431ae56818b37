import MailWire
import PluginKit

extension IMAPPlugin {
  /// `mail.folder`.
  @ActionListBuilder<IMAPPlugin> static var organising: ActionList<IMAPPlugin> {
    Action(
      "mail.folder", effect: .idempotent, summary: "Creates, renames, deletes or subscribes a folder",
      summaryGerman: "Legt einen Ordner an, benennt ihn um, löscht oder abonniert ihn", input: StoreInput.Folder.self,
      output: JSONValue.self
    ) { plugin, input, _ in
      ["changed": .bool(try await plugin.organise(input))]
    }
  }

  /// Whether anything had to be changed.
  private func organise(_ input: StoreInput.Folder) async throws(ActionError) -> Bool {
    try FolderNaming.check(input.folder)
    let account = account
    return try await account.withSession { session throws(ActionError) in
      account.forgetFolders()
      let table = try await account.folders(session)
      defer { account.forgetFolders() }
      let wire = try table.wire(of: input.folder)
      let isThere = table.folder(input.folder) != nil
      switch input.operation {
      case .create:
        guard !isThere else { return false }
        let isNew = try await session.create(wire)
        if isNew { _ = try await session.subscribe(wire, true) }
        return isNew
      case .rename: return try await Self.rename(input, wire, table, session)
      case .delete:
        try Self.refuseInbox(input.folder)
        guard isThere else { return false }
        try await Self.refuseFull(input.folder, wire, session)
        var command = Command("DELETE")
        command.mailbox(wire)
        try await session.require(command)
        _ = try await session.subscribe(wire, false)
        return true
      case .subscribe, .unsubscribe:
        let isWanted = input.operation == .subscribe
        guard isThere || !isWanted else { throw Self.noFolder(input.folder) }
        guard try await session.isSubscribed(wire) != isWanted else { return false }
        let status = try await session.subscribe(wire, isWanted)
        guard status.isOK else { throw await session.refusal(status, of: Command("SUBSCRIBE")) }
        return true
      }
    }
  }

  private static func rename(
    _ input: StoreInput.Folder, _ wire: [UInt8], _ table: FolderTable, _ session: Session
  ) async throws(ActionError) -> Bool {
    try refuseInbox(input.folder)
    guard let to = input.to else {
      throw ActionError(
        .invalidInput, "'to' is missing: the new name.", german: "'to' fehlt: der neue Name.")
    }
    let target = try table.wire(of: to)
    if target == wire { return false }
    guard table.folder(input.folder) != nil else {
      // An earlier attempt has done it.
      if table.folder(to) != nil { return false }
      throw noFolder(input.folder)
    }
    var command = Command("RENAME")
    command.mailbox(wire)
    command.mailbox(target)
    try await session.require(command)
    _ = try await session.subscribe(wire, false)
    _ = try await session.subscribe(target, true)
    return true
  }

  private static func refuseInbox(_ name: String) throws(ActionError) {
    guard name.uppercased() == "INBOX" else { return }
    throw ActionError(
      .invalidInput, "The inbox can be neither renamed nor deleted.",
      german: "Der Posteingang lässt sich weder umbenennen noch löschen.")
  }

  private static func refuseFull(
    _ name: String, _ wire: [UInt8], _ session: Session
  ) async throws(ActionError) {
    guard let count = try await session.status(of: wire)?.messages else {
      throw ActionError(
        .refused, "The server does not say whether the folder '\(name)' holds messages.",
        german: "Der Server sagt nicht, ob der Ordner '\(name)' Nachrichten enthält.",
        advice: "Try again later.", adviceGerman: "Später noch einmal versuchen.")
    }
    guard count > 0 else { return }
    throw ActionError(
      .invalidInput, "The folder '\(name)' holds \(count) messages.",
      german: "Der Ordner '\(name)' enthält \(count) Nachrichten.",
      advice: "Move or delete them first; nothing is lost that way.",
      adviceGerman: "Zuerst sind sie zu verschieben oder zu löschen; so geht nichts verloren.")
  }

  private static func noFolder(_ name: String) -> ActionError {
    ActionError(.notFound, "There is no folder '\(name)'.", german: "Den Ordner '\(name)' gibt es nicht.")
  }
}

extension Session {
  /// Puts a folder on the list of those that programs show, or takes it off.
  func subscribe(_ wire: [UInt8], _ isWanted: Bool) async throws(ActionError) -> StatusResponse {
    var command = Command(isWanted ? "SUBSCRIBE" : "UNSUBSCRIBE")
    command.mailbox(wire)
    return try await perform(command)
  }

  func isSubscribed(_ wire: [UInt8]) async throws(ActionError) -> Bool {
    var isFound = false
    try await require(Command("LSUB", #""" "*""#)) { data throws(ActionError) in
      if case .list(let entry) = data, entry.name == wire, !entry.has("\\Noselect") { isFound = true }
    }
    return isFound
  }
}
