import Glibc

/// A file or folder that a worker may use: from the settings of its provider, or its temporary folder.
package struct WorkerPlace: Equatable, Sendable {
  /// The first version of Landlock that can restrict a worker's files.
  ///
  /// The first version cannot rename a file from folder to folder, which a Maildir needs.
  package static func leastDomainVersion(forWriting isWriting: Bool) -> Int { isWriting ? 2 : 1 }

  /// The path, absolute and without symbolic links.
  package var path: String
  /// Whether the worker may also create, write, rename and remove files there.
  package var isWritable: Bool

  package init(path: String, isWritable: Bool) {
    self.path = path
    self.isWritable = isWritable
  }

  /// Whether a worker has the file rights for it. If root runs Sous, that holds only for root's files, because a worker of root
  /// gives up its rights over files of other users.
  package var belongsToUser: Bool {
    var status = stat()
    return geteuid() != 0 || stat(path, &status) != 0 || status.st_uid == 0
  }
}
