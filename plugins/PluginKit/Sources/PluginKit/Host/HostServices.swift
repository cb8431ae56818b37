/// Where ``PluginContext`` and ``ActionContext`` lead: the C table of a real host, or memory.
package protocol HostServices: Sendable {
  func log(call: UInt64, level: LogLevel, message: String)
  func progress(call: UInt64, done: UInt64, total: UInt64, label: String)
  func delta(call: UInt64, json: [UInt8])
  /// Milliseconds since 1970.
  func now() -> Int64
  /// Nanoseconds.
  func monotonic() -> UInt64
  /// Lets time pass.
  func sleep(for duration: Duration) async throws(CancellationError)
  /// Returns when time has passed, without making it pass: for deadlines.
  func timer(for duration: Duration) async throws(CancellationError)
  func offers(_ capability: String) -> Bool

  /// Starts a request; `nil` if the host has no HTTP. With `streamed` more of the body comes through the control.
  func startHTTP(
    _ request: HTTPRequest, call: UInt64, streamed: Bool, receiver: any HTTPReceiver
  ) -> (any HTTPControl)?

  /// Opens a connection; `nil` if the host has no streams.
  func openStream(_ request: StreamRequest, call: UInt64, receiver: any StreamReceiver) -> (any StreamControl)?

  // These may block, and are called on threads of the kit only.

  func readSecret(_ name: String) throws(HostRefusal) -> [UInt8]
  func readState(_ key: String) throws(HostRefusal) -> (value: [UInt8], version: UInt64)
  func listState(_ prefix: String) throws(HostRefusal) -> [String]
  func commitState(_ changes: [StateChange]) throws(HostRefusal)
  func createBlob(call: UInt64) throws(HostRefusal) -> UInt64
  func writeBlob(_ blob: UInt64, _ piece: [UInt8]) throws(HostRefusal)
  func finishBlob(_ blob: UInt64) throws(HostRefusal) -> String
  /// Does not block.
  func discardBlob(_ blob: UInt64)
  /// Fewer bytes than `length`, or none, at the end.
  func readBlob(call: UInt64, name: String, offset: UInt64, length: UInt64) throws(HostRefusal) -> [UInt8]
  func emitEvent(call: UInt64, id: String, event: [UInt8], cursor: String) throws(HostRefusal)
}

extension HostServices {
  /// Calls a function that may block on a thread of the kit.
  func run<Value: Sendable>(
    _ body: @escaping @Sendable (any HostServices) throws(HostRefusal) -> Value
  ) async throws(HostRefusal) -> Value {
    let services: any HostServices = self
    // Handing over to another thread and back takes longer than most of these functions.
    if CallThreads.isCurrent { return try body(services) }
    // Ends with the function, which nothing can interrupt.
    let outcome = await Task(executorPreference: CallThreads.shared) {
      Result { () throws(HostRefusal) in try body(services) }
    }.value
    return try outcome.get()
  }

  /// As ``run(_:)``, with the error that a plugin sees.
  func blocking<Value: Sendable>(
    _ capability: String, _ name: String,
    _ body: @escaping @Sendable (any HostServices) throws(HostRefusal) -> Value
  ) async throws(ActionError) -> Value {
    do { return try await run(body) } catch { throw ActionError(error, capability, name) }
  }
}
