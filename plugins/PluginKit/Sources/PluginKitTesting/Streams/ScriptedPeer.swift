public import PluginKit
import PluginRecording
import Synchronization

/// The other side of a stream in a test: a server that a closure plays.
///
/// ```swift
/// host.accept { peer in
///   try await peer.send("* OK ready\r\n")
///   #expect(try await peer.readLine() == "a1 LOGOUT")
/// }
/// ```
///
/// When the closure returns the connection is closed; an ``ActionError`` that it throws is how it breaks.
public final class ScriptedPeer: Sendable {
  /// What was asked for.
  public let request: StreamRequest

  private struct State {
    var inbox: [UInt8] = []
    var unread = 0
    var received: UInt64 = 0
    var isTLSAsked = false
    var isClosedByPlugin = false
    var isOver = false
  }

  private let state = Mutex(State())
  private let changes = Changes()
  private let receiver: any StreamReceiver

  init(_ request: StreamRequest, _ receiver: any StreamReceiver) {
    self.request = request
    self.receiver = receiver
  }

  /// Sends bytes in one piece; waits while the plugin has a mebibyte that it has not read.
  ///
  /// - Throws: `io` if the plugin has closed the stream.
  public func send(_ bytes: [UInt8]) async throws(ActionError) {
    guard !bytes.isEmpty else { return }
    try await wait { $0.unread < ScriptedExchange.window ? true : nil }
    state.withLock { $0.unread += bytes.count }
    receiver.receiveData(bytes)
  }

  /// Sends text in one piece.
  ///
  /// - Throws: `io` if the plugin has closed the stream.
  public func send(_ text: String) async throws(ActionError) { try await send(Array(text.utf8)) }

  /// The next line without its LF, or CR and LF; `nil` once the plugin has closed the stream.
  public func readLine() async throws(ActionError) -> String? {
    let line = try await wait { state -> [UInt8]? in
      if let end = state.inbox.firstIndex(of: 0x0A) {
        defer { state.inbox.removeSubrange(...end) }
        return Array(state.inbox[...end])
      }
      guard state.isClosedByPlugin else { return nil }
      defer { state.inbox = [] }
      return state.inbox
    }
    guard !line.isEmpty else { return nil }
    var text = line[...]
    if text.last == 0x0A { text.removeLast() }
    if text.last == 0x0D { text.removeLast() }
    return String(decoding: text, as: UTF8.self)
  }

  /// So many bytes.
  ///
  /// - Throws: `io` if the plugin closes the stream before.
  public func read(exactly count: Int) async throws(ActionError) -> [UInt8] {
    let bytes = try await wait { state -> [UInt8]? in
      guard state.inbox.count >= count else { return state.isClosedByPlugin ? [] : nil }
      defer { state.inbox.removeFirst(count) }
      return Array(state.inbox.prefix(count))
    }
    guard bytes.count == count else { throw ActionError(.io, "The plugin closed the stream.") }
    return bytes
  }

  /// Waits until the plugin begins TLS, and completes it.
  ///
  /// - Throws: `io` if the plugin closes the stream instead.
  public func acceptTLS() async throws(ActionError) {
    try await wait { state -> Bool? in
      guard state.isTLSAsked else { return nil }
      state.isTLSAsked = false
      return true
    }
    receiver.receiveSecured()
  }

