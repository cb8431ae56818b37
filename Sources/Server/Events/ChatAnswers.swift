import Engine
import Expressions
import Synchronization

/// The answers of models that are being made for callers. An answer goes on if its reader goes away, until it is stopped.
final class ChatAnswers: Sendable {
  /// Answers that have ended and that a repeated request can still get.
  private static let kept = 100
  /// The most answers that are made at a time, of all users and of one.
  private static let (most, mostOfUser) = (32, 4)

  /// The result of asking for an answer.
  enum Start: Sendable {
    /// The answer, which is being made or has ended.
    case begun(ChatAnswer)
    /// Another answer of the conversation is being made.
    case underWay
    /// The user, or all users together, have as many answers as are made at a time.
    case tooMany
  }

  private struct State {
    var isOpen = true
    /// In the order of their beginnings.
    var answers: [ChatAnswer] = []
  }

  private let state = Mutex(State())

  /// Begins an answer, or finds the one with the same id: a repeated request asks no model again.
  ///
  /// - Parameters:
  ///   - id: The id of the answer.
  ///   - user: The user who asks; only this user can read or stop it.
  ///   - conversation: The number of the conversation; `nil` for a new one.
  ///   - question: The question, for a page that is loaded meanwhile.
  ///   - work: Makes the answer.
  /// - Returns: ``Start/underWay`` if another answer of the conversation is being made.
  /// - Throws: `CancellationError` if the server stops.
  func begin(
    _ id: String, user: String, conversation: Int?, question: String,
    _ work: @escaping @Sendable (ChatAnswer) async throws -> Value
  ) throws -> Start {
    let (start, isNew) = try state.withLock { state -> (Start, Bool) in
      guard state.isOpen else { throw CancellationError() }
      if let known = state.answers.first(where: { $0.id == id && $0.user == user }) { return (.begun(known), false) }
      let running = state.answers.filter { !$0.hasEnded }
      if let conversation, running.contains(where: { $0.conversation == conversation }) { return (.underWay, false) }
      // Models cost money, also if no reader is left.
      guard running.count < Self.most, running.count(where: { $0.user == user }) < Self.mostOfUser else {
        return (.tooMany, false)
      }
      let surplus = state.answers.count - Self.kept
      if surplus > 0 {
        let ended = state.answers.filter(\.hasEnded).prefix(surplus).map(\.id)
        state.answers.removeAll { ended.contains($0.id) }
      }
      let answer = ChatAnswer(id, user: user, conversation: conversation, question: question)
      state.answers.append(answer)
      return (.begun(answer), true)
    }
    if isNew, case .begun(let answer) = start { answer.start(work) }
    return start
  }

  /// The answer of an id; `nil` also for one that another user has asked for.
  func answer(_ id: String, of user: String) -> ChatAnswer? {
    state.withLock { $0.answers.first { $0.id == id && $0.user == user } }
  }

  /// The answer of a user that is being made.
  ///
  /// - Parameter conversation: The number of the conversation; `nil` for one that has no number yet.
  func current(of user: String, in conversation: Int?) -> ChatAnswer? {
    state.withLock { state in
      state.answers.last { $0.user == user && $0.conversation == conversation && !$0.hasEnded }
    }
  }

  /// Stops all answers. Their words so far are kept.
  func close() async {
    let answers = state.withLock { state in
      state.isOpen = false
      return state.answers
    }
    for answer in answers { answer.stop() }
    for answer in answers { _ = try? await answer.value }
  }
}

/// One answer of a model: its events so far, and its followers.
final class ChatAnswer: Sendable {
  /// The events that a follower may lag behind; a slower one is disconnected and follows again.
  private static let buffer = 4096
  /// Seconds after which a comment keeps a quiet connection open.
  private static let heartbeat = 15.0

