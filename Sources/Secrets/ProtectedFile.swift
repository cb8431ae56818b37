import COpenSSL
import Glibc
import Localization
public import OperatingSystem

/// A file that only its owner may read: read and written so that it stays one.
public enum ProtectedFile {
  /// Who else may read a file.
  enum Access {
    /// Only the user: a file that others may read or change is refused.
    case ownerOnly
    /// The creator has restricted access, as systemd does by an access list, which file modes do not show.
    case given
  }

  /// Reads a file.
  ///
  /// The checked file is the one that is read, even if the path changes in between. Symbolic links are followed.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - limit: The most bytes it may have.
  ///   - access: The permitted readers.
  /// - Returns: The bytes; `nil` if there is no such file.
  static func read(_ path: String, limit: Int, access: Access = .ownerOnly) throws(SecretError) -> SecureBytes? {
    let file: Descriptor
    let facts: stat
    do {
      file = try Descriptor(opening: path, O_RDONLY | O_NOCTTY | O_NONBLOCK)
      facts = try file.status
    } catch {
      if error.code == ENOENT || error.code == ENOTDIR { return nil }
      throw unusable(path, error.code)
    }
    defer { withExtendedLifetime(file) {} }
    guard facts.st_mode & S_IFMT == S_IFREG else {
      throw refused(path, LocalizedText("it is not a regular file", de: "es ist keine gewöhnliche Datei"))
    }
    if access == .ownerOnly { try check(facts, path) }
    guard facts.st_size >= 0, facts.st_size <= limit else {
      throw refused(
        path, LocalizedText("it has more than \(limit) bytes", de: "es hat mehr als \(limit) Byte"))
    }
    // One more than there should be, so that a file that grows meanwhile is noticed.
    return try SecureBytes(capacity: Int(facts.st_size) + 1) { memory throws(SecretError) in
      let count = try fill(memory, from: file.number, path)
      guard count <= facts.st_size else {
        throw unusable(path, EBUSY)
      }
      return count
    }
  }

  /// Reads until there is no more or the memory is full.
  static func fill(
    _ memory: UnsafeMutableRawBufferPointer, from descriptor: Int32, _ path: String
  ) throws(SecretError) -> Int {
    do {
      return try Descriptor.fill(memory, from: descriptor)
    } catch {
      throw unusable(path, error.code)
    }
  }

  private static func check(_ facts: stat, _ path: String) throws(SecretError) {
    guard facts.st_uid == geteuid() || facts.st_uid == 0 else {
      throw refused(
        path,
        LocalizedText(
          "it belongs to another user (\(facts.st_uid)); it must be yours or root's",
          de: "es gehört einem anderen Benutzer (\(facts.st_uid)); es muss root oder dem eigenen Benutzer gehören"))
    }
    guard facts.st_mode & 0o077 == 0 else {
      let mode = String(facts.st_mode & 0o777, radix: 8)
      throw refused(
        path,
        LocalizedText(
          "others may read or change it (mode 0\(mode)); run: chmod 600 \(path)",
          de: "andere dürfen es lesen oder ändern (Modus 0\(mode)); führe aus: chmod 600 \(path)"))
    }
  }

  /// Replaces a file by another, atomically: a reader sees the old or the new one, also after a power cut.
  ///
  /// The file gets mode 0600. Missing folders are made, for the owner alone.
  static func replace(_ path: String, with bytes: UnsafeRawBufferPointer) throws(SecretError) {
    try makeFolder(of: path)
    let random = try Cryptography.randomBytes(8).reduce(into: "") { text, byte in
      text += String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
    }
    do {
      let file = try AtomicFile(path, temporary: path + temporaryMark + random, mode: 0o600)
      try file.write(bytes)
      try file.finish()
    } catch {
      throw unusable(path, error.code)
    }
  }

  /// The separator between a file's name and a random number in the name of its successor.
  static let temporaryMark = ".new-"

  /// Removes what a writer that was killed has left beside a file. Only while no other can be writing.
  static func removeLeftovers(of path: String) {
    let (folder, name) = split(path)
    guard let stream = opendir(folder) else { return }
    defer { closedir(stream) }
    while let entry = readdir(stream) {
      let entryName = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if entryName.hasPrefix(name + temporaryMark) { unlink(folder + "/" + entryName) }
    }
  }

  /// Makes the folder of a file and those above it if they are missing, for the owner alone.
  @discardableResult
  static func makeFolder(of path: String) throws(SecretError) -> String {
    let (folder, _) = split(path)
    if mkdir(folder, 0o700) == 0 || errno == EEXIST { return folder }
    guard errno == ENOENT, folder != "/", folder != "." else {
      throw unusable(folder, errno)
    }
    try makeFolder(of: folder)
    guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
      throw unusable(folder, errno)
    }
    return folder
  }

  private static func split(_ path: String) -> (folder: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return (".", path) }
    let folder = slash == path.startIndex ? "/" : String(path[..<slash])
    return (folder, String(path[path.index(after: slash)...]))
  }

  /// Locks a file, which is made for the owner alone if it does not exist. Blocks the calling thread.
  ///
  /// - Parameter patience: The seconds to wait for another holder.
  /// - Returns: The lock; `nil` if another process holds it for longer than that.
  /// - Throws: ``SecretError/Code/file`` if the file cannot be made.
  public static func lock(_ path: String, patience: Double) throws(SecretError) -> FileLock? {
    try makeFolder(of: path)
    do {
      return try FileLock(path: path, patience: patience)
    } catch {
      throw unusable(path, error.code)
    }
  }

  /// - Parameter code: A value of `errno`.
  static func unusable(_ path: String, _ code: Int32) -> SecretError {
    SecretError(
      .file,
      LocalizedText("\(path) cannot be used: ", de: "\(path) ist nicht benutzbar: ") + .systemError(code))
  }

  private static func refused(_ path: String, _ reason: LocalizedText) -> SecretError {
    SecretError(
      .fileRefused,
      LocalizedText(
        "\(path) is refused as a place for secrets: ", de: "\(path) ist als Ort für Geheimnisse nicht zugelassen: ")
        + reason)
  }
}
