import Synchronization

/// One request between the host, which calls from its threads, and the one task that reads the response.
final class HTTPTransfer: HTTPReceiver {
  private enum Ending {
    case complete
    case failed(ActionError)
  }

  private struct State {
    var control: (any HTTPControl)?
    var head: (status: Int, headers: HTTPHeaders)?
    var pieces: [[UInt8]] = []
    /// The first piece that has not been taken.
    var next = 0
    var ending: Ending?

    mutating func take() -> [UInt8]? {
      guard next < pieces.count else { return nil }
      let piece = pieces[next]
      pieces[next] = []
      next += 1
      if next == pieces.count {
        pieces.removeAll(keepingCapacity: true)
        next = 0
      }
      return piece
    }
  }

  private let state = Mutex(State())
  private let changes = Changes()

  /// Sets the control of the request; before anything is read.
  func begin(_ control: any HTTPControl) {
    state.withLock { $0.control = control }
  }

  func write(_ piece: [UInt8]) {
    guard !piece.isEmpty else { return }
    state.withLock { $0.control }?.write(piece)
  }

  func finish() { state.withLock { $0.control }?.finish() }

  /// Ends the request from this side; later data of the host is dropped.
  func abandon(_ reason: ActionError = .cancelled) {
    let control = state.withLock { state -> (any HTTPControl)? in
      guard state.ending == nil else { return nil }
      state.ending = .failed(reason)
      state.pieces = []
      state.next = 0
      return state.control
    }
    control?.cancel()
    changes.notify()
  }

  func receiveHead(status: Int, headers: HTTPHeaders) {
    change { $0.head = (status, headers) }
  }

  func receivePiece(_ piece: [UInt8]) {
    change { $0.pieces.append(piece) }
  }

  func receiveEnd(_ failure: ActionError?) {
    change { $0.ending = failure.map(Ending.failed) ?? .complete }
  }

  private func change(_ body: (inout State) -> Void) {
    state.withLock { if $0.ending == nil { body(&$0) } }
    changes.notify()
  }

  /// The response once its head is there.
  func response() async throws(ActionError) -> HTTPResponse {
    while true {
      if Task.isCancelled { abandon() }
      let seen = changes.count
      let (head, ending) = state.withLock { ($0.head, $0.ending) }
      if case .failed(let error) = ending, head == nil || error.kind == .cancelled { throw error }
      if let head { return HTTPResponse(status: head.status, headers: head.headers, body: HTTPBody(self)) }
      guard ending == nil else {
        throw ActionError(.protocol, "The response has no head.", german: "Die Antwort hat keinen Kopf.")
      }
      await changes.wait(since: seen)
    }
  }

  /// The next piece of the body, `nil` after the last.
  func nextPiece() async throws(ActionError) -> [UInt8]? {
    while true {
      if Task.isCancelled { abandon() }
      let seen = changes.count
      let (piece, ending, control) = state.withLock { ($0.take(), $0.ending, $0.control) }
      if let piece {
        if ending == nil { control?.consumed(piece.count) }
        return piece
      }
      switch ending {
      case .complete: return nil
      case .failed(let error): throw error
      case nil: await changes.wait(since: seen)
      }
    }
  }
}
