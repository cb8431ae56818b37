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

  @Test func htmlIsMadeSafe() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    let picture = "<img src='https://cdn.example.org/a.png' alt=A><img src='https://x.example/b' width=1 height=1>"
    try sous.write(
      "a.eml", "Subject: s\nContent-Type: text/html\n\n<p onclick=x()>Hi<script>alert(1)</script></p>\(picture)")
    #expect(try sous("mail", "html", "a.eml").output == "<p>Hi</p><img alt=\"A\">\n")
    let blocked = try sous("mail", "html", "a.eml", "--json").json
    #expect(blocked["blocked_pictures"] == 1 && blocked["removed_trackers"] == 1)
    for which in ["allowed", "example.net, example.org"] {
      let json = try sous("mail", "html", "a.eml", "--pictures", which, "--json").json
      #expect(json["blocked_pictures"] == 0 && json["removed_trackers"] == 1)
      #expect(json["html"]?.stringValue?.contains("src=\"https://cdn.example.org/a.png\"") == true)
    }
    #expect(try sous("mail", "html", "a.eml", "--pictures", "allow").status == 2)
    try sous.write("b.eml", "Subject: s\n\n1 < 2\n")
    #expect(try sous("mail", "html", "b.eml").output == "<pre>1 &lt; 2\n</pre>\n")
    #expect(try sous("mail", "html", "b.eml", "--json").json["html"] == .null)
  }

  @Test func answersAndForwardsAreBuilt() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    let original = """
      From: Anna <anna@example.org>
      To: jana@example.com, Ben <ben@example.org>
      Date: Thu, 19 Nov 2026 09:00:00 +0100
      Subject: Plan
      Message-ID: <1@example.org>
      Content-Type: multipart/mixed; boundary=b

      --b
      Content-Type: text/html

      <p>See <b>this</b></p>
      --b
      Content-Type: application/pdf; name=plan.pdf

      data
      --b--
      """
    try sous.write("a.eml", original)
    func built(_ description: String) throws -> Value {
      try sous.write("m.yaml", "from: Jana <jana@example.com>\ntext: Fine\n" + description)
      let built = try sous("mail", "build", "m.yaml")
      #expect(built.status == 0, "\(built.errors)")
      try sous.write("built.eml", built.output)
      return try sous("mail", "parse", "built.eml", "--json").json
    }
    let answer = try built("answer: { message: a.eml, recipients: all }\n")
    #expect(answer["message"]?["to"] == [["name": "Anna", "address": "anna@example.org"]])
    #expect(answer["message"]?["cc"] == [["name": "Ben", "address": "ben@example.org"]])
    #expect(answer["message"]?["subject"] == "Re: Plan" && answer["message"]?["in_reply_to"] == "<1@example.org>")
    #expect(answer["message"]?["text"]?.stringValue?.contains("> See this") == true)
    #expect(answer["html"]?.stringValue?.contains("See <b>this</b>") == true)
    #expect(answer["message"]?["attachments"] == [])
    let passed = try built("forward: a.eml\nto: [carl@example.org]\nsubject: Look\n")
    #expect(passed["message"]?["subject"] == "Look")
    #expect(passed["message"]?["attachments"]?[0]?["name"] == "plan.pdf")
    let whole = try built("forward: { message: a.eml, as: attachment }\nto: [carl@example.org]\n")
    #expect(whole["message"]?["attachments"]?[0]?["type"] == "message/rfc822")
    for wrong in ["answer: { recipients: all }", "answer: { message: a.eml, recipients: some }", "forward: absent.eml"]
    {
      try sous.write("m.yaml", "from: jana@example.com\n\(wrong)\n")
      let outcome = try sous("mail", "build", "m.yaml")
      #expect(outcome.status == 2 && outcome.output.isEmpty, "\(wrong)")
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
