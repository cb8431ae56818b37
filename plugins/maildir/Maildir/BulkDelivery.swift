import MailWire
import PluginKit

/// Delivers many messages to a folder at once.
///
/// All are written to `tmp` first. Then their file system is brought to the disk once for all of them, each gets its name in
/// one step, and the names are brought to the disk. So a name never represents a message that a crash could cut short, and when
/// ``publish()`` returns all of them last.
struct BulkDelivery {
  private struct Written {
    var name: MessageName
    var box: MessageFile.Box
    var fileName: String { box == .new ? name.withoutFlags : name.withFlags }
  }

  private let folder: MaildirFolder
  private let temporary: Directory
  private let milliseconds: Int64
  private var written: [Written] = []
  private var letters: [String: Character?] = [:]

  /// - Parameter milliseconds: The time, since 1970.
  init(to folder: MaildirFolder, at milliseconds: Int64) throws {
    temporary = try folder.directory.makeDirectory("tmp")
    temporary.lockForWriting()
    self.folder = try folder.withBoxes()
    self.milliseconds = milliseconds
  }

  /// Writes a message to `tmp`.
  ///
  /// - Parameters:
  ///   - message: Its bytes.
  ///   - flags: Flags and labels; labels for which the folder has no letter left are left out.
  ///   - received: When it was received, in seconds since 1970; now where absent.
  mutating func add(_ message: ArraySlice<UInt8>, flags: [String], received: Int?) throws {
    let bytes = LineEnds.unix(message)
    let wireSize = bytes.count == message.count ? bytes.count + bytes.bareLineFeeds : message.count
    let marks = MessageFlags(letters: try flags.compactMap { try letter(of: $0) })
    let name = MessageName(
      unique: UniqueName.make(at: milliseconds), attributes: ",S=\(bytes.count),W=\(wireSize)", flags: marks)
    try temporary.create(name.withoutFlags, bytes, isSynchronized: false)
    written.append(Written(name: name, box: marks.letters.isEmpty ? .new : .cur))
    if let received { try temporary.setModified(name.withoutFlags, received) }
  }

  private mutating func letter(of flag: String) throws -> Character? {
    if let known = letters[flag] { return known }
    var letter: Character?
    do {
      letter = try folder.flagLetters([flag], isMade: true).first
    } catch let error as ActionError where error.kind == .unsupported {
      letter = nil
    }
    letters[flag] = .some(letter)
    return letter
  }

  /// Gives the messages their names.
  ///
  /// - Returns: The uids, in the order in which they were added. All are on disk.
  mutating func publish() throws -> [String] {
    let uids = written.map(\.name.unique)
    guard !written.isEmpty else { return [] }
    try temporary.synchronizeFileSystem(files: written.map(\.name.withoutFlags))
    while let next = written.last {
      try temporary.publish(next.name.withoutFlags, to: folder.writableDirectory(of: next.box), next.fileName)
      written.removeLast()
    }
    try folder.synchronize()
    return uids
  }

  /// Removes what has no name yet.
  mutating func discard() {
    for file in written { _ = try? temporary.remove(file.name.withoutFlags) }
    written = []
  }
}
