package import Engine
package import Plans
import Synchronization

/// The calls of this process that are putting messages into folders just now.
///
/// The event of such a message can come before the call has ended. It waits until the call has recorded what it did.
package final class OpenStorings: Sendable {
  /// Seconds that an event waits at most.
  private static let patience = 5.0
  /// Seconds between two looks.
  private static let pause = 0.01

  private struct State {
    var next: UInt64 = 0
    var folders: [UInt64: MailFolder] = [:]
  }

  private let state = Mutex(State())

  /// Begins a call.
  ///
  /// - Returns: What ends it.
  package func begin(_ folder: MailFolder) -> UInt64 {
    state.withLock { state in
      state.next += 1
      state.folders[state.next] = folder
      return state.next
    }
  }

  /// Ends a call.
  package func end(_ call: UInt64) { state.withLock { $0.folders[call] = nil } }

  /// Waits for the calls that have begun by now and put messages into a folder.
  package func settle(_ folder: MailFolder, _ time: any TimeSource) async {
    let calls = state.withLock { state in Set(state.folders.filter { $0.value == folder }.keys) }
    let end = time.monotonic + Self.patience
    while !calls.isEmpty, time.monotonic < end, !Task.isCancelled,
      state.withLock({ state in calls.contains { state.folders[$0] != nil } })
    {
      try? await time.sleep(seconds: Self.pause)
    }
  }
}
