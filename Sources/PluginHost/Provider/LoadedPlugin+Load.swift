import Engine
import Localization
import OperatingSystem
import PluginBoundary
import Synchronization

extension LoadedPlugin {
  /// A path whose library is open, is being opened, or could not be.
  private final class Slot: Sendable {
    let plugin = Mutex<LoadedPlugin?>(nil)
    /// Opens this library alone: one that hangs in its entry function holds up no other, and costs one thread. The
    /// dynamic linker itself has one lock for all; one that hangs in a constructor, which the probe has let pass, makes
    /// the next ones fail after their time.
    let opener = BlockingPool(name: "plugin-loader", limit: 1)
  }

  private static let slots = Mutex<[String: Slot]>([:])

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
      // The opener has one thread, so no other task opens the library in between.
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
