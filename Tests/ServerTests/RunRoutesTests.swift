import Access
import Engine
import Expressions
import Foundation
import OperatingSystem
import RunStore
import TestSupport
import Testing
import UseCases

@testable import Server

/// Runs by the API: started, listed, followed, cancelled.
@Suite(.timeLimit(.minutes(3)))
struct RunRoutesTests {
  private static let greet = """
    name: greet
    inputs: { who: { type: string, default: world }, times: { type: integer, default: 1 } }
    steps:
      - { id: hello, uses: log, with: { message: "hello {{ inputs.who }}" } }
      - { id: again, uses: log, with: { message: "again" } }
    outputs: { text: "hello {{ inputs.who }}" }

    """

  private static let ask = """
    name: ask
    steps:
      - { id: may, uses: approve, with: { message: "Go on?", form: { type: object, properties: { amount: { type: integer } } } } }
      - { id: done, uses: log, with: { message: done } }

    """

  private static let slow = """
    name: slow
    steps: [{ id: nap, uses: sleep, with: { for: 1h } }]

    """

  private func ended(_ server: TestServer, _ run: String) async throws {
    try await eventually {
      (try? await server.session.store.status(of: RunID(rawValue: run)))?.isFinal == true
    }
  }

  @Test func aRunIsStartedAndShown() async throws {
    let server = try await TestServer(["greet": Self.greet])
    let token = try server.token("operator")
    let started = try await server.call(
      "POST", "/recipes/greet/runs", token, ["inputs": ["who": "Ada"]])
    #expect(started.status == 201)
    let run = try #require(started.json["id"]?.stringValue)
    #expect(started.field("location") == "/api/v1/runs/\(run)")
    #expect(started.json["trigger"] == "api")
    try await ended(server, run)
    let shown = try await server.call("GET", "/runs/\(run)", token).json
    #expect(shown["status"] == "succeeded" && shown["outputs"]?["text"] == "hello Ada")
    let lines = try await server.call("GET", "/runs/\(run)/logs", token).json["items"]?.listValue ?? []
    #expect(lines.compactMap { $0["message"]?.stringValue } == ["hello Ada", "again"])
    let output = try await server.call("GET", "/runs/\(run)/steps/nope/output", token)
    #expect(output.status == 404 && output.code == "step_not_found")
    try await server.stop()
  }

  @Test(arguments: [
    ("{\"inputs\":{\"who\":3}}", 422, "input_invalid"), ("{\"inputs\":{\"nobody\":\"x\"}}", 422, "input_invalid"),
    ("{\"inputs\":[]}", 422, "input_invalid"), ("{\"unknown\":1}", 422, "input_invalid"), ("{", 400, "malformed_json"),
    ("{\"priority\":101}", 422, "input_invalid"),
  ])
  func aRequestThatIsNotValidStartsNothing(body: String, status: Int, code: String) async throws {
    let server = try await TestServer(["greet": Self.greet])
    let token = try server.token("operator")
    let answer = try await HTTPCall(server.port).send(
      "POST", "/api/v1/recipes/greet/runs",
      [("Authorization", "Bearer \(token)"), ("Content-Type", "application/json")], Array(body.utf8))
    #expect(answer.status == status && answer.code == code, "\(answer.text)")
    #expect(answer.field("content-type") == "application/problem+json")
    #expect(try await server.call("GET", "/runs", token).json["items"] == [])
    try await server.stop()
  }

  @Test func aRepeatedRequestStartsOneRun() async throws {
    let server = try await TestServer(["greet": Self.greet])
    let token = try server.token("operator")
    let key = [("Idempotency-Key", "order-1")]
    let first = try await server.call("POST", "/recipes/greet/runs", token, [:], fields: key)
    let second = try await server.call("POST", "/recipes/greet/runs", token, [:], fields: key)
    #expect(first.status == 201 && second.status == 201)
    #expect(first.json["id"] == (second.json["id"]))
    #expect(second.field("idempotent-replayed") == "true")
    let other = try await server.call("POST", "/recipes/greet/runs", token, ["inputs": ["who": "Bob"]], fields: key)
    #expect(other.status == 422 && other.code == "key_reused")
    // The key belongs to its user.
    let stranger = try server.token("operator")
    let third = try await server.call("POST", "/recipes/greet/runs", stranger, [:], fields: key)
    #expect(third.json["id"] != (first.json["id"]))
    #expect(try await server.call("GET", "/runs", token).json["items"]?.listValue?.count == 2)
    try await server.stop()
  }

