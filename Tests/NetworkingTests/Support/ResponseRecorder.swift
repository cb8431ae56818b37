import Synchronization

@testable import Networking

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

  private let recording = Recording(State())
  private let isBusy = Mutex(false)
  private let onData: (@Sendable (Int) -> Void)?

  init(onData: (@Sendable (Int) -> Void)? = nil) { self.onData = onData }

  var now: State { recording.now }

  /// Waits until what was told satisfies a condition, or the end has come.
  func wait(_ condition: @escaping @Sendable (State) -> Bool) async -> State {
    await recording.wait { $0.hasEnded || condition($0) }
  }

  /// Waits for the end.
  func ended() async -> State { await wait { $0.hasEnded } }

  private func told(_ what: String, _ change: (inout State) -> Void) {
    let collides = isBusy.withLock { busy in
      defer { busy = true }
      return busy
    }
    recording.note { state in
      if collides { state.disorder.append("\(what) beside another call") }
      if state.ends > 0 { state.disorder.append("\(what) after the end") }
      if what == "data", state.heads != 1 { state.disorder.append("data without head") }
      change(&state)
    }
    isBusy.withLock { $0 = false }
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
