package import OperatingSystem
import Synchronization

/// A library that is open in this process; it stays so. There is one for every path.
package final class LoadedPlugin: Sendable {
  package let path: String
  let table: PluginTable
  package let threads: BlockingPool
  /// Where callbacks of requests and streams run, so that they come however many calls block.
  let callbackThreads: BlockingPool
  private let cautiousStarts = Atomic(0)
  /// The header promises plugins that calls of `create` are serialised.
  let creating = Mutex(())

  /// Opens a library for good, on the calling thread; in the host `load` does that.
  package init(path: String, threads: Int) throws(PluginError) {
    self.path = path
    table = try PluginTable(opening: path)
    let name = PluginID.ofLibrary(at: path) ?? "plugin"
    self.threads = BlockingPool(name: name, limit: threads)
    callbackThreads = BlockingPool(name: name, limit: threads)
  }

  /// Whether the next `start` is to be called on a thread of the plugin's, because one was seen to take long.
  ///
  /// Not for ever: the machine may have been busy.
  package func takesOwnThread() -> Bool {
    guard cautiousStarts.load(ordering: .relaxed) > 0 else { return false }
    cautiousStarts.wrappingSubtract(1, ordering: .relaxed)
    return true
  }

  /// Notes that `start` takes long.
  package func noteBlockingStart() { cautiousStarts.store(256, ordering: .relaxed) }
}
