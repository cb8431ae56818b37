import Glibc

/// A file or folder that a worker may use: what its provider's settings name, or its temporary folder.
struct WorkerPlace: Equatable, Sendable {
  /// The path, absolute and without symbolic links.
  var path: String
  /// Whether the worker may also write, make, rename and remove there.
  var isWritable: Bool

  /// Whether it belongs to the user of this process, and not to another one, whose files root alone may use.
  var belongsToUser: Bool {
    var status = stat()
    return geteuid() != 0 || stat(path, &status) != 0 || status.st_uid == 0
  }
}
