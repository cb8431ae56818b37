import MailWire
import PluginKit

/// One folder of a Maildir.
struct MaildirFolder: Sendable {
  /// Its name.
  let name: FolderName
  /// Where it is.
  let directory: Directory
  private let new: Directory?
  private let cur: Directory?

  /// Opens a folder; missing `cur` and `new` count as empty.
  init(name: FolderName, directory: Directory) throws {
    self.name = name
    self.directory = directory
    new = try directory.directory("new")
    cur = try directory.directory("cur")
  }

  /// The same folder with `cur`, `new` and `tmp` made if they were missing.
  func withBoxes() throws -> MaildirFolder {
    for box in ["tmp", "new", "cur"] { _ = try directory.makeDirectory(box) }
    return try MaildirFolder(name: name, directory: directory)
  }

  /// Whether it looks like a folder of mail: it has one of the boxes or the mark of Maildir++.
  var isMaildir: Bool {
    get throws {
      if new != nil || cur != nil { return true }
      return try directory.status("maildirfolder") != nil || directory.status("tmp")?.kind == .directory
    }
  }

  /// The directory of a box, if there is one.
  func directory(of box: MessageFile.Box) -> Directory? {
    switch box {
    case .new: new
    case .cur: cur
    }
  }

  /// The directory of a box that is about to be written to.
  func writableDirectory(of box: MessageFile.Box) throws -> Directory {
    if let directory = directory(of: box) { return directory }
    return try directory.makeDirectory(box.rawValue)
  }

  // MARK: Finding

  /// All messages, each once, in the order of their unique parts.
  ///
  /// `new` is listed before `cur`: a message that a mail program notices in between is then seen twice rather than not
  /// at all, and its place in `cur` counts.
  func messages() throws -> [MessageFile] {
    var unnamed: Set<String> = []
    return try messages(&unnamed)
  }

  /// All messages, as ``messages()`` gives them.
  ///
  /// - Parameter unnamed: Gets the names of files that are not UTF-8, with their bytes as `\\xE9`: none is a message that can be
  ///   read.
  func messages(_ unnamed: inout Set<String>) throws -> [MessageFile] {
    var found: [String: (file: MessageFile, listing: Int)] = [:]
    for box in [MessageFile.Box.new, .cur] {
      guard let directory = directory(of: box) else { continue }
      for (listing, entries) in try Self.steadyListings(of: directory).enumerated() {
        for entry in entries where entry.kind == .unnamed && !entry.name.hasPrefix(".") { unnamed.insert(entry.name) }
        for file in entries.compactMap({ Self.message($0, in: box) }) {
          // The later listing's name counts; of two in one listing either would do, and it is always the same one.
          if let other = found[file.uid], other.listing == listing, other.file.box == box,
            other.file.fileName < file.fileName
          {
            continue
          }
          found[file.uid] = (file, listing)
        }
      }
    }
    return found.values.map(\.file).sorted { $0.uid < $1.uid }
  }

  private static func message(_ entry: Directory.Entry, in box: MessageFile.Box) -> MessageFile? {
    guard entry.kind == .file, let name = MessageName(fileName: entry.name) else { return nil }
    return MessageFile(box: box, fileName: entry.name, name: name)
  }

  /// How often a folder is listed that keeps changing under the listing.
  private static let listings = 3

  /// The entries of a folder, the earlier listing first; listed again where it changed meanwhile, since a file that is
  /// renamed during a listing may appear in it under neither name. What has gone in the end is noticed on opening.
  private static func steadyListings(of directory: Directory) throws -> [[Directory.Entry]] {
    var all: [[Directory.Entry]] = []
    while all.count < listings {
      let before = try directory.changed
      let isSettled = Directory.isSettled(before)
      all.append(try directory.entries())
      if isSettled, try directory.changed == before { break }
    }
    return all
  }

  /// Where a message is now, or nil if it is gone.
  func locate(_ uid: String) throws -> MessageFile? {
    try messages().first { $0.uid == uid }
  }

  /// The messages with the given names, in the given order, each once; and the names of which there is none.
  func locate(all uids: [String]) throws -> (files: [MessageFile], missing: [String]) {
    let known = Dictionary(try messages().map { ($0.uid, $0) }) { first, _ in first }
    var files: [MessageFile] = []
    var missing: [String] = []
    var seen: Set<String> = []
    for uid in uids where seen.insert(uid).inserted {
      if let file = known[uid] { files.append(file) } else { missing.append(uid) }
    }
    return (files, missing)
  }

  /// The error for messages that are not here.
  func notFound(_ uids: [String]) -> ActionError {
    let list = uids.prefix(3).map { DisplayedText.text($0) }.joined(separator: ", ") + (uids.count > 3 ? ", …" : "")
    return ActionError(
      .notFound, "There is no message \(list) in \(name.display).",
      german: "Die Nachricht \(list) gibt es in \(name.display) nicht.",
      advice: "It may have been moved or deleted meanwhile; search again for current uids.",
      adviceGerman: "Sie wurde inzwischen vielleicht verschoben oder gelöscht; eine neue Suche liefert gültige uids.")
  }

  // MARK: Reading

  /// How often a message is looked up again that another program keeps renaming.
  private static let lookups = 50

  /// Reads a message that may have been renamed since it was listed.
  /// - Returns: The bytes and where the message is now, or nil if it is gone.
  func read(
    _ file: MessageFile, _ extent: Directory.Extent
  ) throws -> (bytes: [UInt8], status: Directory.Status, file: MessageFile)? {
    try following(file) { directory, file in
      guard let (bytes, status) = try directory.read(file.fileName, extent) else { return nil }
      return (bytes, status, file)
    }
  }

  /// Opens a message to read it in pieces; nil if it is gone.
  func open(_ file: MessageFile) throws -> OpenFile? {
    try following(file) { directory, file in try directory.openFile(file.fileName) }
  }

  /// The size and time of a message; nil if it is gone.
  func status(_ file: MessageFile) throws -> Directory.Status? {
    try following(file) { directory, file in try directory.status(file.fileName) }
  }

  /// Does something with a message file, looking it up again by its unique part as often as it turns out renamed.
  /// - Parameter body: Returns nil where the file was not there under that name.
  func following<Result>(
    _ file: MessageFile, _ body: (Directory, MessageFile) throws -> Result?
  ) throws -> Result? {
    if let directory = directory(of: file.box), let result = try body(directory, file) { return result }
    // Either box may have been made after this folder was opened.
    let current = try MaildirFolder(name: name, directory: directory)
    var absences = 0
    for _ in 0..<Self.lookups {
      let files = try current.sightings(of: file.uid)
      absences = files.isEmpty ? absences + 1 : 0
      if absences == Self.listings { return nil }
      for file in files {
        if let directory = current.directory(of: file.box), let result = try body(directory, file) { return result }
      }
    }
    return nil
  }

  /// What one quick listing shows of a message, its place in `cur` first.
  private func sightings(of uid: String) throws -> [MessageFile] {
    var files: [MessageFile] = []
    for box in [MessageFile.Box.new, .cur] {
      guard let entries = try directory(of: box)?.entries() else { continue }
      files += entries.filter { $0.name.hasPrefix(uid) }.compactMap { Self.message($0, in: box) }
    }
    return files.filter { $0.uid == uid }.reversed()
  }
}