  @Test func anAnswerThatWasNotKeptStartsNoSecondRun() async throws {
    let server = try await TestServer(["greet": Self.greet])
    let token = try server.token("operator")
    let key = [("Idempotency-Key", "order-2")]
    // As after a crash between the plan of the run and its answer.
    let user = try #require(try await server.call("GET", "/me", token).json["user"]?.stringValue)
    let planned = "01M8MQZH4QX2VWBNA1NM4SET9C"
    let digest = AccessStore.digest(
      method: "POST", path: "/api/v1/recipes/greet/runs", body: Value.map([:]).json())
    #expect(
      try server.access.begin(actor: user, key: "order-2", digest: digest, run: planned, now: SystemTime().now)
        == .new(run: planned))
    for _ in 0..<2 {
      let answer = try await server.call("POST", "/recipes/greet/runs", token, [:], fields: key)
      #expect(answer.status == 201 && (answer.json["id"]?.stringValue) == planned)
    }
    #expect(try await server.call("GET", "/runs", token).json["items"]?.listValue?.count == 1)
    try await server.stop()
  }

  @Test func wrongInputsAreNamedByTheirPlaces() async throws {
    let server = try await TestServer([
      "count": """
      name: count
      inputs: { count: { type: integer }, who: { type: string, default: Ada } }
      steps: [{ id: hello, uses: log, with: { message: hello } }]

      """
    ])
    let token = try server.token("operator")
    let wrong = try await server.checked(
      "POST", "/recipes/count/runs", token, ["inputs": ["count": "three", "who": 1, "more/less": 2]])
    #expect(wrong.status == 422 && wrong.code == "input_invalid", "\(wrong.text)")
    #expect(
      (wrong.json["errors"]?.listValue ?? []).map { $0["pointer"] }
        == ["/inputs/count", "/inputs/who", "/inputs/more~1less"])
    let missing = try await server.checked("POST", "/recipes/count/runs", token, [:])
    #expect(missing.json["errors"]?[0]?["pointer"] == "/inputs/count", "\(missing.text)")
    // The API has no options.
    #expect(!missing.text.contains("-i "))
    try await server.stop()
  }

  @Test func pagesOfRunsMeetWithoutGapOrOverlap() async throws {
    let server = try await TestServer(["greet": Self.greet])
    let token = try server.token("operator")
    for _ in 0..<7 { _ = try await server.call("POST", "/recipes/greet/runs", token, [:]) }
    var seen: [String] = []
    var cursor: String?
    repeat {
      let query = "/runs?limit=3" + (cursor.map { "&cursor=" + $0 } ?? "")
      let page = try await server.call("GET", query, token).json
      seen += (page["items"]?.listValue ?? []).compactMap { $0["id"]?.stringValue }
      cursor = page["next"]?.stringValue
    } while cursor != nil
    #expect(seen.count == 7 && Set(seen).count == 7)
    #expect(try await server.call("GET", "/runs?cursor=nonsense", token).status == 422)
    try await server.stop()
  }

  @Test func aDecisionIsMadeOnce() async throws {
    let server = try await TestServer(["ask": Self.ask])
    let token = try server.token("operator")
    let run = try #require(try await server.call("POST", "/recipes/ask/runs", token, [:]).json["id"]?.stringValue)
    try await eventually {
      try await server.call("GET", "/decisions", token).json["items"]?.listValue?.count == 1
    }
    let wrong = try await server.call(
      "POST", "/runs/\(run)/decision", token, ["approved": true, "fields": ["amount": "many"]])
    #expect(wrong.status == 422)
    // JSON has numbers: a text is none.
    let text = try await server.call(
      "POST", "/runs/\(run)/decision", token, ["approved": true, "fields": ["amount": "3"]])
    #expect(text.status == 422 && text.json["errors"]?[0]?["pointer"] == "/fields/amount", "\(text.text)")
    let answer = try await server.call(
      "POST", "/runs/\(run)/decision", token, ["approved": true, "fields": ["amount": 3]])
    #expect(answer.status == 200, "\(answer.text)")
    try await ended(server, run)
    let again = try await server.call("POST", "/runs/\(run)/decision", token, ["approved": false])
    #expect(again.status == 409 && again.code == "run_state")
    #expect(try await server.call("GET", "/runs/\(run)", token).json["status"] == "succeeded")
    try await server.stop()
  }

  @Test func aRunIsCancelledAndRunAgain() async throws {
    let server = try await TestServer(["slow": Self.slow])
    let token = try server.token("operator")
    let run = try #require(try await server.call("POST", "/recipes/slow/runs", token, [:]).json["id"]?.stringValue)
    try await eventually {
      try await server.session.store.status(of: RunID(rawValue: run)) == .waiting
    }
    #expect(try await server.call("POST", "/runs/\(run)/retry", token).status == 409)
    #expect(try await server.call("POST", "/runs/\(run)/cancel", token).status == 202)
    try await ended(server, run)
    #expect(try await server.call("POST", "/runs/\(run)/cancel", token).code == "run_state")
    let retried = try await server.call("POST", "/runs/\(run)/retry", token, fields: [("Idempotency-Key", "again")])
    #expect(retried.status == 201, "\(retried.text)")
    let next = try #require(retried.json["id"]?.stringValue)
    #expect(retried.json["origin"]?.stringValue == run)
    let repeated = try await server.call("POST", "/runs/\(run)/retry", token, fields: [("Idempotency-Key", "again")])
    #expect(repeated.json["id"]?.stringValue == next)
    try await server.stop()
  }

  // MARK: - Events

  /// The events of a stream: id, name and data of each.
  private func events(_ text: String) -> [(id: String?, name: String, data: Value)] {
    text.components(separatedBy: "\n\n").compactMap { block in
      var (id, name, data): (String?, String, Value?) = (nil, "", nil)
      for line in block.split(separator: "\n") {
        if line.hasPrefix("id: ") { id = String(line.dropFirst(4)) }
        if line.hasPrefix("event: ") { name = String(line.dropFirst(7)) }
        if line.hasPrefix("data: ") { data = try? Value(json: Array(line.dropFirst(6).utf8)) }
      }
      return data.map { (id, name, $0) }
    }
  }

  @Test func aFollowerGetsEachEventOnceWhereverItGoesOn() async throws {
    let server = try await TestServer(["greet": Self.greet])
    let token = try server.token("operator")
    let followed = try await server.call(
      "POST", "/recipes/greet/runs", token, [:], fields: [("Accept", "text/event-stream")])
    #expect(followed.status == 200 && followed.field("content-type") == "text/event-stream")
    let all = events(followed.text)
    let run = try #require(all.first?.data["id"]?.stringValue)
    #expect(all.first?.name == "run" && all.last?.name == "end")
    #expect(all.filter { $0.name == "log" }.compactMap { $0.data["message"]?.stringValue } == ["hello world", "again"])
    #expect(
      all.filter { $0.name == "step" }.map { $0.data["status"]?.stringValue } == [
        "running", "succeeded", "running", "succeeded",
      ])
    // A follower that has seen some events gets the others, from this server or from another one.
    for position in all.indices.dropLast() {
      guard let id = all[position].id else { continue }
      let rest = events(
        try await server.call("GET", "/runs/\(run)/events", token, fields: [("Last-Event-ID", id)]).text)
      #expect(rest.map(\.id) == all[(position + 1)...].map(\.id), "after \(position)")
    }
    #expect(try await server.call("GET", "/runs/\(run)/events", token, fields: [("Last-Event-ID", "?")]).status == 422)
    try await server.stop()
  }

  @Test func aStreamEndsWithTheServerAndGoesOnWithTheNext() async throws {
    let server = try await TestServer(["slow": Self.slow])
    let token = try server.token("operator")
    let run = try #require(try await server.call("POST", "/recipes/slow/runs", token, [:]).json["id"]?.stringValue)
    let call = HTTPCall(server.port)
    let stream = Task {
      try await call.send("GET", "/api/v1/runs/\(run)/events", [("Authorization", "Bearer \(token)")])
    }
    try await eventually {
      try await server.session.store.status(of: RunID(rawValue: run)) == .waiting
    }
    try await server.stop()
    let first = events(try await stream.value.text)
    #expect(first.last?.name != "end")
  }

  /// The events of steps, attempts and lines in their order.
  private func sequence(_ text: String) -> [String] {
    events(text).filter { ["step", "attempt", "log"].contains($0.name) }.map { event in
      let words = ["id", "step", "number", "status", "message"].compactMap { name -> String? in
        guard event.name != "log" || name != "id" else { return nil }
        return event.data[name].flatMap { $0.stringValue ?? $0.intValue.map { "\($0)" } }
      }
      return ([event.name] + words).joined(separator: " ")
    }
  }

  @Test(arguments: TestServer.Loss.allCases)
  func aStreamEndsWithTheRightsOfItsReader(_ loss: TestServer.Loss) async throws {
    let server = try await TestServer(["slow": Self.slow], rightsInterval: 0.05)
    let token = try server.token("operator")
    let run = try #require(try await server.call("POST", "/recipes/slow/runs", token, [:]).json["id"]?.stringValue)
    for (method, path) in [("GET", "/api/v1/runs/\(run)/events"), ("POST", "/api/v1/recipes/slow/runs")] {
      let token = try server.token("operator")
      let head = HTTPCall(server.port).head(
        method, path, [("Authorization", "Bearer \(token)"), ("Accept", "text/event-stream")],
        method == "GET" ? nil : 0)
      let text = try await server.answer(to: head, from: token, until: "event: run", losing: loss)
      #expect(text.hasPrefix("HTTP/1.1 200") && !text.contains("event: end"), "\(text)")
    }
    #expect(try await server.session.store.status(of: RunID(rawValue: run)).isFinal == false)
    try await server.stop()
  }

  @Test func theEndOfALogIsReadAlone() async throws {
    let messages = (0..<9).map { "line \($0)" }
    let steps = messages.enumerated().map { "  - { id: s\($0), uses: log, with: { message: \"\($1)\" } }\n" }.joined()
    let server = try await TestServer(["long": "name: long\nsteps:\n" + steps])
    let token = try server.token("operator")
    let run = try #require(try await server.call("POST", "/recipes/long/runs", token, [:]).json["id"]?.stringValue)
    try await ended(server, run)
    for count in [1, 4, 20] {
      let page = try await server.checked("GET", "/runs/\(run)/logs?last=\(count)", token)
      #expect(page.items.compactMap { $0["message"]?.stringValue } == messages.suffix(count), "\(count)")
      #expect(page.json["next"] == .null)
    }
    let last = try await server.call("GET", "/runs/\(run)/logs?last=1", token).items.last?["id"]?.intValue ?? 0
    #expect(try await server.call("GET", "/runs/\(run)/logs?last=5&after=\(last)", token).items.isEmpty)
    try await server.stop()
  }

  @Test func aFollowerThatJoinsLaterGetsTheBeginningToo() async throws {
    let steps = (0..<20).map { number in
      """
        - { id: say\(number), uses: log, with: { message: "\(number)" } }
        - { id: rest\(number), uses: sleep, with: { for: 50ms } }

      """
    }
    let server = try await TestServer(["long": "name: long\nsteps:\n" + steps.joined()])
    let token = try server.token("operator")
    let run = try #require(try await server.call("POST", "/recipes/long/runs", token, [:]).json["id"]?.stringValue)
    let found = try await withThrowingTaskGroup(of: [String].self) { group in
      for number in 0..<30 {
        group.addTask {
          // Spread over the run: each second follower waits for one line more.
          try await eventually {
            let lines = try? await server.call("GET", "/runs/\(run)/logs", token).json["items"]?.listValue
            return (lines?.count ?? 0) >= number / 2
          }
          return sequence(try await server.call("GET", "/runs/\(run)/events", token).text)
        }
      }
      var all: [[String]] = []
      for try await lines in group { all.append(lines) }
      return all
    }
    #expect(found.count == 30)
    // Each line between the beginning and the end of its step, and all the same as for a follower after the end.
    let whole = sequence(try await server.call("GET", "/runs/\(run)/events", token).text)
    #expect(whole.count == 40 * 4 + 20, "\(whole)")
    for number in 0..<20 {
      let begun = whole.firstIndex { $0.hasPrefix("step say\(number) running") } ?? .max
      let line = whole.firstIndex { $0 == "log say\(number) \(number)" } ?? -1
      let ended = whole.firstIndex { $0.hasPrefix("step say\(number) succeeded") } ?? -1
      #expect(begun < line && line < ended, "\(whole)")
    }
    for events in found { #expect(events == whole) }
    try await server.stop()
  }
}
