import MailWire
import PluginKit

/// A Maildir with its subfolders (Maildir++): <https://cr.yp.to/proto/maildir.html>.
///
/// Holds no state of its own: every operation looks at the folder anew, since other programs use it at the same time.
struct Maildir: Sendable {
  /// The Maildir itself, which is also the inbox.
  let root: Directory

  /// Opens a Maildir.
  ///
  /// Missing `cur`, `new` and `tmp` are tolerated, as version control drops empty folders; a folder with something else
  /// in it is refused.
  ///
  /// - Parameters:
  ///   - path: The folder.
  ///   - isMade: Whether a folder that is missing is made; a folder that is empty gets `cur`, `new` and `tmp`.
  /// - Throws: `not_found` if there is no such folder, `invalid_input` if it is none of mail.
  init(path: String, made isMade: Bool = false) throws {
    if isMade { try Directory.make(path: path) }
    let root = try Self.open(path)
    self.root = root
    let entries = try root.entries()
    // Other programs deliver into it at once, and expect the three folders.
    if isMade, entries.isEmpty { _ = try MaildirFolder(name: .inbox, directory: root).withBoxes() }
    let boxes: Set<String> = ["cur", "new", "tmp"]
    let isMaildir =
      entries.isEmpty
      || entries.contains {
        $0.kind == .directory && (boxes.contains($0.name) || FolderName(directory: $0.name) != nil)
      }
    guard isMaildir else {
      throw ActionError(
        .invalidInput, "'\(path)' is not a Maildir: it has neither cur, new nor tmp.",
        german: "'\(path)' ist kein Maildir: cur, new und tmp fehlen.",
        advice: "Give the folder that contains cur and new as 'path'.",
        adviceGerman: "Gib als 'path' den Ordner an, in dem cur und new liegen.")
    }
  }

  private static func open(_ path: String) throws -> Directory {
    do {
      return try Directory(path: path)
    } catch {
      guard error.isMissing else { throw error }
      throw ActionError(
        .notFound, "There is no folder '\(path)'.", german: "Den Ordner '\(path)' gibt es nicht.",
        advice: "Check 'path' of this provider in sous.yaml; with 'create: true' beside it a new "
          + "Maildir is made.",
        adviceGerman: "Prüfe 'path' dieses Providers in sous.yaml; mit 'create: true' daneben wird ein neues "
          + "Maildir angelegt.")
    }
  }

  /// All folders, the inbox first, the others by name.
  func folders() throws -> [MaildirFolder] {
    var folders = [try MaildirFolder(name: .inbox, directory: root)]
    for entry in try root.entries() where entry.kind == .directory {
      guard let name = FolderName(directory: entry.name), let directory = try root.directory(entry.name) else {
        continue
      }
      let folder = try MaildirFolder(name: name, directory: directory)
      if try folder.isMaildir { folders.append(folder) }
    }
    return folders.sorted { $0.name < $1.name }
  }

  /// A folder, or nil if there is none of that name.
  func existingFolder(_ name: FolderName) throws -> MaildirFolder? {
    if name.isInbox { return try MaildirFolder(name: name, directory: root) }
    for directoryName in name.directories {
      if let directory = try root.directory(directoryName) {
        return try MaildirFolder(name: name, directory: directory)
      }
    }
    return nil
  }

  /// A folder.
  /// - Throws: `not_found` naming the folders there are.
  func folder(_ name: FolderName) throws -> MaildirFolder {
    if let folder = try existingFolder(name) { return folder }
    let names = try folders().map(\.name.display)
    let list = names.prefix(12).joined(separator: ", ") + (names.count > 12 ? ", …" : "")
    let shown = DisplayedText.text(name.display)
    throw ActionError(
      .notFound, "There is no folder '\(shown)'.", german: "Den Ordner '\(shown)' gibt es nicht.",
      advice: "The folders are: \(list)", adviceGerman: "Vorhanden sind: \(list)")
  }

  /// A folder, made if it is missing.
  func makeFolder(_ name: FolderName) throws -> MaildirFolder {
    if let folder = try existingFolder(name) { return folder }
    guard let directoryName = name.directories.first else { return try MaildirFolder(name: name, directory: root) }
    let directory = try root.makeDirectory(directoryName)
    do {
      // Tells other programs that this is a subfolder and no mailbox of its own (Maildir++).
      try directory.create("maildirfolder", [])
    } catch {
      // Occupied: another program was faster.
      guard error.isOccupied else { throw error }
    }
    return try MaildirFolder(name: name, directory: directory).withBoxes()
  }

  /// Which folder is for what.
  func specialFolders(_ settings: SpecialFolderSettings) throws -> SpecialFolders {
    SpecialFolders(try folders().map { FolderListing(name: $0.name.display) }, settings: settings)
  }
}
