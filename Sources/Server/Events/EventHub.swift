import Engine
import Expressions
import RunStore
import Serve
import Synchronization
import UseCases

/// The followers of runs. One reader per followed run looks into the run log when it has changed, however many follow it.
final class EventHub: Sendable {
  private struct State {
    var isOpen = true
    var feeds: [RunID: RunFeed] = [:]
  }

  private let store: RunStore
  private let changes: RunLogChanges
  private let state = Mutex(State())
  private let pump = Mutex<Task<Void, Never>?>(nil)

  init(_ session: Session, changes: RunLogChanges) {
    store = session.store
    self.changes = changes
  }

  /// How many followers there are.
  var count: Int { state.withLock { $0.feeds.values.reduce(0) { $0 + $1.count } } }

  /// Follows a run: the events that the follower lacks, then new ones, to the end of the run.
  ///
  /// - Parameters:
  ///   - run: The run.
  ///   - cursor: The position of the follower.
  ///   - ends: Whether the stream ends where the run waits for something from outside, too.
  func follow(_ run: RunID, after cursor: RunCursor) throws -> EventSource {
    let (stream, continuation) = AsyncStream.makeStream(
      of: [UInt8].self, bufferingPolicy: .bufferingOldest(RunFeed.buffer))
    let feed = try state.withLock { state in
      guard state.isOpen else { throw CancellationError() }
      if let feed = state.feeds[run], feed.add(cursor, continuation) { return feed }
      let feed = RunFeed(run, store, changes)
      _ = feed.add(cursor, continuation)
      state.feeds[run] = feed
      Task { [self] in
        await feed.work()
        self.state.withLock { state in if state.feeds[run] === feed { state.feeds[run] = nil } }
      }
      return feed
    }
    feed.wake()
    return EventSource(pieces: stream, end: { continuation.finish() })
  }

  /// Hands a piece of an answer that is being made to the followers of its run.
  func observe(_ run: RunID, _ event: RunEvent) {
    let feed = state.withLock { $0.feeds[run] }
    guard let feed else { return }
    switch event {
    case .delta(let step, let item, let value):
      feed.send(
        ServerEvent(
          name: "delta", data: .object([("position", .number(step)), ("item", .number(item)), ("delta", value)])))
    case .progress(let step, let item, let done, let total, let label):
      feed.send(
        ServerEvent(
          name: "progress",
          data: .object([
            ("position", .number(step)), ("item", .number(item)), ("done", .number(Int(clamping: done))),
            ("total", total == 0 ? .null : .number(Int(clamping: total))), ("label", .string(label)),
          ])))
    default: break
    }
  }

  /// Ends all streams; followers connect again and continue at their positions.
  func close() {
    let feeds = state.withLock { state in
      state.isOpen = false
      return Array(state.feeds.values)
    }
    for feed in feeds { feed.end() }
  }
}

/// The followers of one run.
private final class RunFeed: Sendable {
  /// The events that a follower may lag behind; a slower one is disconnected, connects again and gets the rest.
  static let buffer = 4096
  /// Seconds after which a comment keeps a quiet connection open.
  private static let heartbeat = 15.0

  private struct Follower {
    var cursor: RunCursor
    let stream: AsyncStream<[UInt8]>.Continuation
  }

  private struct State {
    var isOpen = true
    var next = 0
    var followers: [Int: Follower] = [:]
  }

  private let run: RunID
  private let store: RunStore
  private let changes: RunLogChanges
  private let state = Mutex(State())
  private let waker: AsyncStream<Void>.Continuation
  private let wakes: AsyncStream<Void>

  init(_ run: RunID, _ store: RunStore, _ changes: RunLogChanges) {
    self.run = run
    self.store = store
    self.changes = changes
    (wakes, waker) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
  }

  var count: Int { state.withLock { $0.followers.count } }

  /// Adds a follower; `false` if the feed has ended.
  func add(_ cursor: RunCursor, _ stream: AsyncStream<[UInt8]>.Continuation) -> Bool {
    state.withLock { state in
      guard state.isOpen else { return false }
      let number = state.next
      state.next += 1
      state.followers[number] = Follower(cursor: cursor, stream: stream)
      stream.onTermination = { [weak self] _ in self?.remove(number) }
      return true
    }
  }

