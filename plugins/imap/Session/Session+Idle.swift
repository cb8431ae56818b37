import PluginKit

extension Session {
  /// Begins to wait for news.
  ///
  /// - Throws: What IDLE was refused with.
  func beginIdle() async throws(ActionError) -> String {
    awaitContinuation()
    let tag = try await send(Command("IDLE"))
    guard try await continuation(or: tag) != nil else {
      let status = try await finish(tag) { _ throws(ActionError) in }
      throw refusal(status, of: Command("IDLE"))
    }
    return tag
  }

  /// The next news while waiting; `nil` if the time is over.
  func idleNews(_ tag: String, within timeout: Duration) async throws(ActionError) -> ConnectionMachine.Event? {
    // Responses before the server began to wait are news as well.
    if let data = takeHeld() { return .untagged(data) }
    let event = try await news(within: timeout)
    if case .completion(let ended, let status)? = event { note(ended, status) }
    return event
  }

  /// Ends the waiting, and makes sure that the server is there.
  func endIdle(_ tag: String) async throws(ActionError) {
    if isIdling(tag) { try await write(Array("DONE\r\n".utf8)) }
    let status = try await finish(tag) { _ throws(ActionError) in }
    guard status.isOK else { throw refusal(status, of: Command("IDLE")) }
  }
}
