import Engine
import Localization
import Synchronization

/// Keeps the state of providers in memory.
final class MemoryStateStore: ProviderStateStore {
  private struct State {
    var entries: [String: [String: ProviderState]] = [:]
    var last: UInt64 = 0
    var conflicts = 0
  }

  private let state = Mutex(State())
  private let onCommit = Mutex<@Sendable () -> Void>({})

  /// Lets something else happen before each change is made.
  func whenItCommits(_ body: @escaping @Sendable () -> Void) { onCommit.withLock { $0 = body } }

  /// Lets so many changes fail because another one came between.
  func conflict(times: Int) { state.withLock { $0.conflicts = times } }

  func state(of provider: String, key: String) throws(StorageFailure) -> ProviderState? {
    state.withLock { $0.entries[provider]?[key] }
  }

  func stateKeys(of provider: String, prefix: String) throws(StorageFailure) -> [String] {
    state.withLock { ($0.entries[provider] ?? [:]).keys.filter { $0.hasPrefix(prefix) }.sorted() }
  }

  func commitState(of provider: String, _ changes: [ProviderStateChange]) throws(StorageFailure) {
    onCommit.withLock { $0 }()
    let isDone = state.withLock { state -> Bool in
      if state.conflicts > 0 {
        state.conflicts -= 1
        return false
      }
      var entries = state.entries[provider] ?? [:]
      for change in changes {
        if let expected = change.expectedVersion, entries[change.key]?.version ?? 0 != expected { return false }
        state.last += 1
        entries[change.key] = change.value.map { ProviderState(value: $0, version: state.last) }
      }
      state.entries[provider] = entries
      return true
    }
    if !isDone { throw StorageFailure(.conflict, LocalizedText(verbatim: "conflict")) }
  }
}
