public import Engine
import Expressions
import Localization
import OperatingSystem
import Synchronization

/// The events of a trigger, one after another, as an endless sequence.
///
/// An event is in the store, with the cursor behind it, before it is handed out, and stays there until ``settle(_:)``: what
/// was handed out and not settled when the process ended comes again, first of all, from the next iterator. A subscription
/// that ends is started again from its cursor. The sequence ends when the task that waits for an event is cancelled.
///
/// Iterating listens: two iterators at a time would subscribe twice.
public struct TriggerSubscription: AsyncSequence, Sendable {
  /// An event as it was kept.
  public typealias Element = TriggerEvent
  /// The failure that ends the sequence if another start cannot help: kind `unsupported` or `invalid_input`; `io` if the
  /// store cannot be read.
  public typealias Failure = ActionFailure

  /// The key of the subscription in the store.
  public let name: String
  private let store: any TriggerStore
  private let listen: @Sendable (_ arrived: @escaping @Sendable () -> Void) async -> ActionFailure

  /// - Parameters:
  ///   - name: The key of the subscription in the store.
  ///   - store: Where events and cursor are kept.
  ///   - listen: Listens until the task is cancelled, and says why it ended.
  init(
    name: String, store: any TriggerStore,
    listen: @escaping @Sendable (_ arrived: @escaping @Sendable () -> Void) async -> ActionFailure
  ) {
    self.name = name
    self.store = store
    self.listen = listen
  }

  /// Begins to listen; ends when the iterator goes.
  public func makeAsyncIterator() -> Iterator {
    Iterator(Inbox(name: name, store: store), Listening(listen))
  }

  /// Notes that an event has been dealt with: it does not come again.
  ///
  /// - Throws: `ActionFailure` of kind `io` if that cannot be kept; the event comes again then.
  public func settle(_ event: TriggerEvent) async throws(ActionFailure) {
    try await onServiceThread { [store, name] () throws(StorageFailure) in try store.settleEvent(event.id, of: name) }
  }

  /// Hands out events in the order in which they came.
  public struct Iterator: AsyncIteratorProtocol {
    private var inbox: Inbox
    private let listening: Listening

    fileprivate init(_ inbox: Inbox, _ listening: Listening) {
      self.inbox = inbox
      self.listening = listening
    }

    /// The next event; waits for one. `nil` once the task is cancelled.
    ///
    /// - Throws: `ActionFailure` if no further event can come.
    public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws(ActionFailure)
      -> TriggerEvent?
    {
      while !Task.isCancelled {
        let seen = listening.signal.count
        if let event = try await inbox.next() { return event }
        guard let end = await listening.signal.wait(past: seen) else { continue }
        if Task.isCancelled { return nil }
        throw end
      }
      return nil
    }

    /// The next event; waits for one. `nil` once the task is cancelled.
    ///
    /// - Throws: `ActionFailure` if no further event can come.
    public mutating func next() async throws(ActionFailure) -> TriggerEvent? { try await next(isolation: nil) }
  }
}

/// The events of a subscription that an iterator has handed out.
private struct Inbox {
  private static let batch = 100

  let name: String
  let store: any TriggerStore
  private var ready: [TriggerEvent] = []
  /// Handed out, and not settled when they were last looked at.
  private var handedOut: Set<String> = []

  init(name: String, store: any TriggerStore) {
    self.name = name
    self.store = store
  }

  mutating func next() async throws(ActionFailure) -> TriggerEvent? {
    if ready.isEmpty {
      let limit = handedOut.count + Inbox.batch
      let pending = try await onServiceThread { [store, name] () throws(StorageFailure) in
        try store.pendingEvents(of: name, limit: limit)
      }
      handedOut.formIntersection(pending.map(\.id))
      ready = pending.filter { !handedOut.contains($0.id) }.reversed()
    }
    guard let event = ready.popLast() else { return nil }
    handedOut.insert(event.id)
    return event
  }
}

/// A task that listens as long as this lives.
private final class Listening: Sendable {
  let signal = ArrivalSignal()
  private let task: Task<Void, Never>

  init(_ listen: @escaping @Sendable (_ arrived: @escaping @Sendable () -> Void) async -> ActionFailure) {
    // Ended by `deinit`; no task awaits it.
    task = Task { [signal] in signal.end(await listen { signal.add() }) }
  }

  deinit { task.cancel() }
}

/// Wakes the tasks that wait for events.
private final class ArrivalSignal: Sendable {
  private struct State {
    var count: UInt64 = 0
    var end: ActionFailure?
    var waiter: CheckedContinuation<Void, Never>?
  }

  private let state = Mutex(State())

  var count: UInt64 { state.withLock { $0.count } }

  func add() { wake { $0.count += 1 } }
  func end(_ failure: ActionFailure) { wake { $0.end = failure } }

  /// Waits for more than a number of events, for the end, or until the task is cancelled.
  ///
  /// - Returns: Why nothing more will come; `nil` if it may.
  func wait(past count: UInt64) async -> ActionFailure? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { waiter in
        let isOver = state.withLock { state in
          if state.count > count || state.end != nil || Task.isCancelled { return true }
          state.waiter = waiter
          return false
        }
        if isOver { waiter.resume() }
      }
    } onCancel: {
      wake { _ in }
    }
    return state.withLock { $0.count > count ? nil : $0.end }
  }

  private func wake(_ change: (inout State) -> Void) {
    let waiter = state.withLock { state in
      change(&state)
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume()
  }
}

/// Does something with the store on a thread that may block.
func onServiceThread<Value: Sendable>(
  _ body: @escaping @Sendable () throws(StorageFailure) -> Value
) async throws(ActionFailure) -> Value {
  let outcome = Promise<Result<Value, StorageFailure>>()
  ProviderServices.threads.submit { outcome.offer(Result { () throws(StorageFailure) in try body() }) }
  do throws(StorageFailure) {
    return try await outcome.value().get()
  } catch {
    throw ActionFailure(.io, error.message)
  }
}
