import Engine
import Testing

@testable import PluginBoundary
@testable import PluginHost

struct PluginProcessProtocolTests {
  typealias Reaction = PluginProcessProtocol.Reaction
  static let name = PluginProcessProtocol.Name(action: "a.b", key: "k")
  static let answer = WorkerAnswer(status: 0, payload: .bytes([1]))

  /// A conversation with an instance and the call 5.
  private func open() throws -> PluginProcessProtocol {
    var conversation = PluginProcessProtocol()
    #expect(try conversation.receive(.opened) == .opened)
    conversation.begin(call: 5, Self.name)
    return conversation
  }

  @Test func answerCountsOnceAndIsReportedAfterThat() throws {
    var conversation = try open()
    #expect(try conversation.receive(.started(call: 5)) == .started(call: 5))
    #expect(try conversation.receive(.completed(call: 5, Self.answer)) == .completed(call: 5, Self.answer))
    #expect(try conversation.receive(.completed(call: 5, Self.answer)) == .repeated(Self.name))
    #expect(try conversation.receive(.repeated(call: 5)) == .repeated(Self.name))
    #expect(try conversation.receive(.started(call: 5)) == .ignore)
    #expect(conversation.openCalls.isEmpty)
  }

  @Test func answerAfterTheHostStoppedWaitingIsLate() throws {
    var conversation = try open()
    let abandoned = [conversation.abandon(call: 5), conversation.abandon(call: 5)]
    #expect(abandoned == [true, false])
    #expect(try conversation.receive(.completed(call: 5, Self.answer)) == .late(Self.name, Self.answer))
    #expect(try conversation.receive(.completed(call: 5, Self.answer)) == .repeated(Self.name))
  }

  @Test func reportsOfCallsThatAreNotTheWorkersGoNowhere() throws {
    var conversation = try open()
    #expect(try conversation.receive(.log(call: 6, .info, "x")) == .ignore)
    #expect(try conversation.receive(.delta(call: 0, json: [])) == .ignore)
    #expect(try conversation.receive(.log(call: 0, .info, "x")) == .report(.log(call: 0, .info, "x")))
    #expect(try conversation.receive(.log(call: 5, .info, "x")) == .report(.log(call: 5, .info, "x")))
  }

  @Test(
    arguments: [
      [.opened], [.described(manifest: [])], [.heap(bytes: 1)], [.refused(WorkerRefusal(code: ""))],
      [.completed(call: 6, answer)],
      [.request(1, .now), .request(1, .now)],
      [.exchange(1, .write([]))], [.exchange(2, .send(request)), .exchange(2, .send(request))],
      [.exchange(2, .send(request)), .exchange(1, .open(connection))],
    ] as [[WorkerMessage]])
  func whatNoSoundWorkerSaysIsAViolation(messages: [WorkerMessage]) throws {
    var conversation = try open()
    for message in messages.dropLast() { _ = try conversation.receive(message) }
    #expect(throws: FrameViolation.self) { try conversation.receive(try #require(messages.last)) }
  }

  @Test func memoryIsHeardOfAsOftenAsItWasAskedFor() throws {
    var conversation = try open()
    conversation.askForHeap()
    #expect(try conversation.receive(.heap(bytes: 7)) == .heap(bytes: 7))
    #expect(throws: FrameViolation.self) { try conversation.receive(.heap(bytes: 7)) }
  }

  @Test func nothingIsHeardAfterARefusal() throws {
    var conversation = PluginProcessProtocol()
    let refusal = WorkerRefusal(code: "", english: "", german: "")
    #expect(try conversation.receive(.refused(refusal)) == .refused(refusal))
    #expect(throws: FrameViolation.self) { try conversation.receive(.opened) }
  }

  @Test func exchangesEndOnceAndLateCommandsAreIgnored() throws {
    var conversation = try open()
    let begun = try conversation.receive(.exchange(4, .send(Self.request)))
    #expect(begun == .begin(exchange: 4, .send(Self.request)))
    #expect(try conversation.receive(.exchange(4, .finish)) == .command(exchange: 4, .finish))
    let ended = [conversation.ended(exchange: 4), conversation.ended(exchange: 4)]
    #expect(ended == [true, false])
    #expect(try conversation.receive(.exchange(4, .finish)) == .ignore)
    #expect(throws: FrameViolation.self) { try conversation.receive(.exchange(5, .finish)) }
  }

  @Test func requestsAndExchangesAreLimited() throws {
    var conversation = try open()
    for number in 1...UInt64(PluginProcessProtocol.requestLimit) {
      _ = try conversation.receive(.request(number, .now))
    }
    #expect(throws: FrameViolation.self) { try conversation.receive(.request(0, .now)) }
    for number in 1...UInt64(PluginProcessProtocol.exchangeLimit) {
      _ = try conversation.receive(.exchange(number, .send(Self.request)))
    }
    #expect(throws: FrameViolation.self) { try conversation.receive(.exchange(.max, .send(Self.request))) }
  }

  @Test func memoryOfEndedCallsIsBounded() throws {
    var conversation = try open()
    for call in 10...UInt64(5000) {
      conversation.begin(call: call, Self.name)
      _ = try conversation.receive(.completed(call: call, Self.answer))
    }
    // Forgotten by now: no sound worker answers so late.
    #expect(throws: FrameViolation.self) { try conversation.receive(.completed(call: 10, Self.answer)) }
    #expect(try conversation.receive(.completed(call: 5000, Self.answer)) == .repeated(Self.name))
  }

  static let request = HTTPExchangeRequest(call: 5, method: "GET", url: "https://example.com", headers: [], body: [])
  static let connection = ByteStreamRequest(call: 5, host: "example.com", port: 993, isSecured: true)
}
