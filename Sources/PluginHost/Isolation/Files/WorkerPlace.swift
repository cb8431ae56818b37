import Glibc

/// A file or folder that a worker may use: from the settings of its provider, or its temporary folder.
struct WorkerPlace: Equatable, Sendable {
  /// The path, absolute and without symbolic links.
  var path: String
  /// Whether the worker may also create, write, rename and remove files there.
  var isWritable: Bool

  /// Whether a worker has the file rights for it. If root runs Sous, that holds only for root's files, because a worker of root
  /// gives up its rights over files of other users.
  var belongsToUser: Bool {
    var status = stat()
    return geteuid() != 0 || stat(path, &status) != 0 || status.st_uid == 0
  }
}
