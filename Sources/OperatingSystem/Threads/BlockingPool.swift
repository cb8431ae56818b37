internal import Dispatch
internal import Synchronization

/// Threads for work that blocks, so that it holds up neither Swift's cooperative threads nor other work.
///
/// A thread is made when there is work and none is idle, up to a limit. It ends when it was idle for 10 s.
public final class BlockingPool: Sendable {
  /// The pool for short work on files and the like.
  public static let shared = BlockingPool(name: "blocking", limit: 64)

  private struct State {
    var queue: [@Sendable () -> Void] = []
    /// Threads that wait, without those that have been woken for a piece of work.
    var idle = 0
    var threads = 0
  }

  private let name: String
  private let limit: Int
  private let state = Mutex(State())
  private let wake = DispatchSemaphore(value: 0)

  /// Creates a pool; makes no thread before there is work.
  ///
  /// - Parameters:
  ///   - name: The name of its threads, at most 15 bytes.
  ///   - limit: The most threads, at least 1.
  public init(name: String, limit: Int) {
    self.name = name
    self.limit = max(1, limit)
  }

  /// Runs a piece of work on some thread, soon; beyond the limit, when an earlier one has ended.
  public func submit(_ work: @escaping @Sendable () -> Void) {
    let needsThread = state.withLock { state in
      state.queue.append(work)
      if state.idle > 0 {
        state.idle -= 1
        wake.signal()
        return false
      }
      guard state.threads < limit else { return false }
      state.threads += 1
      return true
    }
    if needsThread { NamedThread.start(name) { self.work() } }
  }

  /// Runs a piece of work on some thread, and waits for it without blocking the caller's.
  ///
  /// - Returns: The result of the work.
  /// - Throws: The error of the work.
  public func run<Value: Sendable, Failure: Error>(
    _ body: @escaping @Sendable () throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let outcome: Result<Value, Failure> = await withCheckedContinuation { continuation in
      submit { continuation.resume(returning: Result(catching: body)) }
    }
    return try outcome.get()
  }

  private func work() {
    while true {
      let next: (@Sendable () -> Void)? = state.withLock { state in
        if !state.queue.isEmpty { return state.queue.removeFirst() }
        state.idle += 1
        return nil
      }
      if let next {
        next()
        continue
      }
      guard wake.wait(timeout: .now() + .seconds(10)) == .timedOut else { continue }
      let isWanted = state.withLock { state in
        guard state.idle > 0 else { return true }
        state.idle -= 1
        state.threads -= 1
        return false
      }
      guard isWanted else { return }
      // This thread, or one like it, has been woken in the meantime: use that signal up.
      wake.wait()
    }
  }
}
