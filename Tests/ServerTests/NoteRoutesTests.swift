import Engine
import Expressions
import TestSupport
import TestWorkspace
import Testing

@testable import Server

/// Notes over the API.
@Suite(.timeLimit(.minutes(3)))
struct NoteRoutesTests {
  @Test func aNoteIsKeptOnceForAKeyAndChangedByItsVersion() async throws {
    let server = try await TestServer()
    let token = try server.token("operator")
    var tag = ""
    for _ in 0..<2 {
      let new = try await server.checked(
        "POST", "/notes", token, ["text": "Call the plumber", "tags": ["home"], "reminder": "2036-01-01T09:00:00Z"],
        fields: [("Idempotency-Key", "note")])
      #expect(new.status == 201 && new.json["number"] == 1, "\(new.text)")
      tag = new.field("etag") ?? tag
    }
    #expect(try await server.checked("GET", "/notes/1", token).field("etag") == tag)
    #expect(try await server.checked("PATCH", "/notes/1", token, ["title": "x"]).status == 428)
    let changed = try await server.checked(
      "PATCH", "/notes/1", token, ["title": "Plumber", "reminder": .null], fields: [("If-Match", tag)])
    #expect(changed.status == 200 && changed.text("heading") == "Plumber", "\(changed.text)")
    let stale = try await server.checked(
      "PATCH", "/notes/1", token, ["title": "Other"], fields: [("If-Match", tag)])
    #expect(stale.status == 412 && stale.code == "object_changed", "\(stale.text)")
    #expect(try await server.checked("DELETE", "/notes/1", token, fields: [("If-Match", tag)]).status == 412)
    #expect(try await server.checked("GET", "/notes/1", token).text("title") == "Plumber")
    // The daemon ends the reminder's run.
    try await eventually(every: .milliseconds(250)) {
      try await server.checked("GET", "/reminders", token).items.isEmpty
    }
    let deleted = try await server.checked("DELETE", "/notes/1", token)
    #expect(deleted.status == 204, "\(deleted.text)")
    let gone = try await server.checked("GET", "/notes/1", token)
    #expect(gone.status == 404 && gone.code == "not_found")
    try await server.stop()
  }

