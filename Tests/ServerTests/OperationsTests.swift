import Engine
import Expressions
import Foundation
import Localization
import TestSupport
import TestWorkspace
import Testing
import UseCases

@testable import Server

/// What operators look at.
@Suite(.timeLimit(.minutes(2)))
struct OperationsTests {
  @Test func theServerSaysWhetherItWorks() async throws {
    let server = try await TestServer()
    let call = HTTPCall(server.port)
    #expect(try await call.send("GET", "/health").json["status"] == "ok")
    #expect(try await call.send("GET", "/ready").status == 200)
    #expect(try await call.send("POST", "/health").status == 405)
    try await server.stop()
  }

  @Test func metricsNeedTheRightAndCountWhatHappens() async throws {
    let server = try await TestServer([
      "say": "name: 'say \"hi\"'\nsteps: [{ id: a, uses: log, with: { message: x } }]\n"
    ])
    let call = HTTPCall(server.port)
    #expect(try await call.send("GET", "/metrics").status == 401)
    let token = try server.token("viewer")
    let run = try await server.call(
      "POST", "/recipes/say%20%22hi%22/runs", try server.token("operator"), [:],
      fields: [("Accept", "text/event-stream")])
    #expect(run.status == 200)
    var answer = HTTPCall.Answer()
    try await eventually {
      answer = try await call.send("GET", "/metrics", [("Authorization", "Bearer \(token)")])
      return answer.text.contains("status=\"succeeded\"")
    }
    #expect(answer.status == 200 && answer.field("content-type")?.hasPrefix("text/plain; version=0.0.4") == true)
    // Quotes in names are escaped.
    #expect(answer.text.contains(#"sous_runs_ended_total{recipe="say \"hi\"",status="succeeded"} 1"#), "\(answer.text)")
    #expect(answer.text.contains(#"sous_http_requests_total{operation="/metrics",status="401"} 1"#), "\(answer.text)")
    // Each metric has one description, before its samples.
    let lines = answer.text.split(separator: "\n")
    let types = lines.filter { $0.hasPrefix("# TYPE ") }.map { $0.split(separator: " ")[2] }
    #expect(Set(types).count == types.count)
    try await server.stop()
  }

  /// The board is installed with the program: a metric that one of both does not have would be an empty panel.
  @Test func theBoardOfGrafanaHasTheMetricsOfTheServer() async throws {
    let server = try await TestServer()
    let token = try server.token("viewer")
    let text = try await HTTPCall(server.port).send("GET", "/metrics", [("Authorization", "Bearer \(token)")]).text
    let metrics = Set(
      text.split(separator: "\n").filter { $0.hasPrefix("# TYPE ") }.map { String($0.split(separator: " ")[2]) })
    let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path
    let path = sources + "/../../packaging/grafana/sous.json"
    let board = try String(contentsOfFile: path, encoding: .utf8)
    #expect(throws: Never.self) { try Value(json: Array(board.utf8)) }
    let named = Set(
      board.matches(of: /\b(?:sous|process)_[a-z_]+/).map { match in
        let name = String(match.output)
        let base = name.replacing(/_(?:bucket|sum|count)$/, with: "")
        return metrics.contains(name) ? name : base
      })
    #expect(named.subtracting(metrics) == [], "the board names metrics that do not exist")
    #expect(metrics.subtracting(named) == [], "the board lacks metrics")
    // As Prometheus wants names: counters end with _total, others do not.
    for line in text.split(separator: "\n") where line.hasPrefix("# TYPE ") {
      let parts = line.split(separator: " ")
      #expect(parts[2].hasSuffix("_total") == (parts[3] == "counter"), "\(line)")
    }
    try await server.stop()
  }

  @Test func callsOfProvidersAreCountedByTheirOutcome() {
    let run = RunID(rawValue: "01A")
    var calls = ProviderCalls()
    func start(_ number: Int, _ kind: AttemptKind) -> JournalEntry {
      .attemptStarted(
        AttemptStart(
          run: run, step: 0, item: nil, number: number, kind: kind, key: "k", inputBytes: 1,
          at: Timestamp(seconds: 0, nanoseconds: 0)))
    }
    func end(_ number: Int, _ failure: ActionFailure? = nil) -> JournalEntry {
      var end = AttemptEnd(
        run: run, step: 0, item: nil, number: number, failure: failure, outputBytes: 1, duration: 0.1, retryDelay: nil,
        at: Timestamp(seconds: 0, nanoseconds: 0))
      end.usage = [
        CallUsage(number: 1, state: .answered, tokens: TokenCount(prompt: 7, completion: 3), duration: 0.1)
      ]
      end.usage[0].model = "small"
      return .attemptFinished(end)
    }
    for entry in [
      start(1, .provider("home/small")), end(1, ActionFailure(.server, .init(verbatim: "x"))),
      start(2, .repair("home/small")), end(2), start(3, .builtin), end(3), end(9),
    ] { calls.observe(run, entry) }
    var text = PrometheusText()
    calls.write(to: &text)
    #expect(text.text.contains(#"sous_provider_calls_total{provider="home",outcome="succeeded"} 1"# + "\n"))
    #expect(text.text.contains(#"sous_provider_calls_total{provider="home",outcome="failed"} 1"# + "\n"))
    #expect(text.text.contains(#"sous_provider_call_duration_seconds_count{provider="home"} 2"# + "\n"))
    #expect(text.text.contains(#"sous_model_tokens_total{provider="home",model="small",kind="input"} 14"# + "\n"))
  }

  @Test func aHistogramCountsEachDurationOnce() {
    var histogram = DurationHistogram([1, 10])
    for seconds in [0.5, 1, 5, 50] { histogram.add(seconds) }
    var text = PrometheusText()
    histogram.write("t", [], to: &text)
    #expect(
      text.text == "t_bucket{le=\"1.0\"} 2\nt_bucket{le=\"10.0\"} 3\nt_bucket{le=\"+Inf\"} 4\nt_sum 56.5\nt_count 4\n")
  }

  @Test func theDaemonOfTheProjectItselfIsNotAProblem() async throws {
    let server = try await TestServer()
    _ = try server.token()
    // The daemon writes its row after it listens.
    let workspace = try server.place.workspace
    try await eventually { try await !workspace.servingStatus().servers.isEmpty }
    let own = await ServerCheck(of: try Project(workspace))
    #expect(own.problems.isEmpty && own.notes.count == 1, "\(own.problems.map(\.english))")
    let other = try Place(configuration: "server: { listen: \"127.0.0.1:\(server.port)\" }\n")
    let foreign = await ServerCheck(of: try Project(try other.workspace))
    #expect(foreign.notes.isEmpty && foreign.problems.contains { $0.english.contains("127.0.0.1:\(server.port)") })
    try await server.stop()
    #expect(await ServerCheck(of: try Project(workspace)).notes.isEmpty)
  }

  @Test func whatKeepsTheServerFromWorkingIsFoundBefore() async throws {
    let place = try Place(
      configuration: """
        server:
          listen: 0.0.0.0:1
          tls: { certificate: none.pem, key: none.key }
          proxies: [localhost, 192.168.7.0/24]

        """)
    let problems = await ServerCheck(of: try Project(try place.workspace)).problems.map(\.english)
    for part in ["none.pem", "localhost", "no users yet"] {
      #expect(problems.contains { $0.contains(part) }, "\(part): \(problems)")
    }
    #expect(!problems.contains { $0.contains("192.168.7.0/24") })
  }
}
