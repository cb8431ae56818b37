import Engine
import Localization
import OperatingSystem
import Synchronization

/// A library that is open in this process; it stays so. There is one for every path.
final class LoadedPlugin: Sendable {
  let path: String
  let table: PluginTable
  let threads: BlockingPool
  /// Where callbacks of requests and streams run, so that they come however many calls block.
  let callbackThreads: BlockingPool
  private let cautiousStarts = Atomic(0)
  /// The header promises plugins that calls of `create` are serialised.
  let creating = Mutex(())

  /// A path whose library is open, is being opened, or could not be.
  private final class Slot: Sendable {
    let plugin = Mutex<LoadedPlugin?>(nil)
    /// Opens this library alone: one that hangs in its entry function holds up no other, and costs one thread. The
    /// dynamic linker itself has one lock for all; one that hangs in a constructor, which the probe has let pass, makes
    /// the next ones fail after their time.
    let opener = BlockingPool(name: "plugin-loader", limit: 1)
  }

  private static let slots = Mutex<[String: Slot]>([:])

  /// Opens a library for good, on the calling thread; in the host `load` does that.
  init(path: String, threads: Int) throws(PluginError) {
    self.path = path
    table = try PluginTable(opening: path)
    let name = PluginReference.id(ofLibraryAt: path) ?? "plugin"
    self.threads = BlockingPool(name: name, limit: threads)
    callbackThreads = BlockingPool(name: name, limit: threads)
  }

  /// Whether the next `start` is to be called on a thread of the plugin's, because one was seen to take long.
  ///
  /// Not for ever: the machine may have been busy.
  func takesOwnThread() -> Bool {
    guard cautiousStarts.load(ordering: .relaxed) > 0 else { return false }
    cautiousStarts.wrappingSubtract(1, ordering: .relaxed)
    return true
  }

  /// Notes that `start` takes long.
  func noteBlockingStart() { cautiousStarts.store(256, ordering: .relaxed) }

  /// The library of a path, opened if it is not open yet. Runs code of the plugin, on a thread of its own.
  ///
  /// - Parameters:
  ///   - path: The canonical path of the library.
  ///   - limits: How long that may take, and the most threads that call its functions at once.
  ///   - time: By which it takes long.
  static func load(_ path: String, limits: PluginLimits, time: any TimeSource) async throws(PluginError) -> LoadedPlugin
  {
    let slot = slots.withLock { slots in
      if let slot = slots[path] { return slot }
      let slot = Slot()
      slots[path] = slot
      return slot
    }
    if let plugin = slot.plugin.withLock({ $0 }) { return plugin }
    let late = PluginError(
      .probeTimeout,
      LocalizedText(
        "The plugin \(path) did not finish loading within \(limits.createSeconds) s.",
        de: "Das Plugin \(path) war nach \(limits.createSeconds) s noch nicht geladen."), path: path)
    let outcome: Result<LoadedPlugin, PluginError> = await slot.opener.run(
      within: limits.createSeconds, of: time, otherwise: .failure(late)
    ) {
      // The opener has one thread, so that nobody opens the library in between.
      if let plugin = slot.plugin.withLock({ $0 }) { return .success(plugin) }
      do throws(PluginError) {
        let plugin = try LoadedPlugin(path: path, threads: limits.threads)
        slot.plugin.withLock { $0 = plugin }
        return .success(plugin)
      } catch {
        return .failure(error)
      }
    }
    return try outcome.get()
  }
}
