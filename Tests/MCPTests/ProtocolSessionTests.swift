import Expressions
import Localization
import Testing

@testable import MCP

@Suite struct ProtocolSessionTests {
  private var session = ProtocolSession(ServerFacts(version: "1.0", language: .english, pushes: true))

  private mutating func send(_ json: Value) -> [ProtocolSession.Action] { session.receive(IncomingMessage(json)) }

  /// The only message of a reaction.
  private func message(_ actions: [ProtocolSession.Action]) throws -> Value {
    guard actions.count == 1, case .send(let message) = actions[0] else { throw Unexpected() }
    return message.value
  }

  private func call(_ actions: [ProtocolSession.Action]) throws -> AssistantCall {
    guard actions.count == 1, case .perform(let call) = actions[0] else { throw Unexpected() }
    return call
  }

  private struct Unexpected: Error {}

  private func request(_ id: Value, _ method: String, _ params: Value? = nil) -> Value {
    var map: ValueMap = ["jsonrpc": "2.0", "id": id, "method": .string(method)]
    if let params { map["params"] = params }
    return .map(map)
  }

  private func meta(_ version: String = "2026-07-28", _ capabilities: Value = [:]) -> Value {
    [
      "io.modelcontextprotocol/protocolVersion": .string(version),
      "io.modelcontextprotocol/clientCapabilities": capabilities,
    ]
  }

  private mutating func shakeHands(_ version: String, _ capabilities: Value = [:]) throws -> Value {
    try message(
      send(request(0, "initialize", ["protocolVersion": .string(version), "capabilities": capabilities])))
  }

  @Test(arguments: [
    ("2025-11-25", "2025-11-25"), ("2025-06-18", "2025-06-18"), ("2024-11-05", "2025-11-25"),
    ("2026-07-28", "2025-11-25"), ("zzz", "2025-11-25"),
  ]) mutating func handshakeAgreesOnAVersion(_ wanted: String, _ agreed: String) throws {
    let answer = try shakeHands(wanted)
    #expect(answer["result"]?["protocolVersion"]?.stringValue == agreed)
    #expect(answer["result"]?["serverInfo"]?["name"] == "sous")
    #expect(answer["result"]?["resultType"] == nil)
    #expect(session.handshake?.version.rawValue == agreed)
  }

  @Test mutating func tasksAreOfferedInTheVersionThatHasThem() throws {
    #expect(try shakeHands("2025-11-25")["result"]?["capabilities"]?["tasks"] != nil)
    #expect(try shakeHands("2025-06-18")["result"]?["capabilities"]?["tasks"] == nil)
  }

  @Test mutating func requestsWithoutHandshakeOrVersionAreRefused() throws {
    let answer = try message(send(request(1, "tools/list")))
    #expect(answer["error"]?["code"] == -32600)
    #expect(answer["id"] == 1)
    #expect(try message(send(request(2, "ping")))["result"] == [:])
  }

  @Test mutating func aRequestWithItsVersionNeedsNoHandshake() throws {
    let call = try call(
      send(request("a", "tools/list", ["_meta": meta("2026-07-28", ["elicitation": [:]])])))
    #expect(call.version == .july2026)
    #expect(call.features.elicitsForms)
    let finished = session.finish(call, .success(["tools": []]))
    let answer = try #require(finished)
    #expect(answer.value["result"]?["resultType"] == "complete")
    #expect(answer.value["result"]?["ttlMs"] == 0)
    #expect(answer.value["result"]?["_meta"]?["io.modelcontextprotocol/serverInfo"]?["name"] == "sous")
  }

  @Test mutating func discoveryNamesVersionsAndFeatures() throws {
    let result = try message(send(request(1, "server/discover", ["_meta": meta()])))["result"]
    #expect(result?["supportedVersions"] == ["2026-07-28", "2025-11-25", "2025-06-18"])
    #expect(result?["capabilities"]?["extensions"]?["io.modelcontextprotocol/tasks"] == [:])
    #expect(result?["resultType"] == "complete")
  }

  @Test mutating func anotherVersionIsRefusedWithTheKnownOnes() throws {
    for version in ["2027-01-01", "2025-11-25"] {
      let error = try message(send(request(1, "tools/list", ["_meta": meta(version)])))["error"]
      #expect(error?["code"] == -32022)
      #expect(error?["data"]?["supported"]?[0] == "2026-07-28")
      #expect(error?["data"]?["requested"] == .string(version))
      #expect(error?["data"]?["code"] == "unsupported_version")
    }
  }

  @Test mutating func aVersionWithoutCapabilitiesIsInvalid() throws {
    let params: Value = ["_meta": ["io.modelcontextprotocol/protocolVersion": "2026-07-28"]]
    #expect(try message(send(request(1, "tools/list", params)))["error"]?["code"] == -32602)
    #expect(try message(send(request(2, "server/discover")))["error"]?["code"] == -32602)
  }

