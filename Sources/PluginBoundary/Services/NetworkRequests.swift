package import Engine

/// One header field.
package struct HeaderField: Sendable, Equatable {
  /// The name, as on the wire.
  package var name: String
  /// The value, as on the wire.
  package var value: String

  package init(name: String, value: String) {
    self.name = name
    self.value = value
  }
}

/// An HTTP request of a plugin.
package struct HTTPExchangeRequest: Sendable, Equatable {
  /// The call it belongs to; 0 if it belongs to the instance.
  package var call: UInt64
  /// `GET`, `POST` …
  package var method: String
  /// Absolute, http or https.
  package var url: String
  /// In order.
  package var headers: [HeaderField]
  /// The body, or its beginning.
  package var body: [UInt8]
  /// More of the body comes through ``HTTPExchangeControl/write(_:)``.
  package var streamsBody = false
  /// Redirects are answered like other responses.
  package var keepsRedirects = false
  /// Milliseconds in which the connection must open; 0 for the default.
  package var connectTimeout: UInt64 = 0
  /// Milliseconds of silence before it is given up; 0 for the usual.
  package var idleTimeout: UInt64 = 0
  /// The largest response body in bytes; 0 for the usual.
  package var responseLimit: UInt64 = 0
  /// The most bytes of the response that are handed over and not yet ``HTTPExchangeControl/consumed(_:)``.
  ///
  /// Always in force; 0 for the usual. The C tables do the counting for plugins that want no flow control.
  package var window: UInt64 = 0
}

/// Receives the response to one HTTP request: `head` once, `data` any number of times, `end` once and last, one at a time,
/// from any thread. The functions return at once.
package protocol HTTPExchangeHandler: AnyObject, Sendable {
  /// The status line and the header fields.
  func head(status: UInt32, headers: [HeaderField])
  /// A piece of the decompressed body, never empty.
  func data(_ piece: [UInt8])
  /// The end; `nil` if the response is complete.
  func end(_ failure: ActionFailure?)
}

/// Controls an HTTP request. No function blocks; none has an effect after the end.
package protocol HTTPExchangeControl: AnyObject, Sendable {
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
package struct ByteStreamRequest: Sendable, Equatable {
  /// The call it belongs to; 0 if it belongs to the instance.
  package var call: UInt64
  /// A host name or an address.
  package var host: String
  /// 1 to 65535.
  package var port: UInt16
  /// TLS from the first byte.
  package var isSecured: Bool
  /// Milliseconds in which connection and TLS must open; 0 for the default.
  package var connectTimeout: UInt64 = 0
  /// Milliseconds of silence before it is given up; 0 for ever.
  package var idleTimeout: UInt64 = 0
  /// The most bytes that are handed over and not yet ``ByteStreamControl/consumed(_:)``; 0 for the usual.
  package var window: UInt64 = 0
}

/// Receives the events of one connection: `opened` once, then `data`, `secured` and `sent`, and `end` once and last, one at
/// a time, from any thread. The functions return at once.
package protocol ByteStreamHandler: AnyObject, Sendable {
  /// The connection is open.
  func opened()
  /// Bytes that arrived, never empty.
  func data(_ piece: [UInt8])
  /// TLS is established.
  func secured()
  /// So many bytes altogether have been handed to the system.
  func sent(_ total: UInt64)
  /// The end; `nil` for an orderly one.
  func end(_ failure: ActionFailure?)
}

/// Controls a connection. No function blocks; none has an effect after the end.
package protocol ByteStreamControl: AnyObject, Sendable {
  /// Sends bytes, in order.
  func write(_ piece: [UInt8])
  /// Begins TLS after what was written.
  func startTLS()
  /// So many further bytes may come.
  func consumed(_ bytes: UInt64)
  /// Closes it after what was written.
  func close()
}