  private struct State {
    var task: Task<Void, Never>?
    var isStopped = false
    /// The bytes of all events so far.
    var past: [UInt8] = []
    var end: Result<Value, any Error>?
    var next = 0
    var followers: [Int: AsyncStream<[UInt8]>.Continuation] = [:]
    var waiters: [CheckedContinuation<Value, any Error>] = []
  }

  let id: String
  let user: String
  /// The number of the conversation; `nil` for a new one.
  let conversation: Int?
  /// The question.
  let question: String
  private let state = Mutex(State())

  fileprivate init(_ id: String, user: String, conversation: Int?, question: String) {
    (self.id, self.user, self.conversation, self.question) = (id, user, conversation, question)
  }

  /// Whether nothing more comes.
  var hasEnded: Bool { state.withLock { $0.end != nil } }

  /// Whether its user has stopped it.
  var isStopped: Bool { state.withLock(\.isStopped) }

  fileprivate func start(_ work: @escaping @Sendable (ChatAnswer) async throws -> Value) {
    send(ServerEvent(name: "answer", data: ["id": .string(id)]))
    let task = Task { [self] in
      let beats = Task { [weak self] in
        while !Task.isCancelled {
          try? await Task.sleep(for: .seconds(Self.heartbeat))
          self?.pass(ServerEvent.heartbeat, isKept: false)
        }
      }
      let result: Result<Value, any Error>
      do { result = .success(try await work(self)) } catch { result = .failure(error) }
      beats.cancel()
      finish(result)
    }
    let isStopped = state.withLock { state in
      if state.end == nil { state.task = task }
      return state.isStopped
    }
    if isStopped { task.cancel() }
  }

  /// Stops it; the words that have come stay.
  func stop() {
    let task = state.withLock { state in
      if state.end == nil { state.isStopped = true }
      return state.task
    }
    task?.cancel()
  }

  /// Adds an event.
  func send(_ event: ServerEvent) { pass(event.bytes, isKept: true) }

  /// Hands bytes to the followers.
  ///
  /// - Parameter isKept: Whether later followers get them too.
  private func pass(_ bytes: [UInt8], isKept: Bool) {
    // Too slow ones follow again, from the beginning. They are finished outside of the lock, as their end removes them.
    var slow: [AsyncStream<[UInt8]>.Continuation] = []
    state.withLock { state in
      if isKept { state.past += bytes }
      for (number, follower) in state.followers {
        guard case .dropped = follower.yield(bytes) else { continue }
        slow.append(follower)
        state.followers[number] = nil
      }
    }
    for follower in slow { follower.finish() }
  }

  private func finish(_ result: Result<Value, any Error>) {
    let (followers, waiters) = state.withLock { state in
      state.end = result
      state.task = nil
      defer { (state.followers, state.waiters) = ([:], []) }
      return (Array(state.followers.values), state.waiters)
    }
    for follower in followers { follower.finish() }
    for waiter in waiters { waiter.resume(with: result) }
  }

  /// The events so far, then new ones, to the end.
  func follow() -> EventSource {
    let (stream, continuation) = AsyncStream.makeStream(
      of: [UInt8].self, bufferingPolicy: .bufferingOldest(Self.buffer))
    let isOver = state.withLock { state in
      // Within the lock, so that no event comes before those of the past.
      continuation.yield(state.past)
      guard state.end == nil else { return true }
      let number = state.next
      state.next += 1
      state.followers[number] = continuation
      continuation.onTermination = { [weak self] _ in self?.remove(number) }
      return false
    }
    if isOver { continuation.finish() }
    return EventSource(pieces: stream, end: { continuation.finish() })
  }

  private func remove(_ number: Int) { state.withLock { _ = $0.followers.removeValue(forKey: number) } }

  /// The answer, or why there is none; waits for its end.
  var value: Value {
    get async throws {
      try await withCheckedThrowingContinuation { waiter in
        let end = state.withLock { state -> Result<Value, any Error>? in
          if state.end == nil { state.waiters.append(waiter) }
          return state.end
        }
        if let end { waiter.resume(with: end) }
      }
    }
  }
}
