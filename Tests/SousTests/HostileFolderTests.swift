import Expressions
import FixturePlugins
import Foundation
import Testing

/// The attacks of a downloaded folder that docs/security.md names, against the program: each is refused with a type, and none
/// has an effect.
@Suite(.timeLimit(.minutes(15))) struct HostileFolderTests {
  /// What the program does with a command line in a folder that is not trusted.
  private enum Answer: Equatable {
    /// It works, or fails for a reason of its own, without the folder's libraries, hosts and secrets.
    case pure
    /// It works, and names `sous trust` for what is left out.
    case partial
    /// It fails and names `sous trust`.
    case refused
  }

  /// For every command of the program at least one line that gets as far as it can.
  private static let calls: [(command: String, lines: [String], answer: Answer)] = [
    ("run", ["r.yaml", "r.yaml --dry-run"], .pure),
    ("run", ["odd.yaml", "chat.yaml", "chat.yaml --dry-run", "mail.yaml", "send.yaml", "filter.yaml"], .refused),
    ("work", ["--until-idle"], .pure), ("status", [""], .pure), ("top", ["--json"], .pure),
    ("recipes list", [""], .partial), ("recipes disable", ["served"], .pure), ("recipes enable", ["served"], .pure),
    ("recipes duplicate", ["served copy"], .pure), ("recipes new", ["fresh"], .pure),
    ("recipes history", ["served", "fresh"], .pure), ("recipes diff", ["served"], .pure),
    ("recipes rollback", ["served 1"], .pure), ("recipes forget", ["served 1", "served"], .pure),
    ("recipes sync", ["", "--dry-run"], .refused),
    ("schedules list", [""], .pure), ("schedules next", ["'0 8 * * *'"], .pure), ("schedules history", [""], .pure),
    ("schedules pause", ["served"], .pure), ("schedules resume", ["served"], .pure),
    ("schedules trigger", ["recipes/served.yaml"], .refused),
    ("schedules backfill", ["served --from 2026-01-01"], .refused),
    ("triggers", [""], .pure), ("resume", [""], .pure), ("retry", [""], .pure), ("replay", [""], .pure),
    ("cancel", ["1"], .pure), ("settle", [""], .pure), ("remind", ["tomorrow at 9 dentist"], .pure),
    ("reminders list", [""], .pure), ("reminders show", ["1"], .pure), ("reminders snooze", ["1 1h"], .pure),
    ("reminders done", ["1"], .pure), ("reminders delete", ["1"], .pure), ("reminders import", ["m.eml"], .pure),
    ("reminders export", [""], .pure), ("notes list", [""], .pure), ("notes add", ["hello"], .pure),
    ("notes append", ["1 more"], .pure), ("notes show", ["1"], .pure), ("notes search", ["hello"], .pure),
    ("notes edit", ["1 --title x"], .pure), ("notes revise", ["1"], .refused), ("notes files", ["1"], .pure),
    ("notes export", [""], .pure), ("notes import", ["empty.json"], .pure),
    ("notes mail", ["1 --to a@example.org"], .refused), ("notes from-mail", ["INBOX 1"], .refused),
    ("notes categories list", [""], .pure), ("notes categories add", ["c"], .pure),
    ("notes categories edit", ["c --name d"], .pure), ("notes categories delete", ["d"], .pure),
    ("notes tags", [""], .pure), ("notes overview", [""], .pure), ("notes delete", ["1 --yes"], .pure),
    ("notifications list", [""], .pure), ("notifications show", ["1"], .pure), ("notifications read", ["1"], .pure),
    ("notifications unread", ["1"], .pure), ("notifications clear", ["1"], .pure),
    ("bookmarks list", [""], .refused), ("bookmarks show", ["1"], .refused),
    ("bookmarks mark", ["1 --archive"], .refused),
    ("bookmarks status", [""], .pure), ("bookmarks sync", [""], .refused), ("bookmarks clear", [""], .pure),
    ("bookmarks drop", ["1"], .pure),
    ("summaries list", [""], .pure), ("summaries status", [""], .pure), ("summaries run", [""], .pure),
    ("catalog tree", [""], .pure), ("catalog show", ["p"], .pure), ("catalog prompt", ["p"], .pure),
    ("catalog search", ["p"], .pure), ("catalog path", ["p"], .pure), ("catalog add", ["q --text x"], .pure),
    ("catalog edit", ["q --text y"], .pure), ("catalog move", ["q s"], .pure), ("catalog reorder", [". p"], .pure),
    ("catalog delete", ["s"], .pure), ("catalog import", ["empty.json"], .pure), ("catalog export", [""], .pure),
    ("catalog init", [""], .pure), ("approve", [""], .pure), ("reject", ["1"], .pure), ("event", ["", "x"], .pure),
    ("state list", [""], .pure), ("state get", ["a b"], .pure), ("state clear", ["a b"], .pure),
    ("answer list", [""], .pure), ("answer yes", ["", "1"], .pure), ("answer no", ["1"], .pure),
    ("answer event", ["", "x"], .pure), ("answer settle", [""], .pure),
    ("chat", ["Hi", "Hi -p odd", "Hi -p far", "Hi -p file", "Hi -p run"], .refused),
    ("chats list", [""], .pure), ("chats show", [""], .pure), ("chats search", ["x"], .pure),
    ("chats delete", ["1"], .pure),
    ("models", ["", "-p odd", "-p near", "-p far", "-p file", "-p run"], .refused),
    ("providers list", [""], .refused),
    ("providers test", ["", "odd", "near", "far", "file", "run", "post", "out"], .refused),
    ("providers default", ["near --for chat"], .pure), ("providers import", ["empty.json"], .pure),
    ("usage", [""], .pure), ("validate", ["r.yaml"], .pure), ("validate", ["odd.yaml", "sous.yaml", "."], .refused),
    ("test", ["", "t.test.yaml"], .pure), ("explain", ["r.yaml", "chat.yaml", "mail.yaml", "filter.yaml"], .pure),
    ("explain", ["odd.yaml"], .refused), ("eval", ["1+1"], .pure), ("runs", [""], .pure), ("show", [""], .pure),
    ("logs", [""], .pure), ("stats", [""], .pure), ("export", [""], .pure), ("db check", [""], .pure),
    ("db backup", ["copy.db"], .pure), ("db prune", [""], .pure), ("db vacuum", [""], .pure), ("db adopt", [""], .pure),
    ("db migrate", [""], .pure), ("schema", ["", "sous.yaml"], .pure),
    ("send", ["--to a@example.org --subject s --text t"], .refused),
    ("outbox list", [""], .pure), ("outbox show", ["1"], .pure), ("outbox edit", ["1 --subject x"], .pure),
    ("outbox reschedule", ["1 --at tomorrow"], .pure), ("outbox cancel", ["1"], .pure),
    ("outbox send-now", ["1"], .pure),
    ("outbox retry", ["1"], .pure), ("outbox run", [""], .pure), ("outbox clean", [""], .pure),
    ("neutralise", ["m.eml"], .pure), ("resolve", ["m.eml --mapping empty.json"], .pure),
    ("mail parse", ["m.eml"], .pure), ("mail text", ["m.eml"], .pure), ("mail html", ["m.eml"], .pure),
    ("mail build", [""], .pure), ("mail watch", ["post"], .refused),
    ("mail pull", ["post --to home", "home --to post"], .refused),
    ("mail undo", ["1"], .pure), ("mail snooze", ["1 --until tomorrow"], .refused), ("mail snoozed", [""], .pure),
    ("mail wake", ["1"], .pure), ("mail summary", ["INBOX 1"], .refused), ("sieve import", ["keep.sieve"], .pure),
    ("sieve export", ["filter.yaml"], .pure), ("plugins list", [""], .refused),
    ("plugins show", ["echo", "./plugins/libecho.so"], .refused), ("plugins new", ["mine"], .pure),
    ("plugins kit", ["."], .pure), ("plugins check", ["echo"], .refused), ("plugins doc", ["echo"], .refused),
    ("plugins verify", [""], .pure), ("plugins install", ["", "--yes"], .refused),
    // A library that is named is opened in a worker without rights. This folder has nothing to build.
    ("plugins install", ["./plugins/libecho.so"], .pure), ("plugins pack", ["", "./plugins/libecho.so"], .pure),
    ("plugins dev", ["--once"], .pure), ("plugins update", ["", "parcel --yes"], .refused),
    ("plugins remove", ["parcel", "parcel --yes"], .pure),
    ("secrets list", [""], .pure), ("secrets set", ["X </dev/null"], .pure), ("secrets delete", ["X"], .pure),
    ("secrets rotate", [""], .pure), ("secrets test", ["", "KEY"], .refused),
    ("secrets exec", ["KEY -- true"], .refused),
    ("users list", [""], .pure), ("users add", ["anna --no-password", "otto --no-password"], .pure),
    ("users change", ["anna --group g"], .pure), ("users password", ["anna --password-stdin </dev/null"], .pure),
    ("users disable", ["otto"], .pure), ("users enable", ["otto"], .pure), ("users sessions", [""], .pure),
    ("tokens add", ["t --user anna"], .pure), ("tokens list", [""], .pure), ("tokens remove", ["t"], .pure),
    ("roles add", ["clerk --rule 'runs: read=all'"], .pure), ("roles list", [""], .pure),
    ("roles show", ["clerk"], .pure), ("roles overview", [""], .pure), ("roles remove", ["clerk"], .pure),
    ("audit list", [""], .pure), ("users export", ["anna"], .pure), ("users remove", ["otto --yes"], .pure),
    ("users erase", ["otto --yes"], .pure),
    ("auth login", ["acc --device"], .refused), ("auth list", [""], .pure), ("auth status", ["", "--check"], .pure),
    ("auth logout", ["acc"], .pure), ("lsp", ["</dev/null"], .pure), ("mcp", ["</dev/null"], .pure),
    ("init", ["", "other"], .pure),
    ("demo", ["trial --no-model"], .pure), ("docs", ["", "editors"], .pure), ("doctor", [""], .refused),
    ("trust", [""], .refused), ("trust", ["--list"], .pure), ("version", [""], .pure),
    // It does not end by itself: see the test of its own.
    ("serve", [], .refused),
  ]

  /// The commands of the program, from its own help: `notes categories add`; and those that no list shows any more.
  private static func commands(_ folder: HostileFolder) throws -> [String] {
    let help = try folder.call("help all").output.split(separator: "\n", omittingEmptySubsequences: false)
    let start = try #require(help.firstIndex(of: "EVERYDAY:"))
    let former = ["work", "approve", "reject", "event", "settle"]
    return try names(in: help[start...]).flatMap { try commands(folder, below: $0) } + former
  }

  private static func commands(_ folder: HostileFolder, below command: String) throws -> [String] {
    let help = try folder.call("\(command) --help").output.split(separator: "\n", omittingEmptySubsequences: false)
    guard let start = help.firstIndex(of: "SUBCOMMANDS:") else { return [command] }
    return try names(in: help[(start + 1)...].prefix { !$0.isEmpty })
      .flatMap { try commands(folder, below: "\(command) \($0)") }
  }

  /// The commands that lines of a help text begin with; a line of advice begins with a capital letter.
  private static func names(in lines: ArraySlice<Substring>) -> [String] {
    lines.filter { $0.hasPrefix("  ") && $0.dropFirst(2).first?.isLowercase == true }
      .map { String($0.dropFirst(2).prefix { $0 != " " && $0 != "," }) }
  }

  @Test func noCommandRunsConnectsOrReadsASecretInAFolderThatIsNotTrusted() throws {
    let folder = try HostileFolder()
    defer { folder.remove() }
    // A new command needs a line here.
    #expect(Set(try Self.commands(folder)) == Set(Self.calls.map(\.command)))
    for call in Self.calls {
      for line in call.lines.map({ "\(call.command) \($0)" }) {
        let outcome = try folder.call(line)
        let text = outcome.output + outcome.errors
        #expect(folder.effects() == [], "\(line): \(text)")
        #expect(!HostileFolder.secrets.contains { text.contains($0) }, "\(line): \(text)")
        #expect(text.contains("sous trust") == (call.answer != .pure), "\(line): \(outcome.status) \(text)")
        #expect([0, 1, 2, 3].contains(outcome.status), "\(line): \(outcome.status)")
        #expect(call.answer != .refused || outcome.status != 0, "\(line): \(text)")
      }
    }
  }

  @Test func theEditorsServerOpensNothingOfTheFolder() throws {
    let folder = try HostileFolder()
    defer { folder.remove() }
    let editor = try EditorProcess(in: folder.sous)
    defer { editor.stop() }
    try editor.initialize()
    for name in ["odd.yaml", "chat.yaml", "sous.yaml", "t.test.yaml"] {
      let uri = "file://\(folder.sous.folder)/\(name)"
      let text = try String(contentsOfFile: folder.sous.folder + "/" + name, encoding: .utf8)
      editor.open(uri, text)
      _ = try editor.diagnostics(of: uri)
      for line in 0..<Int64(text.split(separator: "\n").count) {
        let place: Value = ["textDocument": ["uri": .string(uri)], "position": ["line": .int(line), "character": 16]]
        for method in ["completion", "hover", "definition"] { try editor.request("textDocument/" + method, place) }
      }
    }
    #expect(folder.effects() == [])
  }

  private func serve(_ folder: HostileFolder) throws -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: SousProcess.executable)
    process.arguments = ["serve", "--drain", "0s"]
    process.currentDirectoryURL = URL(fileURLWithPath: folder.sous.folder)
    process.environment = folder.sous.environment
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    return process
  }

  private func end(_ daemon: Process) {
    daemon.terminate()
    daemon.waitUntilExit()
  }

  @Test func aDaemonStartsNothingOfTheFolder() async throws {
    let folder = try HostileFolder()
    defer { folder.remove() }
    for (name, on, step) in [
      ("chat", "schedule: { every: 1s }", "uses: chat.complete, with: { prompt: Hi }, retry: { attempts: 1 }"),
      ("mail", "mail: { event: new, folder: INBOX }", "uses: template, with: { text: x }"),
    ] {
      try folder.sous.write("recipes/\(name).yaml", "name: \(name)\non: { \(on) }\nsteps: [{ id: a, \(step) }]\n")
    }
    let daemon = try serve(folder)
    defer { end(daemon) }
    try await folder.sous.wait {
      try folder.call("runs --recipe chat --status failed --json").output.contains("\"chat\"")
    }
    #expect(try folder.call("show last").output.contains("sous trust"))
    let problems = try folder.call("status --json").json["servers"]?[0]?["problems"]?.listValue ?? []
    #expect(problems.contains { $0["message"]?.stringValue?.contains("sous trust") == true }, "\(problems)")
    #expect(folder.effects() == [])
  }

  /// A unit of systemd starts the daemon without a variable: the grant of its user is enough.
  @Test(arguments: ["system", "user"]) func aServiceNeedsTheGrantOfItsUserAndNoVariable(scope: String) async throws {
    let unit = try String(
      contentsOfFile: SousProcess.repository + "/packaging/systemd/\(scope)/sous.service", encoding: .utf8)
    #expect(!unit.contains("SOUS_TRUST=") && unit.contains("sous trust"))
    let folder = try HostileFolder()
    defer { folder.remove() }
    try folder.sous.write(
      "recipes/odd.yaml", "name: odd\non: { schedule: { every: 1s } }\nsteps: [{ uses: echo.echo, provider: odd }]\n")
    #expect(try folder.call("trust --yes").status == 0)
    let daemon = try serve(folder)
    defer { end(daemon) }
    try await folder.sous.wait {
      try folder.call("runs --recipe odd --status succeeded --json").output.contains("\"odd\"")
    }
    #expect(folder.effects().contains("library"))
  }

  @Test func trustLetsTheFolderDoAllThis() throws {
    let folder = try HostileFolder()
    defer { folder.remove() }
    let asked = try folder.call("trust")
    for word in ["libecho.so", "SHA-256", "tools/secret.sh", "0.0.0.0", "KEY", "token", "acc"] {
      #expect(asked.errors.contains(word), "\(word): \(asked.errors)")
    }
    #expect(asked.status == 3 && folder.effects() == [])
    #expect(try folder.call("trust --yes").status == 0)
    _ = try folder.call("plugins list")
    #expect(folder.effects() == ["worker"])
    _ = try folder.call("run odd.yaml -q")
    #expect(folder.effects().contains("library"))
    _ = try folder.call("secrets test")
    #expect(folder.effects().contains("command"))
    for line in ["models -p near", "chat Hi -p far", "auth login acc --device --key-file"] {
      let outcome = try folder.call(line)
      #expect(folder.effects().contains("connection"), "\(line): \(outcome.errors)")
    }
  }

  // MARK: - Changes of a folder that is trusted

  /// What changes in a folder that the user has trusted, and the command that asks again.
  enum Change: String, CaseIterable, Sendable {
    case library, linkedLibrary, program, arguments, host, provider, secret, account, folderMoved, folderInside

    var command: String {
      switch self {
      case .library, .linkedLibrary, .folderMoved, .folderInside: "plugins show echo"
      case .program, .arguments: "secrets test KEY"
      case .host, .secret: "chat Hi -p far"
      case .provider: "run odd.yaml -q"
      case .account: "auth login acc --device --key-file"
      }
    }
  }

  @Test(arguments: Change.allCases) func aChangeOfWhatRunsAsksAgain(change: Change) throws {
    let folder = try HostileFolder()
    defer { folder.remove() }
    let (sous, files) = (folder.sous, FileManager.default)
    let library = sous.folder + "/plugins/libecho.so"
    if change == .linkedLibrary {
      try files.moveItem(atPath: library, toPath: folder.home + "/libecho.so")
      symlink(folder.home + "/libecho.so", library)
    }
    #expect(try folder.call("trust --yes").status == 0)
    let before = try folder.call(change.command)
    #expect(!(before.output + before.errors).contains("sous trust"), "\(before)")
    func edit(_ name: String, _ old: String, _ new: String) throws {
      let text = try String(contentsOfFile: sous.folder + "/" + name, encoding: .utf8)
      try #require(text.contains(old))
      try Data(text.replacing(old, with: new).utf8).write(to: URL(fileURLWithPath: sous.folder + "/" + name))
    }
    var place = ""
    switch change {
    case .library, .linkedLibrary:
      let target = change == .library ? library : folder.home + "/libecho.so"
      try files.removeItem(atPath: target)
      try files.copyItem(atPath: try FixtureLibrary.echoOfALaterHeader(), toPath: target)
    case .program: try edit("tools/secret.sh", "echo word", "echo other")
    case .arguments: try edit("sous.yaml", "secrets: [{ command: [./tools/secret.sh] }", "secrets: [{ command: [env] }")
    case .host:
      try edit(
        "sous.yaml", "far: { plugin: openai, base_url: \"http://0.0.0.0",
        "far: { plugin: openai, base_url: \"http://192.0.2.1")
    case .provider: try edit("sous.yaml", "isolation: in-process", "isolation: in-process, limits: { threads: 9 }")
    case .secret:
      try edit("sous.yaml", "secret: { env: KEY } }, model: m }\n  file", "secret: { env: HOME } }, model: m }\n  file")
    case .account: try edit("sous.yaml", "/t\n", "/other\n")
    case .folderMoved:
      try files.createDirectory(atPath: folder.home + "/elsewhere", withIntermediateDirectories: true)
      try files.copyItem(atPath: sous.folder + "/sous.yaml", toPath: folder.home + "/elsewhere/sous.yaml")
      try files.copyItem(atPath: sous.folder + "/plugins", toPath: folder.home + "/elsewhere/plugins")
      place = "cd '\(folder.home)/elsewhere' && "
    case .folderInside:
      try files.createDirectory(atPath: sous.folder + "/inside", withIntermediateDirectories: true)
      try files.copyItem(atPath: sous.folder + "/sous.yaml", toPath: sous.folder + "/inside/sous.yaml")
      try files.copyItem(atPath: sous.folder + "/plugins", toPath: sous.folder + "/inside/plugins")
      place = "cd inside && "
    }
    try? files.removeItem(atPath: folder.home + "/cache")
    _ = folder.effects()
    let after = try sous.run("/bin/sh", ["-c", "\(place)exec '\(SousProcess.executable)' \(change.command)"])
    #expect(after.status != 0, "\(after)")
    #expect((after.output + after.errors).contains("sous trust"), "\(after)")
    // A library that is still trusted may be asked for its manifest.
    let allowed = [.program, .arguments, .provider].contains(change) ? ["worker"] : []
    #expect(folder.effects().filter { !allowed.contains($0) } == [])
  }

  /// The name of a folder is not its identity: a link leads to what was trusted, and a configuration that a path names is that
  /// of its folder.
  @Test func aFolderIsKnownByWhereItIs() throws {
    let folder = try HostileFolder()
    defer { folder.remove() }
    let (executable, path) = (SousProcess.executable, folder.sous.folder)
    let elsewhere = "cd '\(folder.home)' && "
    let named = try folder.sous.run(
      "/bin/sh", ["-c", "\(elsewhere)exec '\(executable)' models -p near --config '\(path)/sous.yaml'"])
    #expect(named.errors.contains("sous trust") && folder.effects() == [], "\(named)")
    #expect(try folder.call("trust --yes").status == 0)
    symlink(path, folder.home + "/link")
    _ = try folder.sous.run("/bin/sh", ["-c", "cd '\(folder.home)/link' && exec '\(executable)' models -p near"])
    #expect(folder.effects().contains("connection"))
    // A link to the configuration makes another folder of it.
    try FileManager.default.createDirectory(atPath: folder.home + "/other", withIntermediateDirectories: true)
    symlink(path + "/sous.yaml", folder.home + "/other/sous.yaml")
    let other = try folder.sous.run(
      "/bin/sh", ["-c", "cd '\(folder.home)/other' && exec '\(executable)' models -p near"])
    #expect(other.errors.contains("sous trust") && folder.effects() == [], "\(other)")
  }
}
