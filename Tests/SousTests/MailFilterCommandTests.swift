import Expressions
import Foundation
import Testing

/// What people do with a mail filter, on a copy of the example mailbox.
@Suite(.timeLimit(.minutes(15))) struct MailFilterCommandTests {
  private let sous: SousProcess

  init() throws {
    sous = try SousProcess()
    for name in ["examples", "workflows", "sous.yaml"] {
      try FileManager.default.copyItem(
        atPath: SousProcess.repository + "/" + name, toPath: sous.folder + "/" + name)
    }
  }

  /// Every message of the mailbox's first folder: its bytes and its flags.
  private func messages() throws -> Set<String> {
    var found: Set<String> = []
    for part in ["cur", "new"] {
      let folder = sous.folder + "/examples/mailbox/" + part
      for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
        let flags = name.range(of: ":2,").map { String(name[$0.upperBound...].sorted()) } ?? ""
        let bytes = try Data(contentsOf: URL(fileURLWithPath: folder + "/" + name))
        found.insert(flags + "\n" + bytes.base64EncodedString())
      }
    }
    return found
  }

  @Test func aFilterIsTriedWithoutDoingAnything() throws {
    defer { sous.remove() }
    let before = try messages()
    let shown = try sous("run", "workflows/tidy.yaml", "--dry-run")
    #expect(shown.status == 0, "\(shown.errors)")
    #expect(shown.output.contains("move Newsletters, mark_seen, stop"), "\(shown.output)")
    #expect(shown.output.contains(#"message.category == "newsletter""#))
    let account = try sous("run", "workflows/tidy.yaml", "--dry-run", "--json").json[0]
    let decisions = try #require(account?["decisions"]?.listValue)
    #expect(decisions.contains { $0["rules"] == ["newsletters"] && $0["subject"]?.stringValue?.isEmpty == false })
    #expect(account?["errors"] == [] && account?["complete"] == true)
    #expect(try messages() == before)
    #expect(try sous("runs", "--json").json == [])
    try sous.write("other.yaml", "steps: [{ uses: template, with: { text: x } }]\n")
    #expect(try sous("run", "other.yaml", "--dry-run").status == 2)
  }

  @Test func whatAFilterHasDoneIsTakenBack() throws {
    defer { sous.remove() }
    let before = try messages()
    #expect(try sous("run", "workflows/tidy.yaml", "-q").status == 0)
    #expect(try messages() != before)
    let shown = try sous("show", "last")
    #expect(shown.output.contains("move Newsletters, mark_seen, stop"), "\(shown.output)")
    let plan = try sous("mail", "undo", "last", "--dry-run", "--json")
    #expect(try plan.json["moves"]?[0]?["from"] == "Newsletters", "\(plan.errors)")
    #expect(try plan.json["remains"]?[0]?["step"] == "invoices_copy")
    let undone = try sous("mail", "undo", "last")
    #expect(undone.status == 0, "\(undone.errors)")
    #expect(try messages() == before)
    // The run that took it back has moved nothing anywhere else.
    #expect(try sous("show", "last", "--json").json["recipe"] == "mail-undo")
  }

  /// The run log keeps what was decided, and no text of a message.
  @Test func theRunLogHasNoTexts() throws {
    defer { sous.remove() }
    #expect(try sous("run", "workflows/tidy.yaml", "-q").status == 0)
    let output = try sous("show", "last", "--output", "found", "--json").json
    let decision = try #require(output["decisions"]?[0]?.mapValue)
    #expect(Set(decision.keys.map(\.text)) == ["uid", "message_id", "rules", "reason", "actions", "flags", "key"])
    #expect(output["messages"] == nil)
  }

  @Test func explainShowsTheSplit() throws {
    defer { sous.remove() }
    try sous.write(
      "split.yaml",
      """
      kind: mail-filter
      rules: [{ name: shop, when: 'message.from.address.contains("shop") && message.bulk', then: archive }]
      """)
    let text = try sous("explain", "split.yaml").output
    #expect(text.contains(#"searches by {"from":"shop"}"#), "\(text)")
    #expect(text.contains("bulk, date, flags, from, labels, message_id, size"))
  }

  /// A mailbox with one message for each subject, and a recipe of that name.
  private func mailbox(_ subjects: [String]) throws {
    try sous.write(
      "sous.yaml",
      """
      providers:
        home: { plugin: maildir, path: box, create: true }
        out: { plugin: maildir, path: out, create: true, from: "Me <me@example.com>" }
      defaults: { mail.store: home, mail.transport: out }
      """)
    for (number, subject) in subjects.enumerated() {
      try sous.write(
        "box/cur/179200000\(number).M1P1.host:2,S",
        """
        From: Ada <ada@example.com>
        To: me@example.com
        Subject: \(subject)
        Date: Fri, 20 Nov 2026 18:30:0\(number) +0000
        Message-ID: <\(number)@example.com>

        Text \(number).

        """)
    }
    for part in ["cur", "new", "tmp"] {
      try FileManager.default.createDirectory(
        atPath: sous.folder + "/box/" + part, withIntermediateDirectories: true)
    }
  }

  /// The messages of a folder as they are on the disk.
  private func texts(_ folder: String) throws -> [String] {
    try ["cur", "new"].flatMap { part -> [String] in
      let path = sous.folder + "/" + folder + "/" + part
      guard FileManager.default.fileExists(atPath: path) else { return [] }
      return try FileManager.default.contentsOfDirectory(atPath: path)
        .map { try String(contentsOfFile: path + "/" + $0, encoding: .utf8) }
    }
  }

  @Test func oneMessageThatCannotBeForwardedHoldsUpNoOther() throws {
    defer { sous.remove() }
    try mailbox(["a@example.com", "nobody at all", "c@example.com"])
    try sous.write(
      "boss.yaml",
      """
      kind: mail-filter
      name: boss
      retry: 1
      rules:
        - { name: boss, then: [{ forward: "{{ message.subject }}" }, flag, { move: Done }] }
        - { name: rest, when: message.subject == "", then: archive }
      """)
    for _ in 1...2 {
      let run = try sous("run", "boss.yaml", "--json")
      #expect(run.status == 1, "\(run.errors)")
      let failure = try run.json["failure"]?["message"]?.stringValue ?? ""
      #expect(failure.contains("forward (rule boss) of message"), "\(failure)")
      #expect(try texts("box").map { $0.contains("nobody at all") } == [true])
      #expect(try texts("box/.Done").count == 2)
      let sent = try texts("out")
      #expect(sent.count { $0.contains("To: a@example.com") } == 1)
      #expect(sent.count { $0.contains("To: c@example.com") } == 1)
      #expect(sent.count == 2)
    }
    // Once it can be sent, it is.
    let name = try #require(try FileManager.default.contentsOfDirectory(atPath: sous.folder + "/box/cur").first)
    let path = sous.folder + "/box/cur/" + name
    try String(contentsOfFile: path, encoding: .utf8).replacing("nobody at all", with: "b@example.com")
      .write(toFile: path, atomically: true, encoding: .utf8)
    let run = try sous("run", "boss.yaml", "-q")
    #expect(run.status == 0, "\(run.errors)")
    #expect(try texts("out").count == 3)
    #expect(try texts("box/.Done").count == 3)
  }

  @Test func aMessageWithoutMessageIDIsAnswered() throws {
    defer { sous.remove() }
    try mailbox(["one"])
    let path = sous.folder + "/box/cur/1792000000.M1P1.host:2,S"
    let text = try String(contentsOfFile: path, encoding: .utf8)
    try text.replacing("Message-ID: <0@example.com>\n", with: "").write(toFile: path, atomically: true, encoding: .utf8)
    try sous.write(
      "away.yaml",
      """
      kind: mail-filter
      name: away
      rules: [{ name: all, then: { reply: { addresses: [me@example.com], text: Away, from: me@example.com } } }]
      """)
    let run = try sous("run", "away.yaml", "-q")
    #expect(run.status == 0, "\(run.errors)")
    let answers = try texts("out")
    #expect(answers.count == 1)
    #expect(answers.allSatisfy { $0.contains("Auto-Submitted: auto-replied") && !$0.contains("In-Reply-To") })
  }

  @Test func deletionsAreTakenBackAndThatAsWell() throws {
    defer { sous.remove() }
    try mailbox(["one", "two"])
    try sous.write(
      "clear.yaml",
      "kind: mail-filter\nname: clear\nrules: [{ name: all, then: [flag, { label: done }, delete] }]\n")
    let before = try texts("box").sorted()
    #expect(try sous("run", "clear.yaml", "-q").status == 0)
    #expect(try texts("box").isEmpty)
    let undone = try sous("mail", "undo", "last")
    #expect(undone.status == 0, "\(undone.errors)")
    #expect(try texts("box").sorted() == before)
    #expect(try texts("box/.Trash").isEmpty)
    func flags() throws -> [Value?] {
      try sous.write(
        "flags.yaml", "name: flags\nsteps: [{ id: s, uses: mail.search, with: { folder: INBOX, flagged: true } }]\n")
      _ = try sous("run", "flags.yaml", "-q")
      return try sous("show", "last", "--output", "s", "--json").json["messages"]?.listValue?.map { $0["uid"] } ?? []
    }
    #expect(try flags().isEmpty)
    let undo = try sous("runs", "--recipe", "mail-undo", "--json").json[0]?["id"]?.stringValue ?? ""
    let again = try sous("mail", "undo", undo)
    #expect(again.status == 0, "\(again.errors)")
    #expect(try texts("box").isEmpty)
    #expect(try texts("box/.Trash").sorted() == before)
  }

  @Test func aMessageThatWasMovedTwiceGoesAllTheWayBack() throws {
    defer { sous.remove() }
    try mailbox(["one"])
    try sous.write(
      "chain.yaml",
      """
      name: chain
      steps:
        - { id: found, uses: mail.search, with: { folder: INBOX } }
        - id: first
          uses: mail.move
          with: { folder: INBOX, uids: "{{ steps.found.output.messages.map(m, m.uid) }}", to: A }
        - { id: second, uses: mail.move, with: { folder: A, uids: "{{ steps.first.output.uids }}", to: B } }
        - { id: told, uses: mail.send, with: { to: [a@example.com], subject: Moved, text: Done } }
      """)
    #expect(try sous("run", "chain.yaml", "-q").status == 0)
    #expect(try texts("box/.B").count == 1)
    let plan = try sous("mail", "undo", "last", "--dry-run", "--json").json
    #expect(plan["moves"]?.listValue?.map { [$0["from"], $0["to"]] } == [["B", "INBOX"]])
    #expect(plan["remains"]?.listValue?.map { $0["step"] } == ["told"])
    #expect(try sous("mail", "undo", "last").status == 0)
    #expect(try texts("box").count == 1 && texts("box/.B").isEmpty && texts("box/.A").isEmpty)
  }

  /// RFC 5228, 4.2: the message itself goes on.
  @Test func aMessageIsRedirectedOnceAsItIs() throws {
    defer { sous.remove() }
    try mailbox(["one"])
    try sous.write(
      "on.yaml", "kind: mail-filter\nname: on\nrules: [{ name: on, then: { redirect: you@example.org } }]\n")
    for _ in 1...2 {
      let run = try sous("run", "on.yaml", "-q")
      #expect(run.status == 0, "\(run.errors)")
    }
    let sent = try texts("out")
    #expect(sent.count == 1)
    let text = try #require(sent.first)
    #expect(text.hasPrefix("Resent-From: <me@example.com>\nResent-To: <you@example.org>\nResent-Date: "), "\(text)")
    #expect(text.hasSuffix(try #require(try texts("box").first)))
    // It came back: it does not go round.
    try sous.write("box/cur/1792000009.M1P1.host:2,S", text.replacing("<0@example.com>", with: "<9@example.com>"))
    let run = try sous("run", "on.yaml", "--json")
    #expect(run.status == 1)
    #expect(try run.json["failure"]?["message"]?.stringValue?.contains("circle") == true)
    #expect(try texts("out").count == 1)
  }

  @Test func attachmentsAreSavedUnderSafeNamesOnce() throws {
    defer { sous.remove() }
    try mailbox([])
    for (number, (name, text)) in [("../../a.txt", "one"), ("a.txt", "two"), ("b.txt", "one")].enumerated() {
      try sous.write(
        "box/cur/179200000\(number).M1P1.host:2,S",
        """
        From: Ada <ada@example.com>
        Subject: \(number)
        Date: Fri, 20 Nov 2026 18:30:0\(number) +0000
        Message-ID: <\(number)@example.com>
        MIME-Version: 1.0
        Content-Type: multipart/mixed; boundary=b

        --b
        Content-Type: text/plain

        See the file.
        --b
        Content-Type: text/plain; name="\(name)"
        Content-Disposition: attachment; filename="\(name)"

        \(text)
        --b--

        """)
    }
    try sous.write(
      "save.yaml",
      """
      kind: mail-filter
      name: save
      search: { order: oldest }
      rules: [{ name: all, then: { save: "files/{{ message.date.substring(0, 4) }}" } }]
      """)
    for _ in 1...2 {
      let run = try sous("run", "save.yaml", "-q")
      #expect(run.status == 0, "\(run.errors)")
    }
    let folder = sous.folder + "/files/2026"
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    #expect(names == ["a-2.txt", "a.txt"])
    #expect(try String(contentsOfFile: folder + "/a.txt", encoding: .utf8) == "one")
    #expect(try String(contentsOfFile: folder + "/a-2.txt", encoding: .utf8) == "two")
  }

  /// Else the message would be out of the folder, and never be sent on.
  @Test func whatOneRuleFailedWithNoLaterRulePutsAway() throws {
    defer { sous.remove() }
    try mailbox(["a@example.com", "nobody at all"])
    try sous.write(
      "both.yaml",
      """
      kind: mail-filter
      name: both
      retry: 1
      rules:
        - { name: on, then: { forward: "{{ message.subject }}" } }
        - { name: away, then: [flag, { move: Done }] }
      """)
    let run = try sous("run", "both.yaml", "--json")
    #expect(run.status == 1, "\(run.errors)")
    #expect(try texts("box").map { $0.contains("nobody at all") } == [true])
    #expect(try flags() == ["S"])
    #expect(try texts("box/.Done").count == 1 && texts("out").count == 1)
  }

  // MARK: Undone and done again

  /// The flags of the messages of the first folder, by the ends of the file names.
  private func flags() throws -> [String] {
    var flags: [String] = []
    for part in ["cur", "new"] {
      for name in try FileManager.default.contentsOfDirectory(atPath: "\(sous.folder)/box/\(part)") {
        flags.append(name.range(of: ":2,").map { String(name[$0.upperBound...]) } ?? "")
      }
    }
    return flags.sorted()
  }

  @Test func anUndoThatIsUndoneLeavesFlagsThatWereThereBefore() throws {
    defer { sous.remove() }
    try mailbox(["one", "two"])
    try FileManager.default.moveItem(
      atPath: sous.folder + "/box/cur/1792000001.M1P1.host:2,S",
      toPath: sous.folder + "/box/cur/1792000001.M1P1.host:2,")
    try sous.write("read.yaml", "kind: mail-filter\nname: read\nrules: [{ name: all, then: [mark_seen, flag] }]\n")
    #expect(try sous("run", "read.yaml", "-q").status == 0)
    #expect(try flags() == ["FS", "FS"])
    let run = try #require(try sous("runs", "--json").json[0]?["id"]?.stringValue)
    #expect(try sous("mail", "undo", run).status == 0)
    #expect(try flags() == ["", "S"])
    let undo = try #require(try sous("runs", "--recipe", "mail-undo", "--json").json[0]?["id"]?.stringValue)
    #expect(try sous("mail", "undo", undo).status == 0)
    #expect(try flags() == ["FS", "FS"])
    // Both ways once more: what was there before stays known.
    #expect(try sous("mail", "undo", run).status == 0)
    #expect(try flags() == ["", "S"])
  }

  @Test func whatIsUndoneIsNotUndoneAgain() throws {
    defer { sous.remove() }
    try mailbox(["one", "two"])
    try sous.write("away.yaml", "kind: mail-filter\nname: away\nrules: [{ name: all, then: [flag, { move: A }] }]\n")
    #expect(try sous("run", "away.yaml", "-q").status == 0)
    let run = try #require(try sous("runs", "--json").json[0]?["id"]?.stringValue)
    #expect(try sous("mail", "undo", run).status == 0)
    let undo = try #require(try sous("runs", "--recipe", "mail-undo", "--json").json[0]?["id"]?.stringValue)
    let plan = try sous("mail", "undo", run, "--dry-run", "--json").json
    #expect(plan["moves"] == [] && plan["marks"] == [] && plan["earlier"] == [.string(undo)], "\(plan.jsonString)")
    let again = try sous("mail", "undo", run)
    #expect(again.status == 0 && again.output.contains(undo) && again.output.contains("nothing"), "\(again.output)")
    #expect(try texts("box").count == 2)
    // Undone in turn, it can be undone once more.
    #expect(try sous("mail", "undo", undo).status == 0)
    #expect(try texts("box/.A").count == 2)
    #expect(try sous("mail", "undo", run).status == 0)
    #expect(try texts("box").count == 2 && texts("box/.A").isEmpty)
    #expect(try flags() == ["S", "S"])
  }

  // MARK: Several accounts

  @Test func anAccountThatCannotBeReadHoldsUpNoOther() throws {
    defer { sous.remove() }
    try mailbox(["one", "two"])
    let settings = try String(contentsOfFile: sous.folder + "/sous.yaml", encoding: .utf8)
    try sous.write(
      "sous.yaml",
      settings.replacing("providers:\n", with: "providers:\n  gone: { plugin: maildir, path: nowhere }\n"))
    try sous.write(
      "all.yaml",
      """
      kind: mail-filter
      name: all
      accounts: [gone, home]
      rules:
        - name: all
          then: [flag, { copy: Kept }, { reply: { addresses: [me@example.com], text: Away } }, { move: Done }]
      """)
    let shown = try sous("run", "all.yaml", "--dry-run", "--json")
    #expect(shown.status == 1, "\(shown.errors)")
    #expect(try shown.json[0]?["failure"]?.stringValue?.contains("nowhere") == true)
    #expect(try shown.json[1]?["decisions"]?.listValue?.count == 2)
    #expect(try sous("run", "all.yaml", "--dry-run").output.contains("nowhere"))
    let run = try sous("run", "all.yaml")
    #expect(run.status == 1 && run.output.contains("account gone"), "\(run.output)\(run.errors)")
    #expect(try texts("box/.Done").count == 2 && texts("box").isEmpty)
    #expect(try texts("box/.Kept").count == 2)
  }

  // MARK: Once

  @Test func anotherNameSendsAndCopiesNothingAgain() throws {
    defer { sous.remove() }
    try mailbox(["one", "two"])
    func filter(_ name: String, _ rule: String) -> String {
      """
      kind: mail-filter
      name: \(name)
      rules:
        - name: \(rule)
          then:
            - { forward: a@example.com }
            - { copy: Kept }
            - { reply: { addresses: [me@example.com], text: Away, from: me@example.com } }
      """
    }
    try sous.write("first.yaml", filter("first", "all"))
    try sous.write("second.yaml", filter("second", "every"))
    let before = try sous("run", "first.yaml", "--dry-run", "--json").json[0]
    #expect(
      before?["decisions"]?.listValue?.map { $0["actions"] }
        == [["forward a@example.com", "copy Kept", "reply"], ["forward a@example.com", "copy Kept", "no reply"]])
    for file in ["first.yaml", "first.yaml", "second.yaml"] {
      let run = try sous("run", file, "-q")
      #expect(run.status == 0, "\(run.errors)")
      #expect(try texts("box/.Kept").count == 2)
      #expect(try texts("out").count { $0.contains("Fwd: ") } == 2)
      #expect(try texts("out").count == 3)
    }
    let after = try sous("run", "second.yaml", "--dry-run", "--json").json[0]
    #expect(
      after?["decisions"]?.listValue?.map { $0["actions"] } ?? []
        == [
          .some(["no forward a@example.com", "no copy Kept", "no reply"]),
          ["no forward a@example.com", "no copy Kept", "no reply"],
        ])
  }

  /// What a filter takes out of the folder is not in it any more; where it comes back, it is copied before it goes again.
  @Test func whatComesBackIsCopiedAgainBeforeItGoes() throws {
    defer { sous.remove() }
    try mailbox(["one"])
    try sous.write(
      "both.yaml",
      "kind: mail-filter\nname: both\nrules: [{ name: c, then: { copy: Kept } }, { name: d, then: delete }]\n")
    for count in 1...2 {
      #expect(try sous("run", "both.yaml", "-q").status == 0)
      #expect(try texts("box").isEmpty && texts("box/.Kept").count == count)
      #expect(try sous("mail", "undo", "last").status == 0)
    }
  }

  /// The first action is not repeated while the second one fails. It is repeated after the message has left and come back.
  @Test(arguments: [
    ("{ copy: Kept }, { move: Target }", ""), ("{ copy: Kept }, delete", "folders: { trash: Target }"),
    ("{ run: count }, { move: Target }", ""),
  ])
  func aFinishedActionIsNotRepeatedWhileAnotherOneFails(_ actions: String, _ settings: String) throws {
    defer { sous.remove() }
    try mailbox(["one", "two"])
    if !settings.isEmpty {
      let text = try String(contentsOfFile: sous.folder + "/sous.yaml", encoding: .utf8)
      try sous.write(
        "sous.yaml", text.replacing("path: box, create: true }", with: "path: box, create: true, \(settings) }"))
    }
    try sous.write(
      "count.yaml",
      """
      name: count
      steps: [{ id: c, uses: mail.append, with: { folder: Kept, subject: x, text: x, from: a@example.org, to: [b@example.org] } }]
      """)
    func write(_ remark: String) throws {
      try sous.write(
        "part.yaml",
        "\(remark)\nkind: mail-filter\nname: part\nretry: 1\nrules: [{ name: r, when: message.subject == 'one', then: [\(actions)] }]\n"
      )
    }
    try write("")
    // A file in the place of the folder: the move fails.
    try sous.write("box/.Target", "")
    for _ in 1...3 {
      #expect(try sous("run", "part.yaml", "-q").status == 1)
      #expect(try texts("box/.Kept").count == 1)
    }
    if actions.contains("run:") {
      try write("# Another version")
      #expect(try sous("run", "part.yaml", "-q").status == 1)
      #expect(try texts("box/.Kept").count == 2)
    }
    let before = try texts("box/.Kept").count
    try FileManager.default.removeItem(atPath: sous.folder + "/box/.Target")
    #expect(try sous("run", "part.yaml", "-q").status == 0)
    #expect(try texts("box").count == 1 && texts("box/.Kept").count == before)
    #expect(try sous("mail", "undo", "last").status == 0)
    #expect(try sous("run", "part.yaml", "-q").status == 0)
    #expect(try texts("box/.Kept").count == before + 1)
  }

  /// A message that somebody has taken away since is named, and not told as put back.
  @Test func anUndoNamesWhatItDoesNotFind() throws {
    defer { sous.remove() }
    try mailbox(["one", "two"])
    try sous.write("move.yaml", "kind: mail-filter\nname: move\nrules: [{ name: m, then: { move: Done } }]\n")
    #expect(try sous("run", "move.yaml", "-q").status == 0)
    let folder = sous.folder + "/box/.Done/cur/"
    let gone = try #require(try FileManager.default.contentsOfDirectory(atPath: folder).min())
    try FileManager.default.removeItem(atPath: folder + gone)
    let undone = try sous("mail", "undo", "last")
    #expect(undone.status == 0, "\(undone.errors)")
    let name = gone.prefix { $0 != ":" && $0 != "," }
    #expect(undone.output.contains("1 message not found where the run had left them"), "\(undone.output)")
    #expect(undone.output.contains(name), "\(undone.output)")
    #expect(try texts("box").count == 1)
  }

  @Test func aConditionThatFailsShowsInTheStatus() throws {
    defer { sous.remove() }
    try mailbox(["one", "two"])
    try sous.write(
      "odd.yaml",
      """
      kind: mail-filter
      name: odd
      rules:
        - { name: odd, when: 'message.subject == "two" || message.cc[0].address == "x"', then: { move: Done } }
      """)
    let preview = try sous("run", "odd.yaml", "--dry-run", "--json")
    #expect(preview.status == 1)
    #expect(try preview.json[0]?["errors"]?.listValue?.count == 1)
    let run = try sous("run", "odd.yaml", "--json")
    #expect(run.status == 1)
    let failure = try run.json["failure"]?["message"]?.stringValue ?? ""
    #expect(failure.contains("1 message stays") && failure.contains("(rule odd)"), "\(failure)")
    #expect(try texts("box/.Done").count == 1)
    #expect(try texts("box").count == 1)
  }

  @Test func aThousandFilesOfOneNameAndOthersThatNoProgramTakesForAnOption() throws {
    defer { sous.remove() }
    try mailbox([])
    let parts = (0..<30).map { number in
      """
      --b
      Content-Type: text/plain
      Content-Disposition: attachment; filename="-rf.txt"

      \(number)
      """
    }
    try sous.write(
      "box/cur/1792000000.M1P1.host:2,S",
      "From: a@example.com\nSubject: x\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n"
        + parts.joined(separator: "\n") + "\n--b--\n")
    // More of the name than anybody would try one after the other.
    for number in 1...1200 { try sous.write("files/_rf\(number == 1 ? "" : "-\(number)").txt", "old \(number)") }
    try sous.write("save.yaml", "kind: mail-filter\nname: save\nrules: [{ name: all, then: { save: files } }]\n")
    let run = try sous("run", "save.yaml", "-q")
    #expect(run.status == 0, "\(run.errors)")
    let names = try FileManager.default.contentsOfDirectory(atPath: sous.folder + "/files")
    #expect(names.count == 1230)
    #expect(names.allSatisfy { $0.hasPrefix("_rf") })
  }
}
