import Foundation
import Testing

@testable import Networking

@Suite(.timeLimit(.minutes(5))) struct HTTPCancellationTests {
  private let peer: Peer

  init() throws { peer = try Peer.start("http") }

  private func cancelled(
    _ network: TestNetwork, _ request: HTTPRequest,
    after condition: @escaping @Sendable (ResponseRecorder.State) -> Bool
  ) async -> ResponseRecorder.State {
    let recorder = ResponseRecorder()
    let exchange = network.service.send(request, policy: network.policy, handler: recorder)
    _ = await recorder.wait(condition)
    exchange.cancel()
    exchange.cancel()
    _ = await recorder.ended()
    exchange.cancel()
    exchange.finish()
    exchange.write([1])
    exchange.consumed(1)
    await network.service.shutdown()
    exchange.cancel()
    return recorder.now
  }

  private func expectOneCancelledEnd(_ state: ResponseRecorder.State) {
    #expect(state.failure?.code == .cancelled)
    #expect(state.ends == 1 && state.disorder.isEmpty)
    #expect(openConnections(to: peer.port) == 0)
  }

  @Test func atOnce() async throws {
    let network = try TestNetwork()
    // Never answered, so that no answer can come before the cancellation on a busy machine.
    expectOneCancelledEnd(await cancelled(network, HTTPRequest(url: peer.url("/silent"))) { _ in true })
  }

  @Test func whileTheNameIsLookedUp() async throws {
    let resolver = ScriptedResolver(["slow.example": [.never]])
    let network = try TestNetwork(resolver: resolver, configured: ["slow.example"])
    let state = await cancelled(network, HTTPRequest(url: peer.url("/hello", host: "slow.example"))) { _ in
      !resolver.asked.isEmpty || true
    }
    expectOneCancelledEnd(state)
  }

  @Test func whileWaitingForAConnection() async throws {
    var limits = NetworkLimits.patient
    limits.connectionsPerOrigin = 1
    let network = try TestNetwork(limits: limits)
    let first = ResponseRecorder()
    network.service.send(HTTPRequest(url: peer.url("/silent")), policy: network.policy, handler: first)
    let state = await cancelled(network, HTTPRequest(url: peer.url("/hello"))) { _ in true }
    expectOneCancelledEnd(state)
    #expect(first.now.failure?.code == .closed)
  }

  @Test func whileTheBodyIsSent() async throws {
    let network = try TestNetwork()
    let recorder = ResponseRecorder()
    let exchange = network.service.send(
      HTTPRequest(method: "POST", url: peer.url("/wait-before-body?arrived=sending"), body: .streamed),
      policy: network.policy, handler: recorder)
    exchange.write([1, 2, 3])
    #expect(await network.get(peer.url("/await?gate=sending")).status == 200)
    exchange.cancel()
    _ = await recorder.ended()
    await network.service.shutdown()
    expectOneCancelledEnd(recorder.now)
  }

  @Test func beforeTheHead() async throws {
    let network = try TestNetwork()
    let recorder = ResponseRecorder()
    let exchange = network.service.send(
      HTTPRequest(url: peer.url("/silent?arrived=silent&closed=gone")), policy: network.policy, handler: recorder)
    #expect(await network.get(peer.url("/await?gate=silent")).status == 200)
    exchange.cancel()
    _ = await recorder.ended()
    // The server notices as well.
    #expect(await network.get(peer.url("/await?gate=gone")).status == 200)
    await network.service.shutdown()
    expectOneCancelledEnd(recorder.now)
  }

  @Test func inTheMiddleOfTheBody() async throws {
    let network = try TestNetwork()
    let state = await cancelled(network, HTTPRequest(url: peer.url("/events?gate=never"))) { !$0.body.isEmpty }
    expectOneCancelledEnd(state)
    #expect(state.text == "data: one\n\n")
  }

  @Test func whileTheReceiverHoldsTheServerBack() async throws {
    let network = try TestNetwork()
    let request = HTTPRequest(url: peer.url("/bytes?count=50000000"), window: 1000)
    expectOneCancelledEnd(await cancelled(network, request) { $0.body.count == 1000 })
  }

  @Test func insideACallOfTheHandler() async throws {
    let network = try TestNetwork()
    let exchange = Box<HTTPExchange>()
    let recorder = ResponseRecorder { _ in exchange.wait().cancel() }
    exchange.set(
      network.service.send(
        HTTPRequest(url: peer.url("/bytes?count=50000000")), policy: network.policy, handler: recorder))
    _ = await recorder.ended()
    await network.service.shutdown()
    expectOneCancelledEnd(recorder.now)
  }

  @Test func afterTheEndChangesNothing() async throws {
    let network = try TestNetwork()
    let recorder = ResponseRecorder()
    let exchange = network.service.send(
      HTTPRequest(url: peer.url("/hello")), policy: network.policy, handler: recorder)
    _ = await recorder.ended()
    exchange.cancel()
    #expect(await network.get(peer.url("/connection")).text == "1")
    await network.service.shutdown()
    #expect(recorder.now.failure == nil && recorder.now.ends == 1 && recorder.now.disorder.isEmpty)
  }

  @Test func manyAtRandomLeaveNothingOpen() async throws {
    var limits = NetworkLimits.patient
    limits.connectionsPerOrigin = 16
    let network = try TestNetwork(limits: limits)
    let paths = ["/hello", "/bytes?count=1000000", "/events?gate=nobody", "/silent", "/cut-chunked", "/gzip", "/reset"]
    let recorders = await withTaskGroup(of: ResponseRecorder.self) { group in
      for number in 0..<300 {
        group.addTask {
          let recorder = ResponseRecorder()
          let exchange = network.service.send(
            HTTPRequest(url: peer.url(paths[number % paths.count])), policy: network.policy, handler: recorder)
          for _ in 0..<(number % 13) { await Task.yield() }
          exchange.cancel()
          _ = await recorder.ended()
          return recorder
        }
      }
      var recorders: [ResponseRecorder] = []
      for await recorder in group { recorders.append(recorder) }
      return recorders
    }
    await network.service.shutdown()
    #expect(recorders.count == 300)
    #expect(recorders.allSatisfy { $0.now.ends == 1 && $0.now.disorder.isEmpty })
    #expect(openConnections(to: peer.port) == 0)
  }

  @Test func shutdownEndsEverythingAndLaterCallsEndAtOnce() async throws {
    let network = try TestNetwork()
    let (running, late, stream) = (ResponseRecorder(), ResponseRecorder(), StreamRecorder())
    network.service.send(
      HTTPRequest(url: peer.url("/silent?arrived=down")), policy: network.policy, handler: running)
    #expect(await network.get(peer.url("/await?gate=down")).status == 200)
    await network.service.shutdown()
    #expect(running.now.failure?.code == .closed && running.now.ends == 1)
    network.service.send(HTTPRequest(url: peer.url("/hello")), policy: network.policy, handler: late)
    #expect(await late.ended().failure?.code == .closed)
    let connection = network.open(peer.port, recorder: stream)
    connection.write([1])
    connection.close()
    #expect(await stream.ended().failure?.code == .closed)
    await network.service.shutdown()
  }
}
