public import Glibc

/// A lock between threads and processes (flock(2)) on an open file or folder. The system frees it when its holder dies.
public final class FileLock: Sendable {
  /// Who may hold a lock beside this one.
  public enum Sharing: Sendable {
    /// No other lock.
    case exclusive
    /// Other shared locks.
    case shared
  }

  private let descriptor: Descriptor

  /// Locks an open file or folder. Blocks the calling thread.
  ///
  /// - Parameters:
  ///   - descriptor: The file. It stays open for as long as the lock exists.
  ///   - sharing: Who else may hold a lock.
  ///   - patience: The seconds to wait for other holders; `.infinity` to wait until they are gone.
  /// - Returns: `nil` if another holder keeps the lock for longer than that.
  /// - Throws: ``SystemError`` if the file system has no locks.
  public init?(_ descriptor: Descriptor, _ sharing: Sharing = .exclusive, patience: Double = 0) throws(SystemError) {
    self.descriptor = descriptor
    let operation = sharing == .exclusive ? LOCK_EX : LOCK_SH
    if patience == .infinity {
      try uninterrupted { flock(descriptor.number, operation) }
      return
    }
    let deadline = MonotonicClock.seconds + patience
    // Short at first, so that a free moment between two short holders is not missed.
    var pause: UInt32 = 200
    while true {
      do throws(SystemError) {
        try uninterrupted { flock(descriptor.number, operation | LOCK_NB) }
        return
      } catch {
        guard error.code == EWOULDBLOCK else { throw error }
      }
      guard MonotonicClock.seconds < deadline else { return nil }
      usleep(pause)
      pause = min(pause * 2, 10_000)
    }
  }

  /// Locks a file, which is made if it does not exist. Blocks the calling thread.
  ///
  /// - Parameters:
  ///   - path: The file. A link is refused.
  ///   - mode: The permissions of a file that is made.
  ///   - patience: The seconds to wait for other holders.
  /// - Returns: `nil` if another holder keeps the lock for longer than that.
  /// - Throws: ``SystemError`` if the file cannot be opened, or the file system has no locks.
  public convenience init?(path: String, mode: mode_t = 0o600, patience: Double = 0) throws(SystemError) {
    try self.init(Descriptor(opening: path, O_RDWR | O_CREAT | O_NOFOLLOW, mode: mode), patience: patience)
  }

  /// Gives the lock back. Further calls do nothing.
  public func release() { flock(descriptor.number, LOCK_UN) }
}