  /// Of several changes of one version, one is carried out.
  @Test func oneOfSeveralChangesAtOnceWins() async throws {
    let server = try await TestServer()
    let token = try server.token("operator")
    let tag = try await server.checked("POST", "/notes", token, ["text": "a"]).field("etag") ?? ""
    let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 0..<8 {
        group.addTask {
          try await server.checked(
            "PATCH", "/notes/1", token, ["title": .string("\(number)")], fields: [("If-Match", tag)]
          ).status
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(statuses.filter { $0 == 200 }.count == 1 && statuses.filter { $0 == 412 }.count == 7, "\(statuses)")
    try await server.stop()
  }

  @Test func notesAreListedInPagesAndFound() async throws {
    let server = try await TestServer()
    let (writer, reader) = (try server.token("operator"), try server.token("viewer"))
    for number in 1...5 {
      let body: Value = ["text": .string("number \(number)"), "tags": number % 2 == 0 ? ["even"] : []]
      #expect(try await server.checked("POST", "/notes", writer, body).status == 201)
    }
    var seen: [Int] = []
    var cursor = ""
    repeat {
      let page = try await server.checked("GET", "/notes?limit=2" + cursor, reader)
      seen += page.items.compactMap { $0["number"]?.intValue.map { Int($0) } }
      cursor = page.json["next"]?.stringValue.map { "&cursor=" + $0 } ?? ""
    } while !cursor.isEmpty
    #expect(seen == [5, 4, 3, 2, 1])
    #expect(try await server.checked("GET", "/notes?tag=even", reader).items.count == 2)
    #expect(try await server.checked("GET", "/note-search?search=numb", reader).items.count == 5)
    #expect(try await server.checked("GET", "/note-tags", reader).items == [["tag": "even", "count": 2]])
    #expect(try await server.checked("GET", "/notes?cursor=elsewhere", reader).status == 422)
    #expect(try await server.checked("POST", "/notes", reader, ["text": "x"]).status == 403)
    try await server.stop()
  }

  @Test func notesAreExported() async throws {
    let server = try await TestServer()
    let token = try server.token("operator")
    #expect(try await server.checked("GET", "/note-export", token).status == 404)
    for text in ["first", "second"] { _ = try await server.checked("POST", "/notes", token, ["text": .string(text)]) }
    let markdown = try await server.checked("GET", "/note-export", token)
    #expect(markdown.text.contains("first") && markdown.text.contains("second"))
    #expect(markdown.field("content-disposition")?.hasPrefix("attachment") == true)
    let one = try await server.checked("GET", "/note-export?format=text&note=2", token)
    #expect(!one.text.contains("first") && one.text.contains("second"))
    let whole = try await server.checked("GET", "/note-export?format=json", token)
    #expect(whole.json["notes"]?.listValue?.count == 2)
    try await server.stop()
  }

  @Test func filesOfNotesAreDownloaded() async throws {
    let server = try await TestServer()
    let token = try server.token("editor")
    let blob = try await server.call("POST", "/files", token, "contents").json["blob"] ?? .null
    let new = try await server.checked(
      "POST", "/notes", token, ["text": "x", "attachments": [["blob": blob, "name": "../a.json"]]])
    let attachment = new.json["attachments"]?.listValue?.first
    #expect(attachment?["name"] == "a.json" && attachment?["type"] == "application/json", "\(new.text)")
    #expect(try await server.checked("GET", "/notes/1/files/1", token).text == "\"contents\"")
    let part = try await server.call("GET", "/notes/1/files/1", token, fields: [("Range", "bytes=1-3")])
    #expect(part.status == 206 && part.text == "con", "\(part.text)")
    for path in ["/notes/1/files/0", "/notes/1/files/2", "/notes/2/files/1"] {
      #expect(try await server.checked("GET", path, token).status == 404, "\(path)")
    }
    try await server.stop()
  }

  @Test func categoriesAreChanged() async throws {
    let server = try await TestServer()
    let token = try server.token("operator")
    let added = try await server.checked("POST", "/note-categories", token, ["name": "Work", "color": "#112233"])
    #expect(added.status == 201 && added.items.last?["name"] == "Work", "\(added.text)")
    #expect(try await server.checked("POST", "/note-categories", token, ["name": "work"]).status == 422)
    let changed = try await server.checked(
      "PATCH", "/note-categories/Work", token, ["name": "Job", "color": .null, "position": 1, "default": true])
    #expect(changed.items.first == ["name": "Job", "color": .null, "default": true, "count": 0], "\(changed.text)")
    #expect(try await server.checked("DELETE", "/note-categories/Job", token).status == 422)
    let unknown = try await server.checked("DELETE", "/note-categories/Work", token)
    #expect(unknown.status == 404 && unknown.code == "not_found", "\(unknown.text)")
    try await server.stop()
  }

  @Test func wrongNotesAreRefused() async throws {
    let server = try await TestServer()
    let token = try server.token("operator")
    let blob = String(repeating: "0", count: 64)
    let wrong: [Value] = [
      [:], ["text": " "], ["text": "x", "reminder": "2020-01-01T00:00:00Z"], ["text": "x", "reminder": "soon"],
      ["text": "x", "more": 1], ["text": "x", "audio": ["blob": .string(blob)]],
      ["text": "x", "attachments": [["blob": "/etc/passwd"]]],
    ]
    for body in wrong {
      let answer = try await server.checked("POST", "/notes", token, body)
      #expect(answer.status == 422, "\(body.jsonString): \(answer.text)")
    }
    #expect(try await server.checked("GET", "/notes", token).items.isEmpty)
    try await server.stop()
  }
}
