import Expressions
import Foundation
import Testing

/// `sous summaries` and `sous mail summary` with a folder of mail and a model.
@Suite(.timeLimit(.minutes(10))) struct SummariesTests {
  @Test func longMessagesAreSummarisedOnceAndWithoutBoilerplate() throws {
    let model = try EchoModel()
    defer { model.end() }
    let sous = try SousProcess()
    defer { sous.remove() }
    for folder in ["new", "cur", "tmp"] {
      try FileManager.default.createDirectory(
        atPath: sous.folder + "/mail/" + folder, withIntermediateDirectories: true)
    }
    let long = String(repeating: "The meeting about the garden is on Monday at ten. ", count: 10)
    for (number, text) in [(1, long + "\nUnsubscribe here\n"), (2, "Short.\n"), (3, long + "\n> old words\n")] {
      try sous.write(
        "mail/new/\(number).x",
        "From: Tom <tom@x.example>\r\nTo: me@x.example\r\nSubject: Garden \(number)\r\nMessage-ID: <\(number)@x>\r\n"
          + "Date: Mon, 0\(number) Nov 2026 10:00:00 +0000\r\n\r\n" + text)
    }
    try sous.write(
      "sous.yaml",
      """
      providers:
        home: { plugin: maildir, path: mail }
        model: { plugin: ollama, base_url: "http://127.0.0.1:\(model.port)", model: echo }
      summaries: { per_hour: 1 }

      """)
    let first = try sous("summaries", "run", "--json")
    #expect(first.status == 0, "\(first.errors)")
    #expect(try first.json["queued"] == 2 && first.json["made"] == 1 && first.json["waiting"] == 1)
    #expect(try first.json["held"] == "limit")
    let listed = try sous("summaries", "list", "--json").json.listValue ?? []
    #expect(listed.map { $0["state"]?.stringValue } == ["waiting", "done"])
    // Of two that are alike the newer is the first.
    #expect(listed.last?["subject"] == "Garden 3")
    #expect(model.bodies.count == 1 && model.bodies.allSatisfy { !$0.contains("old words") })
    let uid = try #require(listed.last?["uid"]?.stringValue)
    let kept = try sous("mail", "summary", "INBOX", uid, "--json")
    #expect(try kept.json["cached"] == true && model.bodies.count == 1, "\(kept.errors)")
    let waiting = try #require(listed.first?["uid"]?.stringValue)
    #expect(try sous("mail", "summary", "INBOX", waiting, "--json").json["cached"] == false)
    #expect(model.bodies.count == 2 && !model.bodies[1].contains("Unsubscribe"))
    #expect(try sous("summaries", "status").output.contains("1 of 1"))
  }
}
