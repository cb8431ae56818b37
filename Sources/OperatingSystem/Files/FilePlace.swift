internal import Glibc

/// A place in the file system, whatever the path that leads to it: two paths can mean one file.
public struct FilePlace: Sendable {
  private struct Node: Equatable {
    var device: UInt
    var number: UInt

    /// The device and inode that a path leads to, through links; `nil` if nothing can be found there.
    init?(_ path: String) {
      var information = stat()
      guard stat(path, &information) == 0 else { return nil }
      device = UInt(information.st_dev)
      number = UInt(information.st_ino)
    }
  }

  /// The file, where links lead to; `nil` where there is none yet.
  private let file: Node?
  /// The folder; `nil` where there is none.
  private let folder: Node?
  private let name: Substring

  /// Looks where a path leads now.
  public init(_ path: String) {
    file = Node(path)
    guard let slash = path.lastIndex(of: "/") else {
      folder = Node(".")
      name = path[...]
      return
    }
    folder = Node(String(path[...slash]))
    name = path[path.index(after: slash)...]
  }

  /// Whether both are one place: the same file, or, where there is none yet, the same name in the same folder.
  public func isSame(as other: FilePlace) -> Bool {
    if let file, file == other.file { return true }
    return name == other.name && folder != nil && folder == other.folder
  }
}
