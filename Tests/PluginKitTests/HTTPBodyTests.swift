import PluginKit
import PluginKitTesting
import Testing

/// How a streamed body is read, wherever it is cut.
@Suite(.timeLimit(.minutes(5)))
struct HTTPBodyTests {
  let host = InMemoryHost()

  func body(_ response: ScriptedResponse) async throws -> HTTPBody {
    host.respond(with: response)
    let browser = try host.open(Browser.self)
    return try await browser.plugin.context.http.send(HTTPRequest(url: "https://example.com")).body
  }

  func lines(_ text: String, every count: Int, limit: Int = 1 << 20) async throws -> [String] {
    var lines: [String] = []
    for try await line in try await body(ScriptedResponse(text).cut(every: count)).lines(limit: limit) {
      lines.append(line)
    }
    return lines
  }

  func events(_ text: String, every count: Int, limit: Int = 1 << 20) async throws -> [ServerSentEvent] {
    var events: [ServerSentEvent] = []
    for try await event in try await body(ScriptedResponse(text).cut(every: count)).serverSentEvents(limit: limit) {
      events.append(event)
    }
    return events
  }

  @Test(arguments: [1, 2, 3, 4, 5, 7, 1000])
  func linesAreTheSameWhereverPiecesEnd(count: Int) async throws {
    let text = "{\"a\":\"ü😀\"}\r\n\n{\"b\":\"x\ry\"}\nlast"
    #expect(try await lines(text, every: count) == ["{\"a\":\"ü😀\"}", "", "{\"b\":\"x\ry\"}", "last"])
  }

  @Test(arguments: [("", []), ("\n", [""]), ("a\n", ["a"]), ("a\r", ["a"]), ("\r\n\r\n", ["", ""])])
  func endsOfLinesAreNoLines(text: String, expected: [String]) async throws {
    for count in 1...3 { #expect(try await lines(text, every: count) == expected) }
  }

  @Test(arguments: [(9, false), (10, true)])
  func aLineBeyondTheLimitIsRefused(limit: Int, fits: Bool) async throws {
    for text in ["0123456789\r\nx", "0123456789"] {
      for count in [1, 3, 100] {
        if fits {
          #expect(try await lines(text, every: count, limit: limit).first == "0123456789")
        } else {
          await #expect(throws: ActionError(.protocol, "")) { try await lines(text, every: count, limit: limit) }
        }
      }
    }
  }

  @Test func aLineOfFiveMegabytesComesWhole() async throws {
    let long = String(repeating: "é", count: 2_500_000)
    let found = try await events("data: \(long)\n\ndata: x\n\n", every: 8191, limit: 6 << 20)
    #expect(found.map(\.data.utf8.count) == [5_000_000, 1])
    #expect(try await lines(long + "\nx", every: 8191, limit: 5_000_000).map(\.utf8.count) == [5_000_000, 1])
  }

  @Test(
    arguments: [
      ("data: a\n\n", [.init(data: "a")]),
      ("\u{FEFF}data: a\n\n", [.init(data: "a")]),
      ("\u{FEFF}\u{FEFF}data: a\n\ndata: b\n\n", [.init(data: "b")]),
      ("data:a\r\rdata:  b\r\n\r\n", [.init(data: "a"), .init(data: " b")]),
      ("data: a\ndata:\ndata: c\n\n", [.init(data: "a\n\nc")]),
      (": comment\n\ndata\n\n", [.init(data: "")]),
      (
        "event: delta\nid: 7\ndata: x\n\ndata: y\n\n",
        [.init(event: "delta", data: "x", id: "7"), .init(data: "y", id: "7")]
      ),
      ("id: 1\ndata: x\n\nid\ndata: y\n\n", [.init(data: "x", id: "1"), .init(data: "y")]),
      ("id: a\u{0}b\ndata: x\n\n", [.init(data: "x")]),
      ("event: lost\n\ndata: x\n\n", [.init(data: "x")]),
      ("dataset: x\nDATA: y\n\ndata: z\n\n", [.init(data: "z")]),
      ("data: a\n\ndata: not complete\n", [.init(data: "a")]),
      ("data: {\"t\":\"ü😀\"}\n\ndata: [DONE]\n\n", [.init(data: "{\"t\":\"ü😀\"}"), .init(data: "[DONE]")]),
      ("", []), ("\n\n\n", []),
    ] as [(String, [ServerSentEvent])])
  func eventStreamsFollowTheStandard(text: String, expected: [ServerSentEvent]) async throws {
    for count in [1, 2, 3, 5, 1000] {
      #expect(try await events(text, every: count) == expected, "cut every \(count)")
    }
  }

  @Test func retryIsKept() async throws {
    let body = try await body(ScriptedResponse("retry: 1500\nretry: soon\n\ndata: x\n\n"))
    var events = body.serverSentEvents().makeAsyncIterator()
    _ = try await events.next()
    #expect(events.retry == 1500)
  }

  @Test func anEventBeyondTheLimitIsRefused() async throws {
    let text = String(repeating: "data: 0123456789\n", count: 10) + "\n"
    #expect(try await events(text, every: 9, limit: 110).count == 1)
    await #expect(throws: ActionError(.protocol, "")) { try await events(text, every: 9, limit: 99) }
  }

  @Test func whatIsNotUTF8IsReplaced() async throws {
    let response = ScriptedResponse(pieces: [Array("data: a".utf8), [0xC3], [0x28], Array("\n\n".utf8)])
    var events = try await body(response).serverSentEvents().makeAsyncIterator()
    #expect(try await events.next()?.data == "a\u{FFFD}(")
  }

  @Test func anEventComesBeforeTheBodyEnds() async throws {
    let body = try await body(ScriptedResponse("data: first\r\n\r", ending: .never))
    var events = body.serverSentEvents().makeAsyncIterator()
    #expect(try await events.next()?.data == "first")
  }

  @Test func aFailureInMidStreamComesBehindWhatArrived() async throws {
    let failure = ActionError(.io, "reset")
    let body = try await body(ScriptedResponse("data: 1\n\ndata: 2\n\n", ending: .failure(failure)))
    var events = body.serverSentEvents().makeAsyncIterator()
    #expect(try await events.next()?.data == "1")
    #expect(try await events.next()?.data == "2")
    await #expect(throws: failure) { try await events.next() }
  }

  @Test func formsAreTheSameBytesEveryTime() {
    var form = MultipartForm()
    form.append("model", "whisper")
    form.append("fi\"le", [0, 1, 0x0D, 0x0A], filename: "ü\r\n.mp3", contentType: "audio/mpeg")
    let request = HTTPRequest.form(form, to: "https://example.com/")
    let boundary = String(request.headers["content-type"]?.split(separator: "=").last ?? "")
    let expected =
      "--\(boundary)\r\nContent-Disposition: form-data; name=\"model\"\r\n\r\nwhisper\r\n"
      + "--\(boundary)\r\nContent-Disposition: form-data; name=\"fi%22le\"; filename=\"ü%0D%0A.mp3\"\r\n"
      + "Content-Type: audio/mpeg\r\n\r\n\u{0}\u{1}\r\n\r\n--\(boundary)--\r\n"
    #expect(String(decoding: request.body, as: UTF8.self) == expected)
    #expect(form.body == request.body)
  }
}
