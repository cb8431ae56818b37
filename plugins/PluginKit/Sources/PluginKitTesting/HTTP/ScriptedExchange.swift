import PluginKit
import Synchronization

/// One request to a scripted service: waits for its body, asks the script, and delivers the response as fast as it is
/// read.
final class ScriptedExchange: HTTPControl {
  /// As much as a real host has on the way by default.
  static let window = 1 << 20

  private struct State {
    var request: HTTPRequest
    var isAsked = false
    var pieces: [[UInt8]] = []
    var next = 0
    var ending: ScriptedResponse.Ending?
    var unread = 0
    var isDelivering = false
    var isOver = false
  }

  private let state: Mutex<State>
  private let receiver: any HTTPReceiver
  private let script: @Sendable (HTTPRequest) async -> ScriptedResponse

  init(
    _ request: HTTPRequest, receiver: any HTTPReceiver,
    script: @escaping @Sendable (HTTPRequest) async -> ScriptedResponse
  ) {
    state = Mutex(State(request: request))
    self.receiver = receiver
    self.script = script
  }

  func write(_ piece: [UInt8]) {
    state.withLock { if !$0.isAsked { $0.request.body += piece } }
  }

  /// The body is complete: what is answered does not depend on when it was written.
  func finish() {
    let request = state.withLock { state -> HTTPRequest? in
      guard !state.isAsked, !state.isOver else { return nil }
      state.isAsked = true
      return state.request
    }
    guard let request else { return }
    // Ends by itself: with the last piece, or when the request is cancelled.
    Task {
      let response = await script(request)
      answer(response)
    }
  }

  private func answer(_ response: ScriptedResponse) {
    if let status = response.status {
      guard !state.withLock({ $0.isOver }) else { return }
      receiver.receiveHead(status: status, headers: response.headers)
    }
    state.withLock { state in
      state.pieces = response.pieces.filter { !$0.isEmpty }
      state.ending = response.ending
    }
    deliver()
  }

  func consumed(_ count: Int) {
    state.withLock { $0.unread -= count }
    deliver()
  }

  func cancel() {
    let isFirst = state.withLock { state in
      defer { state.isOver = true }
      return !state.isOver
    }
    if isFirst {
      receiver.receiveEnd(ActionError(.cancelled, "The request was cancelled.", german: "Anfrage abgebrochen."))
    }
  }

  private enum Step {
    case piece([UInt8])
    case end(ActionError?)
    case wait
  }

  /// Delivers what the window allows; one thread at a time, so that the order holds.
  private func deliver() {
    guard
      state.withLock({ state in
        if state.isDelivering { return false }
        state.isDelivering = true
        return true
      })
    else { return }
    while true {
      let step = state.withLock { state -> Step in
        let step = self.next(&state)
        if case .wait = step { state.isDelivering = false }
        return step
      }
      switch step {
      case .piece(let piece): receiver.receivePiece(piece)
      case .end(let failure): receiver.receiveEnd(failure)
      case .wait: return
      }
    }
  }

  private func next(_ state: inout State) -> Step {
    guard !state.isOver, let ending = state.ending else { return .wait }
    if state.next < state.pieces.count {
      guard state.unread < Self.window else { return .wait }
      defer { state.next += 1 }
      state.unread += state.pieces[state.next].count
      return .piece(state.pieces[state.next])
    }
    switch ending {
    case .complete:
      state.isOver = true
      return .end(nil)
    case .failure(let error):
      state.isOver = true
      return .end(error)
    case .never: return .wait
    }
  }
}
