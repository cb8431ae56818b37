import Engine
import Expressions
import RunStore
import TestSupport
import TestWorkspace
import Testing
import UseCases

@testable import Server

/// Prompts and conversations over the API.
@Suite(.timeLimit(.minutes(3)))
struct CatalogRoutesTests {
  @Test func aPromptIsWrittenChangedMovedAndDeleted() async throws {
    let server = try await TestServer()
    let token = try server.token("editor")
    let new = try await server.checked(
      "POST", "/catalog", token,
      ["name": "own/hello", "title": "Hello", "text": "Hello {{ Name }}", "keywords": "Name: Ada"])
    #expect(new.status == 201 && new.field("location") == "/api/v1/catalog/own%2Fhello", "\(new.text)")
    let text = try await server.checked("GET", "/catalog/own%2Fhello/text?keyword=Name%3DEve", token)
    #expect(text.text("text") == "Hello Eve", "\(text.text)")
    let tag = new.field("etag") ?? ""
    let path = "/catalog/own%2Fhello"
    #expect(try await server.checked("PATCH", path, token, ["title": "Hi"]).status == 428)
    let changed = try await server.checked("PATCH", path, token, ["title": "Hi"], fields: [("If-Match", tag)])
    #expect(changed.text("title") == "Hi" && changed.field("etag") != tag, "\(changed.text)")
    let stale = try await server.checked("PATCH", path, token, ["title": "Ho"], fields: [("If-Match", tag)])
    #expect(stale.status == 412 && stale.code == "object_changed", "\(stale.text)")
    #expect(try await server.checked("DELETE", path, token, fields: [("If-Match", tag)]).status == 412)
    #expect(try await server.checked("POST", path + "/move", token, ["to": "own/hi"]).text("name") == "own/hi")
    #expect(try await server.checked("GET", path, token).status == 404)
    #expect(try await server.checked("DELETE", "/catalog/own%2Fhi", token).status == 200)
    #expect(server.place.text("catalog/own/hi.yaml").isEmpty)
    try await server.stop()
  }

  @Test func thePromptsOfSousAreListedAndFound() async throws {
    let server = try await TestServer()
    let token = try server.token("viewer")
    let all = try await server.checked("GET", "/catalog", token).items
    let found = try await server.checked("GET", "/catalog?search=mail%20summary", token).items
    #expect(!found.isEmpty && found.count < all.count)
    #expect(try await server.checked("GET", "/catalog/mail%2Fsummary", token).text("title") == "Summary")
    let german = try await server.checked(
      "GET", "/catalog/mail%2Fsummary", token, fields: [("Accept-Language", "de")])
    #expect(german.text("title") == "Zusammenfassung")
    #expect(try await server.checked("POST", "/catalog", token, ["name": "own/x", "text": "x"]).status == 403)
    try await server.stop()
  }

  @Test(
    arguments: [
      (["name": "own/a b!", "text": "x"], 422), (["name": "own/x"], 422), (["name": "own/x", "text": "{{ x"], 422),
      (["name": "mail/summary", "text": "x"], 409), (["name": "../x", "text": "x"], 422),
      (["name": "own/x", "preset": "no/such"], 404), (["name": "own/x", "text": "x", "file": "/etc/passwd"], 422),
    ] as [(Value, Int)])
  func wrongPromptsAreRefused(body: Value, status: Int) async throws {
    let server = try await TestServer()
    let answer = try await server.checked("POST", "/catalog", try server.token("editor"), body)
    #expect(answer.status == status, "\(answer.text)")
    try await server.stop()
  }

  @Test func conversationsAreShownAndDeleted() async throws {
    let server = try await TestServer()
    let (reader, writer) = (try server.token("viewer"), try server.token("operator"))
    let now = SystemTime().now
    var answer = ChatTurnRecord(.assistant, "Fine.", at: now)
    answer.provider = "gpt"
    let number = try await server.session.store.keep(
      [ChatTurnRecord(.user, "How are you?", at: now), answer], in: nil, system: "")
    let path = "/conversations/\(number)"
    #expect(try await server.checked("GET", "/conversations?search=how", reader).items.count == 1)
    #expect(try await server.checked("GET", "/conversations?search=why", reader).items.isEmpty)
    let shown = try await server.checked("GET", path, reader)
    #expect(shown.json["turns"]?.listValue?.map { $0["text"] } == ["How are you?", "Fine."], "\(shown.text)")
    #expect(try await server.checked("DELETE", path, reader).status == 403)
    #expect(try await server.checked("DELETE", path, writer).status == 204)
    #expect(try await server.checked("DELETE", path, writer).status == 404)
    #expect(try await server.checked("GET", path, reader).code == "not_found")
    try await server.stop()
  }
}
