internal import Glibc

/// How the run log of an older version is brought to the schema of this program.
public struct UpgradeOptions: Sendable {
  /// Where the copy of the run log goes that is made before the first change.
  public enum Copy: Sendable, Equatable {
    /// Beside the run log: `.sous/sous-schema-19.db`.
    case beside
    /// Another file, which is replaced if it exists.
    case file(String)
    /// No copy is made.
    case none
  }

  /// Where the copy goes.
  public var copy = Copy.beside
  /// Seconds to wait for other processes that work with the run log; `nil` for the patience with locks.
  public var patience: Double?
  /// Seconds to wait while another process upgrades the run log, if that is longer than the patience with locks.
  public var patienceWithUpgrade = 60.0
  /// Free bytes of a file system by one of its folders; `nil` if unknown. Tests give other numbers.
  var freeBytes: @Sendable (String) -> Int? = UpgradeOptions.freeBytes

  /// Creates the default options.
  public init() {}

  private static func freeBytes(_ folder: String) -> Int? {
    var facts = statvfs()
    // Some file systems do not say how much room they have.
    guard statvfs(folder, &facts) == 0, facts.f_blocks > 0 else { return nil }
    let (free, overflows) = UInt64(facts.f_bavail).multipliedReportingOverflow(by: UInt64(facts.f_frsize))
    return overflows ? nil : Int(clamping: free)
  }
}
