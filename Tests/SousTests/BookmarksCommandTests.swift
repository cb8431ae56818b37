import Expressions
import Foundation
import LoopbackPorts
import Testing

/// `sous bookmarks` where the server is away; what a sync does is tested beside the use case.
@Suite(.timeLimit(.minutes(15))) struct BookmarksCommandTests {
  @Test func withoutTheServerChangesWait() throws {
    var sous = try SousProcess()
    defer { sous.remove() }
    sous.environment["TOKEN"] = "t0ken-of-the-reader"
    try sous.write(
      "sous.yaml",
      """
      providers:
        reading:
          plugin: readeck
          base_url: http://127.0.0.1:\(try LoopbackPort.free())
          token: { secret: { env: TOKEN } }
      bookmarks: { articles: 30 }

      """)
    // The first thing that happens in the workspace.
    #expect(try sous("bookmarks", "sync").output.contains("❌"))
    let list = try sous("bookmarks")
    #expect(list.status != 0 && list.errors.contains("No internet connection"))
    let mark = try sous("bookmarks", "mark", "aB1", "--archive", "--progress", "100")
    #expect(mark.status == 0 && mark.output.hasPrefix("Changes are synced"), "\(mark.errors)")
    #expect(try sous("bookmarks", "mark", "aB2", "--delete", "--json").json == ["sent": false])
    #expect(try sous("bookmarks", "mark", "aB2").status == 2)
    let sync = try sous("bookmarks", "sync", "--json")
    #expect(sync.status == 1)
    #expect(try sync.json["offline"] == true && sync.json["sent"] == 0)
    let status = try sous("bookmarks", "status", "--json").json
    #expect(status["pending"] == 2 && status["wanted"] == 30 && status["automatic"] == true)
    #expect(status["last_sync"] == .null && status["trouble"]?.stringValue != nil)
    #expect(try sous("--lang", "de", "bookmarks", "clear").output == "nichts ist mehr aufgehoben\n")
    #expect(try sous("bookmarks", "status").output.contains("2 changes wait"))
    #expect(try sous("bookmarks", "drop", "aB2").output == "the change of aB2 is dropped\n")
    #expect(try sous("bookmarks", "drop", "aB2").status != 0)
    #expect(try sous("bookmarks", "status").output.contains("  aB1  is_archived: true, read_progress: 100"))
  }

  @Test func saysWhatToConfigure() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    try sous.write("sous.yaml", "providers: {}\n")
    let outcome = try sous("bookmarks", "status")
    #expect(outcome.status != 0 && outcome.errors.contains("plugin: readeck"))
    let path = try sous.write("other/sous.yaml", "bookmarks: { articles: 25 }\n")
    #expect(try sous("validate", path).status != 0)
  }
}
