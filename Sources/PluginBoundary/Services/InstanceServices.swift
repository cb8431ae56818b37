package import Engine

/// Everything the host does for one plugin instance, free of C: the functions behind the capabilities of the ABI header.
///
/// In the host's own process the C tables lead here directly; for a plugin in a worker process they lead to an
/// implementation that hands every call over a socket to the same protocol on the other side.
///
/// None of these functions blocks, whatever the header says about the capability: replies come later, from any thread,
/// exactly once, also where the instance has been closed in the meantime, and perhaps before the function returns. All
/// of them may be called from any thread. `call` is the number of a running call, 0 where something belongs to the
/// instance.
package protocol InstanceServices: AnyObject, Sendable {
  /// What `get` finds; everything else is NULL to the plugin.
  var offered: Set<Capability> { get }

  // MARK: Reports

  /// Adds a line to the log. `message` is what the plugin wrote, up to a limit in bytes; it is not yet in one line.
  func log(_ level: LogLevel, _ message: String, call: UInt64)
  /// Says how far a call has come; `total` is 0 when unknown.
  func progress(done: UInt64, total: UInt64, label: String, call: UInt64)
  /// Hands over a piece of an answer. `json` is the plugin's text, unchecked; `nil` if it was too large.
  func delta(_ json: [UInt8]?, call: UInt64)
  /// Notes something that the plugin must not do, in words for its author.
  func reportDefect(_ message: String, level: LogLevel)

  // MARK: Clock

  /// Milliseconds since 1970-01-01T00:00:00Z.
  var now: Int64 { get }
  /// Nanoseconds from an arbitrary start.
  var monotonic: UInt64 { get }

  // MARK: Network

  /// Starts an HTTP request. The handler gets `end` exactly once, perhaps before this returns.
  func send(_ request: HTTPExchangeRequest, to handler: any HTTPExchangeHandler) -> any HTTPExchangeControl
  /// Opens a connection. The handler gets `end` exactly once, perhaps before this returns.
  func open(_ request: ByteStreamRequest, to handler: any ByteStreamHandler) -> any ByteStreamControl

  // MARK: Secrets, state, blobs

  /// The value of a secret among the provider's settings: `api_key`, `accounts.0.password`.
  func readSecret(_ name: String, reply: @escaping ServiceReply<[UInt8]>)

  /// The value of a key.
  func readState(_ key: String, reply: @escaping ServiceReply<StateEntry>)
  /// The keys that begin with a prefix, in the order of their bytes.
  func listState(_ prefix: String, reply: @escaping ServiceReply<[String]>)
  /// Makes all changes or none; on disk when it succeeds.
  func commitState(_ changes: [StateChange], reply: @escaping ServiceReply<Void>)

  /// Begins a blob; `nil` if that is not possible.
  func createBlob(call: UInt64) -> (any BlobWriting)?
  /// Reads up to `length` bytes, at most ``BlobLimits/piece``, from an offset; fewer come only at the end.
  func readBlob(_ name: String, offset: UInt64, length: Int, call: UInt64, reply: @escaping ServiceReply<[UInt8]>)

  // MARK: Triggers

  /// Hands over an event; the reply comes when it and its cursor are on disk.
  func emit(_ event: EmittedEvent, reply: @escaping ServiceReply<Void>)
}

/// A group of functions of the host, by the name in the header.
package enum Capability: String, Sendable, CaseIterable {
  /// Lines for the log.
  case log = "sous.log/1"
  /// How far calls have come.
  case progress = "sous.progress/1"
  /// Pieces of answers.
  case delta = "sous.delta/1"
  /// The host's time.
  case clock = "sous.clock/1"
  /// HTTP requests.
  case http = "sous.http/1"
  /// Connections of bytes.
  case stream = "sous.stream/1"
  /// Secrets of the provider's settings.
  case secret = "sous.secret/1"
  /// Keys and values that last.
  case state = "sous.state/1"
  /// Large values.
  case blob = "sous.blob/1"
  /// Events of subscriptions.
  case event = "sous.event/1"
}

/// Why the host did not do what it was asked to; the numbers of the header.
package enum ServiceStatus: UInt32, Error, Sendable {
  /// There is nothing of that name.
  case absent = 1
  /// This provider may not have it.
  case refused = 2
  /// Something has changed since it was read.
  case conflict = 3
  /// It is too large, or too many.
  case tooLarge = 4
  /// The host could not; its log says why.
  case failed = 5
}

/// Takes the result of a service; called exactly once, on any thread. Must not block.
package typealias ServiceReply<Value> = @Sendable (Result<Value, ServiceStatus>) -> Void
