import Expressions
import Foundation
import Testing

/// `sous notes`, as a person uses it.
@Suite(.timeLimit(.minutes(10))) struct NotesCommandTests {
  private func place(_ configuration: String = "providers: {}\n") throws -> SousProcess {
    var sous = try SousProcess()
    sous.environment["TZ"] = "Europe/Zurich"
    try sous.write("sous.yaml", configuration)
    return sous
  }

  @Test func notesAreKeptListedFoundChangedAndDeleted() throws {
    let sous = try place()
    defer { sous.remove() }
    #expect(try sous("notes", "--lang", "de").output == "Noch keine Einträge\n")
    #expect(try sous("notes", "overview", "--lang", "de").output.contains("Noch keine Einträge"))
    try sous.write("text.md", "Aus einer Datei\nzweite Zeile\n")
    #expect(
      try sous("notes", "add", "Glasfaser", "in Zürich", "--category", "Netzwerk", "--tag", "Bau", "--tag", "bau")
        .status == 0)
    let added = try sous("notes", "add", "--file", "text.md", "--attach", "text.md", "--json")
    #expect(try added.json["heading"] == "Aus einer Datei")
    #expect(try added.json["attachments"]?[0]?["name"] == "text.md")
    let listed = try sous("notes", "--json").json
    #expect(listed["notes"]?.listValue?.map { $0["number"] } == [2, 1])
    #expect(listed["notes"]?[1]?["tags"] == ["Bau"])
    #expect(try sous("notes", "list", "--category", "netzwerk", "--json").json["total"] == 1)
    #expect(try sous("notes", "search", "zurich").output.contains("**Zürich**"))
    #expect(try sous("notes", "append", "1", "und in Bern").status == 0)
    #expect(try sous("notes", "edit", "glasfaser", "--title", "Netz", "--untag", "BAU", "--summary", "S").status == 0)
    #expect(try sous("notes", "show", "netz", "--text").output == "Glasfaser in Zürich\nund in Bern\n")
    var editing = sous
    editing.environment["EDITOR"] = "sed -i s/Bern/Basel/"
    #expect(try editing("notes", "edit", "1").status == 0)
    #expect(try sous("notes", "show", "1", "--json").json["text"] == "Glasfaser in Zürich\nund in Basel")
    // Nobody can be asked here.
    #expect(try sous("notes", "delete", "1").status == 2)
    #expect(try sous("notes", "delete", "1", "2", "--yes").status == 0)
    #expect(try sous("notes", "--json").json["total"] == 0)
    #expect(try sous("notes", "show", "1").status == 2)
  }

  /// A text with replacement characters would be kept for good.
  @Test(arguments: [[0x47, 0x72, 0xFC, 0xDF, 0x65], [0x61, 0x00, 0x62]] as [[UInt8]])
  func aFileThatIsNoTextIsNotKept(_ bytes: [UInt8]) throws {
    let sous = try place()
    defer { sous.remove() }
    try Data(bytes).write(to: URL(fileURLWithPath: sous.folder + "/odd.txt"))
    #expect(try sous("notes", "add", "Ein Text").status == 0)
    let outcomes = try [
      sous("notes", "add", "--file", "odd.txt"), sous("notes", "append", "1", "--file", "odd.txt"),
      sous("catalog", "add", "mail/odd", "--text", "@odd.txt"),
    ]
    for outcome in outcomes {
      #expect(
        outcome.status == 2 && outcome.errors.contains("odd.txt: the file is not UTF-8 text"), "\(outcome.errors)")
    }
    #expect(try sous("notes", "--json").json["total"] == 1)
    #expect(!FileManager.default.fileExists(atPath: sous.folder + "/catalog/mail/odd.yaml"))
  }

  @Test func aReminderIsOneOfTheOrdinaryOnes() throws {
    let sous = try place()
    defer { sous.remove() }
    let kept = try sous("notes", "add", "Zahnarzt", "--reminder", "2099-01-01T09:00", "--json")
    #expect(try kept.json["reminder"] == "2099-01-01T08:00:00Z", "\(kept.errors)")
    let reminders = try sous("reminders", "--json").json.listValue ?? []
    #expect(reminders.contains { $0["title"] == "Zahnarzt" && $0["next"] == "2099-01-01T08:00:00Z" })
    #expect(try sous("notes", "add", "x", "--reminder", "2001-01-01T09:00").status == 2)
    let overview = try sous("notes", "overview", "--json").json
    #expect(overview["reminders"]?.listValue?.isEmpty == false)
  }

  @Test func aRevisionIsShownAndTakenOver() throws {
    let answer = #"{"model":"m","message":{"role":"assistant","content":"Also gut."},"done":true,"done_reason":"stop"}"#
    let server = try LineServer([answer])
    defer { server.end() }
    let sous = try place(
      "providers: { model: { plugin: ollama, base_url: \"http://127.0.0.1:\(server.port)\", model: m } }\n")
    defer { sous.remove() }
    try #require(try sous("notes", "add", "ähm also gut").status == 0)
    let shown = try sous("notes", "revise", "1", "--prompt", "notes/correction")
    #expect(shown.output.contains("[-ähm also-]{+Also+} gut{+.+}"), "\(shown.errors)")
    #expect(try sous("notes", "show", "1", "--json").json["corrected"] == .null)
    #expect(try sous("notes", "revise", "1", "--accept").status == 0)
    let note = try sous("notes", "show", "1", "--json").json
    #expect(note["corrected"] == "Also gut.")
    #expect(note["text"] == "ähm also gut")
  }

  @Test func anExportComesBackInAnotherWorkspace() throws {
    let (first, second) = (try place(), try place())
    defer {
      first.remove()
      second.remove()
    }
    try first.write("memo.m4a", "no real sound")
    try #require(try first("notes", "add", "eins", "--audio", "memo.m4a", "--category", "Neu").status == 0)
    try #require(try first("notes", "add", "zwei", "--title", "Größe 😀", "--tag", "t").status == 0)
    for (form, file) in [("json", "notes.json"), ("entries", "entries.json")] {
      let folder = second.folder + "/" + form
      let exported = try first("notes", "export", "--format", form, "-o", folder + "/")
      #expect(exported.status == 0, "\(exported.errors)")
      let imported = try second("notes", "import", form + "/" + file, "--json")
      #expect(try imported.json["added"]?.listValue?.count == (form == "json" ? 2 : 0), "\(imported.errors)")
      #expect(try imported.json["remarks"] == [])
    }
    func plain(_ sous: SousProcess) throws -> [Value] {
      try Value(json: sous("notes", "export", "--format", "entries").output).listValue ?? []
    }
    #expect(try plain(first) == plain(second))
    #expect(try second("notes", "files", "eins", "-o", "out").output == "out/memo.m4a\n")
    #expect(FileManager.default.contents(atPath: second.folder + "/out/memo.m4a") == Data("no real sound".utf8))
    let markdown = try first("notes", "export", "eins").output.split(separator: "\n")
    #expect(markdown.first == "# Sprachnotizen Export" && markdown.last == "---")
  }

  @Test func aMessageBecomesANoteAndANoteAMessage() throws {
    let sous = try place("providers: { home: { plugin: maildir, path: box, create: true } }\n")
    defer { sous.remove() }
    let message = """
      From: a@example.com\r
      To: b@example.com\r
      Subject: =?utf-8?Q?Gr=C3=B6=C3=9Fe?=\r
      Date: Mon, 23 Nov 2026 09:00:00 +0100\r
      Message-ID: <m@example.com>\r
      MIME-Version: 1.0\r
      Content-Type: multipart/mixed; boundary=x\r
      \r
      --x\r
      Content-Type: text/plain; charset=utf-8\r
      \r
      Der Text.\r
      --x\r
      Content-Type: audio/mp4; name="memo.m4a"\r
      Content-Disposition: attachment; filename="memo.m4a"\r
      Content-Transfer-Encoding: base64\r
      \r
      c291bmQ=\r
      --x--\r

      """
    try sous.write("box/new/1.m.host", message)
    try FileManager.default.createDirectory(atPath: sous.folder + "/box/cur", withIntermediateDirectories: true)
    try FileManager.default.createDirectory(atPath: sous.folder + "/box/tmp", withIntermediateDirectories: true)
    let kept = try sous("notes", "from-mail", "INBOX", "1.m.host", "--tag", "mail", "--json")
    #expect(kept.status == 0, "\(kept.errors)")
    #expect(try kept.json["title"] == "Größe")
    #expect(try kept.json["text"]?.stringValue?.hasPrefix("Der Text.") == true)
    #expect(try kept.json["attachments"]?[0]?["name"] == "memo.m4a")
    #expect(try kept.json["attachments"]?[0]?["size"] == 5)
    #expect(try kept.json["source"] == "mail <m@example.com>")
    let sent = try sous("notes", "mail", "1", "--to", "c@example.com", "--from", "b@example.com", "--json")
    #expect(sent.status == 0, "\(sent.errors)")
    // A Maildir delivers to its inbox, where the message that was kept may still lie as new.
    let folder = sous.folder + "/box/new"
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { !$0.hasPrefix("1.m.host") }
    let file = try #require(names.first)
    #expect(names.count == 1)
    let text = try String(contentsOfFile: folder + "/" + file, encoding: .utf8)
    #expect(text.contains("c291bmQ="))
    #expect(text.contains("memo.m4a"))
    #expect(try sous("notes", "mail", "1").status == 2)
  }

  @Test(
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/pdftotext"), "poppler-utils is not installed"))
  func notesBecomeAPDF() throws {
    let sous = try place()
    defer { sous.remove() }
    for number in 1...30 {
      try #require(
        try sous("notes", "add", "Notiz \(number) über Größe 👍\n" + String(repeating: "Wort ", count: 60)).status == 0)
    }
    let exported = try sous("notes", "export", "--format", "pdf", "-o", "notes.pdf")
    #expect(exported.status == 0, "\(exported.errors)")
    let text = try sous.run("/usr/bin/pdftotext", ["notes.pdf", "-"]).output
    for number in 1...30 { #expect(text.contains("Notiz \(number) über Größe 👍\n")) }
    let facts = try sous.run("/usr/bin/pdfinfo", ["notes.pdf"]).output
    #expect(facts.contains("595 x 842 pts"))
    let day = text.split(separator: "\n").first ?? ""
    #expect(day.wholeMatch(of: /\d\d\.\d\d\.\d{4}, \d\d:\d\d/) != nil, "\(day)")
  }

  @Test func categoriesHaveAnOrderAndColours() throws {
    let sous = try place()
    defer { sous.remove() }
    #expect(
      try sous("notes", "categories", "--json").json.listValue?.map { $0["name"] } == [
        "General", "Network", "Documentation",
      ])
    #expect(try sous("notes", "categories", "add", "Neu", "--color", "#123456").status == 0)
    let changed = try sous("notes", "categories", "edit", "neu", "--position", "1", "--default", "--json").json
    #expect(changed[0]?["name"] == "Neu" && changed[0]?["color"] == "#123456" && changed[0]?["default"] == true)
    #expect(try sous("notes", "categories", "delete", "Neu").status == 2)
    #expect(try sous("notes", "categories", "delete", "General").status == 0)
    #expect(try sous("notes", "add", "x", "--json").json["category"] == "Neu")
  }

  @Test func aFileBecomesTheRecordingOfANote() throws {
    let sous = try place("files: { folders: [.] }\n")
    defer { sous.remove() }
    try sous.write("memo.m4a", "recording")
    try sous.write(
      "keep.yaml",
      """
      steps:
        - { id: file, uses: file.blob, with: { path: memo.m4a } }
        - id: note
          uses: note.save
          with: { text: Guten Tag, audio: { blob: "{{ steps.file.output.blob }}", name: "{{ steps.file.output.name }}" } }

      """)
    #expect(try sous("run", "keep.yaml").status == 0)
    let note = try sous("notes", "show", "1", "--json").json
    #expect(note["kind"] == "audio" && note["audio"]?["name"] == "memo.m4a" && note["audio"]?["size"] == 9)
    // '-' is the standard output.
    #expect(try sous("notes", "export", "--format", "text", "-o", "-").output.contains("Guten Tag"))
    #expect(!FileManager.default.fileExists(atPath: sous.folder + "/-"))
  }
}
