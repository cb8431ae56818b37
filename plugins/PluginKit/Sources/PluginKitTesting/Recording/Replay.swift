import PluginKit
import PluginRecording
import Synchronization

/// A recording as it is played back: what was asked for already, and what went wrong.
final class Replay: Sendable {
  private struct State {
    var unused: [RecordedExchange]
    var failures: [RecordingError] = []
  }

  private let state: Mutex<State>

  init(_ recording: Recording) {
    state = Mutex(State(unused: recording.exchanges))
  }

  /// The answer to a request; what is not recorded fails it, and ``finish()``.
  func respond(to request: RecordedRequest) -> ScriptedResponse {
    let outcome = state.withLock { state -> Result<RecordedResponse, RecordingError> in
      let candidates = state.unused.indices.filter { state.unused[$0].request != nil }
      if let index = candidates.first(where: { state.unused[$0].request.map(request.matches) ?? false }) {
        return .success(state.unused.remove(at: index).response ?? RecordedResponse(status: 200))
      }
      var text = "\(request.method) \(request.url) is not recorded."
      if let nearest = candidates.first.flatMap({ state.unused[$0].request }) {
        text += " The next recorded request differs:\n" + request.differences(from: nearest).joined(separator: "\n")
      } else {
        text += " No recorded request is left."
      }
      let error = RecordingError(.unexpected, text + "\nRecord again with SOUS_RECORD=1.")
      state.failures.append(error)
      return .failure(error)
    }
    switch outcome {
    case .failure(let error): return .failure(ActionError(.protocol, error.message))
    case .success(let response):
      let failure = response.failure.map { ActionError(.init(rawValue: $0.kind), $0.message) }
      var scripted = ScriptedResponse(
        headers: HTTPHeaders((response.headers ?? []).map { HTTPHeaders.Field(name: $0.name, value: $0.value) }),
        pieces: (response.body ?? []).map(\.bytes), ending: failure.map { .failure($0) } ?? .complete)
      scripted.status = response.status
      return scripted
    }
  }

  /// Plays the other side of a stream.
  func converse(with peer: ScriptedPeer, scrubber: SecretScrubber) async throws {
    let asked = RecordedStream(host: peer.request.host, port: peer.request.port, tls: peer.request.tls == .implicit)
    let dialogue = state.withLock { state -> [RecordedTurn]? in
      guard let index = state.unused.firstIndex(where: { $0.stream == asked }) else { return nil }
      return state.unused.remove(at: index).dialogue ?? []
    }
    guard let dialogue else {
      throw fail(
        "A stream to \(asked.host):\(asked.port), TLS \(asked.tls ? "from the start" : "later"), is not recorded.")
    }
    for (number, turn) in dialogue.enumerated() {
      if let piece = turn.receive { try await peer.send(piece.bytes) }
      if turn.startTLS == true { try await peer.acceptTLS() }
      if let failure = turn.failure { throw ActionError(.init(rawValue: failure.kind), failure.message) }
      if turn.end == true { return }
      guard let expected = turn.send?.bytes else { continue }
      let sent = try await peer.read(like: expected, scrubber: scrubber)
      guard sent == expected else {
        throw fail(
          "Turn \(number + 1) of the dialogue with \(asked.host) differs:\n"
            + "  recorded '\(String(decoding: expected, as: UTF8.self))'\n"
            + "  sent     '\(String(decoding: sent, as: UTF8.self))'")
      }
    }
    await peer.waitForClose()
  }

  private func fail(_ message: String) -> ActionError {
    state.withLock { $0.failures.append(RecordingError(.unexpected, message)) }
    return ActionError(.protocol, message)
  }

  /// Throws what was not as recorded, and what was recorded and not asked for.
  func finish() throws(RecordingError) {
    let (failure, unused) = state.withLock { ($0.failures.first, $0.unused) }
    if let failure { throw failure }
    guard let first = unused.first else { return }
    let name = first.request.map { "\($0.method) \($0.url)" } ?? first.stream.map { "\($0.host):\($0.port)" } ?? ""
    throw RecordingError(.unused, "\(unused.count) recorded exchanges were not asked for, the first: \(name)")
  }
}
