import MailWire
import PluginKit

/// The name of a folder as users see it, `Archive/2026`, and as it is on disk, `.Archive.2026` (Maildir++).
struct FolderName: Sendable, Hashable, Comparable {
  /// The folder that every Maildir has: the Maildir itself.
  static let inbox = FolderName(display: "INBOX", directories: [])

  /// As users see it; levels are separated by `/`.
  let display: String
  /// The names of the directory that may hold it, the usual one first; empty for the inbox.
  let directories: [String]

  /// Whether this is the Maildir itself.
  var isInbox: Bool { directories.isEmpty }

  private init(display: String, directories: [String]) {
    self.display = display
    self.directories = directories
  }

  /// The longest name of a directory, in bytes.
  private static let longestDirectoryName = 255

  /// Takes a name from a user.
  /// - Throws: `invalid_input` for names that cannot be a folder here: an empty level, `.` or `..`, a full stop inside
  ///   a level (Maildir++ separates levels by it), control characters, or more than 255 bytes.
  init(_ name: String) throws(ActionError) {
    if name.lowercased() == "inbox" {
      self = .inbox
      return
    }
    let levels = name.split(separator: "/", omittingEmptySubsequences: false)
    for level in levels {
      guard !level.isEmpty, level != ".", level != "..",
        !level.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7f })
      else {
        throw ActionError(
          .invalidInput, "'\(DisplayedText.text(name))' is not the name of a folder.",
          german: "'\(DisplayedText.text(name))' ist kein Ordnername.",
          advice: "Write a folder as 'Archive' or 'Archive/2026': no empty level, no '.' or '..'.",
          adviceGerman: "Ordner schreibt man 'Archiv' oder 'Archiv/2026': ohne leere Ebene, ohne '.' und '..'.")
      }
      guard !level.contains(".") else {
        let suggestion = name.split(separator: ".").joined(separator: "/")
        throw ActionError(
          .invalidInput,
          "The folder name '\(DisplayedText.text(name))' holds a full stop, which separates levels on disk.",
          german:
            "Der Ordnername '\(DisplayedText.text(name))' enthält einen Punkt; der trennt auf der Platte die Ebenen.",
          advice: "Write '\(suggestion)' for a folder inside another one.",
          adviceGerman: "Einen Ordner in einem anderen schreibt man '\(suggestion)'.")
      }
    }
    display = name
    let encoded = "." + levels.map { ModifiedUTF7.encode(String($0)) }.joined(separator: ".")
    let plain = "." + levels.joined(separator: ".")
    guard encoded.utf8.count <= Self.longestDirectoryName else {
      throw ActionError(
        .invalidInput, "The folder name '\(DisplayedText.text(name))' is too long.",
        german: "Der Ordnername '\(DisplayedText.text(name))' ist zu lang.",
        advice: "Keep all levels together below 255 bytes.",
        adviceGerman: "Alle Ebenen zusammen dürfen höchstens 255 Byte lang sein.")
    }
    // Some servers write UTF-8 instead (Dovecot's `utf8` option).
    directories = encoded == plain ? [encoded] : [encoded, plain]
  }

  /// Reads the name of a directory inside the Maildir.
  /// - Returns: Nil if it is not a folder's: no leading full stop, or an empty level.
  init?(directory: String) {
    guard directory.hasPrefix("."), directory.utf8.count > 1 else { return nil }
    let levels = directory.dropFirst().split(separator: ".", omittingEmptySubsequences: false)
    guard levels.allSatisfy({ !$0.isEmpty && !$0.contains("/") }) else { return nil }
    let decoded = levels.map { level in
      // A level that decodes to a separator would name another folder; it stays as it is.
      ModifiedUTF7.decode(String(level)).flatMap { $0.contains { "/.".contains($0) } ? nil : $0 } ?? String(level)
    }
    display = decoded.joined(separator: "/")
    directories = [directory]
  }

  static func == (left: FolderName, right: FolderName) -> Bool { left.display == right.display }

  func hash(into hasher: inout Hasher) { hasher.combine(display) }

  /// The inbox first, the others by name.
  static func < (left: FolderName, right: FolderName) -> Bool {
    if left.isInbox != right.isInbox { return left.isInbox }
    let (first, second) = (left.display.lowercased(), right.display.lowercased())
    return first == second ? left.display < right.display : first < second
  }
}
