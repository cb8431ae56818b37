import Expressions
import Localization
import Synchronization

/// A client and its calls: takes messages, carries out calls beside each other, and sends answers.
///
/// Over standard input and output it lives as long as the process. Over HTTP it lives for one request, or in versions with a
/// handshake for a session.
public final class AssistantConnection: Sendable {
  /// Seconds that a person has for a form.
  private static let patience = 3600.0

  private struct State {
    var session: ProtocolSession
    var calls: [Int: (call: AssistantCall, task: Task<Void, Never>, channel: CallChannel)] = [:]
    var questions: [MessageID: CheckedContinuation<Value, any Error>] = [:]
    var watches: [String: Task<Void, Never>] = [:]
    var isOpen = true
  }

  private let assistant: Assistant
  private let state: Mutex<State>

  /// Creates a connection.
  public init(_ assistant: Assistant, _ session: ProtocolSession) {
    self.assistant = assistant
    state = Mutex(State(session: session))
  }

  /// Whether a handshake has taken place.
  public var hasHandshake: Bool { state.withLock { $0.session.handshake != nil } }

  /// Takes a message. Returns at once; answers come later.
  ///
  /// - Parameters:
  ///   - message: The message.
  ///   - operations: The operations that the caller may use.
  ///   - sink: Takes the messages that belong to this one.
  /// - Returns: The serial number of the call that the message has begun; `nil` if it has begun none.
  @discardableResult
  public func receive(
    _ message: IncomingMessage, _ operations: any AssistantOperations, _ sink: MessageSink
  ) -> Int? {
    let actions = state.withLock { $0.session.receive(message) }
    var begun: Int?
    for action in actions {
      switch action {
      case .send(let message): sink.send(message)
      case .perform(let call):
        begun = call.serial
        begin(call, operations, sink)
      case .cancel(let serial): cancel(serial)
      case .answer(let id, let result): resume(id, result)
      }
    }
    if begun == nil { sink.close() }
    return begun
  }

  /// Waits until all calls have their answers, but not longer than some seconds.
  public func settle(seconds: Double) async {
    let calls = state.withLock { $0.calls.values.map(\.task) }
    guard !calls.isEmpty else { return }
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    let answers = Task {
      for call in calls { await call.value }
      continuation.finish()
    }
    let alarm = Task {
      try await Task.sleep(for: .seconds(seconds))
      continuation.finish()
    }
    for await _ in stream {}
    answers.cancel()
    alarm.cancel()
  }

  /// Ends the calls that are under way, because the server stops or the client is gone: runs go on, or are resumed later.
  public func end() async {
    let (calls, watches, questions) = state.withLock { state in
      state.isOpen = false
      defer { (state.watches, state.questions) = ([:], [:]) }
      return (Array(state.calls.values), Array(state.watches.values), Array(state.questions.values))
    }
    for question in questions { question.resume(throwing: CancellationError()) }
    for task in watches + calls.map(\.task) { task.cancel() }
    for task in watches + calls.map(\.task) { await task.value }
  }

  /// Cancels all calls: the client does not want them any more.
  public func withdraw() {
    for serial in state.withLock({ Array($0.calls.keys) }) { cancel(serial) }
  }

  /// Ends a call whose client has gone away, so that no call waits for a reader that does not come back. Its run goes on;
  /// `list_runs` finds it.
  public func abandon(_ serial: Int) {
    let found = state.withLock { state in
      let found = state.calls[serial]
      if let found { state.session.abandon(found.call) }
      return found
    }
    found?.task.cancel()
  }

  // MARK: - Calls

  private func begin(_ call: AssistantCall, _ operations: any AssistantOperations, _ sink: MessageSink) {
    if call.method == "resources/subscribe" || call.method == "resources/unsubscribe" {
      return finish(call, subscribe(call, operations, sink), sink)
    }
    let channel = CallChannel(send: sink.send) { [self] method, params in try await ask(method, params, sink) }
    state.withLock { state in
      let task = Task { [self] in finish(call, await outcome(of: call, operations, channel), sink) }
      if state.isOpen { state.calls[call.serial] = (call, task, channel) } else { task.cancel() }
    }
  }

