import PluginKit

extension MaildirFolder {
  /// Files in `tmp` that nobody has touched for this long are left over from a crash (36 hours, in seconds), as the
  /// Maildir rules say.
  static let temporaryLifetime = 36 * 3600

  /// How often another name is tried where one is taken.
  private static let nameAttempts = 8

  /// Delivers a message: written to `tmp`, brought to the disk, then given its name in one step.
  ///
  /// - Parameters:
  ///   - bytes: The message, lines ending with LF.
  ///   - flags: With flags it goes to `cur`, without to `new`.
  ///   - mark: Marks the name for a repetition; see ``UniqueName/mark(key:)``.
  ///   - received: When it was received, in seconds since 1970; now where absent.
  ///   - milliseconds: The time, since 1970.
  /// - Returns: Where it is.
  func deliver(
    _ bytes: [UInt8], flags: MessageFlags = MessageFlags(), mark: String = "", received: Int? = nil,
    at milliseconds: Int64
  ) throws -> MessageFile {
    let box: MessageFile.Box = flags.letters.isEmpty ? .new : .cur
    let temporary = try directory.makeDirectory("tmp")
    temporary.lockForWriting()
    // Other programs expect all three.
    for other in MessageFile.Box.allCases { _ = try writableDirectory(of: other) }
    let target = try writableDirectory(of: box)
    let attributes = ",S=\(bytes.count),W=\(bytes.count + bytes.bareLineFeeds)"
    for attempt in 1... {
      let name = MessageName(
        unique: UniqueName.make(at: milliseconds, mark: mark), attributes: attributes, flags: flags)
      let fileName = box == .new ? name.withoutFlags : name.withFlags
      do {
        try temporary.store(bytes, name.withoutFlags, received, publishedIn: target, as: fileName)
        return MessageFile(box: box, fileName: fileName, name: name)
      } catch {
        guard error.isOccupied, attempt < Self.nameAttempts else { throw error }
      }
    }
    throw FileError(code: 0, "deliver", directory.path)
  }

  /// Removes what crashed programs have left in `tmp`.
  ///
  /// Files of this program go at once where no delivery holds `tmp`; of other programs nothing says whether they still run, so
  /// their files stay for ``temporaryLifetime``.
  /// - Parameter now: Seconds since 1970.
  /// - Returns: How many were removed.
  @discardableResult
  func removeAbandonedFiles(now: Int) throws -> Int {
    guard let temporary = try directory.directory("tmp") else { return 0 }
    let isUnused = temporary.lockAlone()
    var removed = 0
    for entry in try temporary.entries() where entry.kind == .file {
      guard let status = try temporary.status(entry.name), status.kind == .file else { continue }
      // Compared without a sum, so that no clock can make it overflow.
      let isOld = now > status.touched && now - status.touched > Self.temporaryLifetime
      if isOld || isUnused && UniqueName.isTemporary(entry.name), try temporary.remove(entry.name) { removed += 1 }
    }
    return removed
  }
}

extension Directory {
  /// Writes a file here and moves it to its place; nothing stays behind where that fails.
  fileprivate func store(
    _ bytes: [UInt8], _ name: String, _ received: Int?, publishedIn target: Directory, as newName: String
  ) throws(FileError) {
    try create(name, bytes)
    do {
      if let received { try setModified(name, received) }
      try publish(name, to: target, newName)
    } catch {
      _ = try? remove(name)
      throw error
    }
    try target.synchronize()
  }

  /// Moves a finished file to its place without ever replacing another.
  func publish(_ name: String, to target: Directory, _ newName: String) throws(FileError) {
    if try moveToFreeName(name, to: target, newName) { return }
    do {
      try link(name, to: target, newName)
    } catch {
      guard error.lacksLinks else { throw error }
      // No second names on this file system: look first, then rename.
      guard try target.status(newName) == nil else { throw FileError.occupied(target.path(newName)) }
      guard try rename(name, to: target, newName) else { throw FileError.missing(path(name)) }
      return
    }
    try remove(name)
  }
}

extension [UInt8] {
  /// How many line feeds have no carriage return before them.
  var bareLineFeeds: Int {
    var count = 0
    var previous: UInt8 = 0
    for byte in self {
      if byte == 0x0a, previous != 0x0d { count += 1 }
      previous = byte
    }
    return count
  }
}