  @Test mutating func methodsOfOtherVersionsDoNotExist() throws {
    _ = try shakeHands("2025-06-18")
    for method in ["tasks/get", "subscriptions/listen", "prompts/list", "nonsense"] {
      #expect(try message(send(request(1, method)))["error"]?["code"] == -32601, "\(method)")
    }
    for method in ["resources/subscribe", "tasks/result", "ping"] {
      #expect(try message(send(request(1, method, ["_meta": meta()])))["error"]?["code"] == -32601, "\(method)")
    }
  }

  @Test mutating func tasksNeedTheExtension() throws {
    let error = try message(send(request(1, "tasks/get", ["_meta": meta(), "taskId": "run-1"])))["error"]
    #expect(error?["code"] == -32021)
    let capabilities: Value = ["extensions": ["io.modelcontextprotocol/tasks": [:]]]
    _ = try call(send(request(1, "tasks/get", ["_meta": meta("2026-07-28", capabilities), "taskId": "run-1"])))
  }

  @Test mutating func aCancelledCallGetsNoAnswer() throws {
    let call = try call(send(request(7, "tools/list", ["_meta": meta()])))
    let actions = send(["jsonrpc": "2.0", "method": "notifications/cancelled", "params": ["requestId": 7]])
    guard case .cancel(call.serial)? = actions.first else {
      Issue.record("not cancelled")
      return
    }
    #expect(session.finish(call, .success([:])) == nil)
    #expect(send(["jsonrpc": "2.0", "method": "notifications/cancelled", "params": ["requestId": 7]]).isEmpty)
    #expect(send(["jsonrpc": "2.0", "method": "notifications/cancelled"]).isEmpty)
  }

  @Test mutating func anIdIsUsedOnceAtATime() throws {
    let first = try call(send(request(1, "tools/list", ["_meta": meta()])))
    #expect(try message(send(request(1, "tools/list", ["_meta": meta()])))["error"]?["code"] == -32600)
    _ = session.finish(first, .success([:]))
    _ = try call(send(request(1, "tools/list", ["_meta": meta()])))
  }

  @Test mutating func anIdThatIsUsedAgainMeansTheNewCall() throws {
    let cancelled: Value = ["jsonrpc": "2.0", "method": "notifications/cancelled", "params": ["requestId": 7]]
    let first = try call(send(request(7, "tools/list", ["_meta": meta()])))
    _ = send(cancelled)
    let second = try call(send(request(7, "tools/list", ["_meta": meta()])))
    // The first call ends later than the second one begins.
    #expect(session.finish(first, .success(["first": true])) == nil)
    session.abandon(first)
    guard case .cancel(second.serial)? = send(cancelled).first else {
      Issue.record("the second call was not cancelled")
      return
    }
    let third = try call(send(request(7, "tools/list", ["_meta": meta()])))
    #expect(session.finish(third, .success([:]))?.value["id"] == 7)
  }

  @Test mutating func callsAtATimeAreLimited() throws {
    for id in 0..<ProtocolSession.mostCalls {
      _ = try call(send(request(.int(Int64(id)), "tools/list", ["_meta": meta()])))
    }
    let error = try message(send(request("more", "tools/list", ["_meta": meta()])))["error"]
    #expect(error?["data"]?["code"] == "too_many_calls")
  }

  @Test mutating func onlyAnswersToOwnQuestionsCount() throws {
    let (id, question) = session.ask("elicitation/create", [:])
    #expect(question.value["id"] == id.value)
    #expect(send(["jsonrpc": "2.0", "id": "sous-99", "result": [:]]).isEmpty)
    let actions = send(["jsonrpc": "2.0", "id": id.value, "result": ["action": "accept"]])
    guard case .answer(id, .success(let value))? = actions.first else {
      Issue.record("no answer")
      return
    }
    #expect(value["action"] == "accept")
    #expect(send(["jsonrpc": "2.0", "id": id.value, "result": [:]]).isEmpty)
  }

  @Test(arguments: [
    ("{", -32700), ("[]", -32600), ("1", -32600), ("{}", -32600), (#"{"jsonrpc":"1.0","id":1,"method":"x"}"#, -32600),
    (#"{"jsonrpc":"2.0","id":null,"method":"x"}"#, -32600), (#"{"jsonrpc":"2.0","id":1.5,"method":"x"}"#, -32600),
    (#"{"jsonrpc":"2.0","id":1,"method":5}"#, -32600), (#"{"jsonrpc":"2.0","id":1,"method":""}"#, -32600),
    (#"{"jsonrpc":"2.0","id":1,"method":"x","params":[]}"#, -32602), (#"{"jsonrpc":"2.0","id":1}"#, -32600),
    (#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, -32600),
  ]) mutating func malformedMessagesAreAnswered(_ text: String, _ number: Int64) throws {
    let answer = try message(session.receive(IncomingMessage(Array(text.utf8))))
    #expect(answer["error"]?["code"] == .int(number))
    #expect(answer["error"]?["data"]?["code"]?.stringValue?.isEmpty == false)
  }

  @Test mutating func deepNestingIsRefused() throws {
    let text = #"{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":"# + String(repeating: "[", count: 5000)
    #expect(try message(session.receive(IncomingMessage(Array(text.utf8))))["error"]?["code"] == -32700)
  }
}
