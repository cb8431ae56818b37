import Synchronization

/// A library that is open in this process; it stays so. There is one for every path.
final class LoadedPlugin: Sendable {
  let path: String
  let table: PluginTable
  let threads: WorkerThreads
  /// The header promises plugins that calls of `create` are serialised.
  let creating = Mutex(())

  private static let loaded = Mutex<[String: LoadedPlugin]>([:])

  private init(path: String, threads: Int) throws(PluginError) {
    self.path = path
    table = try PluginTable(opening: path)
    self.threads = WorkerThreads(name: PluginReference.id(ofLibraryAt: path) ?? "plugin", limit: threads)
  }

  /// The library of a path, opened if it is not open yet. Runs code of the plugin, and may block.
  ///
  /// - Parameters:
  ///   - path: The canonical path of the library.
  ///   - threads: The most threads that call its functions at once.
  static func load(_ path: String, threads: Int) throws(PluginError) -> LoadedPlugin {
    let outcome: Result<LoadedPlugin, PluginError> = loaded.withLock { loaded in
      if let plugin = loaded[path] { return .success(plugin) }
      do throws(PluginError) {
        let plugin = try LoadedPlugin(path: path, threads: threads)
        loaded[path] = plugin
        return .success(plugin)
      } catch {
        return .failure(error)
      }
    }
    return try outcome.get()
  }
}
