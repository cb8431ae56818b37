/// The files that a lock demands of plugins.
///
/// The lock is read for each question: an installation changes it while a process runs.
public struct PluginPins: Sendable, Hashable {
  /// The path of the lock.
  public let lock: String
  /// Gives the SHA-256 of the files that the lock accepts, by id.
  private let read: @Sendable () -> [String: [String]]

  /// - Parameters:
  ///   - lock: The path of the lock.
  ///   - read: Gives the SHA-256 of the files that the lock accepts, by id; nothing for a lock that cannot be read.
  public init(lock: String, read: @escaping @Sendable () -> [String: [String]]) {
    (self.lock, self.read) = (lock, read)
  }

  /// The SHA-256 of the files that the lock accepts, by id.
  var digests: [String: [String]] { read() }

  /// Compares the paths of the locks.
  public static func == (left: PluginPins, right: PluginPins) -> Bool { left.lock == right.lock }

  /// Hashes the path of the lock.
  public func hash(into hasher: inout Hasher) { hasher.combine(lock) }
}
