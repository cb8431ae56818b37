import Engine

/// One header field.
struct HeaderField: Sendable, Equatable {
  /// The name, as on the wire.
  var name: String
  /// The value, as on the wire.
  var value: String
}

/// An HTTP request of a plugin.
struct HTTPExchangeRequest: Sendable, Equatable {
  /// The call it belongs to, 0 where it belongs to the instance.
  var call: UInt64
  /// `GET`, `POST` …
  var method: String
  /// Absolute, http or https.
  var url: String
  /// In order.
  var headers: [HeaderField]
  /// The body, or its beginning.
  var body: [UInt8]
  /// More of the body comes through ``HTTPExchangeControl/write(_:)``.
  var streamsBody = false
  /// Redirects are answered like other responses.
  var keepsRedirects = false
  /// Milliseconds until the connection stands; 0 for the usual.
  var connectTimeout: UInt64 = 0
  /// Milliseconds of silence before it is given up; 0 for the usual.
  var idleTimeout: UInt64 = 0
  /// The largest response body in bytes; 0 for the usual.
  var responseLimit: UInt64 = 0
  /// The most bytes of the response that are handed over and not yet ``HTTPExchangeControl/consumed(_:)``.
  ///
  /// Always in force; 0 for the usual. The C tables do the counting for plugins that want no flow control.
  var window: UInt64 = 0
}

/// What comes back for one HTTP request: `head` once, `data` any number of times, `end` once and last, one at a time,
/// from any thread. The functions return at once.
protocol HTTPExchangeHandler: AnyObject, Sendable {
  /// The status line and the header fields.
  func head(status: UInt32, headers: [HeaderField])
  /// A piece of the decompressed body, never empty.
  func data(_ piece: [UInt8])
  /// The end; `nil` where the response is complete.
  func end(_ failure: ActionFailure?)
}

/// What can be done with an HTTP request under way. Nothing of it blocks, nothing has an effect after the end.
protocol HTTPExchangeControl: AnyObject, Sendable {
  /// Adds to the body.
  func write(_ piece: [UInt8])
  /// Completes the body.
  func finish()
  /// So many further bytes may come.
  func consumed(_ bytes: UInt64)
  /// Ends it soon.
  func cancel()
}

/// A connection that a plugin asks for.
struct ByteStreamRequest: Sendable, Equatable {
  /// The call it belongs to, 0 where it belongs to the instance.
  var call: UInt64
  /// A host name or an address.
  var host: String
  /// 1 to 65535.
  var port: UInt16
  /// TLS from the first byte.
  var isSecured: Bool
  /// Milliseconds until connection and TLS stand; 0 for the usual.
  var connectTimeout: UInt64 = 0
  /// Milliseconds of silence before it is given up; 0 for ever.
  var idleTimeout: UInt64 = 0
  /// The most bytes that are handed over and not yet ``ByteStreamControl/consumed(_:)``; 0 for the usual.
  var window: UInt64 = 0
}

/// What comes back for one connection: `opened` once, then `data`, `secured` and `sent`, and `end` once and last, one at
/// a time, from any thread. The functions return at once.
protocol ByteStreamHandler: AnyObject, Sendable {
  /// The connection stands.
  func opened()
  /// Bytes that arrived, never empty.
  func data(_ piece: [UInt8])
  /// TLS stands.
  func secured()
  /// So many bytes altogether have been handed to the system.
  func sent(_ total: UInt64)
  /// The end; `nil` where it was in good order.
  func end(_ failure: ActionFailure?)
}

/// What can be done with a connection. Nothing of it blocks, nothing has an effect after the end.
protocol ByteStreamControl: AnyObject, Sendable {
  /// Sends bytes, in order.
  func write(_ piece: [UInt8])
  /// Begins TLS after what was written.
  func startTLS()
  /// So many further bytes may come.
  func consumed(_ bytes: UInt64)
  /// Closes it after what was written.
  func close()
}
