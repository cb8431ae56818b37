import MailWire
import PluginKit

/// The folders of an account, as the server writes their names and as users see them.
///
/// Users see levels set apart by `/`, whatever the server's delimiter is, and no prefix of a namespace: `Archive/2026` for
/// `INBOX.Archive.2026`.
struct FolderTable: Sendable {
  /// A folder.
  struct Folder: Sendable {
    /// As users see it.
    var name: String
    /// As the server writes it.
    var wire: [UInt8]
    var attributes: [String]

    var isSelectable: Bool {
      !attributes.contains { ["\\noselect", "\\nonexistent"].contains($0.lowercased()) }
    }
  }

  let folders: [Folder]
  /// The unreadable lines of LIST.
  let unreadable: [String]
  let special: SpecialFolders
  private let naming: FolderNaming
  private let byName: [String: Int]

  init(
    _ listed: [ListedMailbox], unreadable: [String] = [], naming: FolderNaming, settings: SpecialFolderSettings
  ) {
    self.naming = naming
    self.unreadable = unreadable
    folders = listed.map { entry in
      Folder(
        name: naming.name(of: entry.name, delimiter: entry.delimiter), wire: entry.name, attributes: entry.attributes)
    }
    byName = Dictionary(folders.enumerated().map { ($1.name, $0) }) { first, _ in first }
    special = SpecialFolders(
      folders.map { FolderListing(name: $0.name, attributes: $0.attributes) }, settings: settings)
  }

  /// The folder with a name as users or the server write it.
  func folder(_ name: String) -> Folder? {
    let name = name.uppercased() == "INBOX" ? "INBOX" : name
    if let index = byName[name] { return folders[index] }
    let wire = naming.wire(of: name)
    let verbatim = naming.encoded(name)
    return folders.first { $0.wire == wire || $0.wire == verbatim }
  }

  /// The server's name of a folder.
  ///
  /// - Throws: `invalid_input` for invalid names.
  func wire(of name: String) throws(ActionError) -> [UInt8] {
    if let known = folder(name) { return known.wire }
    try FolderNaming.check(name)
    return naming.wire(of: name)
  }
}

/// How names of folders are written on a server.
struct FolderNaming: Sendable, Equatable {
  /// The prefix of the user's own folders (RFC 2342), as text.
  var prefix = ""
  /// The separator of levels; `nil` if there are none.
  var delimiter: UInt8?
  /// Whether names are UTF-8 (RFC 6855, RFC 9051) rather than modified UTF-7.
  var isUTF8 = false

  /// - Throws: `invalid_input` for names that no folder can have, and for names that begin with `/` or have a level `.` or `..`: on a
  ///   server that stores mail in files they could lead out of the mailbox.
  static func check(_ name: String) throws(ActionError) {
    guard !name.isEmpty, name.utf8.count <= 1000,
      !name.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F })
    else {
      throw ActionError(
        .invalidInput, "The name of a folder is empty, too long, or holds a control character.",
        german: "Der Name eines Ordners ist leer, zu lang oder enthält ein Steuerzeichen.")
    }
    guard !name.hasPrefix("/"), !name.split(separator: "/").contains(where: { $0 == "." || $0 == ".." }) else {
      throw ActionError(
        .invalidInput, "'\(DisplayedText.text(name))' is not the name of a folder.",
        german: "'\(DisplayedText.text(name))' ist kein Ordnername.",
        advice: "Write a folder as 'Archive' or 'Archive/2026': no '/' at the beginning, no level '.' or '..'.",
        adviceGerman: "Ordner schreibt man 'Archiv' oder 'Archiv/2026': ohne '/' am Anfang, ohne Ebene '.' oder '..'.")
    }
  }

  func encoded(_ name: String) -> [UInt8] { Array((isUTF8 ? name : ModifiedUTF7.encode(name)).utf8) }

  /// The name of a folder that users call so.
  func wire(of name: String) -> [UInt8] {
    if name.uppercased() == "INBOX" { return Array("INBOX".utf8) }
    var text = name
    if let delimiter, delimiter != UInt8(ascii: "/") {
      text = text.split(separator: "/", omittingEmptySubsequences: false)
        .joined(separator: String(UnicodeScalar(delimiter)))
    }
    if !prefix.isEmpty, !text.hasPrefix(prefix) { text = prefix + text }
    return encoded(text)
  }

  /// The name that users see.
  func name(of wire: [UInt8], delimiter: UInt8?) -> String {
    let text = String(decoding: wire, as: UTF8.self)
    var name = isUTF8 ? text : ModifiedUTF7.decode(text) ?? text
    if name.uppercased() == "INBOX" { return "INBOX" }
    if !prefix.isEmpty, name.hasPrefix(prefix), name.utf8.count > prefix.utf8.count {
      name = String(name.dropFirst(prefix.count))
    }
    guard let delimiter, delimiter != UInt8(ascii: "/"), !name.contains("/") else { return name }
    return name.split(separator: Character(UnicodeScalar(delimiter)), omittingEmptySubsequences: false)
      .joined(separator: "/")
  }
}
