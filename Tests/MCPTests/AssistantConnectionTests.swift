import Expressions
import Localization
import Synchronization
import TestSupport
import Testing

@testable import MCP

/// A client of a connection, which keeps what it gets.
private final class Client: Sendable {
  let connection: AssistantConnection
  let operations: FakeOperations
  private let messages = Mutex<[Value]>([])

  init(_ operations: FakeOperations, handshake: Value? = nil, assistant: Assistant = Assistant(now: { 1000 })) {
    self.operations = operations
    connection = AssistantConnection(
      assistant, ProtocolSession(ServerFacts(version: "1", language: .english, pushes: true)))
    guard let handshake else { return }
    send(0, "initialize", ["protocolVersion": "2025-11-25", "capabilities": handshake])
  }

  var all: [Value] { messages.withLock { $0 } }

  /// - Returns: The serial number of the call that the message has begun.
  @discardableResult
  func send(_ message: Value) -> Int? {
    let sink = MessageSink(send: { [self] message in messages.withLock { $0.append(message.value) } })
    return connection.receive(IncomingMessage(message), operations, sink)
  }

  @discardableResult
  func send(_ id: Int64, _ method: String, _ params: Value) -> Int? {
    send(["jsonrpc": "2.0", "id": .int(id), "method": .string(method), "params": params])
  }

  /// The response to a request.
  func response(_ id: Int64) async throws -> Value {
    try await eventually { self.all.contains { $0["id"] == .int(id) && $0["method"] == nil } }
    return all.last { $0["id"] == .int(id) && $0["method"] == nil } ?? .null
  }

  /// The last request or notification of the server with a method.
  func received(_ method: String) async throws -> Value {
    try await eventually { self.all.contains { $0["method"]?.stringValue == method } }
    return all.last { $0["method"]?.stringValue == method } ?? .null
  }
}

@Suite(.timeLimit(.minutes(1)))
struct AssistantConnectionTests {
  private let operations = FakeOperations()

  private func params(
    _ name: String, _ arguments: Value, _ capabilities: Value = ["elicitation": [:]], _ more: ValueMap = [:]
  ) -> Value {
    var map: ValueMap = [
      "name": .string(name), "arguments": arguments,
      "_meta": [
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": capabilities, "progressToken": "p",
      ],
    ]
    for (key, value) in more.entries { map[key] = value }
    return .map(map)
  }

  private func plain(_ name: String, _ arguments: Value) -> Value { ["name": .string(name), "arguments": arguments] }

  // MARK: - With a handshake

  @Test func aRunWithEffectsAsksFirst() async throws {
    let client = Client(operations, handshake: ["elicitation": [:]])
    client.send(1, "tools/call", plain("pay", ["sum": 3]))
    let question = try await client.received("elicitation/create")
    #expect(question["params"]?["message"]?.stringValue?.contains("send (mail.send)") == true)
    #expect(operations.runs.isEmpty)
    client.send([
      "jsonrpc": "2.0", "id": question["id"] ?? .null, "result": ["action": "accept", "content": ["approve": true]],
    ])
    try await eventually { !operations.runs.isEmpty }
    operations.change { $0.status = "succeeded" }
    let result = try await client.response(1)["result"]
    #expect(result?["structuredContent"] == ["receipt": "R1"])
    #expect(result?["isError"] == false)
    #expect(result?["content"]?[1]?["uri"]?.stringValue == "sous://runs/\(operations.runs[0])")
    #expect(operations.calls("runRecipe").first?.body == ["inputs": ["sum": 3]])
  }

  @Test(
    arguments: [["action": "decline"], ["action": "cancel"], ["action": "accept", "content": ["approve": false]]]
      as [Value])
  func withoutApprovalNothingRuns(_ answer: Value) async throws {
    let client = Client(operations, handshake: ["elicitation": [:]])
    client.send(1, "tools/call", plain("pay", ["sum": 3]))
    let question = try await client.received("elicitation/create")
    client.send(["jsonrpc": "2.0", "id": question["id"] ?? .null, "result": answer])
    let result = try await client.response(1)["result"]
    #expect(result?["isError"] == true)
    #expect(result?["_meta"]?["sous/code"] == "declined")
    #expect(operations.runs.isEmpty)
  }

  @Test func aClientThatCannotAskIsRefusedWithTheRemedy() async throws {
    let client = Client(operations, handshake: [:])
    client.send(1, "tools/call", plain("pay", ["sum": 3]))
    let result = try await client.response(1)["result"]
    #expect(result?["_meta"]?["sous/code"] == "approval_needed")
    #expect(result?["content"]?[0]?["text"]?.stringValue?.contains("approve: never") == true)
    #expect(operations.runs.isEmpty)
  }

