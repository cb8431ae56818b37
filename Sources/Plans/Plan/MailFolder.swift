package import Localization

/// A folder of a mailbox.
public struct MailFolder: Sendable, Hashable {
  /// The provider of the mailbox.
  public var provider: String
  /// The folder's canonical name.
  public var name: String

  /// Creates a folder.
  public init(provider: String, name: String) {
    self.provider = provider
    self.name = Self.canonicalName(name)
  }

  /// Why no folder can have a name: it is empty, begins with `/`, or has a level `.` or `..` or a control character; `nil` if one can.
  package static func problem(_ name: String) -> LocalizedText? {
    let levels = name.split(separator: "/")
    let isPlain = !name.hasPrefix("/") && !levels.isEmpty && !levels.contains { $0 == "." || $0 == ".." }
    guard !isPlain || name.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) else { return nil }
    return LocalizedText(
      "'\(name)' is not the name of a mail folder; write 'Archive' or 'Archive/2026', without '/' at the beginning and without a level "
        + "'.' or '..'",
      de:
        "'\(name)' ist kein Name eines Mailordners; 'Archiv' oder 'Archiv/2026' schreiben, ohne '/' am Anfang und ohne Ebene "
        + "'.' oder '..'")
  }

  /// The one spelling of a folder's name: `INBOX` has any case (RFC 9051, section 5.1), all other names are exact.
  public static func canonicalName(_ name: String) -> String { name.uppercased() == "INBOX" ? "INBOX" : name }
}
