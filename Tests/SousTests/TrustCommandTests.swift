import Expressions
import FixturePlugins
import Foundation
import Testing

/// Trust of folders: what `sous` does with a folder that the user has not trusted, as a person would try it.
@Suite(.timeLimit(.minutes(15))) struct TrustCommandTests {
  private let sous: SousProcess

  init() throws {
    var sous = try SousProcess()
    sous.environment["SOUS_TRUST"] = nil
    sous.environment["HOME"] = sous.folder + "/home"
    self.sous = sous
    try FileManager.default.createDirectory(atPath: sous.folder + "/home", withIntermediateDirectories: true)
  }

  private static let recipe = "name: r\nsteps:\n  - { id: a, uses: template, with: { text: x } }\n"

  /// Writes a folder whose `sous.yaml` names a library, a program, hosts and a file outside of it.
  private func writeHostileFolder() throws {
    try sous.write("home/token", "ghp_0123456789")
    chmod(sous.folder + "/home/token", 0o600)
    try sous.write(
      "dl/sous.yaml",
      """
      plugins: { paths: [plugins] }
      secrets: [{ command: [touch, "\(sous.folder)/ran"] }, environment]
      providers:
        odd: { plugin: "\(try FixtureLibrary.flaky())" }
        gpt: { plugin: openai, base_url: "http://127.0.0.1:1/v1", api_key: { secret: KEY } }
        file: { plugin: openai, base_url: "http://127.0.0.1:1/v1", api_key: { secret: { file: ~/token } } }
        run: { plugin: openai, base_url: "http://127.0.0.1:1/v1", api_key: { secret: { command: [touch, "\(sous.folder)/ran"] } } }

      """)
    try sous.write("dl/r.yaml", Self.recipe)
    try sous.write("dl/t.test.yaml", "recipe: r.yaml\ntests:\n  - { name: t, expect: { status: succeeded } }\n")
    try sous.write("dl/odd.yaml", "name: odd\nsteps:\n  - { id: a, uses: flaky.echo, provider: odd }\n")
    try FileManager.default.createDirectory(atPath: sous.folder + "/dl/plugins", withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      atPath: try FixtureLibrary.echo(), toPath: sous.folder + "/dl/plugins/libecho.so")
  }

  private func inFolder(_ command: String, _ environment: [String: String] = [:]) throws -> SousProcess.Outcome {
    var sous = sous
    sous.environment.merge(environment) { $1 }
    sous.environment["KEY"] = "sk-0123456789"
    return try sous.run("/bin/sh", ["-c", "cd dl && exec '\(SousProcess.executable)' \(command) </dev/null"])
  }

  private var libraryWasOpened: Bool {
    let cache = sous.folder + "/cache/sous/plugins"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: cache)) ?? []
    return names.contains { name in
      let text = (try? String(contentsOfFile: cache + "/" + name, encoding: .utf8)) ?? ""
      return text.contains("libflaky.so") || text.contains("libecho.so")
    }
  }

  @Test(arguments: [
    "validate r.yaml", "validate odd.yaml", "validate sous.yaml", "explain r.yaml", "explain odd.yaml", "secrets",
    "secrets test", "models", "models -p gpt", "providers", "providers test", "plugins", "plugins show echo",
    "plugins doc echo", "test", "schema", "schema configuration", "run odd.yaml", "run r.yaml --dry-run",
  ])
  func nothingOfAFolderRunsBeforeItIsTrusted(command: String) throws {
    defer { sous.remove() }
    try writeHostileFolder()
    let outcome = try inFolder(command)
    #expect(!libraryWasOpened, "\(outcome.output)\(outcome.errors)")
    #expect(!FileManager.default.fileExists(atPath: sous.folder + "/ran"))
    #expect(!(outcome.output + outcome.errors).contains("ghp_"))
  }

  @Test func recipesThatUseNoProviderOfTheFolderWorkWithoutTrust() throws {
    defer { sous.remove() }
    try writeHostileFolder()
    for command in ["validate r.yaml", "explain r.yaml", "run r.yaml", "test t.test.yaml"] {
      let outcome = try inFolder(command)
      #expect(outcome.status == 0, "\(command): \(outcome.errors)")
    }
    let refused = try inFolder("run odd.yaml --json")
    #expect(refused.status == 3)
    #expect(refused.errors.contains("not_trusted"))
  }

  @Test func aTrustedFolderWorksUntilWhatItRunsChanges() throws {
    defer { sous.remove() }
    try writeHostileFolder()
    // Without a terminal it shows what needs trust and grants nothing.
    let asked = try inFolder("trust")
    #expect(asked.status == 3)
    #expect(asked.errors.contains("libflaky.so") && asked.errors.contains("SHA-256"))
    #expect(asked.errors.contains("touch") && asked.errors.contains("127.0.0.1") && asked.errors.contains("KEY"))
    #expect(try inFolder("trust --yes").status == 0)
    #expect(try inFolder("validate odd.yaml").status == 0)
    #expect(try inFolder("trust --list --json").json[0]?["items"]?.listValue?.isEmpty == false)
    let grants = sous.folder + "/home/.local/state/sous/trust"
    for name in try FileManager.default.contentsOfDirectory(atPath: grants) {
      let mode = try FileManager.default.attributesOfItem(atPath: grants + "/" + name)[.posixPermissions] as? Int
      #expect(mode == 0o600)
    }
    // The library under this name has changed.
    let library = sous.folder + "/dl/plugins/libecho.so"
    try FileManager.default.removeItem(atPath: library)
    try FileManager.default.copyItem(atPath: try FixtureLibrary.echoOfALaterHeader(), toPath: library)
    #expect(try inFolder("plugins show echo").status == 3)
    #expect(try inFolder("validate odd.yaml").status == 0)
    // The same key would go to another host.
    let text = try String(contentsOfFile: sous.folder + "/dl/sous.yaml", encoding: .utf8)
    try sous.write("dl/sous.yaml", text.replacing("127.0.0.1:1/v1", with: "127.0.0.1:2/v1"))
    #expect(try inFolder("models -p gpt --json").output.contains("auth"))
    #expect(try inFolder("trust --revoke").status == 0)
    #expect(try inFolder("validate odd.yaml").status == 3)
  }

  @Test func theEnvironmentOrAnOptionTrustsForOneCall() throws {
    defer { sous.remove() }
    try writeHostileFolder()
    #expect(try inFolder("validate odd.yaml", ["SOUS_TRUST": "/elsewhere:\(sous.folder)"]).status == 0)
    #expect(try inFolder("validate odd.yaml --trust-workspace").status == 0)
    #expect(try inFolder("--trust-workspace validate odd.yaml").status == 0)
    try FileManager.default.removeItem(atPath: sous.folder + "/cache")
    #expect(try inFolder("validate odd.yaml", ["SOUS_TRUST": sous.folder + "/d"]).status == 3)
  }

  /// Each section that runs, connects or leaves the folder, and a command that would use it.
  @Test(arguments: [
    ("reminders: { deliver: [{ command: [touch, ran] }] }", "remind 'tea in 1 second' --yes --json"),
    ("files: { folders: [.., .] }", "run file.yaml --json"),
    ("http: { hosts: [192.0.2.1] }", "run http.yaml --json"),
    ("providers: { home: { plugin: maildir, path: ../box } }", "run mail.yaml --json"),
    (
      "auth: { acc: { client_id: x, client_secret: { secret: { env: KEY } }, "
        + "device_authorization_endpoint: 'https://192.0.2.1/d', token_endpoint: 'https://192.0.2.1/t' } }",
      "auth login acc --device --json"
    ),
  ])
  func aSectionThatReachesBeyondTheFolderIsHeldBack(section: String, command: String) throws {
    defer { sous.remove() }
    try sous.write("dl/sous.yaml", section + "\n")
    try sous.write("file.txt", "outside")
    for name in ["new", "cur", "tmp"] {
      try FileManager.default.createDirectory(
        atPath: sous.folder + "/box/" + name, withIntermediateDirectories: true)
    }
    let retry = "retry: { attempts: 1 }"
    try sous.write("dl/file.yaml", "steps: [{ id: a, uses: file.read, with: { path: ../file.txt } }]\n")
    try sous.write(
      "dl/http.yaml", "steps: [{ id: a, uses: http.get, timeout: 1s, \(retry), with: { url: 'http://192.0.2.1/' } }]\n")
    try sous.write("dl/mail.yaml", "steps: [{ id: a, uses: mail.search, provider: home, with: { folder: INBOX } }]\n")
    let refused = try inFolder(command)
    #expect(refused.status != 0)
    let words = refused.output + refused.errors
    #expect(words.contains("is not trusted: run 'sous trust'"), "\(words)")
    #expect(try inFolder("trust").errors.contains("  - "))
    #expect(try inFolder("trust --yes").status == 0)
    // The other machine is not there, so a sign-in is not tried.
    guard !command.hasPrefix("auth") else { return }
    let allowed = try inFolder(command)
    #expect(!(allowed.output + allowed.errors).contains("sous trust"), "\(allowed)")
  }

  @Test func aScriptThatHasChangedIsNotRun() throws {
    defer { sous.remove() }
    try sous.write("dl/sous.yaml", "secrets: [{ command: [sh, get.sh] }, environment]\n")
    try sous.write("dl/get.sh", "echo secret\n")
    #expect(try inFolder("trust --yes").status == 0)
    #expect(try inFolder("secrets test ANY").status == 0)
    try sous.write("dl/get.sh", "touch ran; echo secret\n")
    let refused = try inFolder("secrets test ANY")
    #expect(refused.status != 0)
    #expect(!FileManager.default.fileExists(atPath: sous.folder + "/dl/ran"))
  }

  @Test func aRefusalBeginsWithTrust() throws {
    defer { sous.remove() }
    try sous.write(
      "dl/sous.yaml",
      """
      secrets: [{ command: [sh, -c, "echo x"] }]
      providers: { gpt: { plugin: openai, base_url: "http://127.0.0.1:1/v1", api_key: { secret: NONE }, model: m } }

      """)
    try sous.write("dl/r.yaml", "steps: [{ id: a, uses: chat.complete, provider: gpt, with: { prompt: x } }]\n")
    let outcome = try inFolder("run r.yaml -q")
    #expect(outcome.errors.contains("error: sous.yaml is not trusted: run 'sous trust'"), "\(outcome.errors)")
    #expect(!outcome.errors.contains("sous secrets set"))
    let shown = try inFolder("trust").errors
    #expect(shown.contains("sh -c 'echo x'"), "\(shown)")
  }

  @Test func aRunSendsASecretToThisMachineButToNoOther() throws {
    defer { sous.remove() }
    for (host, isRefused) in [
      ("127.0.0.1:1", false), ("[::1]:1", false), ("192.0.2.1:1", true),
    ] {
      try sous.write(
        "dl/sous.yaml",
        "providers: { gpt: { plugin: openai, base_url: \"http://\(host)/v1\", api_key: { secret: KEY }, model: m } }\n")
      try sous.write(
        "dl/r.yaml",
        "name: r\nsteps:\n  - { id: a, uses: chat.complete, provider: gpt, retry: { attempts: 1 }, with: { prompt: x } }\n"
      )
      let outcome = try inFolder("run r.yaml -q")
      #expect(outcome.status != 0)
      #expect(outcome.errors.contains("sous trust") == isRefused, "\(host): \(outcome.errors)")
    }
  }

  @Test func aFolderCannotReplaceAPluginOfSousNorLoadALibraryIntoIt() throws {
    defer { sous.remove() }
    let library = try FixtureLibrary.flaky()
    try sous.write("dl/sous.yaml", "providers: { odd: { plugin: \"\(library)\", isolation: in-process } }\n")
    try sous.write("dl/r.yaml", "name: r\nsteps:\n  - { id: a, uses: flaky.echo, provider: odd }\n")
    #expect(try inFolder("run r.yaml -q").status == 3)
    try sous.write("dl/sous.yaml", "plugins: { paths: [.] }\nproviders: { home: { plugin: maildir, path: box } }\n")
    try FileManager.default.copyItem(atPath: library, toPath: sous.folder + "/dl/libmaildir.so")
    let outcome = try inFolder("providers --json")
    #expect(outcome.status == 3 && outcome.output.contains("sous trust"), "\(outcome)")
  }

  @Test func foldersThatSousHasWrittenAreTrusted() throws {
    defer { sous.remove() }
    #expect(try sous("init", "new").status == 0)
    #expect(try sous("trust", "--list", "--json").json[0]?["folder"]?.stringValue?.hasSuffix("/new") == true)
    #expect(try sous("plugins", "new", "mine", "--language", "c", "--directory", "dl").status == 0)
    #expect(try sous.run("/bin/sh", ["-c", "cd dl && make"]).status == 0)
    #expect(try inFolder("run hello.yaml -q").status == 0)
    // Its author builds it again.
    #expect(try sous.run("/bin/sh", ["-c", "cd dl && make CFLAGS=-O0 -B"]).status == 0)
    #expect(try inFolder("run hello.yaml -q").status == 0)
    try sous.write("dl/sous.yaml", "providers: { mine: { plugin: build/libmine.so, isolation: in-process } }\n")
    #expect(try inFolder("run hello.yaml -q").errors.contains("sous trust"))
  }

  @Test(arguments: ["sous.yaml", ".", "plugins/libecho.so", "plugins"])
  func aConfigurationOrLibraryThatOthersMayWriteIsRefused(place: String) throws {
    defer { sous.remove() }
    try sous.write("dl/sous.yaml", "plugins: { paths: [plugins] }\nproviders: { e: { plugin: echo } }\n")
    try FileManager.default.createDirectory(atPath: sous.folder + "/dl/plugins", withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      atPath: try FixtureLibrary.echo(), toPath: sous.folder + "/dl/plugins/libecho.so")
    #expect(try inFolder("providers", ["SOUS_TRUST": "/"]).status == 0)
    try FileManager.default.removeItem(atPath: sous.folder + "/cache")
    chmod(sous.folder + "/dl/" + place, 0o777)
    let outcome = try inFolder("validate sous.yaml", ["SOUS_TRUST": "/"])
    let listed = try inFolder("providers", ["SOUS_TRUST": "/"])
    #expect(outcome.status == 3 || listed.status == 3, "\(outcome)\(listed)")
    #expect((outcome.errors + listed.errors + listed.output).contains("chmod"))
  }
}