  @Test(arguments: ["never", "effects"]) func runsWithoutNeedOfApprovalBeginAtOnce(_ reason: String) async throws {
    operations.change { state in
      if reason == "never" { state.approve = "never" } else { state.effect = "read" }
      state.status = "succeeded"
    }
    let client = Client(operations, handshake: [:])
    client.send(1, "tools/call", plain("run_recipe", ["recipe": "pay", "inputs": ["sum": 1]]))
    #expect(try await client.response(1)["result"]?["structuredContent"]?["status"] == "succeeded")
  }

  @Test func wrongArgumentsAreReportedToTheModel() async throws {
    let client = Client(operations, handshake: ["elicitation": [:]])
    client.send(1, "tools/call", plain("pay", ["sum": "three"]))
    #expect(try await client.response(1)["result"]?["_meta"]?["sous/code"] == "input_invalid")
    client.send(2, "tools/call", plain("show_run", ["run": "no"]))
    #expect(try await client.response(2)["result"]?["_meta"]?["sous/code"] == "run_not_found")
    client.send(3, "tools/call", plain("nonsense", [:]))
    #expect(try await client.response(3)["error"]?["data"]?["code"] == "unknown_tool")
  }

  @Test func toolsWithoutARightAreNeitherShownNorCalled() async throws {
    operations.change { $0.permitted = ["listRuns", "showRun"] }
    let client = Client(operations, handshake: [:])
    client.send(1, "tools/list", [:])
    let names = try await client.response(1)["result"]?["tools"]?.listValue?.compactMap { $0["name"]?.stringValue }
    #expect(names == ["list_runs", "show_run"])
    client.send(2, "tools/call", plain("pay", ["sum": 3]))
    #expect(try await client.response(2)["error"]?["code"] == -32602)
  }

  @Test func aCancelledCallCancelsItsRun() async throws {
    operations.change { $0.approve = "never" }
    let client = Client(operations, handshake: [:])
    client.send(1, "tools/call", plain("pay", ["sum": 3]))
    try await eventually { !operations.runs.isEmpty }
    client.send(["jsonrpc": "2.0", "method": "notifications/cancelled", "params": ["requestId": 1]])
    try await eventually { !operations.calls("cancelRun").isEmpty }
    #expect(!client.all.contains { $0["id"] == 1 })
  }

  @Test func theEndOfAConnectionLeavesItsRunsAlone() async throws {
    operations.change { $0.approve = "never" }
    let client = Client(operations, handshake: [:])
    client.send(1, "tools/call", plain("pay", ["sum": 3]))
    try await eventually { !operations.runs.isEmpty }
    await client.connection.end()
    #expect(operations.calls("cancelRun").isEmpty)
    let error = client.all.last?["error"]
    #expect(error?["data"]?["code"] == "interrupted")
    // A repeated call would start a second run.
    #expect(error?["data"]?["run"]?.stringValue == operations.runs.first)
  }

  @Test func anAbandonedCallEndsAndLeavesItsRunAlone() async throws {
    operations.change { $0.approve = "never" }
    let client = Client(operations, handshake: [:])
    let serial = try #require(client.send(1, "tools/call", plain("pay", ["sum": 3])))
    try await eventually { !operations.runs.isEmpty }
    client.connection.abandon(serial)
    // The id is free at once.
    client.send(1, "tools/call", plain("list_runs", [:]))
    #expect(try await client.response(1)["result"]?["isError"] == false)
    await client.connection.settle(seconds: 30)
    #expect(client.all.count { $0["id"] == 1 } == 1)
    #expect(operations.calls("cancelRun").isEmpty)
  }

  @Test func aCallEndsWithTheRightsOfItsCallerAndNamesItsRun() async throws {
    operations.change { $0.approve = "never" }
    let client = Client(operations, handshake: [:])
    client.send(1, "tools/call", plain("pay", ["sum": 3]))
    try await eventually { !operations.runs.isEmpty }
    operations.change { state in
      state.refusal = AssistantError(.init(rawValue: "unknown_token"), 401, LocalizedText(verbatim: "removed"))
    }
    let error = try await client.response(1)["error"]
    #expect(error?["code"] == 401)
    #expect(error?["data"]?["run"]?.stringValue == operations.runs.first)
    #expect(operations.calls("cancelRun").isEmpty)
  }

