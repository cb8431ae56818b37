import Engine
import Expressions
import Foundation
import Localization
import RecipeModel
import Synchronization
import TestSupport
import Testing
import UseCases

@testable import Bookmarks

/// What is kept of bookmarks, by ReadKeep's "Offline Stufe 1".
@Suite(.timeLimit(.minutes(5))) struct BookmarkSyncTests {
  private let temporary: TemporaryFolder
  private let server = Server()
  private let clock = SetTime()

  init() throws { temporary = try TemporaryFolder() }

  /// The folder of the bookmarks, which does not exist yet.
  private var folder: String { temporary("bookmarks") }

  private func shelf(_ provider: String = "reading") -> BookmarkShelf { BookmarkShelf(folder, provider: provider) }

  private func sync(
    _ settings: ConfiguredBookmarks = .init(), tell: @escaping @Sendable (BookmarkProgress) -> Void = { _ in }
  )
    async throws -> BookmarkSyncReport
  {
    var shelf = shelf()
    clock.pass(seconds: 1)
    return try await BookmarkSync(settings: settings, source: server, time: clock, tell: tell).run(&shelf)
  }

  private func ids() -> [String] { shelf().articles.map(\.id) }

  @Test func twentyArticlesTakeTwentyOneRequestsAndThenOne() async throws {
    server.set((1...25).map { "a\($0)" })
    let told = Mutex<[BookmarkProgress]>([])
    let report = try await sync { progress in told.withLock { $0.append(progress) } }
    #expect(report.fetched == 20 && report.kept == 0 && report.failures.count == 0 && report.trouble == nil)
    #expect(server.requests.count == 21)
    #expect(server.requests.first == "list unread 20")
    #expect(server.requests[1] == "article a1" && server.requests[20] == "article a20")
    #expect(server.busiest == 1)
    let expected = [.list, .articles(20)] + (1...20).map { BookmarkProgress.article($0, of: 20) }
    #expect(told.withLock { $0 } == expected)
    #expect(shelf().html(of: "a7") == "<p>a7</p>")
    #expect(shelf().articleBytes == shelf().articles.reduce(0) { $0 + "<p>\($1.id)</p>".utf8.count })

    #expect(try await sync().kept == 20)
    #expect(server.requests.count == 22)
  }

  @Test func whatTheServerNoLongerListsGoesFirstThenWhatWasKeptFirst() async throws {
    var settings = ConfiguredBookmarks()
    settings.articles = 10
    server.set((1...10).map { "a\($0)" })
    _ = try await sync(settings)
    // Two new ones; a9 and a10 are on the second page now.
    server.set(["b1", "b2"] + (1...10).map { "a\($0)" })
    _ = try await sync(settings)
    #expect(ids().sorted() == (["b1", "b2"] + (1...8).map { "a\($0)" }).sorted())
    #expect(!FileManager.default.fileExists(atPath: folder + "/a10.html"))
    // Another sync fetches nothing: what is listed has stayed.
    let before = server.requests.count
    _ = try await sync(settings)
    #expect(server.requests.count == before + 1)

    settings.articles = 0
    _ = try await sync(settings)
    #expect(ids().isEmpty && shelf().lastSync != nil || ids().isEmpty)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["index.json"])
  }

  @Test func oneThatFailsIsSkippedAndTriedAgain() async throws {
    server.set(["a1", "a2", "a3"])
    server.fail("article a2", .server)
    let report = try await sync()
    #expect(report.failures == [FailedArticle(id: "a2", title: "T a2", reason: .init("down", de: "aus"))])
    #expect(shelf().failures == report.failures)
    #expect(report.fetched == 2 && report.failures.count == 1 && report.trouble == nil)
    #expect(ids() == ["a1", "a3"])
    server.fail("article a2", nil)
    #expect(try await sync().fetched == 1)
    #expect(shelf().failures.isEmpty)
  }

  @Test func articlesWithoutTextAreNotAskedForAgain() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    server.set(["a1", "a2"])
    server.fields["a1"] = ["has_article": false]
    server.fail("article a2", .notFound)
    for _ in 1...2 {
      let report = try await sync()
      #expect(report.failures.isEmpty && report.trouble == nil)
    }
    #expect(server.requests.filter { $0.hasPrefix("article") } == ["article a2"])
    // The server has loaded the page again.
    server.fields["a2"] = ["updated": "2026-11-28T10:00:00Z"]
    server.fail("article a2", nil)
    #expect(try await sync().fetched == 1)
  }

  @Test func nothingThatSucceededIsTrouble() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    server.set(["a1", "a2"])
    for id in ["a1", "a2"] { server.fail("article \(id)", .server) }
    let report = try await sync()
    #expect(report.failures.count == 2 && report.trouble?.english.contains("'T a1' (a1): down") == true)
    #expect(shelf().lastSync == nil && shelf().trouble == report.trouble)
  }

  @Test(arguments: [ActionFailure.Kind.timeout, .io, .auth, .rateLimited])
  func oneArticleWithoutAnAnswerHoldsUpNoOther(_ kind: ActionFailure.Kind) async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    server.set(["a1", "a2", "a3", "a4"])
    server.fail("article a1", kind)
    #expect(try await sync().fetched == 3)
    // The one that failed comes last now; two in a row say that the server is away.
    server.set(["a1", "b1", "b2", "b3"])
    for id in ["b1", "b2"] { server.fail("article \(id)", kind) }
    #expect(try await sync().trouble != nil)
    #expect(server.requests.suffix(3) == ["list unread 20", "article b1", "article b2"])
  }

  @Test func whatLeftTheServersListLeavesTheKeptOne() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    server.set(["a1", "a2", "a3"])
    _ = try await sync()
    server.set(["a1", "a3"])
    server.fields["a1"] = ["title": "New", "labels": ["x"]]
    _ = try await sync()
    #expect(ids() == ["a1", "a3"] && !FileManager.default.fileExists(atPath: folder + "/a2.html"))
    #expect(shelf().articles.first?.bookmark["title"] == "New")
    // A list that is not whole says nothing of what it does not have: that is asked for.
    server.set(["b1", "b2", "b3"], total: 6)
    for id in ["b1", "b2", "b3"] { server.fail("article \(id)", .server) }
    server.fields["a1"] = ["is_archived": true]
    _ = try await sync()
    #expect(ids() == ["a3"])
    server.fail("get a3", .notFound)
    _ = try await sync()
    #expect(ids().isEmpty)
  }

  @Test func theKeptListShowsChangesThatWaitAndHoldsOptions() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    server.set(["a1", "a2", "a3", "a4"])
    for (id, day) in [("a1", 1), ("a2", 2), ("a3", 3), ("a4", 4)] {
      server.fields[id] = [
        "created": .string("2026-11-0\(day)T10:00:00Z"), "type": id == "a4" ? "video" : "article",
        "labels": id == "a3" ? ["x"] : [],
      ]
    }
    server.pages["a2"] = "<p>The <b>Garden</b> club</p>"
    _ = try await sync()
    var shelf = shelf()
    shelf.add(PendingMark(id: "a1", changes: [:], at: clock.now))
    shelf.add(PendingMark(id: "a2", changes: ["is_marked": true], at: clock.now))
    shelf.add(PendingMark(id: "a3", changes: ["is_archived": true], at: clock.now))
    func listed(_ query: Value) -> [String] { shelf.matching(query).compactMap { $0["id"]?.stringValue } }
    #expect(listed([:]) == ["a4", "a2"])
    #expect(shelf.matching([:]).last?["is_marked"] == true)
    #expect(listed(["state": "archived"]) == ["a3"] && listed(["state": "marked"]) == ["a2"])
    #expect(listed(["state": "all"]) == ["a4", "a3", "a2"])
    #expect(listed(["type": "video"]) == ["a4"] && listed(["state": "all", "label": "x"]) == ["a3"])
    #expect(listed(["search": "garden CLUB"]) == ["a2"] && listed(["search": "absent"]).isEmpty)
    // The last change of a field counts.
    shelf.add(PendingMark(id: "a3", changes: ["is_archived": false, "read_progress": 5], at: clock.now))
    #expect(shelf.pendingMark(of: "a3")?.changes == ["is_archived": false, "read_progress": 5])
    #expect(listed([:]) == ["a4", "a3", "a2"])
  }

  @Test func oneChangeThatFailsHoldsUpNoOther() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    server.set(["a1", "a2", "a3"])
    _ = try await sync()
    var shelf = shelf()
    for id in ["a1", "a2"] { shelf.add(PendingMark(id: id, changes: ["is_archived": true], at: clock.now)) }
    try shelf.save()
    server.set(["a1", "a3", "b1"])
    server.fail("change a1", .server)
    var report = try await sync()
    #expect(report.sent == 1 && report.fetched == 1 && report.held.map(\.id) == ["a1"] && report.trouble == nil)
    #expect(self.shelf().pending.map(\.id) == ["a1"] && self.shelf().pending.first?.trouble?.english == "down")
    // A page of a network's login says nothing of the change.
    server.fail("change a1", .protocol)
    report = try await sync()
    #expect(report.held.map(\.id) == ["a1"] && report.trouble?.english.contains("a1") == true)
    server.fail("change a1", nil)
    #expect(try await sync().sent == 1)
    #expect(self.shelf().pending.isEmpty)
  }

  @Test(arguments: [ActionFailure.Kind.dns, .refused, .unreachable])
  func withoutTheNetworkItEndsAndSaysSo(_ kind: ActionFailure.Kind) async throws {
    server.set(["a1", "a2", "a3"])
    server.fail("article a2", kind)
    let report = try await sync()
    #expect(report.fetched == 1 && report.isOffline && report.trouble != nil)
    #expect(server.requests.last == "article a2")
    #expect(ids() == ["a1"])
    #expect(shelf().lastSync == nil && shelf().trouble != nil)
  }

  @Test func whatCannotBeWrittenEndsIt() async throws {
    try FileManager.default.createDirectory(atPath: folder + "/a2.html", withIntermediateDirectories: true)
    try FileManager.default.createDirectory(atPath: folder + "/a2.html/x", withIntermediateDirectories: true)
    server.set(["a1", "a2", "a3"])
    let report = try await sync()
    #expect(report.fetched == 1 && !report.isOffline && report.trouble?.english.contains("a2.html") == true)
    #expect(server.requests.last == "article a2")
  }

  @Test func marksThatWaitAreSentFirstAndOnce() async throws {
    var shelf = shelf()
    for (id, changes) in [("a1", ["is_archived": true]), ("a2", ["is_marked": true]), ("a3", [:])] as [(String, Value)]
    {
      shelf.pending.append(PendingMark(id: id, changes: changes, at: clock.now))
    }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try shelf.save()
    server.set(["b1"])
    server.fail("change a2", .refused)
    #expect(try await sync().isOffline)
    #expect(server.requests == ["change a1", "change a2"])
    #expect(self.shelf().pending.map(\.id) == ["a2", "a3"])
    // What is gone on the server cannot be marked any more.
    server.fail("change a2", .notFound)
    let report = try await sync()
    #expect(report.sent == 1 && report.refused.map(\.id) == ["a2"])
    #expect(server.changes == ["a1": ["is_archived": true], "a3": [:]])
    #expect(self.shelf().pending.isEmpty)
    #expect(ids() == ["b1"])
  }

  @Test func picturesAreKeptWithinTheirRoom() async throws {
    var settings = ConfiguredBookmarks()
    settings.hasPictures = true
    settings.pictureSpace = 250
    server.set(["a1", "a2"])
    server.pages["a1"] =
      "<img src=\"https://h/1\"><img src='https://h/2'><img src=\"/relative\"><img src=\"https://h/1\">"
    server.pages["a2"] = "<p><IMG alt=\"a>b\" SRC=https://h/3?a=1&amp;b=2 ><img src=\"https://h/broken\">"
    server.fail("picture https://h/broken", .server)
    let report = try await sync(settings)
    #expect(report.fetched == 2 && report.failures.count == 0 && report.trouble == nil)
    #expect(server.requests.count { $0 == "picture https://h/broken" } == 2)
    // Each is 100 bytes: the one that was looked at before the others goes.
    #expect(shelf().pictures.map(\.url).sorted() == ["https://h/2", "https://h/3?a=1&b=2"])
    #expect(shelf().pictureBytes == 200)
    #expect(shelf().articles.map(\.pictures.count) == [2, 2])
    #expect(shelf().picture("https://h/1") == nil)
    var read = shelf()
    clock.pass(seconds: 10)
    try read.noteAccess(to: "a1", at: clock.now)
    try read.shrinkPictures(to: 100)
    #expect(shelf().pictures.map(\.url) == ["https://h/2"])
  }

  @Test(arguments: [
    ("<img src=\"https://h/1.png\">", ["https://h/1.png"]),
    ("<IMG\nSRC = 'http://h/a b'>", []), ("<image src=https://h/1>", []), ("<img>", []), ("<img", []), ("<img src", []),
    ("<img src=", []), ("<img src=\"https://h/1", ["https://h/1"]), ("<img data-src=\"https://h/1\">", []),
    ("<img src=\"javascript:alert(1)\">", []), ("<img src=\"data:image/png;base64,AAAA\">", []),
    ("<img/src=https://h/1/>", ["https://h/1/"]), ("<img src=https://h/1 src=https://h/2>", ["https://h/1"]),
    ("a<imgx><img =x src=https://h/ü>", ["https://h/ü"]), ("<<img src=https://h/1>>", ["https://h/1"]),
  ])
  func picturesAreFound(_ html: String, _ urls: [String]) {
    #expect(PictureLinks.urls(in: html) == urls)
  }

  @Test func whatIsKeptBelongsToOneProvider() async throws {
    server.set(["a1"])
    _ = try await sync()
    #expect(shelf("another").articles.isEmpty)
    try Data("{ not json".utf8).write(to: URL(fileURLWithPath: folder + "/index.json"))
    #expect(shelf().articles.isEmpty)
    #expect(try await sync().fetched == 1)
  }

  /// A server in memory.
  private final class Server: BookmarkSource {
    private struct State {
      var ids: [String] = []
      var total: Int?
      var fields: [String: ValueMap] = [:]
      var pages: [String: String] = [:]
      var failures: [String: ActionFailure.Kind] = [:]
      var requests: [String] = []
      var changes: [String: Value] = [:]
      var busy = 0
      var busiest = 0
    }

    private let state = Mutex(State())

    var requests: [String] { state.withLock { $0.requests } }
    var changes: [String: Value] { state.withLock { $0.changes } }
    /// The most articles that were asked for at the same time.
    var busiest: Int { state.withLock { $0.busiest } }
    var pages: [String: String] {
      get { state.withLock { $0.pages } }
      set { state.withLock { $0.pages = newValue } }
    }

    var fields: [String: ValueMap] {
      get { state.withLock { $0.fields } }
      set { state.withLock { $0.fields = newValue } }
    }

    /// - Parameter total: How many bookmarks there are with those that the list does not have.
    func set(_ ids: [String], total: Int? = nil) { state.withLock { ($0.ids, $0.total) = (ids, total) } }
    func fail(_ request: String, _ kind: ActionFailure.Kind?) { state.withLock { $0.failures[request] = kind } }

    private func answer(_ request: String) throws(ActionFailure) {
      let kind = state.withLock { state in
        state.requests.append(request)
        return state.failures[request]
      }
      if let kind { throw ActionFailure(kind, .init("down", de: "aus")) }
    }

    func list(_ query: Value) async throws(ActionFailure) -> Value {
      let limit = Int(clamping: query["limit"]?.intValue ?? 0)
      try answer("list \(query["state"]?.stringValue ?? "") \(limit)")
      let (ids, total) = state.withLock { ($0.ids, $0.total) }
      return [
        "bookmarks": .list(ids.prefix(limit).map(made)), "total_count": .int(Int64(total ?? ids.count)),
      ]
    }

    func bookmark(_ id: String) async throws(ActionFailure) -> Value {
      try answer("get \(id)")
      return made(id)
    }

    private func made(_ id: String) -> Value {
      var bookmark: ValueMap = ["id": .string(id), "title": .string("T \(id)")]
      for entry in fields[id]?.entries ?? [] { bookmark[entry.key] = entry.value }
      return .map(bookmark)
    }

    func article(_ id: String) async throws(ActionFailure) -> String {
      state.withLock { state in
        state.busy += 1
        state.busiest = max(state.busiest, state.busy)
      }
      defer { state.withLock { $0.busy -= 1 } }
      await Task.yield()
      try answer("article \(id)")
      return state.withLock { $0.pages[id] } ?? "<p>\(id)</p>"
    }

    func picture(_ url: String) async throws(ActionFailure) -> [UInt8] {
      try answer("picture \(url)")
      return [UInt8](repeating: 1, count: 100)
    }

    func change(_ id: String, _ changes: Value) async throws(ActionFailure) {
      try answer("change \(id)")
      state.withLock { $0.changes[id] = changes }
    }
  }
}