  /// What the plugin has sent, without secrets: what is expected, or what stands in its place.
  func read(like expected: [UInt8], scrubber: SecretScrubber) async throws(ActionError) -> [UInt8] {
    try await wait { state -> [UInt8]? in
      guard !state.inbox.starts(with: expected) else {
        state.inbox.removeFirst(expected.count)
        return expected
      }
      // A secret and its mark differ in length, so what was sent is measured by its lines.
      let isLine = state.inbox.last == 0x0A
      guard isLine || state.isClosedByPlugin || state.inbox.count >= expected.count else { return nil }
      let ends = state.inbox.indices.filter { state.inbox[$0] == 0x0A }.map { $0 + 1 } + [state.inbox.count]
      for end in ends where scrubber.scrub(Array(state.inbox[..<end])) == expected {
        state.inbox.removeFirst(end)
        return expected
      }
      let clean = scrubber.scrub(state.inbox)
      let mayGoOn = expected.starts(with: clean) || (!isLine && state.inbox.count < expected.count + 4096)
      guard state.isClosedByPlugin || !mayGoOn else { return nil }
      state.inbox = []
      return clean
    }
  }

  /// Waits until the plugin closes the stream.
  func waitForClose() async { _ = try? await wait { $0.isClosedByPlugin ? true : nil } }

  @discardableResult
  private func wait<Result: Sendable>(_ body: (inout State) -> Result?) async throws(ActionError) -> Result {
    while true {
      let seen = changes.count
      let (result, isClosed) = state.withLock { (body(&$0), $0.isClosedByPlugin) }
      if let result { return result }
      guard !isClosed, !Task.isCancelled else { throw ActionError(.io, "The plugin closed the stream.") }
      await changes.wait(since: seen)
    }
  }

  /// Ends the connection; only the first time counts.
  func end(_ failure: ActionError?) {
    let isFirst = state.withLock { state in
      defer { state.isOver = true }
      return !state.isOver
    }
    if isFirst { receiver.receiveEnd(failure) }
  }
}

extension ScriptedPeer: StreamControl {
  package func write(_ piece: [UInt8]) {
    let total = state.withLock { state in
      state.inbox += piece
      state.received += UInt64(piece.count)
      return state.received
    }
    receiver.receiveSent(total)
    changes.notify()
  }

  package func startTLS() {
    state.withLock { $0.isTLSAsked = true }
    changes.notify()
  }

  package func consumed(_ count: Int) {
    state.withLock { $0.unread -= count }
    changes.notify()
  }

  package func close() {
    state.withLock { $0.isClosedByPlugin = true }
    changes.notify()
    end(nil)
  }
}

extension InMemoryHost {
  /// Plays the other side of every stream that plugins open.
  ///
  /// An error thrown before anything was sent or read is how opening fails.
  public func accept(_ script: @escaping @Sendable (ScriptedPeer) async throws -> Void) {
    state.withLock { $0.peer = script }
  }

  func open(_ request: StreamRequest, refusal: ActionError?, receiver: any StreamReceiver) -> any StreamControl {
    if refusal == nil, request.tls == .none, let port = state.withLock({ $0.loopback })?(request) {
      let stream = LoopbackStream(port: port, receiver)
      stream.start()
      return stream
    }
    let peer = ScriptedPeer(request, receiver)
    let (script, replay, isLive) = state.withLock { ($0.peer, $0.replay, $0.live != nil) }
    let scrubber = replay.map { _ in self.scrubber }
    // Ends with the script, which has nobody to talk to once the plugin has closed the stream.
    Task {
      if let refusal { return peer.end(refusal) }
      if let replay, let scrubber {
        receiver.receiveOpened()
        do {
          try await replay.converse(with: peer, scrubber: scrubber)
          return peer.end(nil)
        } catch {
          return peer.end(ActionError(any: error))
        }
      }
      if isLive {
        return peer.end(ActionError(.unsupported, "Streams are not recorded by tests: write their recording by hand."))
      }
      guard let script else {
        return peer.end(
          ActionError(
            .refused, "Nothing listens on \(request.host):\(request.port) in this test: call accept(…) first.",
            german: "Nichts lauscht in diesem Test auf \(request.host):\(request.port): erst accept(…) rufen."))
      }
      receiver.receiveOpened()
      do {
        try await script(peer)
        peer.end(nil)
      } catch {
        peer.end(ActionError(any: error))
      }
    }
    return peer
  }
}
