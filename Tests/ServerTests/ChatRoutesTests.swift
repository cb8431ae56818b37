import Engine
import Expressions
import Foundation
import OperatingSystem
import RunStore
import TestSupport
import TestWorkspace
import Testing
import UseCases

@testable import Server

/// Questions to models over the API.
@Suite(.timeLimit(.minutes(3)))
struct ChatRoutesTests {
  /// The events of a stream.
  private func events(_ text: String) -> [(name: String, data: Value)] {
    text.components(separatedBy: "\n\n").compactMap { event in
      let lines = event.split(separator: "\n")
      guard let name = lines.first(where: { $0.hasPrefix("event: ") }),
        let data = lines.first(where: { $0.hasPrefix("data: ") })
      else { return nil }
      return (String(name.dropFirst(7)), (try? Value(json: Array(data.dropFirst(6).utf8))) ?? .null)
    }
  }

  private func stream(_ server: TestServer, _ path: String, _ token: String, _ body: Value) async throws
    -> [(name: String, data: Value)]
  {
    let answer = try await server.call("POST", path, token, body, fields: [("Accept", "text/event-stream")])
    #expect(answer.status == 200 && answer.field("content-type") == "text/event-stream", "\(answer.text)")
    return events(answer.text)
  }

  @Test func aConversationBeginsAndGoesOn() async throws {
    let model = try ModelServer(["Grü", "ezi"])
    defer { model.end() }
    let server = try await TestServer(configuration: model.configuration)
    try await server.readManifests()
    let token = try server.token("operator")
    let first = try await server.checked("POST", "/conversations", token, ["text": "Hi", "system": "Be short."])
    #expect(first.status == 201 && first.text("text") == "Grüezi" && first.json["cut"] == false, "\(first.text)")
    #expect(first.text("provider") == "local" && first.json["usage"] == ["prompt_tokens": 2, "completion_tokens": 3])
    let number = try #require(first.json["chat"]?.intValue)
    let second = try await server.checked("POST", "/conversations/\(number)/messages", token, ["text": "Again"])
    #expect(second.status == 201 && second.json["chat"]?.intValue == number, "\(second.text)")
    let shown = try await server.checked("GET", "/conversations/\(number)", token)
    #expect(
      shown.json["turns"]?.listValue?.compactMap { $0["text"]?.stringValue } == ["Hi", "Grüezi", "Again", "Grüezi"])
    #expect(shown.text("system") == "Be short.")
    let sent = model.questions.last?["messages"]?.listValue ?? []
    #expect(sent.compactMap { $0["role"]?.stringValue } == ["system", "user", "assistant", "user"], "\(sent)")
    try await server.stop()
  }

  @Test func anAnswerComesWordByWord() async throws {
    let model = try ModelServer(["One ", "two."])
    defer { model.end() }
    let server = try await TestServer(configuration: model.configuration)
    try await server.readManifests()
    let found = try await stream(server, "/conversations", try server.token("operator"), ["text": "Count"])
    #expect(found.first?.name == "answer" && found.last?.name == "end", "\(found)")
    #expect(found.contains { $0.name == "begin" && $0.data["provider"] == "local" })
    #expect(found.filter { $0.name == "delta" }.compactMap { $0.data["text"]?.stringValue }.joined() == "One two.")
    #expect(found.last?.data["text"] == "One two." && found.last?.data["chat"]?.intValue == 1)
    try await server.stop()
  }

  @Test func oneKeyAsksOnce() async throws {
    let model = try ModelServer(["Once."])
    defer { model.end() }
    let server = try await TestServer(configuration: model.configuration)
    try await server.readManifests()
    let token = try server.token("operator")
    for accept in ["application/json", "application/json", "text/event-stream"] {
      let answer = try await server.call(
        "POST", "/conversations", token, ["text": "Hi"], fields: [("Idempotency-Key", "one"), ("Accept", accept)])
      #expect(answer.status < 300 && answer.text.contains("Once."), "\(answer.text)")
    }
    #expect(model.questions.count == 1)
    #expect(try await server.checked("GET", "/conversations", token).items.count == 1)
    try await server.stop()
  }

  /// The model never ends its answer.
  @Test func aStoppedAnswerKeepsItsWords() async throws {
    let model = try ModelServer(["Half an "], holds: true)
    defer { model.end() }
    let server = try await TestServer(configuration: model.configuration)
    try await server.readManifests()
    let (token, other) = (try server.token("operator"), try server.token("operator"))
    let port = server.port
    // The reader goes away after the first word; the answer goes on.
    let call = HTTPCall(port)
    let head = call.head(
      "POST", "/api/v1/conversations",
      [
        ("Authorization", "Bearer \(token)"), ("Content-Type", "application/json"), ("Accept", "text/event-stream"),
      ], 13)
    let begun = await BlockingPool.shared.run { () -> [UInt8] in
      let connection = HTTPCall.connect(port)
      defer { close(connection) }
      HTTPCall.write(head + Array(#"{"text":"Hi"}"#.utf8), to: connection)
      return HTTPCall.read(connection) { String(decoding: $0, as: UTF8.self).contains("Half") }
    }
    let answer = try #require(HTTPCall.parse(begun)?.text.firstMatch(of: /"id":"([A-Z0-9]+)"/)?.1).description
    #expect(try await server.checked("POST", "/answers/\(answer)/stop", other).status == 404)
    #expect(try await server.call("GET", "/answers/\(answer)/events", other).status == 404)
    #expect(try await server.checked("POST", "/answers/\(answer)/stop", token).status == 204)
    let rest = try await server.call("GET", "/answers/\(answer)/events", token)
    let end = events(rest.text).last
    #expect(end?.name == "end" && end?.data["stopped"] == true && end?.data["cut"] == true, "\(rest.text)")
    let chat = try #require(end?.data["chat"]?.intValue)
    let turns = try await server.checked("GET", "/conversations/\(chat)", token).json["turns"]?.listValue ?? []
    #expect(turns.last?["text"] == "Half an " && turns.last?["cut"] == true, "\(turns)")
    try await server.stop()
  }

  @Test(arguments: TestServer.Loss.allCases)
  func theStreamOfAnAnswerEndsWithTheRightsOfItsReader(_ loss: TestServer.Loss) async throws {
    let model = try ModelServer(["Half an "], holds: true)
    defer { model.end() }
    let server = try await TestServer(configuration: model.configuration, rightsInterval: 0.05)
    try await server.readManifests()
    let token = try server.token("operator")
    let body = (["text": "Hi"] as Value).json()
    let head = HTTPCall(server.port).head(
      "POST", "/api/v1/conversations",
      [
        ("Authorization", "Bearer \(token)"), ("Content-Type", "application/json"), ("Accept", "text/event-stream"),
      ], body.count)
    let text = try await server.answer(to: head + body, from: token, until: "Half", losing: loss)
    #expect(text.hasPrefix("HTTP/1.1 200"), "\(text)")
    #expect(!text.contains("event: end") && !text.contains("event: problem"), "\(text)")
    try await server.stop()
  }

  @Test func aConversationHasOneAnswerAtATime() async throws {
    let model = try ModelServer(["…"], holds: true)
    defer { model.end() }
    let server = try await TestServer(configuration: model.configuration)
    try await server.readManifests()
    let token = try server.token("operator")
    let now = SystemTime().now
    let number = try await server.session.store.keep([ChatTurnRecord(.user, "Hi", at: now)], in: nil, system: "")
    let path = "/conversations/\(number)/messages"
    async let first = server.call("POST", path, token, ["text": "a"])
    try await eventually { model.questions.count == 1 }
    let second = try await server.checked("POST", path, token, ["text": "b"])
    #expect(second.status == 409 && second.code == "answer_under_way", "\(second.text)")
    // The server does not wait for the model.
    try await server.stop()
    _ = try? await first
  }

  @Test func aFileGoesAlong() async throws {
    let model = try ModelServer(["Read."])
    defer { model.end() }
    let server = try await TestServer(configuration: model.configuration)
    try await server.readManifests()
    let token = try server.token("operator")
    let bytes = Array("<p>The <b>text</b> of the file</p>".utf8)
    let file = try await HTTPCall(server.port).send(
      "POST", "/api/v1/files", [("Authorization", "Bearer \(token)"), ("Content-Type", "text/html")], bytes)
    let blob = file.json["blob"] ?? .null
    let answer = try await server.checked(
      "POST", "/conversations", token, ["text": "Read", "files": [["blob": blob, "name": "../a.html"]]])
    #expect(answer.status == 201, "\(answer.text)")
    let sent = model.questions.last?.jsonString ?? ""
    #expect(sent.contains("The text of the file") && sent.contains("--- a.html ---") && !sent.contains("<b>"))
    let turns = try await server.checked("GET", "/conversations/1", token).json["turns"]?.listValue
    #expect(turns?.first?["files"] == ["a.html"])
    try await server.stop()
  }

  @Test func aPrivateConversationIsNotKept() async throws {
    let model = try ModelServer(["Hush."])
    defer { model.end() }
    let server = try await TestServer(configuration: model.configuration)
    try await server.readManifests()
    let token = try server.token("operator")
    let answer = try await server.checked("POST", "/conversations", token, ["text": "Hi", "private": true])
    #expect(answer.status == 201 && answer.json["chat"] == .null && answer.text("text") == "Hush.", "\(answer.text)")
    #expect(try await server.checked("GET", "/conversations", token).items.isEmpty)
    try await server.stop()
  }

  @Test(
    arguments: [
      ([:], 422), (["text": " "], 422), (["text": "x", "provider": "none"], 404),
      (["text": "x", "preset": "no/such"], 422), (["text": "x", "preset": "mail/summary", "system": "y"], 422),
      (["text": "x", "temperature": 3], 422), (["text": "x", "more": 1], 422),
      (["text": "x", "files": [["blob": .string(String(repeating: "0", count: 64)), "name": "a"]]], 422),
    ] as [(Value, Int)])
  func wrongQuestionsAreRefused(body: Value, status: Int) async throws {
    let model = try ModelServer(["x"])
    defer { model.end() }
    let server = try await TestServer(configuration: model.configuration)
    try await server.readManifests()
    let answer = try await server.checked("POST", "/conversations", try server.token("operator"), body)
    #expect(answer.status == status && model.questions.isEmpty, "\(answer.text)")
    try await server.stop()
  }

  @Test func aFailureIsAProblemAndAnEvent() async throws {
    let model = try ModelServer([" "])
    defer { model.end() }
    let server = try await TestServer(configuration: model.configuration)
    try await server.readManifests()
    let token = try server.token("operator")
    let answer = try await server.checked("POST", "/conversations", token, ["text": "Hi"])
    #expect(answer.status == 503 && answer.json["detail"]?.stringValue?.isEmpty == false, "\(answer.text)")
    let found = try await stream(server, "/conversations", token, ["text": "Hi"])
    #expect(found.last?.name == "problem" && found.last?.data["status"] == 503, "\(found)")
    #expect(try await server.checked("POST", "/conversations/9/messages", token, ["text": "Hi"]).status == 404)
    try await server.stop()
  }

  @Test func theChoicesNameProvidersAndPresets() async throws {
    let model = try ModelServer(["x"])
    defer { model.end() }
    let server = try await TestServer(configuration: model.configuration)
    try await server.readManifests()
    let choices = try await server.checked("GET", "/chat-choices", try server.token("viewer"))
    #expect(choices.json["default"] == "local" && choices.json["providers"]?.listValue?.count == 1, "\(choices.text)")
    #expect(choices.json["presets"]?.listValue?.contains { $0["name"] == "mail/summary" } == true)
    try await server.stop()
  }

  /// A provider without a language model answers no question: `sous init` writes such a one.
  @Test func aProviderWithoutAModelIsNotOffered() async throws {
    let server = try await TestServer(
      configuration: "providers: { words: { plugin: extractive } }\ndefaults: { chat: words }\n")
    try await server.readManifests()
    let token = try server.token("operator")
    let choices = try await server.checked("GET", "/chat-choices", token)
    #expect(choices.json["providers"] == [] && choices.json["default"] == .null, "\(choices.text)")
    let answer = try await server.checked("POST", "/conversations", token, ["text": "Hi"])
    #expect(answer.status == 422 && answer.code == "unsuitable_provider", "\(answer.text)")
    let page = try await HTTPCall(server.port).send(
      "GET", "/chat", [("Accept", "text/html"), ("Authorization", "Bearer " + token)])
    #expect(page.text.contains("id=\"unconfigured\"") && !page.text.contains("id=\"ask\""), "\(page.text)")
    // It carries out its tasks all the same.
    let text = String(repeating: "The harbour of Bern is closed on Sundays. ", count: 20)
    let task = try await server.checked(
      "POST", "/conversations", token, ["text": .string(text), "task": "summarise", "provider": "words"])
    #expect(task.status != 422 || task.code != "unsuitable_provider", "\(task.text)")
    try await server.stop()
  }

  @Test func onlyTheProvidersThatAnswerAreAsked() async throws {
    let model = try ModelServer(["x"])
    defer { model.end() }
    let server = try await TestServer(
      configuration: model.configuration.replacing(
        "providers: { ", with: "providers: { words: { plugin: extractive }, ")
        + "defaults: { chat: [words, local] }\n")
    try await server.readManifests()
    let token = try server.token("operator")
    let choices = try await server.checked("GET", "/chat-choices", token)
    #expect(choices.json["default"] == "local" && choices.json["providers"]?.listValue?.count == 1, "\(choices.text)")
    let answer = try await server.checked("POST", "/conversations", token, ["text": "Hi"])
    #expect(answer.text("provider") == "local", "\(answer.text)")
    try await server.stop()
  }
}
