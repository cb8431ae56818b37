import Expressions
import Synchronization

/// The way from a call that is under way to its client.
final class CallChannel: Sendable {
  private let send: @Sendable (OutgoingMessage) -> Void
  private let question: @Sendable (String, ValueMap) async throws -> Value
  private let withdrawn = Atomic(false)
  private let refused = Mutex<AssistantError?>(nil)

  /// Creates a channel.
  ///
  /// - Parameters:
  ///   - send: Sends a message to the client.
  ///   - question: Sends a request to the client and waits for its answer; in versions that have such requests.
  init(
    send: @escaping @Sendable (OutgoingMessage) -> Void,
    question: @escaping @Sendable (String, ValueMap) async throws -> Value
  ) {
    (self.send, self.question) = (send, question)
  }

  /// Sends a message without an answer.
  func notify(_ method: String, _ params: ValueMap) { send(.notification(method, params)) }

  /// Asks the client, and waits for its answer.
  func ask(_ method: String, _ params: ValueMap) async throws -> Value { try await question(method, params) }

  /// Whether the client does not want the call any more. A call can also end because the server stops.
  var isWithdrawn: Bool { withdrawn.load(ordering: .acquiring) }

  /// Records that the client does not want the call any more.
  func withdraw() { withdrawn.store(true, ordering: .releasing) }

  /// Why the caller has lost its rights during the call; `nil` if it has not.
  var refusal: AssistantError? { refused.withLock { $0 } }

  /// Records that the caller has lost its rights.
  func refuse(_ error: AssistantError) { refused.withLock { $0 = error } }
}
