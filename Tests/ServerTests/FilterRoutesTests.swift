import Engine
import Expressions
import Foundation
import TestSupport
import TestWorkspace
import Testing
import UseCases

@testable import Server

/// Mail filters over the API.
@Suite(.timeLimit(.minutes(3)))
struct FilterRoutesTests {
  private static let filter = """
    kind: mail-filter
    name: sort
    folder: INBOX
    rules:
      - name: letters
        when: message.subject.contains("Letter")
        then: [mark_seen, { move: Letters }]

    """

  private func server() async throws -> TestServer {
    let server = try await TestServer(
      ["sort": Self.filter, "plain": "name: plain\nsteps: [{ id: a, uses: log, with: { message: x } }]\n"],
      configuration: """
        providers:
          home: { plugin: maildir, path: box, create: true }
          gpt: { plugin: openai, base_url: "http://127.0.0.1:9/v1", model: m }

        """)
    try await server.readManifests()
    for name in ["new", "cur", "tmp"] { try server.place.makeFolder("box/" + name) }
    try server.place.write(
      "box/new/1.a", "From: x@example.com\r\nSubject: Letter one\r\nMessage-ID: <1@x>\r\n\r\nhi\r\n")
    return server
  }

  private func has(_ server: TestServer, _ folder: String) -> Bool {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: server.place.folder + "/box/" + folder)) ?? []
    return names.contains { $0.hasPrefix("1.a") }
  }

  @Test func aFilterIsPreviewedRunAndTakenBackOnce() async throws {
    let server = try await server()
    let token = try server.token("operator")
    #expect(try await server.checked("GET", "/filters", token).items.map { $0["recipe"] } == ["sort"])
    let preview = try await server.checked("POST", "/filters/sort/preview", token)
    let decisions = preview.json["accounts"]?.listValue?.first?["decisions"]?.listValue
    #expect(decisions?.first?["rules"] == ["letters"] && has(server, "new"), "\(preview.text)")
    #expect(try await server.checked("GET", "/filters/sort/decisions", token).items.isEmpty)
    let run = try await server.call("POST", "/recipes/sort/runs", token, [:]).text("id")
    try await eventually { try await server.call("GET", "/runs/" + run, token).text("status") == "succeeded" }
    #expect(has(server, ".Letters/cur"))
    let decided = try await server.checked("GET", "/filters/sort/decisions", token)
    let account = decided.items.first?["accounts"]?.listValue?.first
    #expect(decided.items.first?["run"]?.stringValue == run && account?["folder"] == "INBOX", "\(decided.text)")
    #expect(account?["decisions"]?.listValue?.first?["rules"] == ["letters"], "\(decided.text)")
    #expect(decided.items.first?["message"] == .null && decided.items.first?["failed"] == [])
    let plan = try await server.checked("GET", "/runs/\(run)/mail-undo", token)
    #expect(plan.json["moves"]?.listValue?.first?["to"] == "INBOX", "\(plan.text)")
    var undos: Set<String> = []
    for _ in 0..<2 {
      let undo = try await server.checked(
        "POST", "/runs/\(run)/mail-undo", token, fields: [("Idempotency-Key", "undo")])
      #expect(undo.status == 201, "\(undo.text)")
      undos.insert(undo.text("id"))
    }
    let undo = try #require(undos.first)
    #expect(undos.count == 1)
    try await eventually { try await server.call("GET", "/runs/" + undo, token).text("status") == "succeeded" }
    #expect(has(server, "cur"))
    let afterwards = try await server.checked("GET", "/filters/sort/decisions", token)
    #expect(decided.items.first?["undone_by"] == .null)
    #expect(afterwards.items.first?["undone_by"]?.stringValue == undo, "\(afterwards.text)")
    let again = try await server.checked("POST", "/runs/\(run)/mail-undo", token)
    #expect(again.status == 409 && again.code == "nothing_to_undo", "\(again.text)")
    try await server.stop()
  }

  /// A preview closes the plugins that it has opened, not the network of the daemon.
  @Test func theDaemonReachesTheNetworkAfterAPreview() async throws {
    let server = try await server()
    let token = try server.token()
    #expect(try await server.checked("POST", "/filters/sort/preview", token).status == 200)
    let tried = try await server.checked("POST", "/providers/gpt/test", token)
    #expect(tried.json["ready"] == false && tried.text("code") != "cancelled", "\(tried.text)")
    try await server.stop()
  }

  /// A command records the path of the recipe as it was typed.
  @Test func runsOfCommandsHaveDecisionsToo() async throws {
    let server = try await server()
    let token = try server.token("operator")
    let order = try server.session.project.check(RunOrder("recipes/sort.yaml"))
    _ = try await server.session.enqueue(order)
    try await eventually { try await server.call("GET", "/filters/sort/decisions", token).items.count == 1 }
    try await server.stop()
  }

  @Test func onlyMailFiltersAreFilters() async throws {
    let server = try await server()
    let (token, reader) = (try server.token("operator"), try server.token("viewer"))
    for path in ["plain", "none"] {
      #expect(try await server.checked("POST", "/filters/\(path)/preview", token).status == 404)
      #expect(try await server.checked("GET", "/filters/\(path)/decisions", token).status == 404)
    }
    #expect(try await server.checked("POST", "/filters/sort/preview", reader).status == 403)
    #expect(try await server.checked("GET", "/runs/none/mail-undo", reader).status == 404)
    try await server.stop()
  }

  /// The pages show the decisions, ask before a run is taken back, and say what has come back.
  @Test func thePagesShowDecisionsAndTakeARunBack() async throws {
    let server = try await server()
    let token = try server.token("operator")
    func page(_ path: String, _ role: String = "operator") async throws -> HTTPCall.Answer {
      try await HTTPCall(server.port).send(
        "GET", path, [("Accept", "text/html"), ("Authorization", "Bearer " + (try server.token(role)))])
    }
    #expect(try await page("/filters").text.contains("href=\"/filters/sort\""))
    let preview = try await page("/filters/sort?preview=yes")
    #expect(preview.text.contains("Letter one") && has(server, "new"), "\(preview.text)")
    #expect(try await !page("/filters/sort?preview=yes", "viewer").text.contains("Letter one"))
    let run = try await server.call("POST", "/recipes/sort/runs", token, [:]).text("id")
    try await eventually { try await server.call("GET", "/runs/" + run, token).text("status") == "succeeded" }
    let decisions = try await page("/filters/sort")
    #expect(decisions.text.contains("letters") && decisions.text.contains("/runs/\(run)/mail-undo"))
    #expect(try await !page("/filters/sort", "viewer").text.contains("mail-undo"))
    let asked = try await page("/runs/\(run)/mail-undo")
    #expect(asked.text.contains("data-api=\"POST /api/v1/runs/\(run)/mail-undo\" data-then=\"go"), "\(asked.text)")
    #expect(asked.text.contains("data-confirm=\"Take back the changes to 1 message?\""))
    #expect(try await !page("/runs/\(run)/mail-undo", "viewer").text.contains("data-api"))
    let undo = try await server.call("POST", "/runs/\(run)/mail-undo", token).text("id")
    try await eventually { try await server.call("GET", "/runs/" + undo, token).text("status") == "succeeded" }
    let done = try await page("/runs/\(run)/mail-undo?by=\(undo)")
    #expect(done.text.contains("<strong>Letters</strong>") && done.text.contains("<strong>INBOX</strong>"))
    let after = try await page("/filters/sort")
    #expect(
      after.text.contains("/runs/\(run)/mail-undo?by=\(undo)") && after.text.contains("Taken back "), "\(after.text)")
    #expect(!after.text.contains("href=\"/runs/\(run)/mail-undo\""))
    #expect(done.text.contains("It is taken back") && done.text.contains("data-over=\"yes\""), "\(done.text)")
    // A run of something else says nothing about this one.
    #expect(try await !page("/runs/\(run)/mail-undo?by=\(run)").text.contains("It is taken back"))
    #expect(try await page("/filters/plain").status == 404)
    try await server.stop()
  }
}
