import Engine
import Expressions
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

  @Test func aHistogramCountsEachDurationOnce() {
    var histogram = DurationHistogram([1, 10])
    for seconds in [0.5, 1, 5, 50] { histogram.add(seconds) }
    var text = PrometheusText()
    histogram.write("t", [], to: &text)
    #expect(
      text.text == "t_bucket{le=\"1.0\"} 2\nt_bucket{le=\"10.0\"} 3\nt_bucket{le=\"+Inf\"} 4\nt_sum 56.5\nt_count 4\n")
  }

  @Test func whatKeepsTheServerFromWorkingIsFoundBefore() throws {
    let place = try Place(
      configuration: """
        server:
          listen: 0.0.0.0:1
          tls: { certificate: none.pem, key: none.key }
          proxies: [localhost, 192.168.7.0/24]

        """)
    let problems = ServerCheck.problems(of: try Project(try place.workspace)).map(\.english)
    for part in ["none.pem", "localhost", "no users yet"] {
      #expect(problems.contains { $0.contains(part) }, "\(part): \(problems)")
    }
    #expect(!problems.contains { $0.contains("192.168.7.0/24") })
  }
}
