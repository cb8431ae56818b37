import Engine

/// One call as it crosses to a plugin, wherever that runs.
struct CallRequest: Sendable, Equatable {
  /// What the call is for; the numbers of the header.
  enum Operation: UInt32, Sendable {
    /// Carry the action out.
    case run = 0
    /// Find out what became of an earlier attempt.
    case verify = 1
    /// Emit the events of a trigger.
    case subscribe = 2
  }

  /// Names the call in this process and in a worker; never 0.
  var id: UInt64
  /// What the call is for.
  var operation: Operation
  /// 1 for the first attempt.
  var attempt: UInt32
  /// The action or trigger.
  var action: String
  /// A JSON object.
  var input: [UInt8]
  /// The idempotency key.
  var key: String
  /// Milliseconds left; 0 for no deadline.
  var timeout: UInt64
}
