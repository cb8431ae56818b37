@testable import Networking

/// Remembers what a stream's handler is told, and lets tests wait for it.
final class StreamRecorder: StreamHandler {
  struct State: Sendable {
    var opened = 0
    var secured = 0
    var body: [UInt8] = []
    var sent = 0
    var failure: NetworkError?
    var ends = 0
    var disorder: [String] = []

    var text: String { String(decoding: body, as: UTF8.self) }
    var hasEnded: Bool { ends > 0 }
  }

  private let recording = Recording(State())
  private let onData: (@Sendable ([UInt8]) -> Void)?

  init(onData: (@Sendable ([UInt8]) -> Void)? = nil) { self.onData = onData }

  var now: State { recording.now }

  /// Waits until what was told satisfies a condition, or the end has come.
  func wait(_ condition: @escaping @Sendable (State) -> Bool) async -> State {
    await recording.wait { $0.hasEnded || condition($0) }
  }

  /// Waits for the end.
  func ended() async -> State { await wait { $0.hasEnded } }

  /// Waits for a text among what came.
  func text(_ text: String) async -> State { await wait { $0.text.contains(text) } }

  private func told(_ what: String, _ change: (inout State) -> Void) {
    recording.note { state in
      if state.ends > 0 { state.disorder.append("\(what) after the end") }
      if what != "opened", what != "end", state.opened != 1 { state.disorder.append("\(what) before opened") }
      change(&state)
    }
  }

  func opened() { told("opened") { $0.opened += 1 } }

  func data(_ bytes: RawSpan) {
    let piece = bytes.withUnsafeBytes { Array($0) }
    told("data") { $0.body += piece }
    onData?(piece)
  }

  func secured() { told("secured") { $0.secured += 1 } }

  func sent(_ total: Int) {
    told("sent") { state in
      if total < state.sent { state.disorder.append("sent goes back") }
      state.sent = total
    }
  }

  func end(_ failure: NetworkError?) {
    told("end") { state in
      state.failure = failure
      state.ends += 1
    }
  }
}
