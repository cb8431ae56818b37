/// Where ``PluginContext`` and ``ActionContext`` lead: the C table of a real host, or memory.
package protocol HostServices: Sendable {
  func log(call: UInt64, level: LogLevel, message: String)
  func progress(call: UInt64, done: UInt64, total: UInt64, label: String)
  func delta(call: UInt64, json: [UInt8])
  /// Milliseconds since 1970.
  func now() -> Int64
  /// Nanoseconds.
  func monotonic() -> UInt64
  func offers(_ capability: String) -> Bool

  /// Starts a request; `nil` where the host has no HTTP. With `streamed` more of the body comes through the control.
  func startHTTP(
    _ request: HTTPRequest, call: UInt64, streamed: Bool, receiver: any HTTPReceiver
  ) -> (any HTTPControl)?
}
