internal import CSystemCalls
public import Glibc

/// A file that appears under its name when it is complete. Whoever reads sees the old contents or the new, also after a
/// power cut.
///
/// The bytes are written to a second file beside it and brought to the disk; then that file gets the name, and the folder is
/// brought to the disk. The second file is removed if ``finish(replacing:)`` is not called or fails.
public final class AtomicFile {
  /// The path or name of the second file while the first is not complete.
  public let temporary: String
  private let path: String
  private let folder: Descriptor?
  private let descriptor: Descriptor
  private var isNamed = false

  /// Begins a file.
  ///
  /// - Parameters:
  ///   - path: The file; relative to `folder` if one is given. A link in its place is replaced, not followed.
  ///   - folder: The folder of the file, if `path` is only its name.
  ///   - temporary: The name of the second file, in the same folder; what is there under this name is removed.
  ///   - mode: The permissions of the file; `nil` for the usual ones.
  ///   - usualMode: The usual permissions; the mask of the process (umask) applies.
  /// - Throws: ``SystemError`` if the folder does not exist or may not be written.
  public init(
    _ path: String, in folder: Descriptor? = nil, temporary: String? = nil, mode: mode_t?, usualMode: mode_t = 0o666
  ) throws(SystemError) {
    let temporary = temporary ?? "\(path).\(getpid()).partial"
    unlinkat(folder?.number ?? AT_FDCWD, temporary, 0)
    descriptor = try Descriptor(
      opening: temporary, in: folder, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, mode: mode == nil ? usualMode : 0o600)
    (self.path, self.folder, self.temporary) = (path, folder, temporary)
    if let mode { try uninterrupted { fchmod(descriptor.number, mode) } }
  }

  deinit { if !isNamed { unlinkat(start, temporary, 0) } }

  /// Writes a whole file. See ``init(_:in:temporary:mode:usualMode:)`` and ``finish(replacing:)``.
  public static func write(
    _ bytes: [UInt8], to path: String, in folder: Descriptor? = nil, temporary: String? = nil, mode: mode_t?,
    replacing: Bool = true
  ) throws(SystemError) {
    let file = try AtomicFile(path, in: folder, temporary: temporary, mode: mode)
    try file.write(bytes)
    try file.finish(replacing: replacing)
  }

  /// Adds bytes.
  ///
  /// - Throws: ``SystemError``, such as `ENOSPC`.
  public func write(_ bytes: [UInt8]) throws(SystemError) { try descriptor.write(bytes) }

  /// Adds the bytes of a piece of memory.
  ///
  /// - Throws: ``SystemError``, such as `ENOSPC`.
  public func write(_ bytes: UnsafeRawBufferPointer) throws(SystemError) {
    try Descriptor.write(bytes, to: descriptor.number)
  }

  /// Brings the bytes so far to the disk, so that a full disk is noticed before the file has its name.
  ///
  /// - Throws: ``SystemError``, such as `ENOSPC`.
  public func synchronize() throws(SystemError) { try descriptor.synchronize() }

  /// Completes the file: contents and name are on the disk when this returns.
  ///
  /// - Parameter replacing: Whether the file takes the place of another one.
  /// - Throws: ``SystemError``; `EEXIST` if the name is taken and must not be replaced. The old file is as it was.
  public func finish(replacing: Bool = true) throws(SystemError) {
    try descriptor.synchronize()
    try Self.rename(temporary, in: folder, to: path, in: folder, replacing: replacing)
    isNamed = true
    synchronizeFolder()
  }

  private var start: Int32 { folder?.number ?? AT_FDCWD }

  /// The name is set already. A folder that cannot be opened or brought to the disk is no reason to report a failure.
  private func synchronizeFolder() {
    if let folder { try? folder.synchronize() } else { Self.synchronizeFolder(of: path) }
  }

  /// Brings the names in the folder of a file to the disk, as far as the folder may be read.
  public static func synchronizeFolder(of path: String) {
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    try? Descriptor(opening: folder, O_RDONLY | O_DIRECTORY).synchronize()
  }

  /// Gives a file another name in one step. The folders are not brought to the disk.
  ///
  /// - Parameters:
  ///   - name: The path of the file; its name if a folder is given.
  ///   - other: Its new path or name.
  ///   - replacing: Whether it takes the place of another file.
  /// - Throws: ``SystemError``; `EEXIST` if the name is taken and must not be replaced.
  public static func rename(
    _ name: String, in folder: Descriptor? = nil, to other: String, in target: Descriptor? = nil, replacing: Bool = true
  ) throws(SystemError) {
    let (from, to) = (folder?.number ?? AT_FDCWD, target?.number ?? AT_FDCWD)
    if replacing {
      try uninterrupted { renameat(from, name, to, other) }
      return
    }
    let code = system_rename_to_free(from, name, to, other)
    guard code != 0 else { return }
    guard code == EINVAL || code == ENOSYS else { throw SystemError(code) }
    // File systems that cannot do it in one step: a hard link does not replace a file either.
    try uninterrupted { linkat(from, name, to, other, 0) }
    try uninterrupted { unlinkat(from, name, 0) }
  }
}
