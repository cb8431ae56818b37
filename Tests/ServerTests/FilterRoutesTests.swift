import Engine
import Expressions
import Foundation
import TestSupport
import TestWorkspace
import Testing

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
      configuration: "providers: { home: { plugin: maildir, path: box, create: true } }\n")
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
    let again = try await server.checked("POST", "/runs/\(run)/mail-undo", token)
    #expect(again.status == 409 && again.code == "nothing_to_undo", "\(again.text)")
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
}
