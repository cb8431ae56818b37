import Expressions
import Foundation
import Testing

/// `permissions:` of a recipe and `sous run --deny`.
@Suite(.timeLimit(.minutes(15))) struct PermissionTests {
  private static let steps: [(need: String, step: String)] = [
    ("exec", "{ id: a, uses: exec, with: { command: [touch, done] } }"),
    ("write", "{ id: a, uses: file.write, with: { path: done, content: x } }"),
    ("net", "{ id: a, uses: http.get, with: { url: \"http://127.0.0.1:9/\" } }"),
    ("send", "{ id: a, uses: mail.send, with: { to: [a@example.org], subject: s, text: t } }"),
  ]

  private let sous: SousProcess

  init() throws {
    sous = try SousProcess()
    try sous.write(
      "sous.yaml",
      """
      http: { hosts: ["127.0.0.1"] }
      providers: { home: { plugin: maildir, path: box, create: true, from: "Me <me@example.org>" } }
      defaults: { mail.transport: home, mail.store: home }

      """)
  }

  private var wasDone: Bool {
    FileManager.default.fileExists(atPath: sous.folder + "/done")
      || (try? FileManager.default.subpathsOfDirectory(atPath: sous.folder + "/box"))?
        .contains { $0.hasPrefix("new/") } == true
  }

  /// A recipe that allows all other permissions, and a run that denies this one.
  @Test(arguments: ["exec", "write", "net", "send"])
  func aStepWithoutItsPermissionFailsBeforeItDoesAnything(need: String) throws {
    defer { sous.remove() }
    let step = try #require(Self.steps.first { $0.need == need }?.step)
    let others = Self.steps.map(\.need).filter { $0 != need }.joined(separator: ", ")
    try sous.write("bound.yaml", "name: bound\npermissions: [\(others)]\nsteps:\n  - \(step)\n")
    try sous.write("free.yaml", "name: free\nsteps:\n  - \(step)\n")
    for arguments in [["run", "bound.yaml", "--json"], ["run", "free.yaml", "--json", "--deny", need]] {
      let outcome = try sous.run(SousProcess.executable, arguments)
      #expect(outcome.status == 1, "\(outcome.errors)")
      #expect(outcome.output.contains("\"auth\""), "\(outcome.output)")
    }
    #expect(!wasDone)
    #expect(try sous("explain", "bound.yaml", "--json").json["steps"]?[0]?["demands"] == [.string(need)])
    #expect(try sous("validate", "bound.yaml").errors.contains(need))
    // Without a server, http.get fails with its permission too.
    if need != "net" {
      #expect(try sous("run", "free.yaml", "-q").status == 0)
      #expect(wasDone)
    }
  }

  /// Wherever a step is in a recipe.
  @Test(arguments: [
    "steps:\n  - { id: x, uses: template, with: { text: x } }\n  - { finally: true, STEP }",
    "steps:\n  - { id: x, uses: fail, with: { message: m } }\non_failure:\n  - { STEP }",
    "steps:\n  - { id: x, uses: template, with: { text: x }, undo: { STEP } }\n  - { id: y, uses: fail, with: { message: m } }",
    "steps:\n  - { for_each: [1, 2], STEP }",
    "steps:\n  - { id: x, uses: template, with: { text: x } }\n  - { needs: x, when: true, STEP }",
    "steps:\n  - { id: a, uses: exec.idempotent, with: { command: [touch, done] } }",
    "steps:\n  - { id: a, uses: exec.read, with: { command: [touch, done] } }",
    "steps:\n  - { id: a, uses: notify.command, with: { command: [touch, done] } }",
  ])
  func noStepStartsAProgramThatTheRunIsDenied(steps: String) throws {
    defer { sous.remove() }
    let step = "uses: exec, with: { command: [touch, done] }"
    try sous.write("r.yaml", "name: r\n" + steps.replacing("STEP", with: step) + "\n")
    let free = try sous("run", "r.yaml", "-q")
    #expect(wasDone, "\(free.errors)")
    unlink(sous.folder + "/done")
    let denied = try sous("run", "r.yaml", "--json", "--deny", "exec,send")
    #expect(denied.status == 1 && denied.output.contains("'exec'"), "\(denied)")
    #expect(!wasDone)
    #expect(try sous("retry", "last", "--json").status == 1)
    #expect(!wasDone)
  }

  @Test func aToolOfAModelMayDoNoMoreThanItsRecipe() throws {
    let server = try ChatServer { _, number in number == 0 ? .calls([("touch", "{}")]) : .words(["done"]) }
    defer {
      server.end()
      sous.remove()
    }
    try sous.write("sous.yaml", server.configuration)
    try sous.write(
      "r.yaml",
      """
      name: r
      permissions: [net]
      steps:
        - id: a
          uses: chat.complete
          with: { prompt: Hi, tools: [{ uses: exec, name: touch, with: { command: [touch, done] }, approve: never }] }

      """)
    let outcome = try sous("run", "r.yaml", "--json")
    #expect(!wasDone && server.requests.count > 0, "\(outcome)")
    #expect(try sous("show", "last").output.contains("'exec'"))
  }

  @Test func aFilterMovesNothingThatItMayNotMove() throws {
    defer { sous.remove() }
    let letter = try sous.write("box/new/1.a", "From: a@example.org\nTo: b@example.org\nSubject: Invoice\n\nText\n")
    for name in ["cur", "tmp"] {
      try FileManager.default.createDirectory(atPath: sous.folder + "/box/" + name, withIntermediateDirectories: true)
    }
    try sous.write(
      "f.yaml",
      "kind: mail-filter\nname: f\nfolder: INBOX\nrules:\n  - { when: message.subject == 'Invoice', then: [{ move: T }] }\n"
    )
    #expect(try sous("run", "f.yaml", "-q", "--deny", "write").status == 1)
    #expect(FileManager.default.fileExists(atPath: letter))
    let free = try sous("run", "f.yaml", "-q")
    #expect(free.status == 0 && !FileManager.default.fileExists(atPath: letter), "\(free)")
  }

  @Test func whatStaysOnTheMachineNeedsNoNetwork() throws {
    defer { sous.remove() }
    try sous.write("n.yaml", "name: n\nsteps:\n  - { id: a, uses: note.save, with: { text: x } }\n")
    #expect(try sous("explain", "n.yaml", "--json").json["steps"]?[0]?["demands"] == ["write"])
    #expect(try sous("run", "n.yaml", "-q", "--deny", "net").status == 0)
    for action in ["mail.summary, with: { folder: INBOX, uid: x }", "mail.summaries"] {
      try sous.write("s.yaml", "name: s\nsteps:\n  - { id: a, uses: \(action) }\n")
      #expect(try sous("run", "s.yaml", "--json", "--deny", "net").output.contains("'net'"), "\(action)")
    }
  }

  /// Sending through a provider needs 'send' alone, wherever its server is; a notice of the inbox needs nothing.
  @Test func sendingNeedsNoPermissionForItsConnection() throws {
    defer { sous.remove() }
    try sous.write(
      "sous.yaml",
      """
      providers:
        post: { plugin: smtp, host: smtp.example.org, from: me@example.org }
        push: { plugin: ntfy, topic: x }
      defaults: { mail.transport: post }

      """)
    for (step, demands) in [
      ("mail.send, with: { to: [a@example.org], subject: s, text: t }", ["send"]),
      ("notify.send, provider: push, with: { text: t }", ["send"]),
      ("notify.send, provider: [push, inbox], with: { text: t }", ["send"]),
      ("notify.send, provider: inbox, with: { text: t }", []),
      ("state.set, with: { key: k, value: 1 }", []),
    ] as [(String, [Value])] {
      try sous.write("r.yaml", "name: r\npermissions: [send]\nsteps:\n  - { id: a, uses: \(step) }\n")
      #expect(try sous("explain", "r.yaml", "--json").json["steps"]?[0]?["demands"] == .list(demands), "\(step)")
      #expect(try !sous("validate", "r.yaml").errors.contains("permission"), "\(step)")
    }
    try sous.write(
      "r.yaml",
      "name: r\npermissions: []\nsteps:\n  - { id: a, uses: notify.send, provider: inbox, with: { text: t } }\n")
    #expect(try sous("run", "r.yaml", "-q").status == 0)
  }

  @Test func aToolWithoutPermissionIsWarnedOfOnce() throws {
    defer { sous.remove() }
    try sous.write(
      "r.yaml",
      """
      name: r
      permissions: []
      steps:
        - id: a
          uses: chat.complete
          with: { prompt: Hi, tools: [{ uses: exec, name: touch, with: { command: [touch, done] } }] }

      """)
    let words = try sous("validate", "r.yaml").errors
    #expect(words.components(separatedBy: "'exec'").count == 2, "\(words)")
  }

  @Test(arguments: ["", ",", "exec,", ",net"])
  func anEmptyDenialIsRefused(denial: String) throws {
    defer { sous.remove() }
    try sous.write("r.yaml", "name: r\nsteps:\n  - \(Self.steps[0].step)\n")
    #expect(try sous("run", "r.yaml", "--deny", denial).status == 2)
    #expect(!wasDone)
  }

  @Test func aRecipeThatAnotherRunsMayDoNoMoreThanThatOne() throws {
    defer { sous.remove() }
    try sous.write("inner.yaml", "name: inner\npermissions: [exec, write]\nsteps:\n  - \(Self.steps[0].step)\n")
    try sous.write(
      "outer.yaml", "name: outer\npermissions: []\nsteps:\n  - { id: r, uses: recipe, with: { recipe: inner.yaml } }\n")
    try sous.write("open.yaml", "name: open\nsteps:\n  - { id: r, uses: recipe, with: { recipe: inner.yaml } }\n")
    #expect(try sous("run", "outer.yaml", "-q").status == 1)
    #expect(try sous("run", "open.yaml", "-q", "--deny", "exec").status == 1)
    // A retry is bound as the run was.
    #expect(try sous("retry", "last").status == 1)
    #expect(!wasDone)
    #expect(try sous("run", "open.yaml", "-q").status == 0)
    #expect(wasDone)
  }

  @Test func unknownPermissionsAreRefused() throws {
    defer { sous.remove() }
    try sous.write("r.yaml", "name: r\npermissions: [exce]\nsteps:\n  - \(Self.steps[0].step)\n")
    #expect(try sous("validate", "r.yaml").status == 2)
    try sous.write("r.yaml", "name: r\nsteps:\n  - \(Self.steps[0].step)\n")
    #expect(try sous("run", "r.yaml", "--deny", "exce").status == 2)
    #expect(!wasDone)
  }
}
