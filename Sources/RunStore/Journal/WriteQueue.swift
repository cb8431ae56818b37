internal import Engine

/// What waits to be written: the state machine behind group commit, without threads and without a clock.
///
/// Whatever gathers while one transaction is written goes into the next one. Requests that nobody waits for start no
/// transaction of their own: they go with the next, or when a short delay is over.
struct WriteQueue<Waiter: Sendable>: Sendable {
  /// Some entries that are written together or not at all.
  struct Request: Sendable {
    /// The entries, in order; none asks only for what was taken in before.
    var entries: [PreparedEntry]
    /// What must have been reached before `waiter` is told.
    var durability: Durability
    /// Whom to tell; `nil` where nobody waits.
    var waiter: Waiter?
  }

  /// What the driver of the queue does next.
  enum Action: Sendable, Hashable {
    /// Nothing: a transaction or a delay is under way already.
    case none
    /// Take batches and write them until there is none.
    case drain
    /// Wait for the delay, then say ``WriteQueue/delayEnded()``.
    case startDelay
  }

  /// Entries that are not yet taken for writing, at most, before even `accepted` requests wait.
  let capacity: Int
  /// Entries that go into one transaction, at most; a single larger request still goes into one.
  let batchLimit: Int

  private var pending: [Request] = []
  private var pendingEntries = 0
  private var isDraining = false
  private var isDelaying = false

  /// Creates an empty queue.
  init(capacity: Int, batchLimit: Int) {
    self.capacity = capacity
    self.batchLimit = batchLimit
  }

  /// Whether a request of this durability must wait for its transaction.
  func mustWait(for durability: Durability) -> Bool {
    durability > .accepted || pendingEntries >= capacity
  }

  /// Takes a request in.
  mutating func add(_ request: Request) -> Action {
    pending.append(request)
    pendingEntries += request.entries.count
    if request.waiter != nil { return startDraining() }
    if isDraining || isDelaying { return .none }
    isDelaying = true
    return .startDelay
  }

  /// The delay is over.
  mutating func delayEnded() -> Action {
    isDelaying = false
    return pending.isEmpty ? .none : startDraining()
  }

  /// The requests for the next transaction, in order; `nil` when there is none and draining ends.
  mutating func takeBatch() -> [Request]? {
    guard !pending.isEmpty else {
      isDraining = false
      return nil
    }
    var count = 0
    var end = 0
    while end < pending.count, end == 0 || count + pending[end].entries.count <= batchLimit {
      count += pending[end].entries.count
      end += 1
    }
    let batch = Array(pending[..<end])
    pending.removeFirst(end)
    pendingEntries -= count
    return batch
  }

  private mutating func startDraining() -> Action {
    if isDraining { return .none }
    isDraining = true
    return .drain
  }
}
