import Access
import Engine
import Expressions
import Foundation
import HTTPTypes
import Localization
import MCP
import Page
import Synchronization
import TestSupport
import TestWorkspace
import Testing
import UseCases

@testable import Server

/// Operations are checked, carried out once and recorded, wherever they come from.
@Suite(.timeLimit(.minutes(3)))
struct CheckedOperationTests {
  // MARK: - Forms and assistants

  /// The cookie of a new user's session, and the token of its pages.
  private func browser(_ server: TestServer) async throws -> (cookie: String, token: String) {
    let before = Set(try server.access.users().map(\.name))
    _ = try server.token("operator")
    let name = try #require(try server.access.users().map(\.name).first { !before.contains($0) })
    let answer = try await server.call(
      "POST", "/session", nil, ["user": .string(name), "password": .string(TestServer.password)])
    let cookie = try #require(answer.field("set-cookie")?.split(separator: ";").first.map(String.init))
    return (cookie, try #require(answer.json["csrf_token"]?.stringValue))
  }

  private func send(
    _ server: TestServer, _ browser: (cookie: String, token: String), _ fields: [String: String]
  ) async throws -> HTTPCall.Answer {
    var fields = fields
    fields["csrf_token"] = browser.token
    let body = fields.map { "\($0.key)=\(PageAddress.escaped($0.value))" }.joined(separator: "&")
    return try await HTTPCall(server.port).send("POST", "/chat", [("Cookie", browser.cookie)], Array(body.utf8))
  }

  @Test func aFormIsInTheAuditLogAndAsksOnce() async throws {
    let model = try ModelServer(["Once."])
    defer { model.end() }
    let server = try await TestServer(configuration: model.configuration)
    try await server.readManifests()
    let browser = try await browser(server)
    let page = try await HTTPCall(server.port).send(
      "GET", "/chat", [("Accept", "text/html"), ("Cookie", browser.cookie)])
    let key = try #require(page.text.firstMatch(of: /name="key" value="([^"]+)"/)?.1).description
    var places: Set<String> = []
    for _ in 0..<2 {
      let answer = try await send(server, browser, ["text": "Hi", "key": key])
      #expect(answer.status == 303, "\(answer.text)")
      places.insert(answer.field("location") ?? "")
    }
    #expect(places.count == 1 && model.questions.count == 1)
    let entries = try server.access.audit(limit: 100).filter { $0.action == "beginConversation" }
    #expect(entries.map(\.outcome) == [AuditEntry.done] && entries.first?.object == "conversations")
    #expect(entries.first?.source.origin == "session")
    try await server.stop()
  }

  @Test func anInvalidFormHasTheProblemOfTheAPI() async throws {
    let model = try ModelServer(["x"])
    defer { model.end() }
    let server = try await TestServer(configuration: model.configuration)
    try await server.readManifests()
    let name = String(repeating: "x", count: 301)
    let refused = try await server.checked(
      "POST", "/conversations", try server.token("operator"), ["text": "Hi", "provider": .string(name)])
    let fault = try #require(refused.json["errors"]?[0])
    #expect(refused.status == 422 && fault["pointer"] == "/provider", "\(refused.text)")
    let form = try await send(server, try await browser(server), ["text": "Hi", "provider": name])
    let detail = try #require(fault["detail"]?.stringValue)
    #expect(form.status == 422 && form.text.contains(HTML.text(detail).markup), "\(form.text)")
    let outcomes = try server.access.audit(limit: 100).filter { $0.action == "beginConversation" }.map(\.outcome)
    #expect(outcomes == ["input_invalid", "input_invalid"] && model.questions.isEmpty)
    try await server.stop()
  }

  @Test func anAssistantsOperationIsCheckedAndRecorded() async throws {
    let server = try await TestServer()
    let operations = RouteOperations(
      services: server.services(), credential: .fixed(.socket(user: "ada")), actor: .socket(user: "ada"),
      language: .english, address: "", origin: "")
    do throws(AssistantError) {
      _ = try await operations.perform(
        OperationCall("answerDecision", path: ["run": "last"], body: ["approved": "yes"]))
      Issue.record("it was taken")
    } catch {
      #expect(error.number == 422 && error.code.rawValue == "input_invalid", "\(error)")
    }
    let entry = try server.access.audit(limit: 10).first { $0.action == "answerDecision" }
    #expect(entry?.outcome == "input_invalid" && entry?.object == "runs/last/decision")
    try await server.stop()
  }

  // MARK: - Repetitions

  /// An operation whose answer is the number of times that it was carried out.
  private func counting(
    _ repetition: Route.RepetitionRule = .refused, isAnswerSecret: Bool = false,
    calls: Counter, work: @escaping @Sendable (Int) async throws -> Void = { _ in }
  ) -> CheckedOperation {
    CheckedOperation(
      Route(
        .post, "/things", "count", "Count.", de: "Zählen.", .signedIn, answers: [.json(APISchema.anything)],
        repetition: repetition, isAnswerSecret: isAnswerSecret
      ) { _ in
        let number = calls.next()
        try await work(number)
        return .json(["number": .int(Int64(number))])
      })
  }

  private func code(_ body: () async throws -> Void) async -> String? {
    do {
      try await body()
      return nil
    } catch {
      return Problem(error, in: .english).code
    }
  }

  @Test func aRequestUnderWayIsNotCarriedOutTwice() async throws {
    let server = try await TestServer()
    let (services, calls) = (server.services(), Counter())
    let (begun, hasBegun) = AsyncStream.makeStream(of: Void.self)
    let (end, finishes) = AsyncStream.makeStream(of: Void.self)
    let operation = counting(calls: calls) { _ in
      hasBegun.yield()
      for await _ in end {}
    }
    let request = APIRequest(services)
    let first = Task { try await operation.perform(request, key: "k") }
    for await _ in begun { break }
    #expect(await code { _ = try await operation.perform(request, key: "k") } == "request_in_progress")
    finishes.finish()
    let (answer, again) = (try await first.value, try await operation.perform(request, key: "k"))
    guard case .json(let value) = answer.content, case .json(let repeated) = again.content else {
      Issue.record("no JSON")
      return
    }
    #expect(value == ["number": 1] && repeated == value && calls.value == 1)
    // A repetition has changed nothing.
    let outcomes = try server.access.audit(limit: 10).filter { $0.action == "count" }.map(\.outcome)
    #expect(outcomes.sorted() == ["done", "request_in_progress"])
    try await server.stop()
  }

  @Test(arguments: [Route.RepetitionRule.refused, .harmless, .found])
  func anInterruptedRequestIsRepeatedOnlyIfThatDoesNoHarm(rule: Route.RepetitionRule) async throws {
    let server = try await TestServer()
    let calls = Counter()
    let operation = counting(rule, calls: calls) { if $0 == 1 { throw CancellationError() } }
    #expect(await code { _ = try await operation.perform(APIRequest(server.services()), key: "k") } == "interrupted")
    let next = await code { _ = try await operation.perform(APIRequest(server.services()), key: "k") }
    #expect(next == (rule == .refused ? "outcome_unknown" : nil))
    #expect(calls.value == (rule == .refused ? 1 : 2))
    try await server.stop()
  }

  @Test func aRefusedRequestFreesItsKey() async throws {
    let server = try await TestServer()
    let (services, calls) = (server.services(), Counter())
    let operation = counting(calls: calls) {
      if $0 == 1 { throw Problem(409, "not_now", "not now", de: "nicht jetzt") }
    }
    #expect(await code { _ = try await operation.perform(APIRequest(services), key: "k") } == "not_now")
    #expect(await code { _ = try await operation.perform(APIRequest(services), key: "k") } == nil)
    try await server.stop()
  }

  @Test func aSecretAnswerIsNotStored() async throws {
    let server = try await TestServer()
    let (services, calls) = (server.services(), Counter())
    let operation = counting(isAnswerSecret: true, calls: calls)
    _ = try await operation.perform(APIRequest(services), key: "k")
    #expect(await code { _ = try await operation.perform(APIRequest(services), key: "k") } == "answer_not_kept")
    #expect(calls.value == 1)
    try await server.stop()
  }

  @Test func theTextOfATokenIsNotStored() throws {
    let secret = Set(APIDocument.routes.filter(\.isAnswerSecret).map(\.id))
    #expect(secret == ["signIn", "beginDevice", "askDevice", "addToken"])
  }

  // MARK: - Questions to models

  private func ask(_ services: ServerServices, _ body: Value = ["text": "Hi"]) async throws -> Value {
    let answer = try await CheckedOperation.named("beginConversation").perform(
      APIRequest(services, body: body), key: "k")
    guard case .json(let value) = answer.content else { return .null }
    return value
  }

  @Test func anotherProcessGivesTheKeptAnswer() async throws {
    let model = try ModelServer(["Once."])
    defer { model.end() }
    let server = try await TestServer(configuration: model.configuration)
    try await server.readManifests()
    let first = try await ask(server.services())
    #expect(first["text"] == "Once.")
    #expect(try await ask(server.services()) == first && model.questions.count == 1)
    try await server.stop()
  }

  @Test func aPrivateAnswerIsNotStored() async throws {
    let model = try ModelServer(["Hush."])
    defer { model.end() }
    let server = try await TestServer(configuration: model.configuration)
    try await server.readManifests()
    let (services, body) = (server.services(), ["text": "Hi", "private": true] as Value)
    let first = try await ask(services, body)
    // The process still has it.
    #expect(first["text"] == "Hush.")
    #expect(try await ask(services, body) == first)
    #expect(await code { _ = try await ask(server.services(), body) } == "answer_not_kept")
    // A repetition that this process could answer has stored nothing either.
    #expect(try await ask(services, body) == first)
    #expect(await code { _ = try await ask(server.services(), body) } == "answer_not_kept")
    #expect(model.questions.count == 1)
    try await server.stop()
  }

  @Test func aQuestionOfUnknownOutcomeIsNotAskedAgain() async throws {
    let model = try ModelServer(["…"], holds: true)
    defer { model.end() }
    let server = try await TestServer(configuration: model.configuration)
    try await server.readManifests()
    let services = server.services()
    let first = Task { await code { _ = try await ask(services) } }
    try await eventually { model.questions.count == 1 }
    // As after a crash: another process knows the record of the request alone.
    #expect(await code { _ = try await ask(server.services()) } == "outcome_unknown")
    #expect(model.questions.count == 1)
    // A server that stops ends the answer with the words so far.
    await services.answers.close()
    #expect(await first.value == nil)
    #expect([nil, "answer_not_kept"].contains(await code { _ = try await ask(server.services()) }))
    #expect(model.questions.count == 1)
    try await server.stop()
  }

  @Test func aFailedQuestionKeepsItsProblem() async throws {
    let model = try ModelServer([" "])
    defer { model.end() }
    let server = try await TestServer(configuration: model.configuration)
    try await server.readManifests()
    let first = await code { _ = try await ask(server.services()) }
    let asked = model.questions.count
    #expect(first != nil && asked > 0)
    #expect(await code { _ = try await ask(server.services()) } == first && model.questions.count == asked)
    try await server.stop()
  }
}

/// Counts calls.
private final class Counter: Sendable {
  private let count = Mutex(0)

  var value: Int { count.withLock { $0 } }

  func next() -> Int {
    count.withLock { count in
      count += 1
      return count
    }
  }
}
