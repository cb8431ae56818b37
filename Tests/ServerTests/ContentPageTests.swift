import Access
import Engine
import Expressions
import Foundation
import Page
import RunStore
import TestSupport
import TestWorkspace
import Testing
import UseCases

@testable import Server

/// The pages of notes, messages, reminders, prompts and conversations.
@Suite(.timeLimit(.minutes(3)))
struct ContentPageTests {
  private static let hostile = "<script>alert(1)</script>"
  private static let transport =
    "providers: { out: { plugin: maildir, path: box, create: true, from: me@example.com } }\n"

  /// A browser: its cookie and the token of its pages.
  private struct Browser {
    let server: TestServer
    let cookie: String
    let token: String

    init(_ server: TestServer, _ role: String) async throws {
      let before = Set(try server.access.users().map(\.name))
      _ = try server.token(role)
      let name = try #require(try server.access.users().map(\.name).first { !before.contains($0) })
      let answer = try await server.call(
        "POST", "/session", nil, ["user": .string(name), "password": .string(TestServer.password)])
      self.server = server
      cookie = try #require(answer.field("set-cookie")?.split(separator: ";").first.map(String.init))
      token = try #require(answer.json["csrf_token"]?.stringValue)
    }

    func get(_ path: String) async throws -> HTTPCall.Answer {
      try await HTTPCall(server.port).send("GET", path, [("Accept", "text/html"), ("Cookie", cookie)])
    }

    func post(_ path: String, _ fields: [(String, String)], origin: String? = nil) async throws -> HTTPCall.Answer {
      let body = fields.map { $0.0 + "=" + PageAddress.escaped($0.1) }.joined(separator: "&")
      var head = [("Cookie", cookie), ("Content-Type", "application/x-www-form-urlencoded"), ("Accept", "text/html")]
      if let origin { head.append(("Origin", origin)) }
      return try await HTTPCall(server.port).send("POST", path, head, Array(body.utf8))
    }
  }

  @Test func notesAreListedFoundAndShown() async throws {
    let server = try await TestServer()
    let browser = try await Browser(server, "operator")
    let token = try server.token("operator")
    #expect(try await browser.get("/notes").text.contains("No notes yet."))
    for number in 1...55 {
      let text = number == 55 ? "Milk " + Self.hostile : "Note \(number)"
      _ = try await server.checked(
        "POST", "/notes", token, ["text": .string(text), "tags": [.string(number == 55 ? Self.hostile : "plain")]])
    }
    let list = try await browser.get("/notes")
    #expect(
      list.text.contains("&lt;script&gt;") && !list.text.contains(Self.hostile) && list.text.contains("rel=\"next\""))
    let cursor = try #require(list.text.firstMatch(of: /cursor=([^"]+)"/)?.1).replacing("&amp;", with: "&")
    #expect(try await browser.get("/notes?cursor=" + cursor).text.contains("Note 1<"))
    let found = try await browser.get("/notes?search=milk")
    #expect(found.text.contains("<mark>Milk</mark>") && !found.text.contains("Note 3<"))
    #expect(try await browser.get("/notes?tag=nothing").text.contains("No note fits"))
    let page = try await browser.get("/notes/55")
    #expect(page.status == 200 && !page.text.contains(Self.hostile) && page.text.contains("/notes/55/edit"))
    let edit = try await browser.get("/notes/55/edit")
    let tag = try await server.checked("GET", "/notes/55", token).field("etag") ?? ""
    #expect(edit.text.contains("data-match=\"" + tag.replacing("\"", with: "&quot;")))
    for path in ["/notes/99", "/notes/x", "/notes/99/edit"] { #expect(try await browser.get(path).status == 404) }
    try await server.stop()
  }

  @Test func aRecordingIsPlayedFromTheNote() async throws {
    let server = try await TestServer()
    let browser = try await Browser(server, "operator")
    let token = try server.token("operator")
    let file = try await HTTPCall(server.port).send(
      "POST", "/api/v1/files", [("Authorization", "Bearer \(token)"), ("Content-Type", "audio/ogg")],
      Array("OggS".utf8))
    let note = try await server.checked(
      "POST", "/notes", token,
      ["text": "", "audio": ["blob": file.json["blob"] ?? .null, "name": "\"a.ogg", "type": "audio/ogg"]])
    #expect(note.status == 201, "\(note.text)")
    let page = try await browser.get("/notes/1")
    #expect(page.text.contains("<audio controls") && page.text.contains("src=\"/api/v1/notes/1/files/1\""))
    let played = try await browser.get("/api/v1/notes/1/files/1")
    #expect(played.body == Array("OggS".utf8) && played.field("content-type") == "audio/ogg")
    try await server.stop()
  }

