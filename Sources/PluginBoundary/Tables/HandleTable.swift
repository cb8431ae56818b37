import Synchronization

/// The requests, streams or blobs of one instance, by the numbers that the plugin has for them.
///
/// Numbers are never used twice in the process, so that one that comes too late finds nothing.
final class HandleTable<Handle: Sendable>: Sendable {
  private struct State {
    var handles: [UInt64: Handle] = [:]
    var isClosed = false
  }

  private let state = Mutex(State())

  /// Registers a handle; `false` after ``closeAll()``.
  func insert(_ handle: Handle, as number: UInt64) -> Bool {
    state.withLock { state in
      guard !state.isClosed else { return false }
      state.handles[number] = handle
      return true
    }
  }

  /// The handle of a number.
  func find(_ number: UInt64) -> Handle? { state.withLock { $0.handles[number] } }

  /// Forgets a number.
  @discardableResult
  func remove(_ number: UInt64) -> Handle? { state.withLock { $0.handles.removeValue(forKey: number) } }

  /// Refuses new handles from now on and returns those that are left.
  func closeAll() -> [Handle] {
    state.withLock { state in
      state.isClosed = true
      return Array(state.handles.values)
    }
  }

  var count: Int { state.withLock { $0.handles.count } }
}
