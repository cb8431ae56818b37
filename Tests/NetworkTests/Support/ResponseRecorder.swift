import Synchronization

@testable import Network

/// Remembers what a handler is told, and lets tests wait for it.
final class ResponseRecorder: HTTPResponseHandler {
  struct State: Sendable {
    var status: Int?
    var headers: [HTTPHeader] = []
    var heads = 0
    var body: [UInt8] = []
    var pieces: [Int] = []
    var failure: NetworkError?
    var ends = 0
    /// Calls that came at the same time, behind the end, or a head behind data.
    var disorder: [String] = []

    var text: String { String(decoding: body, as: UTF8.self) }
    var hasEnded: Bool { ends > 0 }

    subscript(name: String) -> String? { headers.first { $0.name.lowercased() == name.lowercased() }?.value }
  }

  private struct Waiter: Sendable {
    let condition: @Sendable (State) -> Bool
    let continuation: CheckedContinuation<State, Never>
  }

  private let state = Mutex(State())
  private let waiters = Mutex<[Waiter]>([])
  private let isBusy = Mutex(false)
  private let onData: (@Sendable (Int) -> Void)?

  init(onData: (@Sendable (Int) -> Void)? = nil) { self.onData = onData }

  var now: State { state.withLock { $0 } }

  /// Waits until what was told satisfies a condition, or the end has come.
  func wait(_ condition: @escaping @Sendable (State) -> Bool) async -> State {
    await withCheckedContinuation { continuation in
      waiters.withLock { $0.append(Waiter(condition: condition, continuation: continuation)) }
      wake()
    }
  }

  /// Waits for the end.
  func ended() async -> State { await wait { $0.hasEnded } }

  private func wake() {
    let state = now
    let ready = waiters.withLock { waiters in
      let ready = waiters.filter { state.hasEnded || $0.condition(state) }
      waiters.removeAll { state.hasEnded || $0.condition(state) }
      return ready
    }
    for waiter in ready { waiter.continuation.resume(returning: state) }
  }

  private func told(_ what: String, _ change: (inout State) -> Void) {
    let collides = isBusy.withLock { busy in
      defer { busy = true }
      return busy
    }
    state.withLock { state in
      if collides { state.disorder.append("\(what) beside another call") }
      if state.ends > 0 { state.disorder.append("\(what) after the end") }
      if what == "data", state.heads != 1 { state.disorder.append("data without head") }
      change(&state)
    }
    isBusy.withLock { $0 = false }
    wake()
  }

  func head(status: Int, headers: [HTTPHeader]) {
    told("head") { state in
      state.status = status
      state.headers = headers
      state.heads += 1
    }
  }

  func data(_ bytes: RawSpan) {
    let piece = bytes.withUnsafeBytes { Array($0) }
    told("data") { state in
      state.body += piece
      state.pieces.append(piece.count)
    }
    onData?(piece.count)
  }

  func end(_ failure: NetworkError?) {
    told("end") { state in
      state.failure = failure
      state.ends += 1
    }
  }
}