  @Test func theOutboxShowsWhatWaitsAndOffersWhatTheRoleMay() async throws {
    let server = try await TestServer(configuration: Self.transport)
    try await server.readManifests()
    let token = try server.token("operator")
    let new = try await server.checked(
      "POST", "/outbox", token,
      ["to": ["you@example.com"], "subject": .string(Self.hostile), "text": "Later.", "send_at": "in 3 days"])
    let id = new.text("id")
    let (worker, viewer) = (try await Browser(server, "operator"), try await Browser(server, "viewer"))
    for path in ["/outbox", "/outbox/\(id)"] {
      let (own, read) = (try await worker.get(path), try await viewer.get(path))
      #expect(own.text.contains("data-api=\"POST /api/v1/outbox/\(id)/cancel\"") && !own.text.contains(Self.hostile))
      #expect(own.text.contains("you@example.com") && !read.text.contains("data-api="), "\(path)")
    }
    #expect(try await viewer.get("/new-message").status == 403)
    #expect(try await worker.get("/outbox/nothing").status == 404)
    _ = try await server.checked("POST", "/outbox/\(id)/cancel", token)
    #expect(try await !worker.get("/outbox").text.contains("you@example.com"))
    #expect(try await worker.get("/outbox?all=yes").text.contains("you@example.com"))
    try await server.stop()
  }

  @Test func remindersAreOfferedAsTheirStateAllows() async throws {
    let server = try await TestServer()
    let token = try server.token("operator")
    let kept = try await server.checked(
      "POST", "/reminders", token, ["text": .string("Water \(Self.hostile)"), "at": "tomorrow at 8"])
    #expect(kept.status == 201, "\(kept.text)")
    let page = try await Browser(server, "operator").get("/reminders")
    #expect(page.text.contains("/snooze\"") && page.text.contains("/done\"") && !page.text.contains(Self.hostile))
    #expect(try await !Browser(server, "viewer").get("/reminders").text.contains("data-api="))
    try await server.stop()
  }

  @Test func thePromptsOfSousAreShownWithTheirText() async throws {
    let server = try await TestServer()
    let (editor, viewer) = (try await Browser(server, "editor"), try await Browser(server, "viewer"))
    #expect(try await viewer.get("/catalog").text.contains("href=\"/catalog/mail%2Fsummary\""))
    let page = try await editor.get("/catalog/mail%2Fsummary")
    #expect(page.status == 200 && page.text.contains("data-api=\"PATCH /api/v1/catalog/mail%2Fsummary\""))
    #expect(try await !viewer.get("/catalog/mail%2Fsummary").text.contains("data-api="))
    #expect(try await viewer.get("/new-prompt").status == 403)
    #expect(try await viewer.get("/catalog/no%2Fsuch").status == 404)
    try await server.stop()
  }

  @Test func aFormWithoutAScriptAsksAModel() async throws {
    let model = try ModelServer(["**Bold** \(Self.hostile)"])
    defer { model.end() }
    let server = try await TestServer(configuration: model.configuration)
    try await server.readManifests()
    let browser = try await Browser(server, "operator")
    let form = try await browser.get("/chat")
    #expect(form.text.contains("action=\"/chat\"") && form.text.contains("name=\"csrf_token\""))
    let asked = try await browser.post("/chat", [("csrf_token", browser.token), ("text", "Hi & <b>")])
    #expect(asked.status == 303 && asked.field("location") == "/chat/1#end", "\(asked.text)")
    let shown = try await browser.get("/chat/1")
    #expect(shown.text.contains("<strong>Bold</strong>") && !shown.text.contains(Self.hostile))
    #expect(shown.text.contains("Hi &amp; &lt;b&gt;"))
    let again = try await browser.post("/chat/1", [("csrf_token", browser.token), ("text", "More")])
    #expect(again.status == 303 && again.field("location") == "/chat/1#end")
    let empty = try await browser.post("/chat", [("csrf_token", browser.token), ("text", " "), ("model", "\"m")])
    #expect(empty.status == 422 && empty.text.contains("role=\"alert\"") && empty.text.contains("value=\"&quot;m\""))
    #expect(model.questions.count == 2)
    try await server.stop()
  }

  @Test func aQuestionNeedsTheTokenTheOriginAndTheRight() async throws {
    let model = try ModelServer(["x"])
    defer { model.end() }
    let server = try await TestServer(configuration: model.configuration)
    try await server.readManifests()
    let (worker, viewer) = (try await Browser(server, "operator"), try await Browser(server, "viewer"))
    #expect(try await worker.post("/chat", [("csrf_token", "forged"), ("text", "Hi")]).status == 403)
    #expect(try await worker.post("/chat", [("csrf_token", viewer.token), ("text", "Hi")]).status == 403)
    let foreign = try await worker.post(
      "/chat", [("csrf_token", worker.token), ("text", "Hi")], origin: "https://evil.example")
    #expect(foreign.status == 403)
    #expect(try await viewer.post("/chat", [("csrf_token", viewer.token), ("text", "Hi")]).status == 403)
    #expect(try await worker.post("/chat/7", [("csrf_token", worker.token), ("text", "Hi")]).status == 404)
    let visitor = try await HTTPCall(server.port).send("POST", "/chat", [], Array("text=Hi".utf8))
    #expect(visitor.status == 303 && visitor.field("location")?.hasPrefix("/sign-in") == true)
    #expect(model.questions.isEmpty)
    try await server.stop()
  }
}
