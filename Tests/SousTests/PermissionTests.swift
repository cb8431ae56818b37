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