  @Test func aQuestionToThePersonEndsWithTheRightsOfTheCaller() async throws {
    let client = Client(operations, handshake: ["elicitation": [:]])
    client.send(1, "tools/call", plain("pay", ["sum": 3]))
    _ = try await client.received("elicitation/create")
    operations.change { state in
      state.refusal = AssistantError(.init(rawValue: "unknown_token"), 401, LocalizedText(verbatim: "removed"))
    }
    #expect(try await client.response(1)["error"]?["code"] == 401)
    #expect(operations.runs.isEmpty)
  }

  @Test func aFailureBehindTheStartNamesTheRun() async throws {
    operations.change { state in
      (state.approve, state.asks, state.refusesAnswers) = ("never", true, true)
    }
    let client = Client(operations, handshake: ["elicitation": [:]])
    client.send(1, "tools/call", plain("pay", ["sum": 3]))
    let question = try await client.received("elicitation/create")
    client.send([
      "jsonrpc": "2.0", "id": question["id"] ?? .null,
      "result": ["action": "accept", "content": ["sous_decision": "approve"]],
    ])
    let result = try await client.response(1)["result"]
    #expect(result?["_meta"]?["sous/code"] == "input_invalid")
    #expect(result?["_meta"]?["sous/run"]?.stringValue == operations.runs.first)
  }

  @Test func aRecipeThatChangesBeforeTheAnswerIsShownAgain() async throws {
    let client = Client(operations, handshake: ["elicitation": [:]])
    client.send(1, "tools/call", plain("pay", ["sum": 3]))
    let question = try await client.received("elicitation/create")
    operations.change { $0.fingerprint = "second" }
    let approved: Value = ["action": "accept", "content": ["approve": true]]
    client.send(["jsonrpc": "2.0", "id": question["id"] ?? .null, "result": approved])
    try await eventually { client.all.count { $0["method"] == "elicitation/create" } == 2 }
    #expect(operations.runs.isEmpty)
    let again = try await client.received("elicitation/create")
    client.send(["jsonrpc": "2.0", "id": again["id"] ?? .null, "result": approved])
    try await eventually { !operations.runs.isEmpty }
    #expect(operations.calls("runRecipe").map(\.fingerprint) == ["first", "second"])
  }

  @Test func aQuestionOfTheRunIsAnsweredMeanwhile() async throws {
    operations.change { state in
      state.approve = "never"
      state.asks = true
    }
    let client = Client(operations, handshake: ["elicitation": ["form": [:]]])
    client.send(1, "tools/call", plain("pay", ["sum": 3]))
    let question = try await client.received("elicitation/create")
    #expect(question["params"]?["message"] == "Really?")
    client.send([
      "jsonrpc": "2.0", "id": question["id"] ?? .null,
      "result": ["action": "accept", "content": ["sous_decision": "approve", "note": "ok"]],
    ])
    #expect(try await client.response(1)["result"]?["structuredContent"] == ["receipt": "R1"])
    #expect(operations.calls("answerDecision").first?.body["fields"] == ["note": "ok"])
  }

  @Test func aTaskOfTheClientOutlivesItsCall() async throws {
    operations.change { $0.approve = "never" }
    let client = Client(operations, handshake: [:])
    client.send(1, "tools/call", ["name": "pay", "arguments": ["sum": 3], "task": ["ttl": 1000]])
    let task = try await client.response(1)["result"]?["task"]
    let id = try #require(task?["taskId"])
    #expect(task?["status"] == "working")
    client.send(2, "tasks/result", ["taskId": id])
    operations.change { $0.status = "succeeded" }
    let result = try await client.response(2)["result"]
    #expect(result?["structuredContent"] == ["receipt": "R1"])
    #expect(result?["_meta"]?["io.modelcontextprotocol/related-task"]?["taskId"] == id)
    client.send(3, "tasks/get", ["taskId": id])
    #expect(try await client.response(3)["result"]?["status"] == "completed")
    client.send(4, "tasks/cancel", ["taskId": id])
    #expect(try await client.response(4)["error"]?["code"] == -32602)
    client.send(5, "tasks/get", ["taskId": "run-NONE"])
    #expect(try await client.response(5)["error"]?["data"]?["code"] == "unknown_task")
  }

  // MARK: - Without a handshake

