public import PluginKit
import PluginRecording
import Synchronization

extension InMemoryHost {
  /// Answers every request of the plugins by a closure.
  ///
  /// It gets the request with its whole body. An error that it throws is how the request fails.
  public func respond(_ script: @escaping @Sendable (HTTPRequest) async throws -> ScriptedResponse) {
    state.withLock { $0.service = .script(script) }
  }

  /// Answers the requests of the plugins one after the other; one more than there are responses fails with `protocol`.
  public func respond(with responses: ScriptedResponse...) {
    state.withLock { $0.service = .list(responses[...]) }
  }

  /// The requests that plugins have made, in order, refused ones left out.
  public var requests: [HTTPRequest] { state.withLock { $0.requests } }

  /// What answers the requests.
  enum Service: Sendable {
    case none
    case script(@Sendable (HTTPRequest) async throws -> ScriptedResponse)
    case list(ArraySlice<ScriptedResponse>)
  }

  func respond(to request: HTTPRequest) async -> ScriptedResponse {
    if let replay = state.withLock({ $0.replay }) {
      state.withLock { $0.requests.append(request) }
      return replay.respond(
        to: RecordedRequest(
          method: request.method.rawValue, url: request.url,
          headers: request.headers.fields.map { RecordedHeader(name: $0.name, value: $0.value) }, body: request.body,
          scrubber: scrubber))
    }
    let (script, listed) = state.withLock {
      state -> ((@Sendable (HTTPRequest) async throws -> ScriptedResponse)?, ScriptedResponse?) in
      state.requests.append(request)
      switch state.service {
      case .none: return (nil, nil)
      case .script(let script): return (script, nil)
      case .list(var responses):
        let next = responses.popFirst()
        state.service = .list(responses)
        return (nil, next)
      }
    }
    if let listed { return listed }
    guard let script else {
      return .failure(
        ActionError(
          .protocol, "Nothing answers \(request.method.rawValue) \(request.url) in this test: call respond(…) first.",
          german:
            "Nichts antwortet in diesem Test auf \(request.method.rawValue) \(request.url): erst respond(…) rufen."))
    }
    do {
      return try await script(request)
    } catch {
      return .failure(ActionError(any: error))
    }
  }
}
