import PluginKit

extension MaildirFolder {
  /// Adds and removes flags; a message whose flags are right already stays if it is.
  /// - Returns: Whether something changed; nil where the message is gone.
  func setFlags(_ file: MessageFile, adding: [Character], removing: [Character]) throws -> Bool? {
    try following(file) { directory, file in
      var name = file.name
      name.flags = name.flags.changed(adding: adding, removing: removing)
      if name.flags == file.flags {
        return try directory.status(file.fileName) == nil ? nil : false
      }
      let target = try writableDirectory(of: .cur)
      return try directory.rename(file.fileName, to: target, name.withFlags) ? true : nil
    }
  }

  /// Moves a message to another folder, keeping its flags and, where possible, its name.
  ///
  /// - Parameters:
  ///   - file: The message.
  ///   - target: The other folder.
  ///   - occupied: The messages of the target, by unique part.
  ///   - keywords: The letters of keywords in the target.
  ///   - milliseconds: The time, since 1970.
  /// - Returns: Its name in the target; nil if it is gone.
  func move(
    _ file: MessageFile, to target: MaildirFolder, occupied: [String: MessageFile], keywords: KeywordTranslation,
    at milliseconds: Int64
  ) throws -> String? {
    try following(file) { directory, file in
      var name = file.name
      name.flags = keywords.flags(file.flags)
      if let other = occupied[file.uid] {
        // A second name of the same file: the first half of a move that was interrupted.
        if let here = try directory.status(file.fileName), try target.status(other)?.identity == here.identity {
          return try directory.remove(file.fileName) ? file.uid : nil
        }
        name = MessageName(
          unique: UniqueName.make(at: milliseconds), attributes: name.attributes, flags: name.flags)
      }
      let box = try target.writableDirectory(of: file.box)
      let fileName = file.box == .new && name.flags.letters.isEmpty ? name.withoutFlags : name.withFlags
      return try directory.rename(file.fileName, to: box, fileName) ? name.unique : nil
    }
  }

  /// Copies a message to another folder under a new name, with its flags.
  ///
  /// - Parameters:
  ///   - file: The message.
  ///   - target: The other folder.
  ///   - keywords: The letters of keywords in the target.
  ///   - mark: Marks the copy for a repetition; see ``UniqueName/mark(key:)``.
  ///   - milliseconds: The time, since 1970.
  /// - Returns: The copy's name; nil where the message is gone.
  func copy(
    _ file: MessageFile, to target: MaildirFolder, keywords: KeywordTranslation, mark: String, at milliseconds: Int64
  ) throws -> String? {
    try following(file) { directory, file in
      let flags = keywords.flags(file.flags)
      let name = MessageName(
        unique: UniqueName.make(at: milliseconds, mark: mark), attributes: file.name.attributes, flags: flags)
      let box = try target.writableDirectory(of: file.box)
      let fileName = file.box == .new && name.flags.letters.isEmpty ? name.withoutFlags : name.withFlags
      do throws(FileError) {
        // Message files never change, so that both folders can share one.
        try directory.link(file.fileName, to: box, fileName)
        return name.unique
      } catch {
        if error.isMissing { return nil }
        guard error.lacksLinks else { throw error }
        guard let (bytes, status) = try directory.read(file.fileName, .upTo(Int.max)) else { return nil }
        return try target.deliver(bytes, flags: flags, mark: mark, received: status.modified, at: milliseconds).uid
      }
    }
  }

  /// Removes a message for good.
  /// - Returns: False if it was gone already.
  func remove(_ file: MessageFile) throws -> Bool {
    try following(file) { directory, file in try directory.remove(file.fileName) ? true : nil } ?? false
  }

  /// Brings the names in this folder to the disk.
  func synchronize() throws {
    for box in MessageFile.Box.allCases { try directory(of: box)?.synchronize() }
  }
}