  @Test func roundsCarryTheAnswersOfThePerson() async throws {
    operations.change { $0.asks = true }
    let client = Client(operations)
    client.send(1, "tools/call", params("pay", ["sum": 3]))
    let first = try await client.response(1)["result"]
    #expect(first?["resultType"] == "input_required")
    #expect(first?["inputRequests"]?["approve"]?["method"] == "elicitation/create")
    #expect(operations.runs.isEmpty)
    let approved: Value = ["approve": ["action": "accept", "content": ["approve": true]]]
    client.send(
      2, "tools/call",
      params(
        "pay", ["sum": 3], ["elicitation": [:]],
        ["inputResponses": approved, "requestState": first?["requestState"] ?? .null]))
    let second = try await client.response(2)["result"]
    let key = try #require(second?["inputRequests"]?.mapValue?.keys.first?.text)
    #expect(key.hasPrefix("decision/ask/"))
    let decided: Value = [key: ["action": "accept", "content": ["sous_decision": "approve"]]]
    client.send(
      3, "tools/call",
      params(
        "pay", ["sum": 3], ["elicitation": [:]],
        ["inputResponses": decided, "requestState": second?["requestState"] ?? .null]))
    let third = try await client.response(3)["result"]
    #expect(third?["resultType"] == "complete")
    #expect(third?["structuredContent"] == ["receipt": "R1"])
    #expect(operations.runs.count == 1)
  }

  @Test func anApprovalHoldsForItsCallOnly() async throws {
    let client = Client(operations)
    client.send(1, "tools/call", params("pay", ["sum": 3]))
    let state = try await client.response(1)["result"]?["requestState"] ?? .null
    let approved: Value = ["approve": ["action": "accept", "content": ["approve": true]]]
    client.send(
      2, "tools/call",
      params("pay", ["sum": 3000], ["elicitation": [:]], ["inputResponses": approved, "requestState": state]))
    #expect(try await client.response(2)["error"]?["data"]?["code"] == "invalid_state")
    // An answer to a question that was never asked.
    client.send(3, "tools/call", params("pay", ["sum": 3], ["elicitation": [:]], ["inputResponses": approved]))
    #expect(try await client.response(3)["result"]?["resultType"] == "input_required")
    #expect(operations.runs.isEmpty)
  }

  @Test func anApprovalHoldsForTheVersionThatWasShown() async throws {
    operations.change { $0.status = "succeeded" }
    let client = Client(operations)
    let approved: Value = ["approve": ["action": "accept", "content": ["approve": true]]]
    func round(_ id: Int64, _ state: Value?) async throws -> Value? {
      let more: ValueMap = state.map { ["inputResponses": approved, "requestState": $0] } ?? [:]
      client.send(id, "tools/call", params("pay", ["sum": 3], ["elicitation": [:]], more))
      return try await client.response(id)["result"]
    }
    let first = try await round(1, nil)
    operations.change { $0.fingerprint = "second" }
    let second = try await round(2, first?["requestState"])
    #expect(second?["resultType"] == "input_required")
    #expect(operations.runs.isEmpty)
    #expect(try await round(3, second?["requestState"])?["isError"] == false)
    #expect(operations.calls("runRecipe").map(\.fingerprint) == ["second"])
  }

  @Test func anApprovalToCancelHoldsForTheRunThatWasShown() async throws {
    operations.change { $0.runs = ["FIRST"] }
    let client = Client(operations)
    client.send(1, "tools/call", params("cancel_run", ["run": "last"]))
    let state = try await client.response(1)["result"]?["requestState"] ?? .null
    operations.change { $0.runs.append("SECOND") }
    let approved: Value = ["approve": ["action": "accept", "content": ["approve": true]]]
    client.send(
      2, "tools/call",
      params("cancel_run", ["run": "last"], ["elicitation": [:]], ["inputResponses": approved, "requestState": state]))
    let again = try await client.response(2)["result"]
    #expect(again?["resultType"] == "input_required")
    #expect(again?["inputRequests"]?["approve"]?["params"]?["message"]?.stringValue?.contains("SECOND") == true)
    #expect(operations.calls("cancelRun").isEmpty)
  }

  @Test func aRepeatedRoundStartsNoSecondRun() async throws {
    operations.change { $0.status = "succeeded" }
    let client = Client(operations)
    client.send(1, "tools/call", params("pay", ["sum": 3]))
    let state = try await client.response(1)["result"]?["requestState"] ?? .null
    let approved: Value = ["approve": ["action": "accept", "content": ["approve": true]]]
    for id in [2, 3] as [Int64] {
      client.send(
        id, "tools/call",
        params("pay", ["sum": 3], ["elicitation": [:]], ["inputResponses": approved, "requestState": state]))
      #expect(try await client.response(id)["result"]?["isError"] == false)
    }
    #expect(operations.runs.count == 1)
  }

  @Test func aMissingFeatureIsNamed() async throws {
    let client = Client(operations)
    client.send(1, "tools/call", params("pay", ["sum": 3], [:]))
    let error = try await client.response(1)["error"]
    #expect(error?["code"] == -32021)
    #expect(error?["data"]?["requiredCapabilities"]?["elicitation"] == ["form": [:]])
    #expect(error?["data"]?["code"] == "approval_needed")
    #expect(error?["message"]?.stringValue?.contains("approve: never") == true)
  }

