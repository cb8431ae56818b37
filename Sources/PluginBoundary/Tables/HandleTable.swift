import Synchronization

/// What an instance has under way, by the numbers that the plugin has for it.
///
/// Numbers are never used twice in the process, so that one that comes too late finds nothing.
final class HandleTable<Handle: Sendable>: Sendable {
  private struct State {
    var handles: [UInt64: Handle] = [:]
    var isClosed = false
  }

  private let state = Mutex(State())

  /// Keeps something; `false` where nothing may begin any more.
  func insert(_ handle: Handle, as number: UInt64) -> Bool {
    state.withLock { state in
      guard !state.isClosed else { return false }
      state.handles[number] = handle
      return true
    }
  }

  /// What a number stands for.
  func find(_ number: UInt64) -> Handle? { state.withLock { $0.handles[number] } }

  /// Forgets a number.
  @discardableResult
  func remove(_ number: UInt64) -> Handle? { state.withLock { $0.handles.removeValue(forKey: number) } }

  /// Lets nothing begin any more and tells what is left.
  func closeAll() -> [Handle] {
    state.withLock { state in
      state.isClosed = true
      return Array(state.handles.values)
    }
  }

  var count: Int { state.withLock { $0.handles.count } }
}
