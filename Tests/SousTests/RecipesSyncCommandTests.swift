import Expressions
import Foundation
import Hashing
import TestSupport
import Testing

@testable import sous

/// `sous recipes sync`, with Git repositories on this machine.
@Suite(.timeLimit(.minutes(5))) struct RecipesSyncCommandTests {
  private let sous: SousProcess
  private var source: String { sous.folder + "/source" }

  init() throws {
    var sous = try SousProcess()
    for key in ["GIT_AUTHOR", "GIT_COMMITTER"] {
      (sous.environment[key + "_NAME"], sous.environment[key + "_EMAIL"]) = ("Anna Muster", "anna@example.org")
    }
    sous.environment["GIT_CONFIG_NOSYSTEM"] = "1"
    self.sous = sous
    try sous.write("sous.yaml", "providers: {}\n")
    try FileManager.default.createDirectory(atPath: sous.folder + "/source", withIntermediateDirectories: true)
    try git("init", "-q", "-b", "main")
  }

  // MARK: - The repository

  private func git(_ arguments: String...) throws {
    let outcome = try sous.run("/usr/bin/env", ["git", "-C", sous.folder + "/source"] + arguments)
    try #require(outcome.status == 0, "\(arguments) \(outcome.errors)")
  }

  private static func recipe(_ name: String, _ message: String = "x") -> String {
    "name: \(name)\nsteps:\n  - { id: a, uses: log, with: { message: \"\(message)\" } }\n"
  }

  private func commit(_ files: [String: String], remove: [String] = [], signing: String? = nil) throws {
    for (path, text) in files { try sous.write("source/" + path, text) }
    for path in remove { try FileManager.default.removeItem(atPath: source + "/" + path) }
    try git("add", "-A")
    let signature = signing.map { ["-c", "gpg.format=ssh", "-c", "user.signingkey=" + $0] } ?? []
    let outcome = try sous.run(
      "/usr/bin/env",
      ["git", "-C", source] + signature + ["commit", "-q", "-m", "Change", signing == nil ? "--no-gpg-sign" : "-S"])
    try #require(outcome.status == 0, "\(outcome.errors)")
  }

  // MARK: - The program

  private func sync(_ arguments: String...) throws -> SousProcess.Outcome {
    try sous.run(
      SousProcess.executable, ["recipes", "sync", source, "--folder", "recipes", "--json"] + arguments)
  }

  private func changes(_ outcome: SousProcess.Outcome) throws -> [String] {
    #expect(outcome.status == 0, "\(outcome.errors)")
    return try (outcome.json["changes"]?.listValue ?? []).map {
      "\($0["action"]?.stringValue ?? "") \($0["path"]?.stringValue ?? "")"
    }
  }

  private func code(_ outcome: SousProcess.Outcome) throws -> String? {
    let last = outcome.errors.split(separator: "\n").last.map { Array($0.utf8) } ?? []
    return try Value(json: last)["error"]?["code"]?.stringValue
  }

  /// The text of a file of the recipes' folder; `nil` if it does not exist.
  private func text(_ path: String) -> String? {
    FileManager.default.contents(atPath: sous.folder + "/recipes/" + path).map { String(decoding: $0, as: UTF8.self) }
  }

  private func list() -> [String] {
    ((try? FileManager.default.subpathsOfDirectory(atPath: sous.folder + "/recipes")) ?? []).sorted()
  }

  // MARK: - Tests

  @Test func filesComeChangeAndGoWithTheRepository() throws {
    defer { sous.remove() }
    try commit([
      "recipes/a.yaml": Self.recipe("a"), "recipes/sub/b.yaml": Self.recipe("b"), "recipes/readme.md": "x",
      "recipes/sous.yaml": "providers: { evil: { plugin: ./evil.so } }", "recipes/.hidden/c.yaml": Self.recipe("c"),
      "other/d.yaml": Self.recipe("d"), "recipes/a.test.yaml": "recipe: a.yaml\ntests: [{ name: t }]\n",
    ])
    let shown = try sync("--dry-run")
    #expect(try changes(shown) == ["add a.test.yaml", "add a.yaml", "add sub/b.yaml"])
    #expect(try shown.json["applied"] == false && shown.json["others"] == 3 && list().isEmpty)
    #expect(try sync().json["applied"] == true)
    #expect(list() == ["a.test.yaml", "a.yaml", "sub", "sub/b.yaml"])
    #expect(try changes(sync()).isEmpty)

    try commit(["recipes/a.yaml": Self.recipe("a", "y")], remove: ["recipes/sub/b.yaml"])
    #expect(try changes(sync()) == ["update a.yaml", "delete sub/b.yaml"])
    #expect(text("a.yaml") == Self.recipe("a", "y") && text("sub/b.yaml") == nil)
    let history = try sous("recipes", "history", "a", "--json").json.listValue ?? []
    #expect(
      history.map { $0["origin"] } == ["sync", "sync"] && history.map { $0["actor"] } == ["Anna Muster", "Anna Muster"])
    #expect(Set(history.compactMap { $0["commit"]?.stringValue }).count == 2)
    // A recipe that has left the repository can come back.
    #expect(try sous("recipes", "rollback", "b", "1").status == 0)
    #expect(text("sub/b.yaml") == Self.recipe("b"))
  }

  /// A sync that was killed between two files has stored what it is about to do: the next one finishes it, although the newest commit is
  /// refused.
  @Test func aSyncThatWasKilledIsFinishedByTheNext() throws {
    defer { sous.remove() }
    try commit([
      "recipes/a.yaml": Self.recipe("a"), "recipes/b.yaml": Self.recipe("b"), "recipes/c.yaml": Self.recipe("c"),
    ])
    #expect(try sync().json["applied"] == true)
    try commit(
      ["recipes/a.yaml": Self.recipe("a", "y"), "recipes/b.yaml": Self.recipe("b", "y")], remove: ["recipes/c.yaml"])
    // Fetches the second commit.
    let second = try sync("--dry-run").json["commit"]?.stringValue ?? ""
    func digest(_ text: String) -> Value { .string(ContentHash.hexadecimal(of: Array(text.utf8))) }
    func change(_ name: String, after: String?) -> Value {
      [
        "path": .string(name + ".yaml"), "before": digest(Self.recipe(name)), "after": after.map(digest) ?? .null,
        "author": "Anna Muster", "commit": .string(second),
      ]
    }
    let (a, b) = (Self.recipe("a", "y"), Self.recipe("b", "y"))
    let origin = Value.list([.string(canonical(source)), "", "recipes"]).jsonString
    let intent: Value = [
      "root": .string(canonical(sous.folder + "/recipes")), "folder": "recipes",
      "source": .string(origin), "commit": .string(second),
      "at": "2026-11-30T12:00:00.000Z", "files": ["a.yaml": digest(a), "b.yaml": digest(b)],
      "changes": [change("a", after: a), change("b", after: b), change("c", after: nil)],
    ]
    try sous.write(".sous/recipes-sync.json", intent.jsonString)
    try sous.write("recipes/a.yaml", a)
    try commit(["recipes/bad.yaml": "name: bad\nsteps: [{ id: a, uses: nothing.at.all }]\n"])
    let refused = try sync()
    #expect(try code(refused) == "invalid_recipe", "\(refused)")
    #expect(text("a.yaml") == a && text("b.yaml") == b && text("c.yaml") == nil)
    #expect(list() == ["a.yaml", "b.yaml"])
    let history = try sous("recipes", "history", "a", "--json").json.listValue ?? []
    #expect(history.map { $0["commit"] }.contains(.string(second)), "\(history)")
    #expect(!FileManager.default.fileExists(atPath: sous.folder + "/.sous/recipes-sync.json"))
    try commit([:], remove: ["recipes/bad.yaml"])
    #expect(try changes(sync()).isEmpty)
  }

  @Test func aFileBecomesAFolderAndTheReverse() throws {
    defer { sous.remove() }
    try commit(["recipes/x.yaml": Self.recipe("x"), "recipes/y.yaml/deep/z.yaml": Self.recipe("z")])
    #expect(try sync().json["applied"] == true)
    try FileManager.default.removeItem(atPath: source + "/recipes/y.yaml")
    try FileManager.default.removeItem(atPath: source + "/recipes/x.yaml")
    try commit(["recipes/x.yaml/in.yaml": Self.recipe("in"), "recipes/y.yaml": Self.recipe("y")])
    #expect(
      try changes(sync()) == ["delete x.yaml", "add x.yaml/in.yaml", "add y.yaml", "delete y.yaml/deep/z.yaml"])
    #expect(list() == ["x.yaml", "x.yaml/in.yaml", "y.yaml"])
    #expect(text("x.yaml/in.yaml") == Self.recipe("in") && text("y.yaml") == Self.recipe("y"))
    // A file of the user in the folder that has to go is not deleted.
    try FileManager.default.removeItem(atPath: source + "/recipes/x.yaml")
    try sous.write("recipes/x.yaml/mine.yaml", Self.recipe("mine"))
    try commit(["recipes/x.yaml": Self.recipe("x")])
    #expect(try sync().status != 0)
    #expect(text("x.yaml/in.yaml") == Self.recipe("in") && text("x.yaml/mine.yaml") == Self.recipe("mine"))
  }

  @Test func gitUsesLittleMemoryAndLeavesNoConnection() throws {
    var sous = sous
    defer { sous.remove() }
    for (name, end) in [
      (
        "git",
        "exec \(try sous.run("/bin/sh", ["-c", "command -v git"]).output.trimmingCharacters(in: .newlines)) \"$@\""
      ), ("ssh", "exit 255"),
    ] {
      try sous.write("tools/" + name, "#!/bin/sh\nprintf '%s\\n' \"$*\" >>'\(sous.folder)/\(name)-calls'\n\(end)\n")
      chmod(sous.folder + "/tools/" + name, 0o755)
    }
    sous.environment["PATH"] = sous.folder + "/tools:" + (sous.environment["PATH"] ?? "")
    let outcome = try sous.run(SousProcess.executable, ["recipes", "sync", "ssh://git@192.0.2.1/recipes.git"])
    #expect(outcome.status != 0)
    func calls(_ name: String) throws -> String {
      try String(contentsOfFile: sous.folder + "/\(name)-calls", encoding: .utf8)
    }
    #expect(try calls("ssh").contains("-o ControlMaster=no -o ControlPath=none"))
    let fetch = try #require(try calls("git").split(separator: "\n").first { $0.contains(" fetch ") })
    for bound in ["core.packedGitLimit=", "pack.windowMemory=", "pack.threads=1"] { #expect(fetch.contains(bound)) }
  }

  private func canonical(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }

  @Test func aRecipeWithErrorsKeepsAllOthersOut() throws {
    defer { sous.remove() }
    try commit(["recipes/a.yaml": Self.recipe("a")])
    #expect(try sync().status == 0)
    // One that runs another one of the same commit is right, although that one is not here yet.
    try commit([
      "recipes/a.yaml": Self.recipe("a", "y"),
      "recipes/caller.yaml": "name: caller\nsteps: [{ id: a, uses: recipe, with: { recipe: called } }]\n",
      "recipes/called.yaml": Self.recipe("called"),
    ])
    #expect(try sync().status == 0)
    try commit([
      "recipes/a.yaml": Self.recipe("a", "z"),
      "recipes/bad.yaml": "name: bad\nsteps: [{ id: a, uses: nothing.at.all }]\n",
    ])
    let refused = try sync()
    #expect(try refused.status == 2 && code(refused) == "invalid_recipe", "\(refused)")
    #expect(refused.errors.contains("bad.yaml:2"))
    #expect(text("a.yaml") == Self.recipe("a", "y") && text("bad.yaml") == nil)
    // The same if a recipe goes that another one needs.
    try commit([:], remove: ["recipes/bad.yaml", "recipes/called.yaml"])
    #expect(try code(sync()) == "invalid_recipe")
    #expect(text("called.yaml") == Self.recipe("called"))
  }

  @Test func changesMadeHereAreNotOverwritten() throws {
    defer { sous.remove() }
    try sous.write("recipes/own.yaml", Self.recipe("own"))
    try commit(["recipes/a.yaml": Self.recipe("a"), "recipes/b.yaml": Self.recipe("b")])
    #expect(try sync().status == 0)
    #expect(text("own.yaml") == Self.recipe("own"))
    try sous.write("recipes/a.yaml", Self.recipe("a", "mine"))
    // As long as the repository does not change it either, nothing is to be done but to put it back.
    let refused = try sync()
    #expect(try refused.status == 2 && code(refused) == "sync_conflict", "\(refused)")
    try commit(["recipes/a.yaml": Self.recipe("a", "theirs"), "recipes/b.yaml": Self.recipe("b", "new")])
    #expect(try code(sync()) == "sync_conflict")
    #expect(text("a.yaml") == Self.recipe("a", "mine") && text("b.yaml") == Self.recipe("b"))
    #expect(try sync("--dry-run").json["changes"]?[0]?["conflict"] == "changed")
    #expect(try changes(sync("--force")) == ["update a.yaml", "update b.yaml"])
    #expect(text("a.yaml") == Self.recipe("a", "theirs"))
    // The text that was replaced is in the history.
    let texts = try sous("recipes", "diff", "a", "--json").json
    #expect(texts["text"]?.stringValue?.contains("mine") == true)
  }

  @Test func aRewrittenBranchAndAnotherSourceNeedForce() throws {
    defer { sous.remove() }
    try commit(["recipes/a.yaml": Self.recipe("a")])
    try commit(["recipes/a.yaml": Self.recipe("a", "y")])
    #expect(try sync().status == 0)
    try git("reset", "-q", "--hard", "HEAD~1")
    try commit(["recipes/a.yaml": Self.recipe("a", "z")])
    #expect(try code(sync()) == "sync_conflict")
    #expect(try sync("--force").status == 0)
    #expect(text("a.yaml") == Self.recipe("a", "z"))
    try git("switch", "-q", "-c", "next")
    try commit(["recipes/a.yaml": Self.recipe("a", "next")])
    #expect(try code(sync("--branch", "next")) == "sync_conflict")
    #expect(try sync("--branch", "next", "--force").status == 0)
    #expect(text("a.yaml") == Self.recipe("a", "next"))
    for arguments in [["--branch", "missing"], ["--branch", "a..b"], ["--folder", "missing"]] {
      let outcome = try sous.run(SousProcess.executable, ["recipes", "sync", source, "--json"] + arguments)
      #expect([2, 3].contains(outcome.status), "\(arguments) \(outcome)")
    }
  }

  @Test func onlyCommitsOfKnownSignersAreTaken() throws {
    defer { sous.remove() }
    for name in ["anna", "eva"] {
      let made = try sous.run(
        "/usr/bin/env", ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", name, "-f", sous.folder + "/" + name])
      try #require(made.status == 0, "\(made.errors)")
    }
    let key = String(
      decoding: try #require(FileManager.default.contents(atPath: sous.folder + "/anna.pub")), as: UTF8.self)
    let signers = try sous.write("signers", "anna@example.org \(key)")
    func verified() throws -> SousProcess.Outcome { try sync("--signers", signers) }

    try commit(["recipes/a.yaml": Self.recipe("a")])
    #expect(try code(verified()) == "signature_refused")
    #expect(try verified().status == 3 && list().isEmpty)
    try commit(["recipes/a.yaml": Self.recipe("a", "1")], signing: sous.folder + "/eva.pub")
    #expect(try code(verified()) == "signature_refused")
    try commit(["recipes/a.yaml": Self.recipe("a", "2")], signing: sous.folder + "/anna.pub")
    #expect(try verified().json["signed"] == true)
    #expect(text("a.yaml") == Self.recipe("a", "2"))
    // A commit without a signature between two with one.
    try commit(["recipes/a.yaml": Self.recipe("a", "3")])
    try commit(["recipes/a.yaml": Self.recipe("a", "4")], signing: sous.folder + "/anna.pub")
    let refused = try verified()
    #expect(try code(refused) == "signature_refused" && refused.errors.contains("not signed"), "\(refused)")
    #expect(text("a.yaml") == Self.recipe("a", "2"))
    #expect(try sync("--signers", sous.folder + "/missing").status == 3)
    // The user's own settings name no signers.
    #expect(try code(sync("--verify-signatures")) == "signature_refused")
  }

  @Test func aHostileRepositoryReachesNothing() throws {
    defer { sous.remove() }
    let mark = sous.folder + "/mark"
    try commit(["recipes/a.yaml": Self.recipe("a")])
    for hook in ["post-upload-pack", "post-checkout", "pre-commit", "reference-transaction", "post-merge"] {
      let path = try sous.write("source/.git/hooks/" + hook, "#!/bin/sh\n: > '\(mark)'\n")
      chmod(path, 0o755)
    }
    try sous.write(
      "source/.git/config",
      """
      [core]
        repositoryformatversion = 0
        bare = false
        fsmonitor = "touch '\(mark)'"
        hooksPath = hooks
      [uploadpack]
        packObjectsHook = "touch '\(mark)'; exec"
      """)
    #expect(try sync().status == 0)
    #expect(!FileManager.default.fileExists(atPath: mark))

    for url in ["ext::sh -c touch% \(mark)", "--upload-pack=touch \(mark)", "https://anna:secret@127.0.0.1:1/r.git"] {
      let outcome = try sous.run(SousProcess.executable, ["recipes", "sync", "--json", "--", url])
      #expect(try outcome.status == 2 && code(outcome) == "wrong_input", "\(url) \(outcome)")
      #expect(!outcome.errors.contains("secret") && !FileManager.default.fileExists(atPath: mark))
    }

    // A link in the repository is not followed.
    try FileManager.default.createSymbolicLink(
      atPath: source + "/recipes/link.yaml", withDestinationPath: "/etc/passwd")
    try git("add", "-A")
    try git("-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", "commit", "-q", "-m", "link")
    #expect(try code(sync()) == "wrong_input")
    #expect(list() == ["a.yaml"])
    try git("-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", "rm", "-q", "recipes/link.yaml")

    // Nor is one here that leads out of the folder of recipes.
    try sous.write("source/recipes/sub/b.yaml", Self.recipe("b"))
    try git("-c", "core.fsmonitor=false", "add", "-A")
    try git("-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", "commit", "-q", "-m", "sub")
    try FileManager.default.createDirectory(atPath: sous.folder + "/elsewhere", withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: sous.folder + "/recipes/sub", withDestinationPath: sous.folder + "/elsewhere")
    #expect(try code(sync()) == "wrong_input")
    #expect(try FileManager.default.contentsOfDirectory(atPath: sous.folder + "/elsewhere").isEmpty)
  }

  @Test func theDaemonSyncsByItselfIfTheFolderIsTrusted() async throws {
    defer { sous.remove() }
    try commit(["recipes/a.yaml": Self.recipe("a")])
    let sync = "recipes: { folders: [recipes], sync: { url: ./source, folder: recipes, every: 10s } }\n"
    try sous.write("sous.yaml", sync)
    let distrusting = try sous.serve { $0["SOUS_TRUST"] = nil }
    try await sous.wait { try sous("status").output.contains("sous trust") }
    #expect(list().isEmpty)
    distrusting.terminate()
    distrusting.waitUntilExit()

    try sous.write("sous.yaml", sync + "server: { listen: \"unix:\(sous.folder)/s\" }\n")
    #expect(try sous("users", "add", "anna", "--no-password").status == 0)
    let daemon = try sous.serve()
    defer { daemon.terminate() }
    try await sous.wait { text("a.yaml") == Self.recipe("a") }
    try await sous.wait { try sous("recipes", "history", "a", "--json").json[0]?["actor"] == "Anna Muster" }
    try await sous.wait {
      let entry = try sous("audit", "--json").json.listValue?.first { $0["action"] == "recipe.sync" }
      return entry?["origin"] == "sync" && entry?["after"]?["files"] == ["add a.yaml"]
    }
    // The status has the reason of a sync that fails, until one succeeds.
    try commit(["recipes/bad.yaml": "name: bad\nsteps: [{ id: a, uses: nothing.at.all }]\n"])
    try await sous.wait { try sous("status").output.contains("bad.yaml:2") }
    try commit([:], remove: ["recipes/bad.yaml"])
    try await sous.wait { try !sous("status").output.contains("bad.yaml:2") }
    daemon.terminate()
    daemon.waitUntilExit()
  }
}
