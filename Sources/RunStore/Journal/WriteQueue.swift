internal import Engine

/// The pending requests of the journal: the state machine behind group commit, without threads and without a clock.
///
/// Requests that come while one transaction is written go into the next one. Requests without a waiter start no transaction of
/// their own: they go with the next one, or after a short delay (a very short one for durability `soon`). If a transaction
/// fails, they stay and go first in the one after it.
struct WriteQueue<Waiter: Sendable>: Sendable {
  /// Some entries that are written together or not at all.
  struct Request: Sendable {
    /// The entries, in order; if empty, the request only waits for earlier ones.
    var entries: [PreparedEntry]
    /// The durability at which `waiter` resumes.
    var durability: Durability
    /// Resumes with the outcome; `nil` if no caller waits.
    var waiter: Waiter?
    /// The size of the entries in bytes, as ``PreparedEntry/byteCount`` estimates it.
    let bytes: Int

    /// Creates a request.
    init(entries: [PreparedEntry], durability: Durability, waiter: Waiter?) {
      self.entries = entries
      self.durability = durability
      self.waiter = waiter
      bytes = entries.byteCount
    }
  }

  /// The next task of the driver of the queue.
  enum Action: Sendable, Hashable {
    /// Nothing: a transaction or a delay is under way already.
    case none
    /// Take batches and write them until none is left.
    case drain
    /// Wait for the short delay, then call ``WriteQueue/delayEnded()``.
    case startDelay
    /// Wait for the delay of durability `soon`, then call ``WriteQueue/soonEnded()``.
    case startSoon
    /// Wait for the longer delay after a failure, then call ``WriteQueue/delayEnded()``.
    case startRetryDelay
  }

  /// Entries that are not yet written, at most, before even `accepted` requests wait.
  let capacity: Int
  /// Bytes of entries that are not yet written, at most, before even `accepted` requests wait.
  let byteCapacity: Int
  /// Entries that go into one transaction, at most; a single larger request still goes into one.
  let batchLimit: Int

  private var pending: [Request] = []
  /// Entries that are not yet written, those in the transaction under way included.
  private var unwritten = (entries: 0, bytes: 0)
  private var isDraining = false
  private var isDelaying = false
  private var isSoon = false
  /// Whether another transaction has written all requests that the delay of `soon` began for.
  private var isSoonOver = false
  /// Requests in `pending` that have a waiter.
  private var waiters = 0
  /// Whether a delay is over, so that all pending requests are written, those without a waiter too.
  private var isDue = false
  /// Whether the last transaction failed and left requests without a waiter.
  private var isRetrying = false

  /// Creates an empty queue.
  init(capacity: Int, byteCapacity: Int, batchLimit: Int) {
    self.capacity = capacity
    self.byteCapacity = byteCapacity
    self.batchLimit = batchLimit
  }

  /// Whether a request must wait for its transaction.
  func mustWait(for durability: Durability, bytes: Int) -> Bool {
    durability > .soon || unwritten.entries >= capacity || bytes > byteCapacity - unwritten.bytes
  }

  /// Whether everything that was taken in is written.
  var isEmpty: Bool { unwritten.entries == 0 && pending.isEmpty }

  /// Takes a request in.
  mutating func add(_ request: Request) -> Action {
    pending.append(request)
    count(request, 1)
    if request.waiter != nil {
      waiters += 1
      return startDraining()
    }
    if request.durability == .soon {
      if isDraining || isSoon { return .none }
      isSoon = true
      return .startSoon
    }
    if isDraining || isDelaying { return .none }
    isDelaying = true
    return .startDelay
  }

  /// The delay of durability `soon` is over.
  ///
  /// If another transaction has written the requests that it began for, later requests get a delay of their own: a transaction now
  /// would hold up the next intent, which is about to come.
  mutating func soonEnded() -> Action {
    isSoon = false
    guard isSoonOver else { return fallDue() }
    isSoonOver = false
    guard !isDraining, pending.contains(where: { $0.durability == .soon }) else { return .none }
    isSoon = true
    return .startSoon
  }

  /// The delay is over.
  mutating func delayEnded() -> Action {
    isDelaying = false
    return fallDue()
  }

  /// Lets the next batches take all requests, those without a waiter too.
  mutating func fallDue() -> Action {
    guard !pending.isEmpty else { return .none }
    isDue = true
    return startDraining()
  }

  /// The requests for the next transaction, in order; `nil` when there is none and draining ends.
  ///
  /// Each batch is followed by ``batchEnded(_:keeping:)``.
  mutating func takeBatch() -> [Request]? {
    guard !pending.isEmpty else {
      isDraining = false
      isDue = false
      return nil
    }
    var count = 0
    var end = 0
    // A batch that is tried again ends with a request that has a waiter: each failure then answers a waiter, and ends.
    var mustReachWaiter = isRetrying
    while end < pending.count,
      end == 0 || mustReachWaiter || count + pending[end].entries.count <= batchLimit
    {
      count += pending[end].entries.count
      if pending[end].waiter != nil {
        mustReachWaiter = false
        waiters -= 1
      }
      end += 1
    }
    if end < pending.count {
      let batch = Array(pending[..<end])
      pending.removeFirst(end)
      return batch
    }
    isSoonOver = isSoon
    defer { pending = [] }
    return pending
  }

  /// A transaction has ended.
  ///
  /// - Parameters:
  ///   - batch: The result of ``takeBatch()``.
  ///   - kept: Those of its requests, in order, that were not written and have no waiter: they come first in the next
  ///     transaction.
  /// - Returns: ``Action/drain`` if a next batch is to be taken; otherwise draining has ended.
  mutating func batchEnded(_ batch: [Request], keeping kept: [Request]) -> Action {
    for request in kept { count(request, 1) }
    for request in batch { count(request, -1) }
    pending.insert(contentsOf: kept, at: 0)
    isRetrying = !kept.isEmpty
    if waiters > 0 || isDue && !isRetrying && !pending.isEmpty { return .drain }
    isDraining = false
    isDue = false
    if pending.isEmpty { return .none }
    if isRetrying {
      if isDelaying { return .none }
      isDelaying = true
      return .startRetryDelay
    }
    // Requests that came during the transaction do not cost one of their own: they go with the next waiter.
    if !isSoon, pending.contains(where: { $0.durability == .soon }) {
      isSoon = true
      return .startSoon
    }
    if isDelaying || isSoon { return .none }
    isDelaying = true
    return .startDelay
  }

  private mutating func count(_ request: Request, _ sign: Int) {
    unwritten.entries += sign * request.entries.count
    unwritten.bytes += sign * request.bytes
  }

  private mutating func startDraining() -> Action {
    if isDraining { return .none }
    isDraining = true
    return .drain
  }
}