  private func remove(_ number: Int) {
    let isLast = state.withLock { state in
      state.followers[number] = nil
      return state.followers.isEmpty
    }
    if isLast { wake() }
  }

  /// Lets the reader look at once.
  func wake() { waker.yield() }

  /// Sends an event that is not repeated after a reconnect.
  func send(_ event: ServerEvent) {
    let bytes = event.bytes
    for follower in state.withLock({ Array($0.followers.values) }) { follower.stream.yield(bytes) }
  }

  /// Ends the streams of all followers.
  func end() {
    let followers = state.withLock { state in
      state.isOpen = false
      defer { state.followers = [:] }
      return Array(state.followers.values)
    }
    for follower in followers { follower.stream.finish() }
    wake()
  }

  /// Reads the run whenever the run log has changed, until its end or until the last follower has gone.
  func work() async {
    let beats = changes.beats()
    let listener = Task { [waker] in for await _ in beats { waker.yield() } }
    let alarm = Task { [weak self] in
      while !Task.isCancelled {
        try? await Task.sleep(for: .seconds(Self.heartbeat))
        self?.beat()
      }
    }
    defer {
      listener.cancel()
      alarm.cancel()
    }
    for await _ in wakes {
      let isDone = state.withLock { state in
        if state.followers.isEmpty { state.isOpen = false }
        return !state.isOpen
      }
      if isDone { return }
      // A run log that cannot be read now is read after the next change.
      guard let isOver = try? await look() else { continue }
      if isOver { return }
    }
  }

  private func beat() {
    for follower in state.withLock({ Array($0.followers.values) }) { follower.stream.yield(ServerEvent.heartbeat) }
  }

  /// Reads the run and sends each follower what it lacks.
  ///
  /// - Returns: Whether the run has ended and all followers know it.
  private func look() async throws -> Bool {
    let first = state.withLock { $0.followers.values.map(\.cursor.line).min() } ?? 0
    // One snapshot: a line that was written after something in the record is not among the lines before it.
    let (record, lines) = try await store.progress(of: run, after: Int64(clamping: first))
    return send(record, lines, after: first)
  }

  /// Sends each follower the events that it lacks.
  ///
  /// - Parameters:
  ///   - record: The run.
  ///   - lines: The lines of its log.
  ///   - first: The line after which they begin. A follower that has joined since and lacks earlier ones is served by the next
  ///     look.
  /// - Returns: Whether the run has ended and all followers know it.
  private func send(_ record: RunRecord, _ lines: [LogRecord], after first: UInt64) -> Bool {
    // Finished outside of the lock: the end of a stream removes its follower.
    var ended: [AsyncStream<[UInt8]>.Continuation] = []
    defer { for stream in ended { stream.finish() } }
    let (isOver, isAgain) = state.withLock { state -> (Bool, Bool) in
      // Most followers know the same: their events are made once.
      var made: [RunCursor: (pieces: [UInt8], cursor: RunCursor)] = [:]
      let isOver = record.summary.status.isFinal
      var isAgain = false
      for (number, follower) in state.followers {
        guard follower.cursor.line >= first else {
          isAgain = true
          continue
        }
        let news: (pieces: [UInt8], cursor: RunCursor)
        if let known = made[follower.cursor] {
          news = known
        } else {
          let found = RunEvents(after: follower.cursor, record, lines: lines)
          var pieces = found.events.flatMap(\.bytes)
          if isOver {
            pieces +=
              ServerEvent(id: found.cursor.text, name: "end", data: ["status": .string(record.summary.status.rawValue)])
              .bytes
          }
          news = (pieces, found.cursor)
          made[follower.cursor] = news
        }
        if !news.pieces.isEmpty {
          if case .dropped = follower.stream.yield(news.pieces) {
            // Too slow: the stream ends before the events that it has no room for.
            ended.append(follower.stream)
            state.followers[number] = nil
            continue
          }
        }
        state.followers[number]?.cursor = news.cursor
        if isOver { ended.append(follower.stream) }
      }
      if isOver {
        state.followers = state.followers.filter { $0.value.cursor.line < first }
        state.isOpen = isAgain
      }
      return (isOver && !isAgain, isAgain)
    }
    if isAgain { wake() }
    return isOver
  }
}
