import Dispatch
import Foundation

extension Thread {
  /// Starts a thread that has its name, of at most 15 bytes, before it does anything.
  ///
  /// Foundation gives a name to a running thread alone, and one can run before Foundation takes it for running.
  static func start(_ name: String, stackSize: Int? = nil, _ body: @escaping @Sendable () -> Void) {
    let isRunning = DispatchSemaphore(value: 0)
    let thread = Thread {
      isRunning.wait()
      Thread.current.name = name
      body()
    }
    if let stackSize { thread.stackSize = stackSize }
    thread.start()
    isRunning.signal()
  }
}
