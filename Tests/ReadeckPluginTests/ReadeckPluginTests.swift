import PluginKit
import PluginKitTesting
import Testing

@testable import ReadeckPlugin

/// What goes to the server and what comes back, by https://codeberg.org/readeck/readeck, docs/api.
@Suite(.timeLimit(.minutes(5)))
struct ReadeckPluginTests {
  private let host = InMemoryHost(provider: "reading")

  private func open() throws -> InMemoryHost.OpenPlugin<ReadeckPlugin> {
    try host.open(
      ReadeckPlugin.self, configuration: ["base_url": "https://read.example.com/", "token": "s3cret"])
  }

  @Test(
    arguments: [
      ([:], "is_archived=false&is_marked=false&limit=20"),
      (["limit": 30, "offset": 60], "is_archived=false&is_marked=false&limit=30&offset=60"),
      (["state": "archived", "type": "video"], "is_archived=true&limit=20&type=video"),
      (["state": "marked", "label": "a b"], "is_marked=true&limit=20&labels=a%20b"),
      (["state": "all", "search": "grüezi&x=1"], "limit=20&search=gr%C3%BCezi%26x%3D1"),
    ] as [(JSONValue, String)])
  func listsByWhatIsAsked(_ input: JSONValue, _ query: String) async throws {
    host.respond(
      with: .json(
        [["id": "aB1", "title": "One"], ["id": "../../etc"], ["title": "no id"]],
        headers: ["Current-Page": "3", "Total-Count": "41", "Total-Pages": "5"]))
    let output = try await open().call("readeck.list", input)
    #expect(host.requests.last?.url == "https://read.example.com/api/bookmarks?" + query)
    #expect(host.requests.last?.headers["authorization"] == "Bearer s3cret")
    #expect(
      output == [
        "bookmarks": [["id": "aB1", "title": "One"]], "current_page": 3, "total_count": 41, "total_pages": 5,
      ])
  }

  @Test func givesArticlesAndBookmarks() async throws {
    host.respond(
      with: ScriptedResponse(headers: ["content-type": "text/html"], "<section>Grüezi</section>"),
      .json(["id": "aB1", "title": "One", "labels": ["x"]]))
    #expect(try await open().call("readeck.article", ["id": "aB1"]) == ["html": "<section>Grüezi</section>"])
    #expect(host.requests.last?.url == "https://read.example.com/api/bookmarks/aB1/article")
    #expect(try await open().call("readeck.get", ["id": "aB1"])["labels"] == ["x"])
  }

  /// The token goes to the server of the bookmarks and to nobody else.
  @Test(arguments: [("https://read.example.com/bm/aB/1.jpg", true), ("https://read.example.com.evil.org/1.jpg", false)])
  func fetchesPictures(_ url: String, _ hasToken: Bool) async throws {
    let plugin = try open()
    host.respond(with: ScriptedResponse(headers: ["content-type": "image/jpeg; q=1"], "JPEG"))
    let output = try? await plugin.call("readeck.picture", ["url": .string(url)])
    #expect(hasToken == (output != nil))
    #expect(host.requests.allSatisfy { $0.headers["authorization"] == "Bearer s3cret" })
    #expect(output.map { $0["type"] == "image/jpeg" && $0["size"] == 4 } ?? true)
  }

  @Test func changesWhatIsNamedAlone() async throws {
    host.respond(with: .json(["id": "aB1", "is_archived": true, "read_progress": 100, "labels": ["a", "x"]]))
    _ = try await open().call(
      "readeck.update", ["id": "aB1", "is_archived": true, "read_progress": 100, "add_labels": ["x"]])
    let request = try #require(host.requests.last)
    #expect(request.method == .patch && request.url == "https://read.example.com/api/bookmarks/aB1")
    #expect(
      try JSONValue(json: request.body) == ["is_archived": true, "read_progress": 100, "add_labels": ["x"]])
  }

  /// A successful status alone proves no change: the bookmark has to show it, in the answer or in a second request.
  @Test(
    arguments: [
      (["id": "aB1", "updated": "2026-11-23T05:00:00Z"], ["id": "aB1", "is_archived": true], true),
      (["id": "aB1"], ["id": "aB1", "is_archived": false], false),
      (["id": "aB1", "is_archived": false], ["id": "aB1", "is_archived": false], false),
    ] as [(JSONValue, JSONValue, Bool)])
  func aChangeThatWasNotMadeIsAnError(_ answer: JSONValue, _ shown: JSONValue, _ isMade: Bool) async throws {
    host.respond(with: .json(answer), .json(shown))
    let plugin = try open()
    let input: JSONValue = ["id": "aB1", "is_archived": true]
    if isMade {
      #expect(try await plugin.call("readeck.update", input)["id"] == "aB1")
    } else {
      await #expect(throws: ActionError(.protocol, "")) { _ = try await plugin.call("readeck.update", input) }
    }
  }

  /// A server that is not Readeck answers each request with a page.
  @Test func aBookmarkThatIsNotDeletedIsAnError() async throws {
    host.respond(with: ScriptedResponse("<html>"), .json(["id": "aB1", "is_deleted": false]))
    let plugin = try open()
    await #expect(throws: ActionError(.protocol, "")) { _ = try await plugin.call("readeck.delete", ["id": "aB1"]) }
  }

  @Test func creates() async throws {
    host.respond(
      with: ScriptedResponse(
        status: 202, headers: ["Bookmark-Id": "Zz9"], #"{"status":202,"message":"Link submited"}"#))
    let input: JSONValue = ["url": "https://example.com/a", "labels": ["x"]]
    #expect(try await open().call("readeck.create", input) == ["id": "Zz9"])
    #expect(try JSONValue(json: try #require(host.requests.last).body) == input)
  }

  /// The answer was lost. The host's clock stands at 2027-01-15T08:00:00Z.
  @Test(
    arguments: [
      ("https://example.com/a", "2027-01-15T08:00:01.123456789Z", "done"),
      ("https://example.com/a", "2027-01-15T09:00:01+01:00", "done"),
      // An older bookmark of the page, the end of a redirect, and what is no time.
      ("https://example.com/a", "2027-01-14T08:00:00Z", "unknown"),
      ("https://www.example.com/a/", "2027-01-15T08:00:01Z", "unknown"), ("https://example.com/a", "?", "unknown"),
    ])
  func findsWhatItHasCreated(_ url: String, _ created: String, _ verdict: String) async throws {
    host.respond(
      with: ScriptedResponse(status: 503, "busy"),
      .json([["id": "Zz9", "url": .string(url), "created": .string(created)]]))
    let input: JSONValue = ["url": "https://example.com/a"]
    await #expect(throws: ActionError.self) { _ = try await open().call("readeck.create", input) }
    let answer = try await open().verify("readeck.create", input)
    #expect(answer["verdict"] == .string(verdict))
    #expect(answer["output"] == (verdict == "done" ? ["id": "Zz9"] : nil))
  }

  /// Nobody knows since when bookmarks would be this step's.
  @Test func anotherStepsBookmarkIsNotFound() async throws {
    host.respond(with: .json([["id": "Zz9", "url": "https://example.com/a", "created": "2027-01-15T08:00:01Z"]]))
    let answer = try await open().verify("readeck.create", ["url": "https://example.com/a"], key: "other")
    #expect(answer["verdict"] == "unknown")
  }

  @Test func whatIsGoneIsDeleted() async throws {
    host.respond(
      with: ScriptedResponse(status: 204), .json(["status": 404, "message": "Not Found"], status: 404))
    for _ in 0..<2 { #expect(try await open().call("readeck.delete", ["id": "aB1"]) == [:]) }
    #expect(host.requests.map(\.method) == [.delete, .delete])
  }

  @Test(arguments: ["", "a/b", "..", "a?x=1", "a%2Fb", String(repeating: "a", count: 65)])
  func refusesIdsThatLeadElsewhere(_ id: String) async throws {
    let plugin = try open()
    for action in ["readeck.get", "readeck.article", "readeck.delete", "readeck.update"] {
      let error = await #expect(throws: ActionError.self) { try await plugin.call(action, ["id": .string(id)]) }
      #expect(error?.kind == .invalidInput)
    }
    #expect(host.requests.isEmpty)
  }

  @Test(arguments: [
    (401, "", ActionError.Kind.auth), (404, "", .notFound), (500, "", .server), (200, "<html>", .parse),
    (200, "{}", .protocol),
  ])
  func tellsWhatIsWrong(_ status: Int, _ body: String, _ kind: ActionError.Kind) async throws {
    host.respond(with: ScriptedResponse(status: status, body))
    let plugin = try open()
    let error = await #expect(throws: ActionError.self) { try await plugin.call("readeck.list") }
    #expect(error?.kind == kind)
  }
}
