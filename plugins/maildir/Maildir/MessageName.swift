/// The name of a message file: `UNIQUE[,S=size][,W=size][:2,FLAGS]`.
///
/// Everything between the unique part and the flags is kept as it is; other programs write `S=` (size) and `W=` (size
/// with CRLF line ends) there.
struct MessageName: Sendable, Hashable {
  /// What identifies the message as long as it exists, whatever its flags.
  let unique: String
  /// Attributes with their commas: `,S=1234,W=1260`.
  let attributes: String
  /// The flags; empty for a file without any or with an experimental `:1,` suffix.
  var flags: MessageFlags

  /// Makes a name from its parts.
  init(unique: String, attributes: String = "", flags: MessageFlags = MessageFlags()) {
    self.unique = unique
    self.attributes = attributes
    self.flags = flags
  }

  /// Reads a file name.
  /// - Returns: Nil for names that are not messages: empty ones and those that begin with a full stop.
  init?(fileName: String) {
    let bytes = fileName.utf8
    guard bytes.first != UInt8(ascii: ".") else { return nil }
    let colon = bytes.firstIndex(of: UInt8(ascii: ":")) ?? bytes.endIndex
    let comma = bytes[..<colon].firstIndex(of: UInt8(ascii: ",")) ?? colon
    guard comma > bytes.startIndex else { return nil }
    unique = String(fileName[..<comma])
    attributes = String(fileName[comma..<colon])
    let info = bytes[colon...]
    flags =
      info.starts(with: ":2,".utf8)
      ? MessageFlags(letters: fileName[bytes.index(colon, offsetBy: 3)...]) : MessageFlags()
  }

  /// The name in `new`, where messages have no flags.
  var withoutFlags: String { unique + attributes }

  /// The name in `cur`.
  var withFlags: String { unique + attributes + ":2," + flags.text }

  /// The size in bytes that the name states, where it states one.
  var size: Int? {
    for attribute in attributes.split(separator: ",") where attribute.hasPrefix("S=") {
      return Int(attribute.dropFirst(2))
    }
    return nil
  }
}
