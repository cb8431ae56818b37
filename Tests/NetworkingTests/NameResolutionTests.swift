import Foundation
import Localization
import LoopbackPorts
import Synchronization
import Testing

@testable import Networking

@Suite(.timeLimit(.minutes(5))) struct NameResolutionTests {
  private let peer: Peer

  init() throws { peer = try Peer.http.get() }

  @Test func aNameIsConnectedToAtTheAddressThatWasChecked() async throws {
    // A second look would lead somewhere else.
    let resolver = ScriptedResolver(["api.example.com": [.addresses(["127.0.0.1"]), .addresses(["192.0.2.1"])]])
    let network = try TestNetwork(resolver: resolver, configured: ["api.example.com"])
    let state = await network.get(peer.url("/request", host: "api.example.com"))
    #expect(state.status == 200)
    #expect(state.text.contains("api.example.com:\(peer.port)"))
    #expect(resolver.asked == ["api.example.com"])
  }

  @Test(arguments: [
    ["127.0.0.1"], ["10.0.0.1", "192.168.0.1"], ["169.254.169.254"], ["fe80::1"], ["::ffff:127.0.0.1"],
    ["64:ff9b::7f00:1"], ["0.0.0.0"], ["::"],
  ])
  func aDeclaredNameThatLeadsInsideIsRefused(_ addresses: [String]) async throws {
    let network = try TestNetwork(
      resolver: ScriptedResolver(["api.example.com": addresses]), declared: ["*.example.com"], configured: [])
    let state = await network.get(peer.url("/hello", host: "api.example.com"))
    #expect(state.failure?.code == .addressNotAllowed)
    #expect(state.failure?.kind == .auth)
    #expect(state.failure?.advice?.english.contains("hosts: [") == true)
  }

  @Test func onlyThePermittedOfSeveralAddressesAreUsed() async throws {
    let resolver = ScriptedResolver(["api.example.com": ["169.254.169.254", "fe80::1", "127.0.0.1"]])
    let network = try TestNetwork(resolver: resolver, configured: ["api.example.com"])
    #expect(await network.get(peer.url("/hello", host: "api.example.com")).text == "hello")
  }

  @Test func aNameThatIsNotAllowedIsNotEvenLookedUp() async throws {
    let resolver = ScriptedResolver(["secret-data.evil.example": ["127.0.0.1"]])
    let network = try TestNetwork(resolver: resolver)
    let state = await network.get(peer.url("/hello", host: "secret-data.evil.example"))
    #expect(state.failure?.code == .hostNotAllowed)
    #expect(resolver.asked.isEmpty)
  }

  @Test func aConnectionIsSharedOnlyWithThoseWhoMayGoThere() async throws {
    let peer = try Peer.start("http")
    let resolver = ScriptedResolver(["api.example.com": ["127.0.0.1"]])
    let network = try TestNetwork(resolver: resolver, configured: ["api.example.com"])
    #expect(await network.get(peer.url("/connection", host: "api.example.com")).text == "1")
    let stricter = ResponseRecorder()
    network.service.send(
      HTTPRequest(url: peer.url("/connection", host: "api.example.com")),
      policy: try EgressPolicy(declared: ["api.example.com"], configured: []), handler: stricter)
    #expect(await stricter.ended().failure?.code == .addressNotAllowed)
    #expect(await network.get(peer.url("/connection", host: "api.example.com")).text == "1")
  }

  @Test func anAddressThatRefusesIsFollowedByTheNext() async throws {
    let resolver = ScriptedResolver(["api.example.com": ["::1", "127.0.0.2", "127.0.0.1"]])
    let network = try TestNetwork(resolver: resolver, configured: ["api.example.com"])
    #expect(await network.get(peer.url("/hello", host: "api.example.com")).text == "hello")
  }

  @Test(arguments: [(NameFailure.unknown, NetworkError.Code.nameUnknown), (.service("SERVFAIL"), .nameServiceFailed)])
  func failuresOfTheNameServiceAreNamed(_ failure: NameFailure, _ code: NetworkError.Code) async throws {
    let resolver = ScriptedResolver(["api.example.com": [.failure(failure)]])
    let network = try TestNetwork(resolver: resolver, declared: ["api.example.com"])
    let state = await network.get("http://api.example.com/?key=geheim")
    #expect(state.failure?.code == code)
    #expect(state.failure?.kind == .dns)
    #expect(state.failure?.message.german.contains("api.example.com") == true)
    #expect(state.failure?.message.german.contains("geheim") == false)
  }

  @Test func aNameServiceThatIsSilentIsATimeout() async throws {
    let resolver = ScriptedResolver(["api.example.com": [.never]])
    let network = try TestNetwork(resolver: resolver, declared: ["api.example.com"])
    let state = await network.response(
      to: HTTPRequest(url: "http://api.example.com/", connectTimeout: .milliseconds(50)))
    #expect(state.failure?.code == .connectTimeout)
    #expect(state.failure?.kind == .timeout)
  }

  @Test func aPortThatNobodyListensOnIsRefused() async throws {
    let network = try TestNetwork()
    let port = try RefusingPort()
    let state = await network.get("http://127.0.0.1:\(port.number)/")
    #expect(state.failure?.code == .connectionRefused)
    #expect(state.failure?.kind == .refused)
  }

  @Test func systemKnowsThisMachine() async {
    let result = await lookUp("localhost", SystemResolver())
    #expect((try? result.get())?.contains(.v4(0x7f00_0001)) == true)
  }

  @Test func systemKnowsNoInvalidName() async {
    let result = await lookUp("does-not-exist.invalid", SystemResolver())
    #expect(throws: NameFailure.self) { try result.get() }
  }

  @Test func manyQuestionsAtATimeAreAllAnswered() async {
    let resolver = SystemResolver()
    let count = await withTaskGroup(of: Bool.self) { group in
      for number in 0..<200 {
        group.addTask { (try? await self.lookUp("127.0.\(number % 40).1", resolver).get())?.count == 1 }
      }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(count == 200)
  }

  private func lookUp(_ name: String, _ resolver: SystemResolver) async -> Result<[IPAddress], NameFailure> {
    await withCheckedContinuation { continuation in
      resolver.resolve(name) { continuation.resume(returning: $0) }
    }
  }
}
