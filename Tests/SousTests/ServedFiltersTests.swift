import Expressions
import Foundation
import Testing

/// Several mail filters of one mailbox under `sous serve`: their order, and messages that Sous itself has moved.
@Suite(.timeLimit(.minutes(10))) struct ServedFiltersTests {
  private var sous: SousProcess

  init() throws {
    sous = try SousProcess()
    sous.environment["PW"] = "secret"
  }

  // MARK: Daemon and messages

  private func write(_ name: String, _ rest: String) throws {
    try sous.write("recipes/\(name).yaml", "kind: mail-filter\nname: \(name)\non: { mail: new }\n" + rest)
  }

  private func serve() throws -> Process { try sous.serve() }

  private func end(_ daemon: Process) {
    kill(daemon.processIdentifier, SIGTERM)
    daemon.waitUntilExit()
  }

  private func wait(_ location: SourceLocation = #_sourceLocation, until condition: () throws -> Bool) async throws {
    try await sous.wait(location, until: condition)
  }

  private func runs(_ recipe: String) throws -> [Value] {
    try sous("runs", "--limit", "1000", "--json").json.listValue?.filter { $0["recipe"] == .string(recipe) } ?? []
  }

  private func listen(_ count: Int) async throws {
    try await wait {
      try sous("triggers", "--json").json.listValue?.count { $0["alive_at"] != .null } == count
    }
  }

  private func message(_ number: Int) -> String {
    """
    From: Works <bills@works.example>
    To: me@example.org
    Subject: Bill \(number)
    Message-ID: <\(number)@works.example>
    Date: Sat, 28 Nov 2026 05:00:00 +0000
    MIME-Version: 1.0
    Content-Type: multipart/mixed; boundary=b

    --b
    Content-Type: text/plain

    Hello
    --b
    Content-Type: application/pdf
    Content-Disposition: attachment; filename=bill\(number).pdf

    pdf \(number)
    --b--

    """
  }

  // MARK: A local folder

  private func local() throws {
    for part in ["new", "cur", "tmp"] {
      try FileManager.default.createDirectory(
        atPath: sous.folder + "/box/" + part, withIntermediateDirectories: true)
    }
    try sous.write(
      "sous.yaml", "providers:\n  home: { plugin: maildir, path: box }\ndefaults: { mail.store: home }\n")
  }

  private func deliver(_ number: Int) throws {
    try sous.write("box/tmp/\(number).host", message(number))
    try FileManager.default.moveItem(
      atPath: sous.folder + "/box/tmp/\(number).host", toPath: sous.folder + "/box/new/\(number).host")
  }

  private func count(_ folder: String) -> Int {
    ["new", "cur"].reduce(0) {
      $0 + ((try? FileManager.default.contentsOfDirectory(atPath: "\(sous.folder)/box/\(folder)\($1)"))?.count ?? 0)
    }
  }

  @Test func eachFilterOfAFolderGetsEachMessageInTheStatedOrder() async throws {
    defer { sous.remove() }
    try local()
    try write("keep", "rules: [{ name: k, then: [{ save: pdf }, { move: Kept }] }]\n")
    try write("sort", "order: -1\nrules: [{ name: s, then: { move: Bills } }]\n")
    let daemon = try serve()
    defer { end(daemon) }
    try await listen(2)
    for number in 1...10 { try deliver(number) }
    try await wait { try (runs("sort") + runs("keep")).count { $0["status"] == "succeeded" } == 20 }
    #expect(count(".Bills/") == 10 && count(".Kept/") == 0 && count("") == 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: sous.folder + "/pdf").count == 10)
    // All runs of both filters are in the same group, also a run that is queued by hand.
    #expect(try sous("run", "recipes/keep.yaml", "--queue").status == 0)
    let groups = try Set(
      (runs("sort") + runs("keep")).map { run in
        try sous("show", run["id"]?.stringValue ?? "", "--json").json["group"]?.stringValue ?? ""
      })
    #expect(groups == ["mail home/INBOX"])
    let output = try sous(
      "show", runs("keep").last?["id"]?.stringValue ?? "", "--output", "found", "--json"
    ).json
    #expect(output["taken_by"] == "sort" && output["folder"] == "Bills")
  }

  /// A recipe that puts messages into the folder whose new messages start it runs twice, and is then stopped with a notice.
  @Test(arguments: [
    "{ uses: mail.copy, with: { folder: INBOX, uids: [\"{{ event.uid }}\"], to: INBOX } }",
    "{ uses: mail.append, with: { folder: INBOX, from: me@x.example, to: [me@x.example], subject: s, text: t } }",
    "{ uses: recipe, with: { recipe: ../parts/put.yaml } }",
  ])
  func aRecipeThatStartsItselfByItsOwnMessagesIsStopped(step: String) async throws {
    defer { sous.remove() }
    try local()
    try sous.write(
      "parts/put.yaml",
      "name: put\nsteps: [{ uses: mail.append, with: { folder: INBOX, from: me@x.example, to: [me@x.example], subject: s, text: t } }]\n"
    )
    try sous.write("recipes/again.yaml", "name: again\non: { mail: new }\nsteps: [\(step)]\n")
    let shown = try sous("validate", "recipes").errors
    #expect(shown.contains("start the recipe again") != step.contains("put.yaml"), "\(shown)")
    let daemon = try serve()
    defer { end(daemon) }
    try await listen(1)
    try deliver(1)
    try await wait { try sous("notifications").output.contains("starts itself") }
    #expect(try runs("again").count == 2)
    #expect(count("") == 3)
  }

  @Test func aFilterWhoseMessageWasDeletedIsSkippedAndSaysByWhom() async throws {
    defer { sous.remove() }
    try local()
    try write("drop", "rules: [{ name: d, then: { delete: { permanently: true } } }]\n")
    try write("keep", "rules: [{ name: k, then: { save: pdf } }]\n")
    let daemon = try serve()
    defer { end(daemon) }
    try await listen(2)
    try deliver(1)
    try await wait { try runs("keep").contains { $0["status"] == "skipped" } }
    #expect(try sous("show", runs("keep")[0]["id"]?.stringValue ?? "").output.contains("'drop'"))
  }

  @Test func validateNamesTheFiltersOfAFolderAndCircles() throws {
    defer { sous.remove() }
    try local()
    try write("b", "rules: [{ name: b, then: flag }]\n")
    try write("a", "order: 1\nrules: [{ name: a, then: { move: Work } }]\n")
    try sous.write(
      "other/back.yaml",
      "kind: mail-filter\nname: back\nfolder: Work\non: { mail: new }\nrules: [{ name: c, then: { move: INBOX } }]\n")
    let shown = try sous("validate", "recipes", "other")
    #expect(shown.status == 0, "\(shown.errors)")
    #expect(shown.errors.components(separatedBy: "in this order: b, a").count == 3, "\(shown.errors)")
    #expect(shown.errors.contains("back to INBOX: a → back") && shown.errors.contains("back to Work: back → a"))
    // A filter without a trigger gets no new messages, so that it is in no circle and needs no order.
    try sous.write("recipes/a.yaml", "kind: mail-filter\nname: a\nrules: [{ name: a, then: { move: Work } }]\n")
    #expect(try sous("validate", "recipes", "other").errors.isEmpty)
  }

  private func files(_ folder: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: sous.folder + "/" + folder))?.sorted() ?? []
  }

  /// A filter cannot save, the next one moves the message: what the first still owes is done where the message is.
  @Test(arguments: ["run", "retry", "event"])
  func whatFailedIsDoneWhereALaterFilterHasMovedTheMessage(_ way: String) async throws {
    defer { sous.remove() }
    try local()
    try sous.write("pdf", "a file is in the way")
    try write("keep", "order: -1\nrules: [{ name: k, then: [{ save: pdf }, flag, { copy: Kept }] }]\n")
    try write("sort", "rules: [{ name: s, then: [{ move: Bills }, mark_seen] }]\n")
    let daemon = try serve()
    defer { end(daemon) }
    try await listen(2)
    try deliver(1)
    try await wait { try runs("sort").contains { $0["status"] == "succeeded" } }
    let failed = try #require(try runs("keep").first)
    #expect(failed["status"] == "failed" && count(".Bills/") == 1 && count(".Kept/") == 0)
    // As long as the cause is there, each try fails and says so.
    let again = try sous("run", "recipes/keep.yaml")
    let said = again.output + again.errors
    #expect(again.status == 1 && said.contains("save (rule k)"), "\(said)")
    try FileManager.default.removeItem(atPath: sous.folder + "/pdf")
    switch way {
    case "run": #expect(try sous("run", "recipes/keep.yaml").status == 0)
    case "retry": #expect(try sous("retry", failed["id"]?.stringValue ?? "").status == 0)
    default:
      try deliver(2)
      try await wait { try runs("sort").count { $0["status"] == "succeeded" } == 2 }
    }
    let number = way == "event" ? 2 : 1
    #expect(files("pdf").contains("bill1.pdf") && count(".Bills/") == number && count(".Kept/") == number)
    let flagged = files("box/.Bills/cur").filter { $0.contains("1.host") }
    #expect(flagged.count == 1 && flagged.allSatisfy { $0.hasSuffix("FS") }, "\(flagged)")
    // It is done once.
    #expect(try sous("run", "recipes/keep.yaml").status == 0)
    #expect(files("pdf").count == number && count(".Kept/") == number)
  }

  @Test func aLaterFilterSeesTheFlagsOfTheArrival() async throws {
    defer { sous.remove() }
    try local()
    try write("mark", "order: -1\nrules: [{ name: m, then: [mark_seen, flag, { copy: Copies }] }]\n")
    try write(
      "save",
      "search: { unseen: true }\nrules: [{ name: s, when: '!message.seen && !message.flagged', then: { save: pdf } }]\n"
    )
    let daemon = try serve()
    defer { end(daemon) }
    try await listen(2)
    for number in 1...5 { try deliver(number) }
    try await wait { try (runs("mark") + runs("save")).count { $0["status"] == "succeeded" } == 10 }
    #expect(files("pdf").count == 5)
  }

  /// Equal copies are messages of their own, and a folder that a filter makes is watched from its first message on.
  @Test func equalCopiesAndMessagesOfANewFolderAreAllDealtWith() async throws {
    defer { sous.remove() }
    try local()
    try write("lists", "rules: [{ name: l, then: { move: Lists/New } }]\n")
    try write("new", "folder: Lists/New\nrules: [{ name: n, then: flag }]\n")
    let daemon = try serve()
    defer { end(daemon) }
    try await listen(1)
    try await wait { try sous("triggers", "--json").json.listValue?.contains { $0["trouble"] != .null } == true }
    for number in 1...4 {
      let text = message(1).replacing("Message-ID: <1@works.example>\n", with: "")
      try sous.write("box/tmp/copy\(number).host", text)
      try FileManager.default.moveItem(
        atPath: sous.folder + "/box/tmp/copy\(number).host", toPath: sous.folder + "/box/new/copy\(number).host")
    }
    try await wait { try runs("new").count { $0["status"] == "succeeded" } == 4 }
    #expect(try runs("lists").allSatisfy { $0["status"] == "succeeded" } && count("") == 0)
    #expect(files("box/.Lists.New/cur").count { $0.hasSuffix("F") } == 4)
    // The trigger listens: neither the list of triggers nor the status shows the failure any more.
    try await wait {
      try sous("triggers", "--json").json.listValue?.allSatisfy { $0["trouble"] == .null && $0["events"] == 4 } == true
    }
    #expect(try !sous("status").output.contains("Lists/New'"))
  }

  @Test func validateAndServeAgreeOnTheOnlyMailboxAndOnNamesThatCannotBe() async throws {
    defer { sous.remove() }
    try local()
    try sous.write("sous.yaml", "providers:\n  home: { plugin: maildir, path: box }\n")
    try write("keep", "rules: [{ name: k, then: flag }]\n")
    #expect(try sous("validate", "recipes").status == 0)
    let daemon = try serve()
    try await listen(1)
    end(daemon)
    // Nothing listens any more.
    #expect(try !sous("triggers").output.contains("✓"))
    try write("bad", "rules: [{ name: b, then: [{ save: /etc }, { move: ../../x }] }]\n")
    let shown = try sous("validate", "recipes/bad.yaml")
    #expect(shown.status != 0 && shown.errors.contains("../../x") && shown.errors.contains("/etc"), "\(shown.errors)")
  }

  // MARK: A server

  private func server() throws {
    let dovecot = try #require(DovecotServer.shared)
    let user = "filters\(UInt32.random(in: 0...UInt32.max))"
    try sous.write(
      "sous.yaml",
      """
      secrets: [environment]
      providers:
        work: { plugin: imap, host: 127.0.0.1, port: \(dovecot.port), tls: none, user: \(user), password: { secret: PW } }
        box: { plugin: maildir, path: box, create: true }
      defaults: { mail.store: work }
      """)
  }

  @Test(.enabled(if: DovecotServer.program != nil)) func anUndoHoldsWhileTheDaemonWorksAndAfterwards() async throws {
    defer { sous.remove() }
    try server()
    try write("sort", "rules: [{ name: s, then: { move: Bills } }]\n")
    try append("INBOX", message(0))
    let daemon = try serve()
    try await listen(1)
    try append("INBOX", message(1))
    try await wait { try runs("sort").count { $0["status"] == "succeeded" } == 1 }
    let undo = try sous("mail", "undo", runs("sort")[0]["id"]?.stringValue ?? "")
    #expect(undo.status == 0, "\(undo.errors)")
    // Message 2 arrives after the undo: when its run has ended, the event of the returned message was handled too.
    try append("INBOX", message(2))
    try await wait { try runs("sort").count { $0["status"] == "succeeded" } == 2 }
    end(daemon)
    #expect(try folder("INBOX") == ["Bill 0", "Bill 1"])
    #expect(try folder("Bills") == ["Bill 2"])
    // An undo while no daemon runs.
    let other = try sous("mail", "undo", runs("sort")[0]["id"]?.stringValue ?? "")
    #expect(other.status == 0, "\(other.errors)")
    let again = try serve()
    defer { end(again) }
    try append("INBOX", message(3))
    try await wait { try runs("sort").count { $0["status"] == "succeeded" } == 3 }
    #expect(try folder("INBOX") == ["Bill 0", "Bill 1", "Bill 2"])
  }

  @Test(.enabled(if: DovecotServer.program != nil))
  func aMessageWithoutMessageIDIsFoundWhereAnotherFilterHasMovedIt() async throws {
    defer { sous.remove() }
    try server()
    try write("keep", "rules: [{ name: k, then: { save: pdf } }]\n")
    try write("sort", "order: -1\nrules: [{ name: s, then: { move: Bills } }]\n")
    let daemon = try serve()
    defer { end(daemon) }
    try await listen(2)
    for number in 1...2 {
      let named = message(number)
      let text = named.split(separator: "\n", omittingEmptySubsequences: false)
        .filter { !$0.hasPrefix("Message-ID:") }.joined(separator: "\n")
      #expect(text != named)
      try append("INBOX", text)
    }
    try await wait { try (runs("sort") + runs("keep")).count { $0["status"] == "succeeded" } == 4 }
    #expect(try folder("Bills") == ["Bill 1", "Bill 2"])
    let files = try FileManager.default.contentsOfDirectory(atPath: sous.folder + "/pdf")
    #expect(files.sorted() == ["bill1.pdf", "bill2.pdf"])
  }

  @Test(.enabled(if: DovecotServer.program != nil)) func filtersThatMoveAMessageInACircleStopAndAreNamed() async throws
  {
    defer { sous.remove() }
    try server()
    try append("Work", message(0))
    try write("there", "rules: [{ name: s, then: { move: Work } }]\n")
    try write("back", "folder: Work\nrules: [{ name: s, then: { move: INBOX } }]\n")
    let daemon = try serve()
    defer { end(daemon) }
    try await listen(2)
    try append("INBOX", message(1))
    try await wait { try runs("there").contains { $0["status"] == "failed" } }
    let failed = try #require(try runs("there").first { $0["status"] == "failed" })
    let shown = try sous("show", failed["id"]?.stringValue ?? "").output
    #expect(shown.contains("circle") && shown.contains("back, there"), "\(shown)")
    #expect(try runs("there").count == 3 && runs("back").count == 2)
    #expect(try folder("INBOX") == ["Bill 1"])
  }

  /// Puts a message into a folder of the server.
  private func append(_ folder: String, _ text: String) throws {
    try sous.write("message.eml", text)
    try sous.write(
      "append.yaml",
      """
      name: append
      inputs: { folder: string, raw: string }
      steps:
        - { id: f, uses: mail.folder, with: { operation: create, folder: "{{ inputs.folder }}" }, on_error: continue }
        - { id: a, uses: mail.append, with: { folder: "{{ inputs.folder }}", raw: "{{ inputs.raw }}" } }
      """)
    let raw = Data(text.replacing("\n", with: "\r\n").utf8).base64EncodedString()
    let outcome = try sous("run", "append.yaml", "-i", "folder=\(folder)", "-i", "raw=\(raw)", "-q")
    #expect(outcome.status == 0, "\(outcome.output) \(outcome.errors)")
  }

  /// The subjects of the messages of a folder.
  private func folder(_ folder: String) throws -> [String] {
    try sous.write(
      "list.yaml",
      """
      name: list
      inputs: { folder: string }
      steps: [{ id: all, uses: mail.search, with: { folder: "{{ inputs.folder }}", fields: [subject], limit: 100 } }]
      outputs: { all: "{{ steps.all.output.messages.map(m, m.subject) }}" }
      """)
    let outcome = try sous("run", "list.yaml", "-i", "folder=\(folder)", "--json")
    #expect(outcome.status == 0, "\(outcome.output) \(outcome.errors)")
    return (try outcome.json["outputs"]?["all"]?.listValue ?? []).compactMap(\.stringValue).sorted()
  }
}
