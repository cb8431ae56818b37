import Expressions
import Foundation
import Testing

private let recipe = "name: x\nsteps:\n  - { id: a, uses: template, with: { text: x } }\n"

@Suite(.timeLimit(.minutes(15))) struct WorkspaceTests {
  @Test func theRunLogLiesBesideTheConfigurationFoundUpwards() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    try sous.write("sous.yaml", "")
    let path = try sous.write("deep/er/x.yaml", recipe)
    let outcome = try sous.run("/bin/sh", ["-c", "cd deep/er && exec '\(SousProcess.executable)' run '\(path)'"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(FileManager.default.fileExists(atPath: sous.folder + "/.sous/sous.db"))
  }

  @Test func theSearchForAConfigurationEndsAtTheHomeFolder() throws {
    var sous = try SousProcess()
    defer { sous.remove() }
    sous.environment["HOME"] = sous.folder + "/home"
    try sous.write("sous.yaml", "")
    try sous.write("home/x.yaml", recipe)
    #expect(try sous.run("/bin/sh", ["-c", "cd home && exec '\(SousProcess.executable)' run x.yaml"]).status == 0)
    #expect(FileManager.default.fileExists(atPath: sous.folder + "/home/.local/state/sous/sous.db"))
  }

  @Test(.enabled(if: geteuid() == 0, "only root can give a file away"))
  func aConfigurationOfAnotherUserIsUsedOnlyWhereItIsNamed() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    let configuration = try sous.write("sous.yaml", "")
    try sous.write("x.yaml", recipe)
    #expect(chown(configuration, 65534, 65534) == 0)
    #expect(try sous("run", "x.yaml").status == 3)
    #expect(try sous("run", "x.yaml", "--config", "sous.yaml").status == 0)
    // A link of theirs to a file of ours.
    try FileManager.default.removeItem(atPath: configuration)
    try sous.write("ours.yaml", "")
    #expect(symlink("ours.yaml", configuration) == 0 && lchown(configuration, 65534, 65534) == 0)
    #expect(try sous("run", "x.yaml").status == 3)
  }

  @Test func withoutAConfigurationTheStateFolderOfTheUserIsUsed() throws {
    var sous = try SousProcess()
    defer { sous.remove() }
    sous.environment["XDG_STATE_HOME"] = sous.folder + "/state"
    try sous.write("x.yaml", recipe)
    #expect(try sous("run", "x.yaml").status == 0)
    #expect(FileManager.default.fileExists(atPath: sous.folder + "/state/sous/sous.db"))
  }

  @Test func optionsAndVariablesNameOtherFiles() throws {
    var sous = try SousProcess()
    defer { sous.remove() }
    try sous.write("x.yaml", recipe)
    try sous.write("other/sous.yaml", "")
    #expect(try sous("run", "x.yaml", "--config", "other/sous.yaml", "--state", "a").status == 0)
    #expect(FileManager.default.fileExists(atPath: sous.folder + "/a/sous.db"))
    sous.environment["SOUS_STATE"] = sous.folder + "/b"
    #expect(try sous("run", "x.yaml").status == 0)
    #expect(FileManager.default.fileExists(atPath: sous.folder + "/b/sous.db"))
    sous.environment["SOUS_CONFIG"] = "missing.yaml"
    #expect(try sous("run", "x.yaml").status == 3)
  }

  @Test func initWritesAStartThatRunsAndOverwritesNothing() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    #expect(try sous("init").status == 0)
    #expect(try sous("run", "-q", "hello.yaml").output == "Hello, world!\n")
    try sous.write("hello.yaml", "mine")
    #expect(try sous("init").status == 2)
    #expect(FileManager.default.contents(atPath: sous.folder + "/hello.yaml") == Data("mine".utf8))
  }

  @Test func theRunLogIsReadByNameBeginningAndLast() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    try sous.write("x.yaml", recipe)
    #expect(try sous("runs", "--json").json == [])
    #expect(try sous("show", "last").status == 3)
    for _ in 1...2 { _ = try sous("run", "x.yaml") }
    let runs = try sous("runs", "--json").json.listValue ?? []
    #expect(runs.count == 2)
    let id = try #require(runs.last?["id"]?.stringValue)
    #expect(try sous("show", id, "--json").json["id"] == .string(id))
    #expect(try sous("show", "nonsense").status == 2)
    // All names begin with the same digits of the time.
    #expect(try sous("show", "0").status == 2)
    #expect(try sous("logs", id).status == 0)
    #expect(try sous("runs", "--status", "failed", "--json").json == [])
    #expect(try sous("runs", "--status", "fine").status == 2)
  }

  @Test(arguments: [("en", "succeeded"), ("de", "erfolgreich")])
  func textsAreInTheLanguageAskedFor(language: String, word: String) throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    try sous.write("x.yaml", recipe)
    #expect(try sous("run", "x.yaml", "--lang", language).output.contains(word))
    #expect(try sous("run", "x.yaml", "--lang", "xx").status == 2)
  }
}
