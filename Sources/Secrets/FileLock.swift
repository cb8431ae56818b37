import Glibc

/// A lock between threads and processes, held on a file that is made for it. The system frees it where its holder dies.
public struct FileLock: Sendable {
  /// The file.
  public let path: String

  /// Creates a lock; touches no file.
  public init(path: String) { self.path = path }

  /// A lock that is held; to be given back by whoever took it.
  public struct Held: Sendable {
    fileprivate let descriptor: Int32

    /// Gives the lock back. To be called once.
    public func release() { close(descriptor) }
  }

  /// Takes the lock. Blocks the calling thread.
  ///
  /// - Parameter patience: The seconds to wait for another holder.
  /// - Returns: The lock; `nil` where another holds it for longer than that.
  /// - Throws: ``SecretError/Code/file`` where the file cannot be made.
  public func take(patience: Double) throws(SecretError) -> Held? {
    try ProtectedFile.makeFolder(of: path)
    let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw ProtectedFile.unusable(path, errno) }
    let deadline = ContinuousClock.now + .seconds(patience)
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EWOULDBLOCK || errno == EINTR else {
        let problem = errno
        close(descriptor)
        throw ProtectedFile.unusable(path, problem)
      }
      guard ContinuousClock.now < deadline else {
        close(descriptor)
        return nil
      }
      usleep(20_000)
    }
    return Held(descriptor: descriptor)
  }
}
