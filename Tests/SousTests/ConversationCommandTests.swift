import Expressions
import Foundation
import Testing

/// `sous chat --continue`, `sous chats`, `sous usage`, `sous providers` as people use them.
@Suite(.timeLimit(.minutes(15))) struct ConversationCommandTests {
  private static let piece = #"{"model":"m","message":{"role":"assistant","content":"Because"},"done":false}"#
  private static let end =
    #"{"model":"m","message":{"content":"."},"done":true,"done_reason":"stop","prompt_eval_count":20,"eval_count":3}"#

  private func project(_ port: Int, more: String = "") throws -> SousProcess {
    let sous = try SousProcess()
    try sous.write(
      "sous.yaml",
      """
      # mine
      providers:
        local: { plugin: ollama, base_url: "http://127.0.0.1:\(port)", model: m }   # here
        gpt: { plugin: openai, model: gpt-4o-mini, api_key: { secret: NO_KEY } }
      defaults: { chat: local } # who answers
      \(more)
      """)
    return sous
  }

  /// Without `-p`, the second question does not go to the default provider.
  @Test func aConversationStaysWithItsProviderAndModel() throws {
    let home = try ChatServer { _, _ in .words(["Well."]) }
    let cloud = try ChatServer { _, _ in .words(["Me."]) }
    defer {
      home.end()
      cloud.end()
    }
    let sous = try SousProcess()
    defer { sous.remove() }
    func configure(home isLocal: Bool, names: [String] = ["cloud", "home"]) throws {
      let entries = [
        "cloud": "{ plugin: openai, base_url: \"http://127.0.0.1:\(cloud.port)/v1\", model: c, local: false }",
        "home": "{ plugin: openai, base_url: \"http://127.0.0.1:\(home.port)/v1\", model: h, local: \(isLocal) }",
      ]
      let lines = names.map { "  \($0): \(entries[$0] ?? "")\n" }.joined()
      try sous.write("sous.yaml", "providers:\n\(lines)defaults: { chat: cloud }\n")
    }
    try configure(home: true)
    #expect(try sous("chat", "-p", "home", "-m", "special", "A secret").status == 0)
    let again = try sous("chat", "--continue", "Shorter?")
    #expect(again.status == 0, "\(again.errors)")
    #expect(home.requests.map { $0["model"] } == ["special", "special"] && cloud.requests.isEmpty)

    // The provider is no longer local; then no provider has its name.
    try configure(home: false)
    let moved = try sous("chat", "--continue", "And now?")
    #expect(moved.status == 2 && moved.errors.contains("--provider home"), "\(moved.errors)")
    try configure(home: true, names: ["cloud"])
    let gone = try sous("chat", "--continue", "And now?")
    #expect(gone.status == 2 && gone.errors.contains("'home'") && gone.errors.contains("--provider NAME"))
    #expect(cloud.requests.isEmpty && home.requests.count == 2)
    // With `-p`, the conversation goes to the other provider.
    #expect(try sous("chat", "--continue", "-p", "cloud", "And now?").status == 0)
    #expect(cloud.requests.count == 1 && cloud.requests.first?["model"] == "c")
  }

  @Test func aConversationGoesOnAndIsFound() throws {
    let server = try LineServer([Self.piece, Self.end])
    defer { server.end() }
    let sous = try project(server.port)
    defer { sous.remove() }
    try sous.write("report.md", "# Report\nAll is blue.")
    try sous.write("page.html", "<p>Grüezi &amp; <b>hallo</b></p><script>x()</script>")
    #expect(try sous("chat", "--file", "report.md", "-f", "page.html", "Why is the sky blue?").output == "Because.\n")
    let again = try sous("chat", "--continue", "And at night?", "--json")
    #expect(try again.json["chat"] == 1, "\(again.errors)")
    #expect(try sous("chat", "Something else").status == 0)
    #expect(try sous("chat", "--private", "A secret").status == 0)
    #expect(try sous("chat", "--continue", "1", "The last one", "--json").json["chat"] == 1)

    let listing = try sous("chats", "--json").json.listValue ?? []
    #expect(listing.map { $0["chat"] } == [1, 2])
    #expect(listing.first?["title"] == "Why is the sky blue?" && listing.first?["turns"] == 6)
    let turns = try sous("chats", "show", "1", "--json").json["turns"]?.listValue ?? []
    #expect(turns.map { $0["role"] } == ["user", "assistant", "user", "assistant", "user", "assistant"])
    #expect(turns.first?["files"] == ["report.md", "page.html"])
    let asked = turns.first?["text"]?.stringValue ?? ""
    #expect(asked.contains("All is blue.") && asked.contains("Grüezi & hallo") && !asked.contains("x()"))
    #expect(turns[1]["provider"] == "local" && turns[1]["model"] == "m" && turns[1]["cut"] == false)
    #expect(try sous("chats", "search", "night").output.contains("Why is the sky"))
    #expect(try sous("chats", "search", "secret").output.contains("no conversation"))
    #expect(try sous("chats", "delete", "1").status == 0)
    #expect(try sous("chats", "delete", "1").status == 2)
    #expect(try sous("chat", "--continue", "1", "x").status == 2)

    // Deleted conversations and private ones have used what they have used.
    let usage = try sous("usage", "--json").json
    #expect(usage["total"]?["calls"] == 5 && usage["total"]?["prompt_tokens"] == 100)
    #expect(usage["total"]?["completion_tokens"] == 15 && usage["total"]?["cost"]?.doubleValue == 0)
  }

  @Test(arguments: [
    ["chat", "--new", "--continue", "x"], ["chat", "-f", "none.md", "x"], ["chat", "-f", "x.bin", "x"],
  ])
  func whatCannotBeAskedIsRefused(_ arguments: [String]) throws {
    let sous = try project(9)
    defer { sous.remove() }
    try Data([0xFF, 0xFE, 0, 1]).write(to: URL(fileURLWithPath: sous.folder + "/x.bin"))
    let outcome = try sous.run(SousProcess.executable, arguments)
    #expect(outcome.status == 2, "\(outcome.errors)")
  }

  @Test func ctrlCKeepsWhatCameAsBrokenOff() throws {
    let server = try LineServer([Self.piece], thenHolds: true)
    defer { server.end() }
    let sous = try project(server.port)
    defer { sous.remove() }
    let terminal = try PseudoTerminal()
    let process = try terminal.start(sous, ["chat", "Why?"])
    #expect(terminal.read(until: "Because"))
    terminal.type("\u{3}")
    process.waitUntilExit()
    #expect(process.terminationStatus == 130)
    let turns = try sous("chats", "show", "--json").json["turns"]?.listValue ?? []
    #expect(turns.last?["text"] == "Because" && turns.last?["cut"] == true)
    let total = try sous("usage", "--json").json["total"]
    #expect(total?["unknown"] == 1 && total?["prompt_tokens"] == 0)
  }

  /// What came before the break is shown, then the next provider begins, behind a line that says so.
  @Test func anAnswerThatBreaksOffBeginsAgain() throws {
    let broken = try LineServer([Self.piece])
    let sound = try LineServer([Self.piece, Self.end])
    defer {
      broken.end()
      sound.end()
    }
    let sous = try project(
      broken.port, more: "")
    defer { sous.remove() }
    try sous.write(
      "sous.yaml",
      """
      providers:
        first: { plugin: ollama, base_url: "http://127.0.0.1:\(broken.port)", model: m }
        second: { plugin: ollama, base_url: "http://127.0.0.1:\(sound.port)", model: m }
      defaults: { chat: [first, second/other] }
      """)
    let outcome = try sous("chat", "Why?")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output == "Because\nBecause.\n")
    #expect(outcome.errors.contains("first: ") && outcome.errors.contains("'second/other' begins again"))
    #expect(try sous("chats", "show", "--json").json["turns"]?.listValue?.last?["provider"] == "second/other")
  }

  @Test func theDefaultIsSetAndCommentsStay() throws {
    let sous = try project(9)
    defer { sous.remove() }
    let outcome = try sous("providers", "default", "gpt/gpt-4o")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let text = try String(contentsOfFile: sous.folder + "/sous.yaml", encoding: .utf8)
    #expect(text.contains("# mine\n") && text.contains("# here\n"))
    #expect(text.contains("defaults: { chat: gpt/gpt-4o } # who answers"))
    #expect(try sous("providers", "default", "nobody").status != 0)
    let listing = try sous("providers", "--json").json.listValue ?? []
    #expect(listing.map { $0["local"] } == [true, false])
    #expect(listing.last?["default_for"] == ["chat"] && listing.last?["model"] == "gpt-4o-mini")
  }

  @Test func whoIsNotReadyIsNamedWithTheReason() throws {
    let server = try LineServer([])
    defer { server.end() }
    let sous = try project(server.port, more: "")
    defer { sous.remove() }
    try sous.write(
      "sous.yaml",
      """
      providers:
        local: { plugin: ollama, base_url: "http://127.0.0.1:\(server.port)", model: m }
        other: { plugin: ollama, base_url: "http://127.0.0.1:\(server.port)", model: "big:70b" }
        gone: { plugin: ollama, base_url: "http://127.0.0.1:9" }
        gpt: { plugin: openai, api_key: { secret: NO_KEY } }
      """)
    let outcome = try sous("providers", "test", "--json")
    #expect(outcome.status == 3)
    let found = try outcome.json.listValue ?? []
    #expect(found.map { $0["ready"] } == [true, false, false, false])
    #expect(found[1]["code"] == "not_found" && found[1]["problem"]?.stringValue?.contains("of these: m") == true)
    #expect(found[2]["code"] == "refused")
    #expect(found[3]["problem"]?.stringValue?.contains("NO_KEY") == true)
  }
}
