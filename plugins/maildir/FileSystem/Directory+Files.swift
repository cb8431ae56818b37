#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

extension Directory {
  /// What the file system knows about a file.
  struct Status: Sendable, Equatable {
    let kind: Kind
    /// Bytes.
    let size: Int
    /// Last change of the content, seconds since 1970.
    let modified: Int
    /// The latest of last change, last access and last change of name or dates, seconds since 1970. The last of these tells
    /// that a message which was given the date of its receipt is young.
    let touched: Int
    /// The same for two names of one file.
    let identity: UInt64

    init(_ status: stat) {
      kind =
        switch status.st_mode & S_IFMT {
        case S_IFREG: .file
        case S_IFDIR: .directory
        default: .other
        }
      size = Int(status.st_size)
      modified = Int(status.st_mtim.tv_sec)
      touched = max(modified, Int(status.st_atim.tv_sec), Int(status.st_ctim.tv_sec))
      identity = UInt64(status.st_ino)
    }
  }

  /// The status of an entry, not following links; nil if there is none.
  func status(_ name: String) throws(FileError) -> Status? {
    var status = stat()
    if fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 { return Status(status) }
    let error = FileError("examine", path(name))
    if error.isMissing { return nil }
    throw error
  }

  /// How to read a file.
  enum Extent: Sendable, Equatable {
    /// At most this many bytes.
    case upTo(Int)
    /// Up to the first empty line, at most this many bytes.
    case header(limit: Int)
  }

  /// Reads a regular file.
  /// - Returns: The bytes and the status, or nil if there is no such file.
  /// - Throws: ``FileError``; anything but a regular file is an error.
  func read(_ name: String, _ extent: Extent) throws(FileError) -> (bytes: [UInt8], status: Status)? {
    // O_NONBLOCK: a pipe in the place of a file must not stop the program.
    let file = openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else {
      let error = FileError("open", path(name))
      if error.isMissing { return nil }
      throw error
    }
    defer { close(file) }
    var found = stat()
    guard fstat(file, &found) == 0 else { throw FileError("examine", path(name)) }
    let status = Status(found)
    guard status.kind == .file else { throw FileError(code: EINVAL, "read", path(name)) }
    let bytes = try Self.read(file, status.size, extent, path(name))
    return (bytes, status)
  }

  private static func read(
    _ file: Int32, _ size: Int, _ extent: Extent, _ path: String
  ) throws(FileError) -> [UInt8] {
    let limit: Int
    var step: Int
    switch extent {
    case .upTo(let most):
      limit = most
      // The size of the file is untrusted: `size + 1` must not overflow.
      step = max(1, size < most ? size + 1 : most)
    case .header(let most):
      limit = most
      step = 4096
    }
    var bytes: [UInt8] = []
    while bytes.count < limit {
      let wanted = min(step, limit - bytes.count)
      var count = 0
      let before = bytes.count
      bytes.append(contentsOf: repeatElement(0, count: wanted))
      repeat {
        count = bytes.withUnsafeMutableBytes { buffer in
          Self.systemRead(file, buffer.baseAddress?.advanced(by: before), wanted)
        }
      } while count < 0 && errno == EINTR
      guard count >= 0 else { throw FileError("read", path) }
      bytes.removeLast(wanted - count)
      if count == 0 { break }
      if case .header = extent {
        if let end = headerEnd(in: bytes, from: max(0, before - 3)) {
          bytes.removeLast(bytes.count - end)
          break
        }
        step = min(step * 2, 65_536)
      }
    }
    return bytes
  }

  private static func systemRead(_ file: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    guard let buffer else { return 0 }
    #if canImport(Glibc)
      return Glibc.read(file, buffer, count)
    #else
      return Musl.read(file, buffer, count)
    #endif
  }

  /// The index after the first empty line.
  static func headerEnd(in bytes: [UInt8], from start: Int) -> Int? {
    var index = start
    while index < bytes.count {
      guard bytes[index] == 0x0a else {
        index += 1
        continue
      }
      let next = index + 1
      if next < bytes.count, bytes[next] == 0x0a { return next + 1 }
      if next + 1 < bytes.count, bytes[next] == 0x0d, bytes[next + 1] == 0x0a { return next + 2 }
      index = next
    }
    return nil
  }

  /// Makes a new file with the given content and writes it to the disk.
  /// - Parameter isSynchronized: Whether it is on the disk when this returns; else ``synchronizeFileSystem(files:)`` is to
  ///   follow.
  /// - Throws: ``FileError``, ``FileError/isOccupied`` where the name is taken. A file that could not be written whole
  ///   is removed again.
  func create(_ name: String, _ bytes: [UInt8], isSynchronized: Bool = true) throws(FileError) {
    let file = openat(descriptor, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw FileError("create", path(name)) }
    do throws(FileError) {
      try write(bytes, to: file, name)
      guard !isSynchronized || fsync(file) == 0 else { throw FileError("synchronise", path(name)) }
    } catch {
      close(file)
      unlinkat(descriptor, name, 0)
      throw error
    }
    // NFS reports a full disk here.
    guard close(file) == 0 || errno == EINTR else {
      let error = FileError("close", path(name))
      unlinkat(descriptor, name, 0)
      throw error
    }
  }

  /// `syncfs` of the C library, whose header shows it to C programs alone; `nil` if there is none.
  private static let syncfs: (@convention(c) (Int32) -> Int32)? = dlsym(nil, "syncfs").map {
    unsafeBitCast($0, to: (@convention(c) (Int32) -> Int32).self)
  }

