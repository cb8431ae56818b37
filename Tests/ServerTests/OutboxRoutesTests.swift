import Engine
import Expressions
import Foundation
import TestSupport
import TestWorkspace
import Testing

@testable import Server

/// Messages over the API.
@Suite(.timeLimit(.minutes(3)))
struct OutboxRoutesTests {
  private static let transport =
    "providers: { out: { plugin: maildir, path: box, create: true, from: me@example.com } }\n"

  private func sent(_ server: TestServer) -> Int {
    (try? FileManager.default.contentsOfDirectory(atPath: server.place.folder + "/box/new").count) ?? 0
  }

  @Test func aMessageWithOneKeyIsSentOnce() async throws {
    let server = try await TestServer(configuration: Self.transport)
    try await server.readManifests()
    let token = try server.token("operator")
    let body: Value = ["to": ["you@example.com"], "subject": "Hello", "text": "Now."]
    for _ in 0..<2 {
      let answer = try await server.checked("POST", "/outbox", token, body, fields: [("Idempotency-Key", "one")])
      #expect(answer.status == 201, "\(answer.text)")
    }
    // The message is in the mailbox before its run has ended.
    try await eventually { try await server.checked("GET", "/outbox?state=sent", token).items.count == 1 }
    let listed = try await server.checked("GET", "/outbox?state=sent", token)
    #expect(listed.items.first?["subject"] == "Hello" && sent(server) == 1)
    try await server.stop()
  }

  @Test func aMessageWithoutAProviderThatSendsIsRefusedWithTheRemedy() async throws {
    let server = try await TestServer()
    let token = try server.token("operator")
    let answer = try await server.checked("POST", "/outbox", token, ["to": ["you@example.com"], "text": "Now."])
    #expect(answer.status == 422 && answer.code == "contract_unprovided", "\(answer.text)")
    let problem = answer.json["diagnostics"]?.listValue?.first
    #expect(problem?["message"]?.stringValue?.contains("mail.transport") == true, "\(answer.text)")
    try await server.stop()
  }

  @Test func aWaitingMessageIsChangedUntilItIsCancelled() async throws {
    let server = try await TestServer(configuration: Self.transport)
    try await server.readManifests()
    let token = try server.token("operator")
    let hash = try await server.call("POST", "/files", try server.token("editor"), "contents")
    #expect(hash.status == 201, "\(hash.text)")
    let file: Value = ["blob": hash.json["blob"] ?? .null, "name": "a.txt"]
    let new = try await server.checked(
      "POST", "/outbox", token,
      ["to": ["you@example.com"], "text": "Later.", "send_at": "in 3 days", "attachments": [file]])
    let path = "/outbox/" + new.text("id")
    #expect(new.text("state") == "pending" && new.json["attachments"] == ["a.txt"], "\(new.text)")
    let changed = try await server.checked("PATCH", path, token, ["subject": "Changed", "attachments": .null])
    #expect(changed.text("subject") == "Changed" && changed.json["attachments"] == [], "\(changed.text)")
    let moved = try await server.checked("POST", path + "/reschedule", token, ["send_at": "2036-01-01T08:00:00Z"])
    #expect(moved.text("send_at").hasPrefix("2036-01-01T08:00:00"), "\(moved.text)")
    #expect(try await server.checked("POST", path + "/cancel", token).text("state") == "cancelled")
    for action in ["cancel", "send-now", "retry"] {
      let late = try await server.checked("POST", path + "/" + action, token)
      #expect(late.status == 409 && late.code == "run_state", "\(action): \(late.text)")
    }
    #expect(try await server.checked("PATCH", path, token, ["text": "x"]).status == 409)
    #expect(try await server.checked("GET", path, token).text("text") == "Later.")
    #expect(sent(server) == 0)
    try await server.stop()
  }

  @Test func aMessageThatIsSentNowIsNotDueAnyMore() async throws {
    let server = try await TestServer(configuration: Self.transport)
    try await server.readManifests()
    let token = try server.token("operator")
    let new = try await server.checked(
      "POST", "/outbox", token, ["to": ["you@example.com"], "text": "x", "undo_for": "1h"])
    #expect(sent(server) == 0)
    #expect(try await server.checked("POST", "/outbox/\(new.text("id"))/send-now", token).status == 200)
    try await eventually { sent(server) == 1 }
    try await server.stop()
  }

  /// The transport's folder is missing at first.
  @Test func aFailedMessageIsTriedAgainOnceForAKey() async throws {
    let server = try await TestServer(configuration: Self.transport.replacing("create: true, ", with: ""))
    try await server.readManifests()
    let token = try server.token("operator")
    let new = try await server.checked("POST", "/outbox", token, ["to": ["you@example.com"], "text": "x"])
    let path = "/outbox/" + new.text("id")
    try await eventually { try await server.call("GET", path, token).text("state") == "failed" }
    for name in ["new", "cur", "tmp"] { try server.place.makeFolder("box/" + name) }
    var ids: Set<String> = []
    for _ in 0..<2 {
      let again = try await server.checked("POST", path + "/retry", token, fields: [("Idempotency-Key", "again")])
      #expect(again.status == 201, "\(again.text)")
      ids.insert(again.text("id"))
    }
    try await eventually { sent(server) == 1 }
    #expect(ids.count == 1 && !ids.contains(new.text("id")))
    #expect(try await server.checked("POST", path + "/retry", token).status == 409)
    try await server.stop()
  }

  @Test func wrongMessagesAreRefused() async throws {
    let server = try await TestServer(configuration: Self.transport)
    try await server.readManifests()
    let token = try server.token("operator")
    let blob = String(repeating: "0", count: 64)
    let wrong: [Value] = [
      [:], ["to": [], "text": "x"], ["to": ["nobody"], "text": "x"], ["to": ["a@example.com"], "text": "x", "more": 1],
      ["to": ["a@example.com"], "text": "x", "send_at": "whenever"],
      ["to": ["a@example.com"], "text": "x", "send_at": "2020-01-01T08:00:00Z"],
      ["to": ["a@example.com"], "text": "x", "undo_for": "a while"],
      ["to": ["a@example.com"], "text": "x", "attachments": [["path": "/etc/passwd"]]],
      ["to": ["a@example.com"], "text": "x", "attachments": [["blob": .string(blob)]]],
      ["to": ["a@example.com"], "text": "x", "subject": "a\nBcc: b@example.com"],
    ]
    for body in wrong {
      let answer = try await server.checked("POST", "/outbox", token, body)
      #expect(answer.status == 422, "\(body.jsonString): \(answer.text)")
    }
    let unknown = try await server.checked(
      "POST", "/outbox", token, ["to": ["a@example.com"], "text": "x", "providers": ["none"]])
    #expect(unknown.status == 404 && unknown.code == "unknown_provider", "\(unknown.text)")
    #expect(try await server.checked("GET", "/outbox", token).items.isEmpty)
    try await server.stop()
  }

  @Test func aRunOfSomethingElseIsNotAMessage() async throws {
    let server = try await TestServer(
      ["plain": "name: plain\nsteps: [{ id: a, uses: log, with: { message: x } }]\n"], configuration: Self.transport)
    try await server.readManifests()
    let token = try server.token()
    let run = try await server.call("POST", "/recipes/plain/runs", token, [:]).text("id")
    for id in [run, "nothing"] {
      let answer = try await server.checked("GET", "/outbox/" + id, token)
      #expect(answer.status == 404 && answer.code == "not_found", "\(answer.text)")
    }
    try await server.stop()
  }
}
