import Expressions
import Foundation
import Testing

/// `sous summaries` and `sous mail summary` with a folder of mail and a model.
@Suite(.timeLimit(.minutes(10))) struct SummariesTests {
  /// Three messages, one of them short, and a model.
  private func project(_ port: Int) throws -> SousProcess {
    let sous = try SousProcess()
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
    try configure(sous, port)
    return sous
  }

  private func configure(_ sous: SousProcess, _ port: Int) throws {
    try sous.write(
      "sous.yaml",
      """
      providers:
        home: { plugin: maildir, path: mail }
        model: { plugin: ollama, base_url: "http://127.0.0.1:\(port)", model: echo }
      summaries: { per_hour: 1 }

      """)
  }

  @Test func messagesWaitWhileTheModelCannotBeAsked() throws {
    let model = try EchoModel()
    let sous = try project(model.port)
    defer { sous.remove() }
    model.end()
    let down = try sous("summaries", "run", "--json")
    #expect(try down.json["failed"] == 0 && down.json["waiting"] == 2 && down.json["held"] == "model", "\(down.errors)")
    #expect(try sous("summaries", "run", "--lang", "de").output.contains("nicht erreichbar"))
    let other = try EchoModel()
    defer { other.end() }
    try configure(sous, other.port)
    // The first in line is moved away meanwhile: it takes no place in the hour and is not a failure.
    for folder in ["new", "cur"] {
      for name in try FileManager.default.contentsOfDirectory(atPath: sous.folder + "/mail/" + folder)
      where name.hasPrefix("3.x") {
        try FileManager.default.removeItem(atPath: sous.folder + "/mail/" + folder + "/" + name)
      }
    }
    // What could not be asked counts for no limit.
    let up = try sous("summaries", "run", "--json").json
    #expect(up["made"] == 1 && up["failed"] == 0 && up["waiting"] == 0)
  }

  @Test func longMessagesAreSummarisedOnceAndWithoutBoilerplate() throws {
    let model = try EchoModel()
    defer { model.end() }
    let sous = try project(model.port)
    defer { sous.remove() }
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