  @Test func progressOnlyGrows() async throws {
    operations.change { $0.approve = "never" }
    let client = Client(operations)
    client.send(1, "tools/call", params("pay", ["sum": 3]))
    _ = try await client.received("notifications/progress")
    operations.change { _ in }
    operations.change { $0.status = "succeeded" }
    _ = try await client.response(1)
    let numbers = client.all.filter { $0["method"] == "notifications/progress" }.map { $0["params"]?["progress"] }
    #expect(numbers == [1, 2])
  }

  @Test func aLongRunBecomesATask() async throws {
    operations.change { $0.approve = "never" }
    var assistant = Assistant(now: { 1000 })
    assistant.taskDelay = 0
    let tasks: Value = ["extensions": ["io.modelcontextprotocol/tasks": [:]], "elicitation": [:]]
    let client = Client(operations, assistant: assistant)
    client.send(1, "tools/call", params("pay", ["sum": 3], tasks))
    let created = try await client.response(1)["result"]
    #expect(created?["resultType"] == "task")
    let id = created?["taskId"] ?? .null
    operations.change { $0.asks = true }
    client.send(2, "tasks/get", params("x", [:], tasks, ["taskId": id]))
    let waiting = try await client.response(2)["result"]
    #expect(waiting?["status"] == "input_required")
    let key = try #require(waiting?["inputRequests"]?.mapValue?.keys.first?.text)
    let decided: Value = [key: ["action": "accept", "content": ["sous_decision": "reject"]]]
    client.send(3, "tasks/update", params("x", [:], tasks, ["taskId": id, "inputResponses": decided]))
    #expect(try await client.response(3)["result"]?["resultType"] == "complete")
    #expect(operations.calls("answerDecision").first?.body["approved"] == false)
    client.send(4, "tasks/get", params("x", [:], tasks, ["taskId": id]))
    #expect(try await client.response(4)["result"]?["result"]?["structuredContent"] == ["receipt": "R1"])
    client.send(5, "tasks/cancel", params("x", [:], tasks, ["taskId": id]))
    #expect(try await client.response(5)["result"]?["resultType"] == "complete")
  }

  @Test func changesOfSubscribedRunsAreReported() async throws {
    operations.change { $0.runs = ["R"] }
    let client = Client(operations)
    client.send(
      1, "subscriptions/listen",
      params("x", [:], [:], ["notifications": ["resourceSubscriptions": ["sous://runs/R", "sous://runs/NONE"]]]))
    let acknowledged = try await client.received("notifications/subscriptions/acknowledged")
    #expect(acknowledged["params"]?["notifications"]?["resourceSubscriptions"] == ["sous://runs/R"])
    operations.change { $0.status = "failed" }
    let updated = try await client.received("notifications/resources/updated")
    #expect(updated["params"]?["uri"] == "sous://runs/R")
    #expect(updated["params"]?["_meta"]?["io.modelcontextprotocol/subscriptionId"] == 1)
    await client.connection.end()
    #expect(client.all.last?["result"]?["resultType"] == "complete")
  }

  @Test func aSubscriptionEndsIfItsRunIsNotVisibleAnyMore() async throws {
    operations.change { $0.runs = ["R"] }
    let client = Client(operations)
    client.send(
      1, "subscriptions/listen",
      params("x", [:], [:], ["notifications": ["resourceSubscriptions": ["sous://runs/R"]]]))
    _ = try await client.received("notifications/subscriptions/acknowledged")
    operations.change { $0.runs = [] }
    #expect(try await client.response(1)["error"]?["code"] == 404)
  }

  @Test func resourcesAreReadAndMissingOnesRefused() async throws {
    operations.change { $0.runs = ["R"] }
    let client = Client(operations, handshake: [:])
    client.send(1, "resources/read", ["uri": "sous://runs/R/log"])
    #expect(try await client.response(1)["result"]?["contents"]?[0]?["text"] == "t info: hello\n")
    client.send(2, "resources/read", ["uri": "sous://runs/NONE"])
    #expect(try await client.response(2)["error"]?["code"] == -32002)
    client.send(3, "resources/read", params("x", [:], [:], ["uri": "sous://runs/NONE"]))
    #expect(try await client.response(3)["error"]?["code"] == -32602)
    client.send(4, "resources/templates/list", [:])
    #expect(try await client.response(4)["result"]?["resourceTemplates"]?.listValue?.count == 3)
  }
}
