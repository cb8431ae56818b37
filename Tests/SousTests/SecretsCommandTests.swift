import Expressions
import FixturePlugins
import Foundation
import Testing

@Suite(.timeLimit(.minutes(15)))
struct SecretsCommandTests {
  let sous: SousProcess

  init() throws {
    sous = try SousProcess()
    try sous.write(
      "sous.yaml",
      """
      providers:
        work: { plugin: \(try FixtureLibrary.leaky()), password: { secret: WORK }, accounts: [{ token: { secret: TOKEN } }] }
        home: { plugin: \(try FixtureLibrary.leaky()), password: { secret: WORK } }
        odd: { plugin: \(try FixtureLibrary.leaky()), key: { secret: { command: [echo, value] } } }
      """)
  }

  private func run(_ arguments: String, input: String? = nil, environment: [String: String] = [:]) throws
    -> SousProcess.Outcome
  {
    var sous = sous
    sous.environment.merge(environment) { _, new in new }
    let file = try input.map { try sous.write("input", $0) } ?? "/dev/null"
    // A session of its own has no terminal to ask on.
    return try sous.run(
      "/bin/sh", ["-c", "exec setsid -w \"$0\" secrets \(arguments) <\(file)", SousProcess.executable])
  }

  private func code(_ outcome: SousProcess.Outcome) -> String? {
    let lines = outcome.errors.split(separator: "\n")
    guard let last = lines.last, let json = try? Value(json: Array(last.utf8)) else { return nil }
    return json["error"]?["code"]?.stringValue
  }

  @Test func vaultIsMadeFilledListedAndRotated() throws {
    defer { sous.remove() }
    let first = try run("set WORK --key-file --json", input: "hunter22\n")
    #expect(first.status == 0, "\(first.errors)")
    #expect(try first.json["created"] == .bool(true))
    let mode = try FileManager.default.attributesOfItem(atPath: sous.folder + "/.sous/vault")[.posixPermissions] as? Int
    #expect(mode == 0o600)
    #expect(FileManager.default.fileExists(atPath: sous.folder + "/.config/sous/vault.key"))

    #expect(try run("set SPARE --json", input: "other").json["created"] == .bool(false))
    #expect(try run("set SPARE --json", input: "another").json["replaced"] == .bool(true))

    let list = try run("list --json")
    #expect(list.status == 0)
    let rows = try #require(try list.json.elements)
    #expect(rows.map { $0["name"]?.stringValue } == ["WORK", "TOKEN", "echo", "SPARE"])
    #expect(rows.map { $0["found"] } == [.bool(true), .bool(false), .null, .bool(true)])
    #expect(rows.map { $0["source"]?.stringValue } == ["vault", nil, "command", "vault"])
    #expect(rows[0]["uses"] == ["work.password", "home.password"])
    #expect(rows[1]["uses"] == ["work.accounts.0.token"])
    #expect(!list.output.contains("hunter22"))

    let test = try run("test --json", environment: ["TOKEN": "x"])
    #expect(test.status == 0, "\(test.output)")
    #expect(try run("test").status == 3)
    #expect(try run("test WORK SPARE").status == 0)

    let before = try Data(contentsOf: URL(fileURLWithPath: sous.folder + "/.sous/vault"))
    let rotated = try run("rotate")
    #expect(rotated.status == 0)
    let keyFile = try #require(try run("rotate --key-file --json").json["key_file"]?.stringValue)
    #expect(FileManager.default.fileExists(atPath: keyFile))
    #expect(rotated.output.contains(keyFile), "\(rotated.output)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: sous.folder + "/.sous/vault")) != before)
    #expect(try run("test WORK").status == 0)

    let passphrase = try sous.write("passphrase", "correct horse\n")
    #expect(chmod(passphrase, 0o600) == 0)
    #expect(try run("rotate --passphrase-file passphrase --json").json["lock"]?.stringValue == "passphrase")
    #expect(code(try run("list --json")) == "vault_locked")
    let environment = ["SOUS_VAULT_PASSPHRASE_FILE": passphrase]
    #expect(try run("test WORK", environment: environment).status == 0)

    #expect(try run("delete SPARE", environment: environment).status == 0)
    let again = try run("delete SPARE --json", environment: environment)
    #expect(again.status == 2)
    #expect(code(again) == "secret_missing")
  }

  @Test(arguments: [
    "set WORK hunter22", "set WORK=hunter22", "set WORK --value=hunter22", "set WORK --hunter22",
    "set WORK -- hunter22",
    "set hunter22/x", "delete 'hunter22 x'", "test 'hunter22 x'",
  ])
  func valueIsNeverAnArgument(arguments: String) throws {
    defer { sous.remove() }
    for suffix in ["", " --json"] {
      let outcome = try run(arguments + (arguments.contains("--") && !suffix.isEmpty ? "" : suffix), input: "x")
      #expect(outcome.status == 2)
      #expect(!(outcome.output + outcome.errors).contains("hunter22"))
    }
    #expect(!FileManager.default.fileExists(atPath: sous.folder + "/.sous/vault"))
  }

