#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// A system call that failed.
struct FileError: Error, Sendable, Equatable {
  /// The value of `errno`.
  let code: Int32
  /// What was to be done: "open", "rename".
  let operation: String
  /// The file or folder, as far as it is known.
  let path: String

  /// Takes the current `errno`; to be made right after the call that failed.
  init(_ operation: String, _ path: String) {
    self.init(code: errno, operation, path)
  }

  init(code: Int32, _ operation: String, _ path: String) {
    self.code = code
    self.operation = operation
    self.path = path
  }

  /// There is no such file or folder, or a part of the path is not a folder.
  var isMissing: Bool { code == ENOENT || code == ENOTDIR }
  /// There is something of that name already.
  var isOccupied: Bool { code == EEXIST }
  /// The folder is not empty.
  var isFull: Bool { code == ENOTEMPTY }
  /// The rights do not suffice, or the file system is read-only.
  var isDenied: Bool { code == EACCES || code == EPERM || code == EROFS }
  /// It is a symbolic link, which is never followed inside a mailbox.
  var isLink: Bool { code == ELOOP }

  /// Whether the error concerns the file of one message only: its rights, a bad sector, or a special file.
  var concernsOneFile: Bool { [EACCES, EPERM, EIO, EINVAL, ELOOP, EISDIR, ENXIO, EBADMSG].contains(code) }

  /// The system's words for the error: "Permission denied".
  var reason: String { String(cString: strerror(code)) }
}

extension FileError {
  /// The file system has no second names for files, or not between these folders.
  var lacksLinks: Bool { [EPERM, ENOTSUP, ENOSYS, EXDEV, EMLINK].contains(code) }

  /// The name is taken.
  static func occupied(_ path: String) -> FileError { FileError(code: EEXIST, "create", path) }
  /// There is no such file.
  static func missing(_ path: String) -> FileError { FileError(code: ENOENT, "open", path) }
}
