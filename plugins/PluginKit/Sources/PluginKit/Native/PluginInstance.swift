import CPluginABI
import Synchronization

/// One configured provider behind the C boundary.
final class PluginInstance: Sendable {
  /// Runs one operation: action, input and context in, output or error out.
  typealias Operation =
    @Sendable (_ operation: UInt32, _ action: String, _ input: [UInt8], _ context: ActionContext)
    async throws(ActionError) -> [UInt8]

  private struct Call {
    var task: Task<Void, Never>?
    var isCancelled = false
  }

  private let host: PluginContext
  private let perform: Operation
  private let isBlocking: @Sendable (String) -> Bool
  private let calls = Mutex<[UInt64: Call]>([:])

  init<Owner: Plugin>(_ type: Owner.Type, host: PluginContext, configuration: [UInt8]) throws(ActionError) {
    let dispatcher = try ActionDispatcher(type, host: host, configuration: configuration)
    self.host = host
    isBlocking = { dispatcher.isBlocking($0) }
    perform = { operation, action, input, context async throws(ActionError) in
      if operation == UInt32(SOUS_OPERATION_RUN) {
        return try await dispatcher.run(action, input: input, context: context)
      } else if operation == UInt32(SOUS_OPERATION_VERIFY) {
        return try await dispatcher.verify(action, input: input, context: context)
      } else if operation == UInt32(SOUS_OPERATION_SUBSCRIBE) {
        return try await dispatcher.subscribe(action, input: input, context: context)
      } else {
        throw ActionError(
          .unsupported, "Operation \(operation) is newer than this plugin.",
          german: "Der Vorgang \(operation) ist neuer als dieses Plugin.")
      }
    }
  }

  /// Starts a call; its task calls `complete` once, at its end.
  func start(_ call: sous_call, completion: sous_completion) {
    let id = call.id
    let operation = call.operation
    let action = NativeBytes.string(call.action)
    let input = NativeBytes.copy(call.input)
    let context = ActionContext(
      call: id, attempt: Int(call.attempt), key: NativeBytes.string(call.key),
      timeout: call.timeout_ms == 0 ? nil : .milliseconds(Int64(clamping: call.timeout_ms)), plugin: host)
    let answer = Answer(completion)
    let work: @Sendable () async -> Void = {
      let outcome: Result<[UInt8], ActionError>
      do throws(ActionError) {
        outcome = .success(try await self.perform(operation, action, input, context))
      } catch {
        outcome = .failure(error)
      }
      // Gone before the answer: behind that the host may destroy the instance, or use the number again.
      _ = self.calls.withLock { $0.removeValue(forKey: id) }
      answer.give(outcome)
    }
    calls.withLock { $0[id] = Call() }
    // Both end with the call, which the host may cancel.
    let task =
      isBlocking(action)
      ? Task(executorPreference: CallThreads.shared) { await work() } : Task.immediate { await work() }
    // Until here a cancel could only be noted; the call may also be over by now.
    let isCancelled = calls.withLock { calls in
      calls[id]?.task = task
      return calls[id]?.isCancelled ?? false
    }
    if isCancelled { task.cancel() }
  }

  func cancel(_ id: UInt64) {
    let task = calls.withLock { calls in
      calls[id]?.isCancelled = true
      return calls[id]?.task
    }
    task?.cancel()
  }
}

/// A completion on its way to the task that calls it.
// The context is an opaque token; the header allows `complete` to be called from any thread.
struct Answer: @unchecked Sendable {
  private let completion: sous_completion

  init(_ completion: sous_completion) { self.completion = completion }

  func give(_ outcome: Result<[UInt8], ActionError>) {
    switch outcome {
    case .success(let json): give(UInt32(SOUS_STATUS_OK), json)
    case .failure(let error): give(UInt32(SOUS_STATUS_ERROR), Array(error.json.utf8))
    }
  }

  private func give(_ status: UInt32, _ payload: [UInt8]) {
    NativeBytes.borrow(payload) { bytes in
      var result = sous_result(size: MemoryLayout<sous_result>.size, status: status, payload: bytes)
      completion.complete?(completion.context, &result)
    }
  }
}
