import Expressions
import Foundation
import Testing

/// Paths in recipes and options: files of Sous, secrets, and files that are run later stay unread or unchanged.
@Suite(.timeLimit(.minutes(15))) struct PathFenceTests {
  private let sous: SousProcess

  init() throws {
    sous = try SousProcess()
    try sous.write("project/secrets.env", "TOKEN=CANARY-0123456789\n")
    chmod(sous.folder + "/project/secrets.env", 0o600)
    try sous.write("outside.txt", "CANARY-OUTSIDE")
    try sous.write("project/inside.txt", "fine")
    try sous.write("project/recipes/served.yaml", "name: served\nsteps:\n  - { uses: template, with: { text: x } }\n")
    try sous.write(
      "project/sous.yaml",
      """
      secrets: [{ file: secrets.env }, { vault: { key_file: vault.key } }]
      providers: { home: { plugin: maildir, path: box, create: true, from: "Me <me@example.org>" } }
      defaults: { mail.transport: home, mail.store: home }

      """)
    try sous.write("project/own.yaml", "name: own\nsteps:\n  - { uses: template, with: { text: x } }\n")
    try sous.write(
      "project/own.test.yaml", "recipe: own.yaml\ntests:\n  - { name: t, expect: { status: succeeded } }\n")
    try sous.write("project/vault.key", "0123456789abcdef0123456789abcdef")
    chmod(sous.folder + "/project/vault.key", 0o600)
    symlink("secrets.env", sous.folder + "/project/link.txt")
    link(sous.folder + "/project/secrets.env", sous.folder + "/project/hard.txt")
  }

  private func inProject(_ command: String) throws -> SousProcess.Outcome {
    try sous.run("/bin/sh", ["-c", "cd project && exec '\(SousProcess.executable)' \(command) </dev/null"])
  }

  /// Recipes that put the file at the input `path` into a message.
  private static let senders = [
    "steps:\n  - { id: s, uses: mail.send, retry: { attempts: 1 }, with: { to: [a@example.org], subject: a, text: t, attachments: [{ path: \"{{ inputs.path }}\" }] } }\n",
    "kind: send\nmail: { to: a@example.org, subject: a, text: t, attachments: [\"{{ inputs.path }}\"] }\n",
    "steps:\n  - { id: s, uses: mail.append, retry: { attempts: 1 }, with: { folder: INBOX, from: b@example.org, to: [a@example.org], subject: a, text: t, attachments: [{ path: \"{{ inputs.path }}\" }] } }\n",
  ]

  private var sentBytes: String {
    let box = sous.folder + "/project/box"
    let files = (try? FileManager.default.subpathsOfDirectory(atPath: box)) ?? []
    return files.compactMap { try? String(contentsOfFile: box + "/" + $0, encoding: .utf8) }.joined()
  }

  /// The same commands are refused for files of Sous; see below.
  @Test func anExportWritesAnotherFile() throws {
    defer { sous.remove() }
    #expect(try inProject("run own.yaml -q").status == 0)
    for (index, command) in [
      "export -o", "catalog export -o", "reminders export -o", "notes export --format json -o", "test --junit",
    ].enumerated() {
      #expect(try inProject("\(command) export-\(index)").status == 0, "\(command)")
      #expect(FileManager.default.fileExists(atPath: sous.folder + "/project/export-\(index)"), "\(command)")
    }
  }

  @Test(arguments: [
    "secrets.env", "vault.key", "link.txt", "hard.txt", "../outside.txt", ".sous/sous.db", "/etc/passwd",
    "/proc/self/environ", "recipes/../secrets.env",
  ])
  func aRecipeSendsNoFileThatItMayNotRead(path: String) throws {
    defer { sous.remove() }
    for (index, text) in Self.senders.enumerated() {
      try sous.write("project/\(index).yaml", "name: r\ninputs: { path: string }\n\(text)")
      let outcome = try inProject("run \(index).yaml -q -i path=\(path)")
      #expect(outcome.status != 0, "\(text)")
    }
    #expect(!sentBytes.contains("Q0FOQVJZ") && !sentBytes.contains("CANARY"))
  }

  @Test func aRecipeSendsAFileOfItsFolder() throws {
    defer { sous.remove() }
    for (index, text) in Self.senders.enumerated() {
      try sous.write("project/\(index).yaml", "name: r\ninputs: { path: string }\n\(text)")
      let outcome = try inProject("run \(index).yaml -q -i path=inside.txt")
      #expect(outcome.status == 0, "\(text)\n\(outcome.errors)")
      #expect(sentBytes.components(separatedBy: "filename=inside.txt").count == index + 2, "\(text)")
    }
  }

  @Test(arguments: [
    "recipes/new.yaml", "recipes/deep/new.yaml", "recipes/run.sh", "recipes/served.yaml", "r.yaml", "catalog/x.yaml",
    "workflows/x.yaml", "x.test.yaml", ".git/hooks/pre-commit", "sub/.git/config", ".envrc", ".bashrc", ".ssh/config",
    ".vscode/tasks.json", "sous.yaml", "sub/sous.yaml", ".GIT/hooks/pre-commit", ".Envrc", ".config/nvim/init.lua",
  ])
  func aRecipeChangesNothingThatIsRunLater(path: String) throws {
    defer { sous.remove() }
    try sous.write(
      "project/r.yaml",
      "name: r\ninputs: { path: string }\nsteps:\n  - { id: s, uses: file.write, retry: { attempts: 1 }, with: { path: \"{{ inputs.path }}\", content: x } }\n"
    )
    let before = try FileManager.default.subpathsOfDirectory(atPath: sous.folder + "/project")
      .filter { !$0.hasPrefix(".sous") }.sorted()
    let outcome = try inProject("run r.yaml --json -i path=\(path)")
    #expect(outcome.status == 1 && outcome.output.contains("\"auth\""), "\(outcome.output)")
    let after = try FileManager.default.subpathsOfDirectory(atPath: sous.folder + "/project")
      .filter { !$0.hasPrefix(".sous") }.sorted()
    #expect(before == after)
  }

  @Test func aRecipeWritesDataAndWhatTheConfigurationNames() throws {
    defer { sous.remove() }
    try sous.write(
      "project/r.yaml",
      "name: r\ninputs: { path: string }\nsteps:\n  - { id: s, uses: file.write, retry: { attempts: 1 }, with: { path: \"{{ inputs.path }}\", content: \"a: 1\" } }\n"
    )
    for path in ["out.yaml", "out.yaml", "deep/data.json", "gitlog.txt"] {
      #expect(try inProject("run r.yaml -q -i path=\(path)").status == 0, "\(path)")
    }
    try sous.write("project/sous.yaml", "files: { folders: [., recipes] }\n")
    #expect(try inProject("run r.yaml -q -i path=recipes/new.yaml").status == 0)
    #expect(try inProject("run r.yaml -q -i path=catalog/new.yaml").status == 1)
  }

  @Test(arguments: ["vault.key", "secrets.env", "sous.yaml", ".sous/sous.db"])
  func noExportTakesThePlaceOfWhatSousKeeps(path: String) throws {
    defer { sous.remove() }
    try sous.write("project/r.yaml", "name: r\nsteps:\n  - { uses: template, with: { text: x } }\n")
    #expect(try inProject("run r.yaml -q").status == 0)
    let file = sous.folder + "/project/" + path
    let name = (path as NSString).lastPathComponent
    let folder = path.contains("/") ? (path as NSString).deletingLastPathComponent : "."
    try sous.write("project/keep.sieve", "require \"fileinto\";\nif header :is \"X\" \"y\" { fileinto \"T\"; }\n")
    try sous.write(
      "project/filter.yaml",
      "kind: mail-filter\nname: f\nfolder: INBOX\nrules:\n  - { when: message.bulk, then: [{ move: T }] }\n")
    try sous.write("project/other/\(name)", "text")
    #expect(try inProject("neutralise inside.txt --mapping mapping").status == 0)
    #expect(try inProject("notes add hello --attach other/\(name)").status == 0)
    let before = FileManager.default.contents(atPath: file)
    for command in [
      "export -o \(path)", "catalog export -o \(path)", "reminders export -o \(path)",
      "notes export --format json -o \(path)", "test --junit \(path)", "db backup --force \(path)",
      "sieve import keep.sieve -o \(path)", "sieve export filter.yaml -o \(path)",
      "neutralise --mapping \(path) inside.txt",
      "neutralise --to \(folder) other/\(name)", "resolve --mapping mapping --to \(folder) other/\(name)",
      "notes files 1 -o \(folder)",
    ] {
      #expect(try inProject(command).status != 0, "\(command)")
      #expect(FileManager.default.contents(atPath: file)?.prefix(64) == before?.prefix(64), "\(command)")
    }
  }

  /// Whoever sends a letter chooses how the files of a note are called.
  @Test(arguments: [("vault", ".sous"), ("vault-wal", ".sous"), ("secrets.env", "."), ("sous.yaml", ".")])
  func theFileOfANoteComesToBeAtNoPlaceOfSous(name: String, folder: String) throws {
    defer { sous.remove() }
    try sous.write("project/other/\(name)", "text")
    #expect(try inProject("notes add hello --attach other/\(name)").status == 0)
    if folder == ".", name != "sous.yaml" { unlink(sous.folder + "/project/\(name)") }
    let outcome = try inProject("notes files 1 -o \(folder) --json")
    #expect(outcome.status != 0, "\(outcome)")
    #expect(FileManager.default.contents(atPath: sous.folder + "/project/\(folder)/\(name)") != Data("text".utf8))
  }

  @Test func noFileOfANoteIsHidden() throws {
    defer { sous.remove() }
    try sous.write("project/other/.envrc", "text")
    #expect(try inProject("notes add hello --attach other/.envrc").status == 0)
    #expect(try inProject("notes files 1").status == 0)
    #expect(FileManager.default.contents(atPath: sous.folder + "/project/envrc") == Data("text".utf8))
    #expect(!FileManager.default.fileExists(atPath: sous.folder + "/project/.envrc"))
  }
}
