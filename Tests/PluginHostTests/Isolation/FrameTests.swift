import Engine
import Localization
import Testing

@testable import PluginBoundary
@testable import PluginHost

struct FrameTests {
  /// Feeds bytes in pieces and takes the frames out.
  private func decode(
    _ bytes: [UInt8], pieces: Int, limit: Int = Frame.payloadLimit
  ) throws(FrameViolation) -> [Frame] {
    var decoder = FrameDecoder(payloadLimit: limit)
    var frames: [Frame] = []
    var position = 0
    while position < bytes.count {
      let count = decoder.fill { space in
        let count = min(pieces, bytes.count - position, space.count)
        for index in 0..<count { space[index] = bytes[position + index] }
        return count
      }
      position += count
      while let frame = try decoder.next() { frames.append(frame) }
    }
    return frames
  }

  static let workerMessages: [WorkerMessage] = [
    .opened, .refused(WorkerRefusal(code: "plugin_missing", english: "a", german: "b")),
    .refused(WorkerRefusal(code: "", answer: WorkerAnswer(status: 1, payload: .bytes([1, 2])))),
    .described(manifest: Array("{}".utf8)), .heap(bytes: 1 << 40),
    .started(call: 7), .completed(call: 8, WorkerAnswer(status: 0, payload: .bytes(Array("{}".utf8)))),
    .completed(call: 8, WorkerAnswer(status: 0, payload: .null)),
    .completed(call: 8, WorkerAnswer(status: 0, payload: .tooLarge(1 << 40))),
    .completed(call: 8, WorkerAnswer(status: 9, payload: .noResult)), .repeated(call: 9),
    .log(call: 0, .warning, "grün"), .progress(call: 1, done: 2, total: 3, label: ""),
    .delta(call: 1, json: [1]), .delta(call: 1, json: nil), .defect(.error, "x"), .createBlob(3, call: 4),
    .discardBlob(3), .request(1, .now), .request(2, .monotonic), .request(3, .readSecret(name: "a")),
    .request(4, .readState(key: "k")), .request(5, .listState(prefix: "")),
    .request(
      6,
      .commitState([
        StateChange(key: "a", value: [1], expectedVersion: 7), StateChange(key: "b", value: nil, expectedVersion: nil),
      ])),
    .request(7, .writeBlob(blob: 1, piece: [1, 2, 3])), .request(8, .finishBlob(blob: 1)),
    .request(9, .readBlob(call: 1, name: "blob:sha256:00", offset: 5, length: .max)),
    .request(10, .emit(EmittedEvent(call: 1, id: "i", event: [1], cursor: "c"))),
    .exchange(
      1,
      .send(
        HTTPExchangeRequest(
          call: 1, method: "GET", url: "https://example.com", headers: [HeaderField(name: "a", value: "b")],
          body: [1], streamsBody: true, keepsRedirects: true, connectTimeout: 1, idleTimeout: 2, responseLimit: 3,
          window: 4))),
    .exchange(2, .open(ByteStreamRequest(call: 1, host: "h", port: 993, isSecured: true, window: 9))),
    .exchange(2, .write([1])), .exchange(2, .finish), .exchange(2, .startTLS), .exchange(2, .consumed(5)),
    .exchange(2, .cancel),
  ]

  static let hostMessages: [HostMessage] = [
    .open(
      WorkerAssignment(
        path: "/x", provider: "home", settings: Array("{}".utf8), limits: PluginLimits(), hasSystemTime: true,
        offered: [.log, .http])),
    .start(
      CallRequest(id: 5, operation: .verify, attempt: 2, action: "a.b", input: [1, 2], key: "k", timeout: 30)),
    .cancel(call: 5), .close, .describe(path: "/lib/libgrün.so"), .measureHeap,
    .reply(request: 1, WorkerReply(.conflict)),
    .reply(request: 1, WorkerReply(number: 7, items: [[1], []])),
    .exchange(1, .head(status: 200, headers: [HeaderField(name: "a", value: "b")])), .exchange(1, .data([1])),
    .exchange(1, .opened), .exchange(1, .secured), .exchange(1, .sent(total: 9)), .exchange(1, .end(nil)),
    .exchange(
      1, .end(WireFailure(ActionFailure(.dns, LocalizedText("a", de: "b"), advice: LocalizedText("c", de: "d"))))),
  ]

  @Test(arguments: workerMessages) func workerMessageComesBack(message: WorkerMessage) throws {
    let frame = try #require(try decode(message.encoded(), pieces: 1000).first)
    #expect(try WorkerMessage(frame) == message)
  }

  @Test(arguments: hostMessages) func hostMessageComesBack(message: HostMessage) throws {
    let frame = try #require(try decode(message.encoded(), pieces: 1000).first)
    #expect(try HostMessage(frame) == message)
  }

  @Test(arguments: [1, 3, 17, 100_000]) func framesAreFoundHoweverTheyArrive(pieces: Int) throws {
    let bytes = FrameTests.workerMessages.flatMap { $0.encoded() }
    let messages = try decode(bytes, pieces: pieces).map { frame in try WorkerMessage(frame) }
    #expect(messages == FrameTests.workerMessages)
  }

  @Test func largeFrameComesWhole() throws {
    let payload = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0) }
    let message = WorkerMessage.completed(call: 1, WorkerAnswer(status: 0, payload: .bytes(payload)))
    let messages = try decode(message.encoded() + WorkerMessage.opened.encoded(), pieces: 100_000).map { frame in
      try WorkerMessage(frame)
    }
    #expect(messages == [message, .opened])
  }

  @Test(
    arguments: [
      [0xff, 0xff, 0xff, 0xff] + [UInt8](repeating: 0, count: 12),
      [1, 1, 0, 0] + [UInt8](repeating: 0, count: 12),
      [0, 0, 0, 0, 1, 1, 0, 0] + [UInt8](repeating: 0, count: 8),
    ] as [[UInt8]])
  func brokenHeaderIsAViolation(bytes: [UInt8]) {
    #expect(throws: FrameViolation.self) { try decode(bytes, pieces: 100, limit: 256) }
  }

  @Test func everyMessageThatIsCutOffIsAViolation() throws {
    for message in FrameTests.workerMessages {
      let frame = try #require(try decode(message.encoded(), pieces: 1000).first)
      for length in 0..<min(frame.payload.count, 200) {
        let short = Frame(type: frame.type, id: frame.id, payload: Array(frame.payload.prefix(length)))
        #expect(throws: FrameViolation.self) { try WorkerMessage(short) }
      }
      let long = Frame(type: frame.type, id: frame.id, payload: frame.payload + [0])
      #expect(throws: FrameViolation.self) { try WorkerMessage(long) }
    }
  }

  @Test func unknownTypesAreViolations() {
    let known = Set(FrameTests.workerMessages.map { $0.encoded()[4] })
    for type in UInt8.min...UInt8.max where !known.contains(type) {
      #expect(throws: FrameViolation.self) { try WorkerMessage(Frame(type: type, id: 1, payload: [])) }
    }
  }

  @Test func promisedElementsThatDoNotFitAreRefusedBeforeRoomIsMade() {
    // A commit of four thousand million changes.
    let frame = Frame(type: 32 + 5, id: 1, payload: [0xff, 0xff, 0xff, 0xff])
    #expect(throws: FrameViolation.self) { try WorkerMessage(frame) }
  }
}
