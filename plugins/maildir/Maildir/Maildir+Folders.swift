import MailWire
import PluginKit

extension Maildir {
  /// Renames a folder with the folders inside it.
  /// - Returns: False if there is no such folder and one of the new name: an earlier attempt did it.
  func rename(_ name: FolderName, to newName: FolderName) throws -> Bool {
    guard !name.isInbox, !newName.isInbox else { throw Self.inboxStays() }
    guard name != newName else {
      _ = try folder(name)
      return false
    }
    if newName.display.hasPrefix(name.display + "/") {
      throw ActionError(
        .invalidInput, "A folder cannot be moved into itself.",
        german: "Ein Ordner lässt sich nicht in sich selbst verschieben.")
    }
    let entries = try root.entries().filter { $0.kind == .directory }.map(\.name)
    let affected = entries.compactMap { entry -> (old: String, new: FolderName)? in
      guard let found = FolderName(directory: entry) else { return nil }
      if found == name { return (entry, newName) }
      guard found.display.hasPrefix(name.display + "/"),
        let target = try? FolderName(newName.display + found.display.dropFirst(name.display.count))
      else { return nil }
      return (entry, target)
    }
    // The folders inside first: as long as the outermost has its old name, a repetition finds them all.
    let ordered = affected.sorted { $0.new.display.count > $1.new.display.count }
    guard !ordered.isEmpty else {
      if try existingFolder(newName) != nil { return false }
      _ = try folder(name)
      return false
    }
    for (_, target) in ordered where try existingFolder(target) != nil { throw Self.taken(target) }
    for (old, target) in ordered {
      guard let directory = target.directories.first else { continue }
      _ = try root.rename(old, to: root, directory)
    }
    try root.synchronize()
    return true
  }

  /// Deletes a folder that holds no messages; folders inside it stay.
  /// - Returns: False if there is no such folder.
  func delete(_ name: FolderName) throws -> Bool {
    guard !name.isInbox else { throw Self.inboxStays() }
    guard let folder = try existingFolder(name) else { return false }
    try Self.checkEmpty(folder)
    // Under a name that no program takes for a folder, so that no message is delivered into what goes.
    for directory in name.directories {
      let doomed = "..DELETED" + directory
      guard try root.rename(directory, to: root, doomed), let contents = try root.directory(doomed) else { continue }
      do {
        // One may have come since they were counted.
        try Self.checkEmpty(try MaildirFolder(name: name, directory: contents))
        try root.removeTree(doomed)
      } catch {
        // A program that has the folder open may have delivered into it until the last moment.
        try restore(doomed, contents, as: directory)
        if let folder = try existingFolder(name) { try Self.checkEmpty(folder) }
        throw error
      }
    }
    try root.synchronize()
    return true
  }

  /// Gives a folder that holds a message after all its name back. Where another program has made one of that name
  /// meanwhile, the messages go there.
  private func restore(_ doomed: String, _ contents: Directory, as directory: String) throws {
    for part in ["cur", "new", "tmp"] { _ = try contents.makeDirectory(part) }
    do {
      _ = try root.rename(doomed, to: root, directory)
    } catch {
      guard error.isFull || error.isOccupied, let taken = try root.directory(directory) else { throw error }
      for part in ["cur", "new"] {
        guard let from = try contents.directory(part) else { continue }
        let to = try taken.makeDirectory(part)
        for entry in try from.entries() where entry.kind == .file {
          _ = try from.rename(entry.name, to: to, entry.name)
        }
        try to.synchronize()
      }
      try root.removeTree(doomed)
    }
    try root.synchronize()
  }

  private static func checkEmpty(_ folder: MaildirFolder) throws {
    let count = try folder.messages().count
    guard count == 0 else {
      let name = DisplayedText.text(folder.name.display)
      throw ActionError(
        .invalidInput, "The folder '\(name)' holds \(count) messages.",
        german: "Der Ordner '\(name)' enthält \(count) Nachrichten.",
        advice: "Move or delete them first; nothing is lost that way.",
        adviceGerman: "Zuerst sind sie zu verschieben oder zu löschen; so geht nichts verloren.")
    }
  }

  private static func inboxStays() -> ActionError {
    ActionError(
      .invalidInput, "The inbox can neither be renamed nor deleted.",
      german: "Der Posteingang lässt sich weder umbenennen noch löschen.")
  }

  private static func taken(_ name: FolderName) -> ActionError {
    ActionError(
      .invalidInput, "There is a folder '\(DisplayedText.text(name.display))' already.",
      german: "Den Ordner '\(DisplayedText.text(name.display))' gibt es schon.",
      advice: "Choose another name, or move the messages with mail.move.",
      adviceGerman: "Ein anderer Name ist nötig; mail.move verschiebt die Nachrichten.")
  }

  // MARK: Subscriptions

  private static let subscriptions = "subscriptions"

  /// Notes in Dovecot's file `subscriptions` whether mail programs show a folder.
  ///
  /// Version 2 of the file begins with `V`, a tab and `2`, and separates levels by tabs; version 1 separates them by full
  /// stops. A file that is there keeps its version.
  /// - Returns: Whether that changed something.
  func subscribe(_ name: FolderName, isWanted: Bool) throws -> Bool {
    _ = try folder(name)
    let bytes = try root.read(Self.subscriptions, .upTo(1 << 20))?.bytes ?? Array("V\t2\n\n".utf8)
    var lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
      .map(String.init)
    if lines.last == "" { lines.removeLast() }
    let isSecond = lines.first == "V\t2"
    let levels = name.display.split(separator: "/").map { ModifiedUTF7.encode(String($0)) }
    let line = levels.joined(separator: isSecond ? "\t" : ".")
    let header = isSecond ? 2 : 0
    let position = lines.indices.dropFirst(header).first { lines[$0] == line }
    guard (position != nil) != isWanted else { return false }
    if let position { lines.remove(at: position) } else { lines.append(line) }
    let temporary = Self.subscriptions + ".new"
    _ = try root.remove(temporary)
    try root.create(temporary, Array((lines.joined(separator: "\n") + "\n").utf8))
    _ = try root.rename(temporary, to: root, Self.subscriptions)
    try root.synchronize()
    return true
  }
}

extension Directory {
  /// Removes a folder of two levels, as those of mail are. A message that was delivered meanwhile stops it before anything
  /// else is removed.
  fileprivate func removeTree(_ name: String) throws(FileError) {
    guard let folder = try directory(name) else { return }
    // Once these are gone nothing can be delivered, and whoever tries is told so.
    for part in ["new", "cur"] { try folder.removeDirectory(part) }
    for entry in try folder.entries() where entry.kind != .unnamed {
      if entry.kind == .directory {
        if entry.name == "tmp", let inner = try folder.directory(entry.name) {
          for file in try inner.entries() where file.kind != .unnamed { try inner.remove(file.name) }
        }
        try folder.removeDirectory(entry.name)
      } else {
        try folder.remove(entry.name)
      }
    }
    try removeDirectory(name)
  }
}
