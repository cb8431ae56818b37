import Engine

/// One call as it crosses to a plugin, wherever that runs.
package struct CallRequest: Sendable, Equatable {
  /// The operation of a call; the numbers of the header.
  package enum Operation: UInt32, Sendable {
    /// Carry the action out.
    case run = 0
    /// Find out what became of an earlier attempt.
    case verify = 1
    /// Emit the events of a trigger.
    case subscribe = 2
  }

  /// Names the call in this process and in a worker; never 0.
  package var id: UInt64
  /// The operation.
  package var operation: Operation
  /// 1 for the first attempt.
  package var attempt: UInt32
  /// The action or trigger.
  package var action: String
  /// A JSON object.
  package var input: [UInt8]
  /// The idempotency key.
  package var key: String
  /// Milliseconds left; 0 for no deadline.
  package var timeout: UInt64

  package init(
    id: UInt64, operation: Operation, attempt: UInt32, action: String, input: [UInt8], key: String, timeout: UInt64
  ) {
    self.id = id
    self.operation = operation
    self.attempt = attempt
    self.action = action
    self.input = input
    self.key = key
    self.timeout = timeout
  }
}
