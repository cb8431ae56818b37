import Mail

/// The input of a fuzzer for the parsers of server responses.
@_spi(Fuzzing) public enum FuzzInput {
  /// Reads bytes as a server would send them, at once and in pieces.
  ///
  /// - Returns: Whether both give the same, and what was read stays in proportion to the bytes.
  public static func isTakenInGoodOrder(_ bytes: [UInt8]) -> Bool {
    let whole = read([bytes])
    var pieces: [[UInt8]] = []
    var start = 0
    while start < bytes.count {
      let end = min(bytes.count, start + 1 + pieces.count % 97)
      pieces.append(Array(bytes[start..<end]))
      start = end
    }
    guard whole == read(pieces) else { return false }
    return whole.content <= bytes.count && whole.parts <= bytes.count
  }

  private struct Outcome: Equatable {
    var responses = 0
    var events = 0
    /// The bytes of sections.
    var content = 0
    /// The parts of structures.
    var parts = 0
    var isFaulty = false
  }

  private static func read(_ pieces: [[UInt8]]) -> Outcome {
    var outcome = Outcome()
    var limits = ResponseReader.Limits()
    // Small enough for a fuzzer to reach it.
    limits.literal = 1 << 16
    var reader = ResponseReader(limits: limits)
    var machine = ConnectionMachine()
    _ = machine.begin(.signIn)
    _ = machine.begin(.select(mailbox: Array("INBOX".utf8), isReadOnly: false))
    machine.awaitContinuation()
    for piece in pieces {
      reader.append(piece)
      do {
        while let response = try reader.next() {
          outcome.responses += 1
          let parsed = try ResponseParser.parse(response)
          if case .untagged(.fetch(let message)) = parsed { take(message, &outcome) }
          if case .untagged(.extendedSearch(let result)) = parsed { _ = try? result.all.expanded(limit: 10_000) }
          _ = try machine.receive(parsed)
          outcome.events += 1
        }
      } catch {
        outcome.isFaulty = true
        return outcome
      }
    }
    return outcome
  }

  private static func take(_ message: FetchedMessage, _ outcome: inout Outcome) {
    outcome.content += message.sections.reduce(0) { $0 + ($1.content?.count ?? 0) }
    guard let structure = message.structure else { return }
    let outline = BodyOutline(structure)
    outcome.parts += outline.textParts.count
    let parsed = outline.message(header: message.section("HEADER") ?? [])
    _ = outline.attachments(of: parsed)
    _ = outline.part("1.2")
  }
}
