internal import OperatingSystem

extension RunStore {
  /// A run log's file and those that SQLite keeps beside it; see <https://www.sqlite.org/tempfiles.html>.
  public static func parts(of path: String) -> [String] { [path, path + "-wal", path + "-shm", path + "-journal"] }

  /// Whether a path leads to the file or to one that SQLite keeps beside it.
  static func isPart(_ destination: String, of path: String) -> Bool {
    let place = FilePlace(destination)
    return parts(of: path).contains { FilePlace($0).isSame(as: place) }
  }
}