  /// Writes the whole file system of this folder to the disk: for many new files faster than one after the other.
  ///
  /// - Parameter files: The files in this folder that matter; written one by one where the system cannot do it at once.
  func synchronizeFileSystem(files: [String]) throws(FileError) {
    if let synchronize = Self.syncfs {
      if synchronize(descriptor) == 0 { return }
      let error = FileError("synchronise", path)
      guard [ENOSYS, EINVAL, ENOTSUP].contains(error.code) else { throw error }
    }
    for name in files {
      let file = openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
      guard file >= 0 else { throw FileError("open", path(name)) }
      defer { close(file) }
      guard fsync(file) == 0 else { throw FileError("synchronise", path(name)) }
    }
  }

  /// Replaces the content of a file that is there, and writes it to the disk.
  func write(_ bytes: [UInt8], over name: String) throws(FileError) {
    let file = openat(descriptor, name, O_WRONLY | O_TRUNC | O_NOFOLLOW | O_CLOEXEC)
    guard file >= 0 else { throw FileError("open", path(name)) }
    defer { close(file) }
    try write(bytes, to: file, name)
    guard fsync(file) == 0 else { throw FileError("synchronise", path(name)) }
  }

  /// Sets when a file was last changed, in seconds since 1970.
  func setModified(_ name: String, _ seconds: Int) throws(FileError) {
    let times = [timespec(tv_sec: seconds, tv_nsec: 0), timespec(tv_sec: seconds, tv_nsec: 0)]
    // A worker process may change times only through an open file.
    let file = openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { throw FileError("date", path(name)) }
    defer { close(file) }
    guard futimens(file, times) == 0 else { throw FileError("date", path(name)) }
  }

  /// Says that files of this folder are being written, until the folder is closed. Waits for ``lockAlone()`` of another process.
  func lockForWriting() { while flock(descriptor, LOCK_SH) != 0, errno == EINTR {} }

  /// Keeps others from ``lockForWriting()`` until the folder is closed.
  /// - Returns: False where files are being written, or where the file system has no locks.
  func lockAlone() -> Bool { flock(descriptor, LOCK_EX | LOCK_NB) == 0 }

  /// Opens a regular file, to be read in pieces.
  /// - Returns: The open file, or nil if there is none of that name.
  func openFile(_ name: String) throws(FileError) -> OpenFile? {
    let file = openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else {
      let error = FileError("open", path(name))
      if error.isMissing { return nil }
      throw error
    }
    let opened = OpenFile(file, path(name))
    guard try opened.status.kind == .file else { throw FileError(code: EINVAL, "read", path(name)) }
    return opened
  }

  private func write(_ bytes: [UInt8], to file: Int32, _ name: String) throws(FileError) {
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes { buffer -> Int in
        guard let base = buffer.baseAddress else { return 0 }
        #if canImport(Glibc)
          return Glibc.write(file, base.advanced(by: written), buffer.count - written)
        #else
          return Musl.write(file, base.advanced(by: written), buffer.count - written)
        #endif
      }
      if count < 0 {
        if errno == EINTR { continue }
        throw FileError("write", path(name))
      }
      written += count
    }
  }

  /// Gives a file another name, in this or another folder, in one step.
  /// - Returns: False where the file was no longer there.
  func rename(_ name: String, to target: Directory, _ newName: String) throws(FileError) -> Bool {
    if renameat(descriptor, name, target.descriptor, newName) == 0 { return true }
    let error = FileError("rename", path(name))
    // The target folder is open, so that only the file itself can be missing.
    if error.code == ENOENT { return false }
    throw error
  }

  /// `renameat2` of the C library, whose header shows it to C programs alone; `nil` if there is none.
  private static let renameat2:
    (@convention(c) (Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32) -> Int32)? = dlsym(
      nil, "renameat2"
    ).map {
      unsafeBitCast(
        $0,
        to: (@convention(c) (Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32) -> Int32).self)
    }

  /// Gives a file another name in one step, unless that name is taken.
  ///
  /// - Returns: False where the system or the file system cannot do that.
  /// - Throws: ``FileError/isOccupied`` where the name is taken.
  func moveToFreeName(_ name: String, to target: Directory, _ newName: String) throws(FileError) -> Bool {
    // RENAME_NOREPLACE of linux/fs.h.
    guard let rename = Self.renameat2 else { return false }
    if rename(descriptor, name, target.descriptor, newName, 1) == 0 { return true }
    let code = errno
    // What a sandbox or a file system refuses may be possible in two steps.
    if [ENOSYS, EINVAL, ENOTSUP, EPERM, EXDEV].contains(code) { return false }
    throw FileError(code: code, "rename", code == EEXIST ? target.path(newName) : path(name))
  }

  /// Gives a file a second name in another folder; never replaces one.
  func link(_ name: String, to target: Directory, _ newName: String) throws(FileError) {
    guard linkat(descriptor, name, target.descriptor, newName, 0) == 0 else {
      throw FileError("link", target.path(newName))
    }
  }

  /// Removes a file.
  /// - Returns: False if it was no longer there.
  @discardableResult
  func remove(_ name: String) throws(FileError) -> Bool {
    if unlinkat(descriptor, name, 0) == 0 { return true }
    let error = FileError("remove", path(name))
    if error.isMissing { return false }
    throw error
  }
}
