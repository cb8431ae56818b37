import Expressions
import Foundation
import Testing

@Suite(.timeLimit(.minutes(15))) struct MailCommandTests {
  private let message = """
    From: Anna Berg <anna@example.org>
    To: Jana <jana@example.com>
    Date: Thu, 19 Nov 2026 09:00:00 +0100
    Subject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=
    List-Unsubscribe: <https://example.org/u>, <mailto:l@example.org>
    Content-Type: text/html; charset=utf-8

    <div style="display:none">Preview</div><p>Bitte bis zum 30. November antworten.</p>
    """

  @Test func messageIsTakenApart() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    try sous.write("a.eml", message)
    let json = try sous("mail", "parse", "a.eml", "--json").json
    #expect(json["message"]?["subject"] == "Grüße")
    #expect(json["message"]?["from"] == ["name": "Anna Berg", "address": "anna@example.org"])
    #expect(json["message"]?["date"] == "2026-11-19T09:00:00+01:00")
    #expect(
      json["message"]?["list_unsubscribe"]
        == ["http": ["https://example.org/u"], "mailto": ["mailto:l@example.org"], "one_click": false])
    #expect(json["structure"]?["type"] == "text/html" && json["defects"] == [])
    let text = try sous("mail", "parse", "a.eml", "--lang", "de")
    #expect(text.status == 0 && text.output.contains("Betreff") && text.output.contains("Grüße"))
  }

  @Test func textIsReadFromStandardInput() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    try sous.write("a.eml", message)
    let outcome = try sous.run("/bin/sh", ["-c", "'\(SousProcess.executable)' mail text - <a.eml"])
    #expect(outcome.output == "Bitte bis zum 30. November antworten.\n")
  }

  @Test(arguments: [
    (
      "m.yaml",
      "from: Jana <jana@example.com>\nto: [anna@example.org]\nsubject: Grüße\ntext: Hallo\nattachments: [{ path: big.bin }]\n"
    ),
    (
      "m.json",
      #"{"from":"Jana <jana@example.com>","to":"anna@example.org","subject":"Grüße","text":"Hallo","attachments":[{"path":"big.bin"}]}"#
    ),
  ])
  func messageIsBuilt(name: String, description: String) throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    try sous.write(name, description)
    try sous.write("big.bin", String(repeating: "0123456789", count: 30_000))
    let built = try sous("mail", "build", name)
    #expect(built.status == 0, "\(built.errors)")
    try sous.write("built.eml", built.output)
    let json = try sous("mail", "parse", "built.eml", "--json").json
    #expect(json["message"]?["subject"] == "Grüße" && json["message"]?["text"] == "Hallo")
    #expect(json["message"]?["attachments"]?[0]?["size"] == 300_000)
    #expect(json["message"]?["attachments"]?[0]?["name"] == "big.bin" && json["defects"] == [])
  }

  @Test(arguments: [
    "to: a@example.org\n", "from: a\nto: [b@example.org]\n", "from: a@example.org\nwhatever: 1\n", "[]\n",
    "from: a@example.org\nattachments: [{ path: absent.pdf }]\n",
    "from: a@example.org\nsubject: \"a\\nBcc: x@example.org\"\n",
  ])
  func wrongDescriptionIsToldWithItsFile(description: String) throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    try sous.write("m.yaml", description)
    for language in ["en", "de"] {
      let outcome = try sous("mail", "build", "m.yaml", "--lang", language)
      #expect(outcome.status == 2 && outcome.errors.contains("m.yaml") && outcome.output.isEmpty)
    }
  }

  @Test func absentFileIsTold() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    let outcome = try sous("mail", "parse", "absent.eml")
    #expect(outcome.status == 2 && outcome.errors.contains("absent.eml"))
    try sous.write("empty.eml", "")
    #expect(try sous("mail", "text", "empty.eml").status == 2)
  }
}
