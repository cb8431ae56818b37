import Foundation
import Testing

@testable import Networking

@Suite(.timeLimit(.minutes(5))) struct StreamConnectionTests {
  private let peer: Peer
  private let network: TestNetwork

  init() throws {
    peer = try Peer.start("lines")
    network = try TestNetwork()
  }

  private func closed(_ recorder: StreamRecorder) async -> StreamRecorder.State {
    _ = await recorder.ended()
    await network.service.shutdown()
    let state = recorder.now
    #expect(state.ends == 1 && state.disorder.isEmpty)
    #expect(openConnections(to: peer.port) == 0)
    return state
  }

  @Test func talks() async {
    let recorder = StreamRecorder()
    let stream = network.open(peer.port, recorder: recorder)
    stream.write(Array("ECHO one\r\n".utf8))
    stream.write(Array("ECHO two\r\n".utf8))
    let state = await recorder.text("two\r\n")
    #expect(state.text == "220 ready\r\none\r\ntwo\r\n")
    #expect(state.opened == 1)
    stream.close()
    stream.close()
    let last = await closed(recorder)
    #expect(last.failure == nil)
    #expect(last.sent == 20)
  }

  @Test func theOtherSideEndsInGoodOrder() async {
    let recorder = StreamRecorder()
    let stream = network.open(peer.port, recorder: recorder)
    stream.write(Array("QUIT\r\n".utf8))
    let state = await closed(recorder)
    #expect(state.failure == nil)
    #expect(state.text == "220 ready\r\n221 bye\r\n")
  }

  @Test func aResetIsAFailure() async {
    let recorder = StreamRecorder()
    let stream = network.open(peer.port, recorder: recorder)
    stream.write(Array("RESET\r\n".utf8))
    #expect(await closed(recorder).failure?.kind == .io)
  }

  @Test func closingSendsFirstWhatWasWritten() async throws {
    let recorder = StreamRecorder()
    // Before it is open, and more than the system buffers.
    let stream = network.open(peer.port, recorder: recorder)
    stream.write(Array("ALL\r\n".utf8))
    stream.write([UInt8](repeating: 1, count: 20_000_000))
    stream.close()
    stream.write(Array("too late".utf8))
    let state = await closed(recorder)
    #expect(state.failure == nil)
    #expect(state.sent == 20_000_005)
  }

  @Test func whatIsWrittenAfterTheOtherSideStoppedSendingStillArrives() async throws {
    let recorder = StreamRecorder()
    let stream = network.open(peer.port, recorder: recorder)
    _ = await recorder.text("ready")
    stream.write(Array("HALF\r\n".utf8) + [UInt8](repeating: 1, count: 20_000_000))
    let state = await recorder.ended()
    #expect(state.failure == nil)
    #expect(state.sent == 20_000_006)
    let other = StreamRecorder()
    let asking = network.open(peer.port, recorder: other)
    asking.write(Array("TOTAL\r\nQUIT\r\n".utf8))
    #expect(await other.ended().text.contains("250 20000000\r\n"))
    _ = await closed(recorder)
  }

  @Test(arguments: [true, false])
  func endsAtOnceWhenCancelled(_ waits: Bool) async {
    let recorder = StreamRecorder()
    let stream = network.open(peer.port, recorder: recorder)
    if waits { _ = await recorder.text("ready") }
    stream.cancel()
    stream.cancel()
    #expect(await closed(recorder).failure?.code == .cancelled)
  }

  @Test func closingBeforeItIsOpenIsAGoodEnd() async throws {
    let network = try TestNetwork(resolver: ScriptedResolver(["slow.example": [.never]]), configured: ["slow.example"])
    let recorder = StreamRecorder()
    let stream = network.open(peer.port, host: "slow.example", recorder: recorder)
    stream.close()
    let state = await recorder.ended()
    #expect(state.failure == nil)
    #expect(state.opened == 0)
  }

  @Test func silenceEndsAStreamOnDemand() async {
    let recorder = StreamRecorder()
    _ = network.open(peer.port, idleTimeout: .milliseconds(100), recorder: recorder)
    let state = await closed(recorder)
    #expect(state.failure?.code == .idleTimeout)
    #expect("220 ready\r\n".hasPrefix(state.text))
  }

  @Test func waitingForTheReceiverIsNoSilence() async {
    let recorder = StreamRecorder()
    let stream = network.open(peer.port, idleTimeout: .seconds(3), window: 10, recorder: recorder)
    _ = await recorder.wait { $0.body.count == 10 }
    // Another stream that is silent for longer measures the time.
    let other = StreamRecorder()
    _ = network.open(peer.port, idleTimeout: .seconds(4), recorder: other)
    #expect(await other.ended().failure?.code == .idleTimeout)
    #expect(!recorder.now.hasEnded)
    stream.consumed(.max)
    #expect(await recorder.text("ready\r\n").text == "220 ready\r\n")
    // Now it is the server that says nothing.
    #expect(await recorder.ended().failure?.code == .idleTimeout)
  }

  @Test func aBusyReceiverIsNoSilence() async {
    let block = Box<Int>()
    let recorder = StreamRecorder { piece in if piece.starts(with: Array("220".utf8)) { _ = block.wait() } }
    let stream = network.open(peer.port, idleTimeout: .seconds(3), recorder: recorder)
    _ = await recorder.text("ready")
    let other = StreamRecorder()
    _ = network.open(peer.port, idleTimeout: .seconds(4), recorder: other)
    #expect(await other.ended().failure?.code == .idleTimeout)
    block.set(1)
    stream.write(Array("ECHO still there\r\n".utf8))
    let state = await recorder.text("still there")
    #expect(!state.hasEnded)
    stream.cancel()
  }

  @Test func aWindowHoldsTheServerBack() async {
    let recorder = StreamRecorder()
    let stream = network.open(peer.port, window: 1000, recorder: recorder)
    stream.write(Array("FLOOD 50000000\r\n".utf8))
    let state = await recorder.wait { $0.body.count >= 1000 }
    #expect(state.body.count == 1000)
    let other = StreamRecorder()
    let asking = network.open(peer.port, recorder: other)
    asking.write(Array("FLOODED\r\nQUIT\r\n".utf8))
    let flooded = await other.ended().text.split(separator: "\r\n").compactMap { line in
      line.hasPrefix("250 ") ? Int(line.dropFirst(4)) : nil
    }
    #expect(flooded.first ?? .max < 40_000_000)
    stream.consumed(500)
    #expect(await recorder.wait { $0.body.count >= 1500 }.body.count == 1500)
    stream.close()
    #expect(await closed(recorder).failure == nil)
  }

  @Test func everythingComesThroughASmallWindow() async {
    let stream = Box<StreamConnection>()
    let recorder = StreamRecorder { piece in stream.wait().consumed(piece.count) }
    stream.set(network.open(peer.port, window: 4096, recorder: recorder))
    stream.wait().write(Array("FLOOD 6553600\r\nQUIT\r\n".utf8))
    let state = await closed(recorder)
    #expect(state.body.count == 6_553_600 + "220 ready\r\n221 bye\r\n".utf8.count)
  }

  @Test(arguments: [
    ("127.0.0.1", 0, NetworkError.Code.hostInvalid), ("127.0.0.1", 65536, .hostInvalid), ("", 25, .hostInvalid),
    ("[::1]", 25, .hostInvalid), ("evil.example", 25, .hostNotAllowed), ("10.0.0.1", 25, .hostNotAllowed),
    ("inside.example", 25, .addressNotAllowed), ("unknown.example", 25, .nameUnknown),
  ])
  func refusesBeforeConnecting(_ host: String, _ port: Int, _ code: NetworkError.Code) async throws {
    let network = try TestNetwork(
      resolver: ScriptedResolver(["inside.example": ["10.0.0.1"]]), declared: ["inside.example", "unknown.example"])
    let recorder = StreamRecorder()
    _ = network.open(port, host: host, recorder: recorder)
    let state = await recorder.ended()
    #expect(state.failure?.code == code)
    #expect(state.opened == 0 && state.ends == 1)
  }

  @Test func manyAtATimeLeaveNothingOpen() async {
    let recorders = await withTaskGroup(of: StreamRecorder.self) { group in
      for number in 0..<100 {
        group.addTask {
          let recorder = StreamRecorder()
          let stream = network.open(peer.port, recorder: recorder)
          for _ in 0..<(number % 7) { await Task.yield() }
          switch number % 4 {
          case 0: stream.cancel()
          case 1: stream.close()
          case 2: stream.write(Array("QUIT\r\n".utf8))
          default:
            stream.write(Array("ECHO x\r\n".utf8))
            _ = await recorder.text("x\r\n")
            stream.close()
          }
          _ = await recorder.ended()
          return recorder
        }
      }
      return await group.reduce(into: [StreamRecorder]()) { $0.append($1) }
    }
    await network.service.shutdown()
    #expect(recorders.count == 100)
    #expect(recorders.allSatisfy { $0.now.ends == 1 && $0.now.disorder.isEmpty })
    #expect(openConnections(to: peer.port) == 0)
  }
}
