#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// An open folder.
///
/// Everything below it is named relative to it and never through a symbolic link (`O_NOFOLLOW`), so that nothing
/// outside is ever touched, whatever another program puts into the folder meanwhile.
final class Directory: Sendable {
  /// What an entry of a folder is.
  enum Kind: Sendable, Equatable {
    case file, directory, other
    /// An entry whose name is not UTF-8: ``Entry/name`` shows its bytes as `\\xE9`, and no file can be opened by it.
    case unnamed
  }

  /// A name in a folder.
  struct Entry: Sendable, Hashable {
    let name: String
    let kind: Kind
  }

  let descriptor: Int32
  /// For messages only.
  let path: String

  private init(descriptor: Int32, path: String) {
    self.descriptor = descriptor
    self.path = path
  }

  deinit { close(descriptor) }

  /// Opens a folder by its path, which may lead through symbolic links: it is the user's own word.
  convenience init(path: String) throws(FileError) {
    guard !path.utf8.contains(0) else { throw FileError(code: EINVAL, "open", path) }
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileError("open", path) }
    self.init(descriptor: descriptor, path: path)
  }

  /// Makes a folder and those above it if they are missing (mode 0700).
  static func make(path: String) throws(FileError) {
    guard !path.utf8.contains(0) else { throw FileError(code: EINVAL, "create", path) }
    var end = path.startIndex
    while end < path.endIndex {
      let rest = path[path.index(after: end)...]
      end = rest.firstIndex(of: "/") ?? path.endIndex
      let part = String(path[..<end])
      if mkdir(part, 0o700) != 0 {
        let error = FileError("create", part)
        if !error.isOccupied { throw error }
      }
    }
  }

  /// Opens a folder inside this one.
  /// - Returns: The folder, or nil if there is none of that name.
  /// - Throws: ``FileError``; a symbolic link is an error.
  func directory(_ name: String) throws(FileError) -> Directory? {
    let descriptor = openat(self.descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    if descriptor >= 0 { return Directory(descriptor: descriptor, path: path(name)) }
    let error = FileError("open", path(name))
    guard error.isMissing else { throw error }
    // O_DIRECTORY hides a link behind ENOTDIR.
    if let found = try status(name), found.kind == .other { throw FileError(code: ELOOP, "open", path(name)) }
    return nil
  }

  /// Opens a folder inside this one and makes it if it is missing (mode 0700).
  func makeDirectory(_ name: String) throws(FileError) -> Directory {
    if let existing = try directory(name) { return existing }
    if mkdirat(descriptor, name, 0o700) != 0 {
      let error = FileError("create", path(name))
      if !error.isOccupied { throw error }
    } else {
      try synchronize()
    }
    guard let made = try directory(name) else { throw FileError(code: ENOTDIR, "open", path(name)) }
    return made
  }

  /// Removes an empty folder.
  func removeDirectory(_ name: String) throws(FileError) {
    if unlinkat(descriptor, name, AT_REMOVEDIR) == 0 { return }
    let error = FileError("remove", path(name))
    if !error.isMissing { throw error }
  }

  /// The entries, in no order.
  func entries() throws(FileError) -> [Entry] {
    // A descriptor of its own: the position of a listing belongs to the open file.
    let listing = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard listing >= 0 else { throw FileError("list", path) }
    guard let stream = fdopendir(listing) else {
      let error = FileError("list", path)
      close(listing)
      throw error
    }
    defer { closedir(stream) }
    var entries: [Entry] = []
    while true {
      errno = 0
      guard let entry = readdir(stream) else {
        if errno != 0 { throw FileError("list", path) }
        return entries
      }
      let bytes = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in bytes.prefix { $0 != 0 }.map(\.self) }
      guard let name = String(validating: bytes, as: UTF8.self) else {
        entries.append(Entry(name: Self.shown(bytes), kind: .unnamed))
        continue
      }
      guard name != ".", name != ".." else { continue }
      switch Int(entry.pointee.d_type) {
      case Int(DT_REG): entries.append(Entry(name: name, kind: .file))
      case Int(DT_DIR): entries.append(Entry(name: name, kind: .directory))
      case Int(DT_UNKNOWN): entries.append(Entry(name: name, kind: try status(name)?.kind ?? .other))
      default: entries.append(Entry(name: name, kind: .other))
      }
    }
  }

  private static func shown(_ name: [UInt8]) -> String {
    name.map { byte in
      guard byte < 0x20 || byte > 0x7e else { return String(UnicodeScalar(byte)) }
      return "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }.joined()
  }

  /// When a name in this folder was last added, removed or changed, in nanoseconds since 1970.
  var changed: Int {
    get throws(FileError) {
      var status = stat()
      guard fstat(descriptor, &status) == 0 else { throw FileError("examine", path) }
      return Int(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int(status.st_mtim.tv_nsec)
    }
  }

  /// Whether a change from now on would show as another ``changed``, whose clock moves on a hundred times a second or
  /// more often.
  static func isSettled(_ changed: Int) -> Bool {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME_COARSE, &now)
    return Int(now.tv_sec) &* 1_000_000_000 &+ Int(now.tv_nsec) &- changed > 20_000_000
  }

  /// Writes what was changed in this folder to the disk.
  func synchronize() throws(FileError) {
    guard fsync(descriptor) == 0 else {
      let error = FileError("synchronise", path)
      // Some network file systems do not offer it for folders.
      if error.code == EINVAL || error.code == ENOTSUP { return }
      throw error
    }
  }

  func path(_ name: String) -> String { path.hasSuffix("/") ? path + name : path + "/" + name }
}