  @Test(arguments: [
    ("", "secret_value_invalid"), ("\n", "secret_value_invalid"),
    (String(repeating: "x", count: 70_000), "secret_value_invalid"),
  ])
  func valuesThatAreNoneAreRefused(input: String, expected: String) throws {
    defer { sous.remove() }
    let outcome = try run("set WORK --key-file --json", input: input)
    #expect(outcome.status == 2)
    #expect(code(outcome) == expected)
  }

  @Test func projectsThatShareAKeyFileAreRotatedOneAfterTheOther() throws {
    defer { sous.remove() }
    let other = sous.folder + "/other"
    try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
    func inOther(_ arguments: String, input: String? = nil) throws -> SousProcess.Outcome {
      try run(arguments + " --state other", input: input)
    }
    #expect(try run("set WORK --key-file", input: "first").status == 0)
    #expect(try inOther("set WORK --key-file", input: "second").status == 0)
    for _ in 0..<2 {
      #expect(try run("rotate").status == 0)
      #expect(try inOther("set MORE", input: "third").status == 0)
    }
    #expect(try inOther("rotate").status == 0)
    // Both have the key that there is.
    try FileManager.default.removeItem(atPath: sous.folder + "/.config/sous/vault.key.old")
    #expect(try run("set MORE", input: "x").status == 0)
    #expect(try inOther("set MORE", input: "x").status == 0)
  }

  @Test func vaultNeedsAKeyFromSomewhere() throws {
    defer { sous.remove() }
    let outcome = try run("set WORK --json", input: "x")
    #expect(outcome.status == 3)
    #expect(code(outcome) == "no_terminal")
    #expect(outcome.errors.contains("--key-file"))
    #expect(code(try run("rotate --json")) == "vault_missing")
  }

  @Test func missingSecretOfARunNamesPlaceAndRemedy() throws {
    defer { sous.remove() }
    let recipe = try sous.write(
      "recipe.yaml", "steps:\n  - { id: a, uses: leaky.deltas, provider: home }\n")
    let missing = try sous("run", recipe, "--json")
    #expect(missing.status == 3)
    #expect(code(missing) == "secret_missing")
    for words in ["sous.yaml:3:", "'home'", "'password'", "sous secrets set WORK"] {
      #expect(missing.errors.contains(words), "\(missing.errors)")
    }
    #expect(try run("set WORK --key-file", input: "hunter22").status == 0)
    #expect(try sous("run", recipe, "--json").status == 0)
    #expect(try sous("explain", recipe).status == 0)
  }

  @Test func runWithoutSecretsTouchesNoSource() throws {
    defer { sous.remove() }
    try sous.write(
      "sous.yaml",
      """
      secrets: [{ command: [touch, "\(sous.folder)/asked"] }, { file: open.env }, vault]
      providers:
        plain: { plugin: \(try FixtureLibrary.leaky()) }
        locked: { plugin: \(try FixtureLibrary.leaky()), password: { secret: WORK } }
      """)
    let file = try sous.write("open.env", "A=1")
    #expect(chmod(file, 0o644) == 0)
    try sous.write(".sous/vault", "damaged")
    try sous.write(
      "recipe.yaml",
      """
      steps:
        - { id: a, uses: leaky.deltas, provider: plain }
        - { id: b, uses: leaky.deltas, provider: locked, when: "{{ false }}" }
      """)
    #expect(try sous.run("/bin/sh", ["-c", "setsid -w \"$0\" run recipe.yaml", SousProcess.executable]).status == 0)
    #expect(!FileManager.default.fileExists(atPath: sous.folder + "/asked"))
  }

  @Test func terminalAsksTwiceAndShowsNothing() throws {
    defer { sous.remove() }
    // `script` gives a terminal; what it shows is its output.
    try sous.write("answers", "correct horse\ncorrect horse\nhunter22\nhunter22\n")
    let script = """
      import os, pty, sys, time
      answers = open('answers').read().splitlines()
      child, terminal = pty.fork()
      if child == 0: os.execv(sys.argv[1], [sys.argv[1], 'secrets', 'set', 'WORK'])
      shown = b''
      while True:
        try: piece = os.read(terminal, 4096)
        except OSError: break
        if not piece: break
        shown += piece
        if shown.rstrip(b' ').endswith(b':') and answers and shown.count(b': ') > 4 - len(answers):
          time.sleep(0.2)
          os.write(terminal, answers.pop(0).encode() + b'\\n')
      status = os.waitpid(child, 0)[1]
      sys.stdout.buffer.write(shown)
      sys.exit(os.waitstatus_to_exitcode(status))
      """
    let outcome = try sous.run("/usr/bin/env", ["python3", "-c", script, SousProcess.executable])
    #expect(outcome.status == 0, "\(outcome.output) \(outcome.errors)")
    #expect(!outcome.output.contains("hunter22"))
    #expect(!outcome.output.contains("horse"))
    let passphrase = try sous.write("passphrase", "correct horse\n")
    #expect(chmod(passphrase, 0o600) == 0)
    #expect(try run("test WORK", environment: ["SOUS_VAULT_PASSPHRASE_FILE": passphrase]).status == 0)
  }
}

extension Value {
  fileprivate var elements: [Value]? { if case .list(let elements) = self { elements } else { nil } }
}
