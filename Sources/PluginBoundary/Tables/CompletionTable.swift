import CPluginABI
import Synchronization

/// The completions that plugins hold.
///
/// A plugin gets a number, never an address, so that a completion that comes twice or much too late finds nothing
/// instead of memory that is gone.
package final class CompletionTable: Sendable {
  /// A completion that has been handed out.
  struct Entry: Sendable {
    /// The largest payload that is copied.
    let limit: Int
    /// Takes the answer.
    let deliver: @Sendable (Answer?) -> Void
    /// Reports a further answer.
    let repeated: @Sendable () -> Void
  }

  private struct State {
    var open: [UInt64: Entry] = [:]
    /// The handlers of further answers, for the last completions that were used.
    var used: [UInt64: @Sendable () -> Void] = [:]
    var order: [UInt64] = []
    var oldest = 0
  }

  /// The completions of this process.
  package static let shared = CompletionTable()

  private static let memory = 1024
  private let lastID = Atomic<UInt64>(0)
  private let state = Mutex(State())

  /// A number that names no other call of this process; never 0.
  package func makeID() -> UInt64 { lastID.wrappingAdd(1, ordering: .relaxed).newValue }

  /// Hands out a completion.
  func open(_ id: UInt64, _ entry: Entry) -> sous_completion {
    state.withLock { $0.open[id] = entry }
    return sous_completion(
      context: UnsafeMutableRawPointer(bitPattern: UInt(truncatingIfNeeded: id)),
      complete: { context, result in
        CompletionTable.shared.complete(UInt64(UInt(bitPattern: context)), result)
      })
  }

  /// Takes a completion back that no plugin has seen.
  func withdraw(_ id: UInt64) {
    state.withLock { _ = $0.open.removeValue(forKey: id) }
  }

  private func complete(_ id: UInt64, _ result: UnsafePointer<sous_result>?) {
    let (entry, repeated) = state.withLock { state in
      guard let entry = state.open.removeValue(forKey: id) else { return (nil as Entry?, state.used[id]) }
      state.used[id] = entry.repeated
      if state.order.count < CompletionTable.memory {
        state.order.append(id)
      } else {
        state.used[state.order[state.oldest]] = nil
        state.order[state.oldest] = id
        state.oldest = (state.oldest + 1) % CompletionTable.memory
      }
      return (entry, nil)
    }
    if let entry {
      entry.deliver(Answer(copying: result, limit: entry.limit))
    } else {
      repeated?()
    }
  }
}
