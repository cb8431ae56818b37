import Expressions
import Foundation
import Testing

/// `sous send`, `sous outbox` and recipes of kind `send`, as a person uses them.
@Suite(.timeLimit(.minutes(10))) struct OutboxCommandTests {
  private let sous: SousProcess

  init() throws {
    sous = try SousProcess()
    try configure()
  }

  private func configure(_ outbox: String = "{}") throws {
    try sous.write(
      "sous.yaml",
      """
      providers: { out: { plugin: maildir, path: out, create: true } }
      defaults: { mail.transport: out }
      outbox: \(outbox)
      """)
  }

  private func send(_ more: String...) throws -> Value {
    let outcome = try sous.run(
      SousProcess.executable,
      ["send", "--to", "a@example.com", "--subject", "Plan", "--text", "Hello", "--json"] + more)
    try #require(outcome.status == 0, "\(outcome.errors)")
    return try outcome.json
  }

  private func outbox(_ arguments: String...) throws -> Value {
    let outcome = try sous.run(SousProcess.executable, ["outbox"] + arguments + ["--json"])
    #expect(outcome.status == 0, "\(arguments) \(outcome.errors)")
    return try outcome.json
  }

  private func run(of value: Value) throws -> String { try #require(value["run"]?.stringValue) }

  /// The messages that were delivered.
  private func delivered() throws -> [String] {
    let folder = sous.folder + "/out/new"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return try names.sorted().map { try String(contentsOfFile: folder + "/" + $0, encoding: .utf8) }
  }

  /// Sends what is due until so many have gone out.
  private func sendDue(until count: Int) async throws {
    let deadline = ContinuousClock.now + .seconds(60)
    while try delivered().count < count {
      guard ContinuousClock.now < deadline else {
        Issue.record("waited 60 s for \(count) messages; delivered: \(try delivered().count)")
        return
      }
      _ = try outbox("run")
      try await Task.sleep(for: .milliseconds(100))
    }
  }

  @Test func aMessageWaitsAndGoesOutOnceWithTheFileAsItWas() async throws {
    defer { sous.remove() }
    try sous.write("plan.txt", "the first plan")
    let queued = try send("--attach", "plan.txt", "--undo-for", "1s")
    #expect(queued["status"] == "queued")
    try FileManager.default.removeItem(atPath: sous.folder + "/plan.txt")
    let item = try outbox("show", run(of: queued))
    #expect(item["state"] == "pending" && item["attachments"] == ["plan.txt"] && item["account"] == "out")
    #expect(try delivered().isEmpty)
    try await sendDue(until: 1)
    _ = try outbox("run")
    let messages = try delivered()
    #expect(messages.count == 1)
    #expect(messages.first?.contains(Data("the first plan".utf8).base64EncodedString()) == true)
    #expect(try outbox("list", "--only", "sent").listValue?.count == 1)
    #expect(try sous("db", "check").status == 0)
  }

  @Test func aMessageIsChangedPutOffCancelledAndSentNow() throws {
    defer { sous.remove() }
    let first = try run(of: send("--at", "9999-01-01T08:00 UTC"))
    let second = try run(of: send("--at", "9999-01-01T08:00 UTC"))
    let edited = try outbox("edit", first, "--subject", "Another plan", "--cc", "b@example.com")
    #expect(edited["id"] == .string(first) && edited["subject"] == "Another plan" && edited["text"] == "Hello")
    #expect(edited["send_at"] == "9999-01-01T08:00:00.000Z")
    #expect(try outbox("reschedule", first, "--at", "9998-01-01T08:00 UTC")["send_at"] == "9998-01-01T08:00:00.000Z")
    let listed = try sous("outbox", "list", "--limit", "1")
    #expect(listed.output.split(separator: "\n").dropFirst().count == 1)
    #expect(listed.errors.contains("more messages than these 1"), "\(listed.errors)")
    #expect(try sous("outbox", "list", "--limit", "2").errors.isEmpty)
    #expect(try outbox("cancel", second)["state"] == "cancelled")
    #expect(try sous("outbox", "cancel", second).status == 2)
    #expect(try sous("outbox", "edit", first, "--to", "nobody").status == 2)
    #expect(try outbox("run") == ["sent": 0, "failed": 0, "pending": 1, "unknown": 0])
    #expect(try outbox("send-now", first, "--wait")["state"] == "sent")
    #expect(try outbox("run") == ["sent": 0, "failed": 0, "pending": 0, "unknown": 0])
    let messages = try delivered()
    #expect(messages.count == 1)
    #expect(messages.first?.contains("Subject: Another plan") == true)
    #expect(messages.first?.contains("Cc: b@example.com") == true)
    #expect(try sous("outbox", "edit", first, "--subject", "late").status == 2)
    #expect(try outbox("clean", "--sent", "0s") == ["removed": 2])
    #expect(try outbox("list") == [])
  }

  @Test func whatCannotBeSentIsRefusedBeforeAnythingIsQueued() throws {
    defer { sous.remove() }
    let message = ["send", "--subject", "s", "--text", "t"]
    for wrong in [
      ["--to", "nobody"], ["--to", "a@example.com", "--attach", "missing.txt"],
      ["--to", "a@example.com", "--attach", "."],
      ["--to", "a@example.com", "--at", "2020-01-01T08:00Z"], ["--to", "a@example.com", "--at", "every Monday at 8"],
      ["--to", "a@example.com", "--at", "nächsten Freitag, oder so"],
      ["--to", "a@example.com", "--provider", "absent"],
      ["--to", "a@example.com", "--subject", "two\nlines"], [],
    ] {
      let outcome = try sous.run(SousProcess.executable, message + wrong)
      #expect(outcome.status == 2 && !outcome.errors.isEmpty, "\(wrong): \(outcome.output)")
    }
    try sous.write("sous.yaml", "providers: {}\n")
    #expect(try sous("send", "--to", "a@example.com", "--subject", "s", "--text", "t").status != 0)
    #expect(try sous("runs", "--json").json == [])
  }

  @Test func aRecipeWaitsInTheQueueWithTheMessageAsItIsNow() async throws {
    defer { sous.remove() }
    try sous.write(
      "wish.yaml",
      """
      kind: send
      name: wish
      inputs: { who: string }
      undo_for: 1s
      mail: { to: "{{ inputs.who }}@example.com", subject: "For {{ inputs.who }}", text: t, attachments: [card.txt] }
      """)
    try sous.write("card.txt", "first")
    let queued = try sous("run", "wish.yaml", "-i", "who=ada")
    #expect(queued.status == 0 && queued.output.contains("sous outbox cancel"), "\(queued.errors)")
    try sous.write("card.txt", "second")
    try sous.write("wish.yaml", "nothing")
    try await sendDue(until: 1)
    let message = try #require(try delivered().first)
    #expect(message.contains("Subject: For ada") && message.contains(Data("first".utf8).base64EncodedString()))
    #expect(try outbox("list").listValue?.first?["name"] == "wish")
  }

  @Test func aLateMessageIsHeldUntilSomebodySaysSo() async throws {
    defer { sous.remove() }
    try configure("{ late: 1s }")
    let run = try run(of: send("--undo-for", "1s"))
    try await Task.sleep(for: .milliseconds(2500))
    #expect(try outbox("run")["sent"] == 0)
    #expect(try outbox("list", "--only", "held").listValue?.first?["id"] == .string(run))
    #expect(try delivered().isEmpty)
    #expect(try outbox("send-now", run, "--wait")["state"] == "sent")
    #expect(try delivered().count == 1)
  }

  @Test func aMergeSendsEachRowOnceHoweverOftenItIsAskedFor() async throws {
    defer { sous.remove() }
    try sous.write("people.csv", "Name,E-Mail\nAda,ada@example.com\nBob,bob@example.com\nBob,bob@example.com\n")
    try sous.write(
      "mail.yaml", "to: \"{{ E_Mail }}\"\nsubject: \"Dear {{ Name }}\"\ntext: |\n  Hello {{ Name }},\n\n  bye\n")
    func merge(_ more: String...) throws -> SousProcess.Outcome {
      try sous.run(SousProcess.executable, ["send", "--merge", "people.csv", "--template", "mail.yaml"] + more)
    }
    let preview = try merge("--dry-run", "--json").json
    #expect(preview["messages"] == 2 && preview["duplicates"] == 1)
    #expect(preview["first"]?.listValue?.first?["text"] == "Hello Ada,\n\nbye\n")
    #expect(try outbox("list") == [])
    let first = try merge("--json").json
    #expect(first.listValue?.compactMap { $0["status"]?.stringValue } == ["queued", "queued"])
    try sous.write("people.csv", "Name,E-Mail\nAda,ada@example.com\nEve,eve@example.com\n")
    let second = try merge("--json").json
    #expect(second.listValue?.compactMap { $0["status"]?.stringValue } == ["known", "queued"])
    try await sendDue(until: 3)
    _ = try outbox("run")
    let subjects = try delivered().flatMap { $0.split(separator: "\n") }.filter { $0.hasPrefix("Subject: ") }
    #expect(subjects.sorted() == ["Subject: Dear Ada", "Subject: Dear Bob", "Subject: Dear Eve"])
  }

  @Test func whatIsWrongInAMergeIsToldWithItsLine() throws {
    defer { sous.remove() }
    func problem(_ rows: String, _ template: String, file: String = "people.csv") throws -> String {
      try sous.write(file, rows)
      try sous.write("mail.yaml", template)
      let outcome = try sous("send", "--merge", file, "--template", "mail.yaml")
      #expect(outcome.status == 2, "\(outcome.output)")
      return outcome.errors
    }
    let template = "to: \"{{ mail }}\"\nsubject: s\ntext: \"Hello {{ frist }}\"\n"
    #expect(try problem("mail,first\na@b.c,A\n", template).contains("mail.yaml:3:"))
    let good = "to: \"{{ mail }}\"\nsubject: s\ntext: t\n"
    #expect(try problem("mail\na@b.c\nnobody\n", good).contains("people.csv:3"))
    #expect(
      try problem("{\"mail\": \"a@b.c\"}\n\n{\"other\": 1}\n", good, file: "people.jsonl").contains("people.jsonl:3"))
    #expect(try problem("mail\n\"a@b.c\n", good).contains("people.csv"))
    #expect(try sous("runs", "--json").json == [])
  }
}

/// Real mail server, a daemon that is killed, cancellations: `Scripts/outbox-once` is the judge.
@Suite(
  .serialized, .timeLimit(.minutes(15)),
  .enabled(
    if: getuid() == 0 && FileManager.default.isExecutableFile(atPath: "/usr/sbin/postfix"),
    "needs Postfix, and to be root"))
struct OutboxOnceTests {
  @Test func eachMailArrivesOnceAndACancelledOneNever() throws {
    var sous = try SousProcess()
    defer { sous.remove() }
    sous.environment.merge(["MAILS": "16", "CANCELS": "4", "RESTARTS": "0", "LEAD": "8"]) { $1 }
    let outcome = try sous.run(
      "/usr/bin/env", ["python3", SousProcess.repository + "/Scripts/outbox-once", SousProcess.executable])
    #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    #expect(outcome.output.contains("16 mails"))
  }
}
