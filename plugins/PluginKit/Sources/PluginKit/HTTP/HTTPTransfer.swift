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
    var readers: [CheckedContinuation<Void, Never>] = []
    /// How often something has arrived.
    var changes = 0
  }

  private let state = Mutex(State())

  /// Notes how the request is steered; before anybody reads.
  func begin(_ control: any HTTPControl) {
    let isOver = state.withLock { state in
      state.control = control
      return state.ending != nil
    }
    if isOver { control.cancel() }
  }

  func write(_ piece: [UInt8]) {
    guard !piece.isEmpty else { return }
    state.withLock { $0.control }?.write(piece)
  }

  func finish() { state.withLock { $0.control }?.finish() }

  /// Ends the request from this side; what the host still delivers is dropped.
  func abandon(_ reason: ActionError = .cancelled) {
    let (control, readers) = state.withLock { state -> ((any HTTPControl)?, [CheckedContinuation<Void, Never>]) in
      guard state.ending == nil else { return (nil, []) }
      state.ending = .failed(reason)
      state.pieces = []
      state.next = 0
      defer { state.readers = [] }
      return (state.control, state.readers)
    }
    control?.cancel()
    readers.forEach { $0.resume() }
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
    let readers = state.withLock { state -> [CheckedContinuation<Void, Never>] in
      guard state.ending == nil else { return [] }
      body(&state)
      state.changes &+= 1
      defer { state.readers = [] }
      return state.readers
    }
    readers.forEach { $0.resume() }
  }

  /// The response once its head is there.
  func response() async throws(ActionError) -> HTTPResponse {
    while true {
      let (head, ending, seen) = state.withLock { ($0.head, $0.ending, $0.changes) }
      if let head {
        if case .failed(let error) = ending, error.kind == .cancelled { throw error }
        return HTTPResponse(status: head.status, headers: head.headers, body: HTTPBody(self))
      }
      switch ending {
      case .failed(let error): throw error
      case .complete:
        throw ActionError(
          .protocol, "The response has no head.", german: "Die Antwort hat keinen Kopf.")
      case nil: await change(since: seen)
      }
    }
  }

  /// The next piece of the body, `nil` after the last.
  func nextPiece() async throws(ActionError) -> [UInt8]? {
    while true {
      if Task.isCancelled { abandon() }
      let (piece, ending, control, seen) = state.withLock { state -> ([UInt8]?, Ending?, (any HTTPControl)?, Int) in
        guard state.next < state.pieces.count else { return (nil, state.ending, nil, state.changes) }
        let piece = state.pieces[state.next]
        state.pieces[state.next] = []
        state.next += 1
        if state.next == state.pieces.count {
          state.pieces.removeAll(keepingCapacity: true)
          state.next = 0
        }
        return (piece, nil, state.ending == nil ? state.control : nil, state.changes)
      }
      if let piece {
        control?.consumed(piece.count)
        return piece
      }
      switch ending {
      case .complete: return nil
      case .failed(let error): throw error
      case nil: await change(since: seen)
      }
    }
  }

  /// Waits until something has arrived that was not seen yet, or the task is cancelled.
  private func change(since seen: Int) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isThere = state.withLock { state in
          if state.ending != nil || state.changes != seen { return true }
          state.readers.append(continuation)
          return false
        }
        if isThere { continuation.resume() }
      }
    } onCancel: {
      abandon()
    }
  }
}
