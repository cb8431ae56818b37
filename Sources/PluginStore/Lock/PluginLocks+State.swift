public import PluginHost

extension PluginLocks {
  /// The result of comparing a plugin with its lock.
  public enum State: String, Sendable {
    /// The library is the file that the lock names.
    case locked
    /// The library is another file.
    case changed
    /// The lock names a plugin that is not installed.
    case missing
    /// An installation was interrupted; the library is the file before or after it.
    case interrupted
    /// No lock names the plugin.
    case unlocked
  }

  /// Compares a library with the lock that decides about it.
  ///
  /// - Throws: ``PluginStoreError`` if a lock cannot be read.
  public func state(
    ofLibraryAt path: String, id: String, origin: PluginSearchPath.Origin?
  ) throws(PluginStoreError) -> (state: State, entry: PluginLock.Entry?) {
    guard let (entry, _) = try entry(for: id, origin: origin) else { return (.unlocked, nil) }
    return (entry.state(of: PluginSearchPath.digest(ofLibraryAt: path)), entry)
  }

  /// One plugin of ``verified(_:)``.
  public struct Verified: Sendable {
    /// The id.
    public var id: String
    /// The lock that names it.
    public var lock: String
    /// The library that a configuration gets for the id; `nil` if none is installed.
    public var path: String?
    /// The entry of the lock.
    public var entry: PluginLock.Entry
    /// The result.
    public var state: State
  }

  /// Compares every plugin that the locks name with the file that is installed, sorted by id.
  ///
  /// - Throws: ``PluginStoreError`` if a lock cannot be read.
  public func verified(_ searchPath: PluginSearchPath) throws(PluginStoreError) -> [Verified] {
    var result: [Verified] = []
    for file in all {
      for (id, entry) in try file.read().plugins.sorted(by: { $0.key < $1.key }) {
        // The project's lock decides about a plugin that both name.
        guard !result.contains(where: { $0.id == id }) else { continue }
        guard let path = try? searchPath.locate(.id(id)) else {
          result.append(Verified(id: id, lock: file.path, path: nil, entry: entry, state: .missing))
          continue
        }
        let state = entry.state(of: PluginSearchPath.digest(ofLibraryAt: path))
        result.append(Verified(id: id, lock: file.path, path: path, entry: entry, state: state))
      }
    }
    return result.sorted { $0.id < $1.id }
  }
}
