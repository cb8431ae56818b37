import CSyncCost
import Glibc

/// Where run logs are measured: how fast they get what is written to the disk.
struct Disk {
  /// Commits in a second that a slow disk takes, as a rented machine's often does.
  static let slowRate = 370.0

  /// What people call it.
  let name: String
  let folder: String
  /// Commits in a second that it is to take at most; `nil` for as many as the disk takes.
  let rate: Double?

  /// The disk as it is just now.
  static func real(_ folder: String) -> Disk {
    Disk(name: "The disk as it is", folder: folder, rate: nil)
  }

  /// A disk of one speed on every machine and at every hour: memory of which each sync takes a stated time.
  static func slow(_ folder: String) -> Disk {
    Disk(
      name: "A disk of \(Int(slowRate)) commits/s: memory, of which each sync takes 2.7 ms", folder: folder,
      rate: slowRate)
  }

  /// Makes everything that this program brings to a disk take as long as on this one.
  func use() { sync_cost_set(rate.map { Int64(1e9 / $0) } ?? 0) }

  /// A folder for one run log.
  func place(_ name: String) -> String {
    let path = "\(folder)/\(name)"
    mkdir(path, 0o700)
    return path
  }
}