  /// Carries out a call, as long as its caller has rights.
  private func outcome(
    of call: AssistantCall, _ operations: any AssistantOperations, _ channel: CallChannel
  ) async -> Result<ValueMap, AssistantError> {
    await withTaskGroup(of: Result<ValueMap, AssistantError>?.self) { group in
      group.addTask { [assistant] in await assistant.perform(call, operations, channel) }
      group.addTask {
        if let error = await operations.refusal() { channel.refuse(error) }
        return nil
      }
      var outcome = Result<ValueMap, AssistantError>.failure(Assistant.stopping)
      for await result in group {
        if let result { outcome = result }
        // The rights of some callers do not end.
        if result != nil || channel.refusal != nil { group.cancelAll() }
      }
      return outcome
    }
  }

  private func finish(_ call: AssistantCall, _ outcome: Result<ValueMap, AssistantError>, _ sink: MessageSink) {
    let message = state.withLock { state in
      state.calls[call.serial] = nil
      return state.session.finish(call, outcome)
    }
    if let message { sink.send(message) }
    sink.close()
  }

  private func cancel(_ serial: Int) {
    guard let call = state.withLock({ $0.calls[serial] }) else { return }
    call.channel.withdraw()
    call.task.cancel()
  }

  // MARK: - Questions to the client

  /// Sends a request to the client and waits for its answer.
  private func ask(_ method: String, _ params: ValueMap, _ sink: MessageSink) async throws -> Value {
    let (id, message) = state.withLock { $0.session.ask(method, params) }
    let alarm = Task { [self] in
      try await Task.sleep(for: .seconds(Self.patience))
      drop(id)
    }
    defer { alarm.cancel() }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isOpen = state.withLock { state in
          guard state.isOpen, !Task.isCancelled else { return false }
          state.questions[id] = continuation
          return true
        }
        if isOpen { sink.send(message) } else { continuation.resume(throwing: CancellationError()) }
      }
    } onCancel: {
      sink.send(.notification("notifications/cancelled", ["requestId": id.value]))
      drop(id)
    }
  }

  private func resume(_ id: MessageID, _ result: Result<Value, IncomingMessage.ClientRefusal>) {
    let question = state.withLock { $0.questions.removeValue(forKey: id) }
    switch result {
    case .success(let value): question?.resume(returning: value)
    case .failure(let refusal):
      question?.resume(
        throwing: AssistantError(
          .approvalNeeded, .internalError, "the client could not ask the person: \(refusal.text)",
          de: "der Client konnte den Menschen nicht fragen: \(refusal.text)"))
    }
  }

  private func drop(_ id: MessageID) {
    let question = state.withLock { state in
      state.session.withdraw(id)
      return state.questions.removeValue(forKey: id)
    }
    question?.resume(throwing: CancellationError())
  }

  // MARK: - Subscriptions of versions with a handshake

  private func subscribe(
    _ call: AssistantCall, _ operations: any AssistantOperations, _ sink: MessageSink
  ) -> Result<ValueMap, AssistantError> {
    guard let uri = call.params["uri"]?.stringValue else {
      return .failure(.invalidParameters("'uri' must be a text", de: "'uri' muss ein Text sein"))
    }
    let former = state.withLock { $0.watches.removeValue(forKey: uri) }
    former?.cancel()
    guard call.method == "resources/subscribe" else { return .success([:]) }
    let isTaken = state.withLock { state in
      guard state.watches.count < 20, state.isOpen else { return false }
      state.watches[uri] = Task {
        guard var watch = await ResourceWatch(uri, operations) else { return }
        for await _ in operations.changes() {
          guard let hasChanged = try? await watch.hasChanged() else { return }
          if hasChanged { sink.send(.notification("notifications/resources/updated", ["uri": .string(uri)])) }
        }
      }
      return true
    }
    guard isTaken else {
      return .failure(
        AssistantError(
          .tooManyCalls, .internalError, "more than 20 subscriptions; end another one first",
          de: "mehr als 20 Abonnements; zuerst ein anderes beenden"))
    }
    return .success([:])
  }
}

/// Takes the messages that belong to a message of the client.
public struct MessageSink: Sendable {
  /// Sends a message.
  public let send: @Sendable (OutgoingMessage) -> Void
  /// Nothing more comes.
  public let close: @Sendable () -> Void

  /// Creates a sink.
  public init(send: @escaping @Sendable (OutgoingMessage) -> Void, close: @escaping @Sendable () -> Void = {}) {
    (self.send, self.close) = (send, close)
  }
}
