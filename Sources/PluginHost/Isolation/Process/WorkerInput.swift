import PluginBoundary

/// Checks of the messages of a worker, for mutated input.
@_spi(Fuzzing) public enum WorkerInput {
  /// Reads bytes as the host does those of a worker that has the calls 1 to 4, and ends at the first violation.
  ///
  /// - Returns: Whether every message was the same after it was written and read again, no call ended twice, and what
  ///   the conversation keeps stayed within its bounds.
  public static func isTakenInGoodOrder(_ bytes: [UInt8]) -> Bool {
    var decoder = FrameDecoder(payloadLimit: 1 << 20)
    var conversation = PluginProcessProtocol()
    for call in UInt64(1)...4 { conversation.begin(call: call, PluginProcessProtocol.Name(action: "a.b", key: "k")) }
    var completed: Set<UInt64> = []
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = decoder.fill { space in
        let count = min(space.count, rest.count, 1000)
        for (index, byte) in rest.prefix(count).enumerated() { space[index] = byte }
        return count
      }
      rest = rest.dropFirst(count)
      do throws(FrameViolation) {
        while let frame = try decoder.next() {
          let message = try WorkerMessage(frame)
          guard isStable(message) else { return false }
          let reaction = try conversation.receive(message)
          if case .completed(let call, _) = reaction, !completed.insert(call).inserted { return false }
        }
      } catch {
        return true
      }
      guard conversation.openExchanges.count <= PluginProcessProtocol.exchangeLimit else { return false }
    }
    return true
  }

  private static func isStable(_ message: WorkerMessage) -> Bool {
    let written = message.encoded()
    var decoder = FrameDecoder()
    var position = 0
    while position < written.count {
      position += decoder.fill { space in
        let count = min(space.count, written.count - position)
        for index in 0..<count { space[index] = written[position + index] }
        return count
      }
    }
    guard let frame = try? decoder.next(), let again = try? WorkerMessage(frame) else { return false }
    return again.encoded() == written
  }
}
