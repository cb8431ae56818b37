import Expressions
import Foundation
import Testing

@testable import sous

/// `sous users`, `tokens`, `roles` and `audit`, as a person uses them.
@Suite(.timeLimit(.minutes(10))) struct AccessCommandTests {
  private static let password = "correct horse battery"
  private let sous: SousProcess

  init() throws {
    sous = try SousProcess()
    try sous.write("sous.yaml", "providers: {}\n")
  }

  /// Runs the program with a line on standard input, without a terminal.
  private func run(_ arguments: String, input: String? = nil) throws -> SousProcess.Outcome {
    let file = try input.map { try sous.write("input", $0) } ?? "/dev/null"
    return try sous.run("/bin/sh", ["-c", "exec setsid -w \"$0\" \(arguments) <\(file)", SousProcess.executable])
  }

  private func code(_ outcome: SousProcess.Outcome) -> String? {
    guard let last = outcome.errors.split(separator: "\n").last, let json = try? Value(json: Array(last.utf8)) else {
      return nil
    }
    return json["error"]?["code"]?.stringValue
  }

  @Test func usersAreAddedListedChangedAndRemoved() throws {
    defer { sous.remove() }
    #expect(try run("users --lang de").output.hasPrefix("Keine Benutzer."))
    #expect(!FileManager.default.fileExists(atPath: sous.folder + "/.sous/access.db"))
    let first = try run("users add anna --name 'Anna Muster' --password-stdin", input: Self.password + "\nnot read\n")
    #expect(first.status == 0 && first.output.contains("The first user is administrator"), "\(first)")
    let mode = try FileManager.default.attributesOfItem(atPath: sous.folder + "/.sous/access.db")[.posixPermissions]
    #expect(mode as? Int == 0o600)
    let second = try run("users add otto --no-password --role operator --group office --group a --json")
    #expect(try second.json["roles"] == ["operator"] && second.json["groups"] == ["a", "office"])
    #expect(try second.json["password"] == false)
    #expect(code(try run("users add otto --no-password --json")) == "user_exists")
    #expect(code(try run("users add Otto --no-password --json")) == "invalid_input")
    #expect(code(try run("users add eva --no-password --role boss --json")) == "unknown_role")
    #expect(code(try run("users add eva --json")) == "no_terminal")
    #expect(code(try run("users add eva --password-stdin --json", input: "short\n")) == "weak_password")
    let changed = try run("users change otto --name Otto --role editor --no-group --language de --json")
    #expect(try changed.json["roles"] == ["editor"] && changed.json["groups"] == [] && changed.json["language"] == "de")
    #expect(try run("users change otto").status == 2)
    let listed = try run("users --json").json
    #expect(listed.listValue?.map { $0["name"] } == ["anna", "otto"])
    #expect(try run("users password otto --password-stdin", input: Self.password).status == 0)
    #expect(try run("users disable otto").status == 0)
    #expect(try run("users").output.contains("disabled"))
    #expect(try run("users enable otto").status == 0)
    for command in ["remove anna --yes", "erase anna --yes", "disable anna", "change anna --no-role"] {
      #expect(code(try run("users \(command) --json")) == "last_administrator", "\(command)")
    }
    #expect(try run("users remove otto").status == 2)
    #expect(try run("users remove otto --yes").status == 0)
    #expect(code(try run("users remove otto --yes --json")) == "unknown_user")
  }

  @Test func aTerminalAsksForThePasswordAndDoesNotShowIt() throws {
    defer { sous.remove() }
    let terminal = try PseudoTerminal()
    let process = try terminal.start(sous, ["users", "add", "anna"])
    try #require(terminal.read(until: "Password of anna: "))
    terminal.type(Self.password + "\n")
    try #require(terminal.read(until: "Once more: "))
    terminal.type(Self.password + "\n")
    #expect(terminal.read(until: "user anna is added"))
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(!terminal.rest().contains(Self.password))
  }

  @Test(arguments: [
    "users add eva hunter22hunter22", "users password anna hunter22hunter22",
    "users add eva --password=hunter22hunter22",
    "tokens remove sous_hunter22hunter22",
  ])
  func aSecretAmongTheArgumentsIsNotRepeated(arguments: String) throws {
    defer { sous.remove() }
    for format in ["", " --json"] {
      let outcome = try run(arguments + format)
      #expect(outcome.status == 2, "\(outcome)")
      #expect(!(outcome.output + outcome.errors).contains("hunter22"), "\(outcome)")
    }
  }

  @Test func aTokenIsPrintedOnceAndNotStored() throws {
    defer { sous.remove() }
    #expect(code(try run("tokens add t --user anna --json")) == "unknown_user")
    try #require(try run("users add anna --password-stdin", input: Self.password).status == 0)
    let added = try run("tokens add backup --user anna --scope runs:create --scope viewer --expires 90d")
    let text = added.output.trimmingCharacters(in: .newlines)
    #expect(text.wholeMatch(of: /sous_[A-Za-z0-9_-]{43}/) != nil, "\(added)")
    let listed = try run("tokens --json")
    #expect(try listed.json[0]?["scopes"] == ["runs:create", "viewer"] && listed.json[0]?["user"] == "anna")
    #expect(try listed.json[0]?["expires"]?.stringValue?.isEmpty == false)
    let others = try [listed, run("tokens"), run("audit --json"), run("users export anna")].map(\.output).joined()
    #expect(!others.contains(text) && !others.contains("scrypt") && !others.contains(Self.password))
    for (scope, expected) in [("secrets:read", "invalid_rule"), ("boss", "unknown_role"), ("runs:x", "invalid_rule")] {
      #expect(code(try run("tokens add x --user anna --scope \(scope) --json")) == expected)
    }
    #expect(try run("tokens add x --user anna --expires soon").status == 2)
    #expect(try run("tokens remove backup").status == 0)
    #expect(code(try run("tokens remove backup --json")) == "unknown_token")
    #expect(try run("tokens --user anna --json").json == [])
  }

  @Test func rolesAreMadeShownAndUsed() throws {
    defer { sous.remove() }
    #expect(
      try run("roles --json").json.listValue?.map { $0["name"] } == ["viewer", "operator", "editor", "administrator"])
    #expect(try run("roles show viewer").output.contains("recipes"))
    let rules = "--rule 'runs: read=all create=my' --rule 'recipes/invoices: read=group'"
    #expect(try run("roles add clerk --title Invoices \(rules)").status == 0)
    #expect(code(try run("roles add clerk \(rules) --json")) == "role_exists")
    #expect(code(try run("roles add viewer \(rules) --json")) == "role_exists")
    #expect(code(try run("roles add thief --rule 'secrets: read=all' --json")) == "invalid_rule")
    let shown = try run("roles show clerk --json").json
    #expect(shown["rules"]?[0]?["create"] == "my" && shown["rules"]?[1]?["folder"] == "invoices")
    try #require(try run("users add anna --no-password").status == 0)
    try #require(try run("users add eva --no-password --role clerk").status == 0)
    let overview = try run("roles overview --user eva --json").json.listValue ?? []
    #expect(overview.map { $0["object"] } == ["recipes", "runs"])
    #expect(overview.last?["create"] == "my" && overview.last?["roles"] == ["clerk"])
    #expect(try run("roles overview --lang de").output.contains("eigene"))
    #expect(code(try run("roles remove clerk --json")) == "role_in_use")
    #expect(try run("roles add clerk --rule 'runs: read=my' --replace").status == 0)
    #expect(try run("users change eva --no-role").status == 0)
    #expect(try run("roles remove clerk").status == 0)
    #expect(code(try run("roles show clerk --json")) == "unknown_role")
  }

  @Test func theAuditLogSaysWhoHasDoneWhat() throws {
    defer { sous.remove() }
    #expect(try run("audit").output == "No entries.\n")
    try #require(try run("users add anna --no-password").status == 0)
    try #require(try run("users add otto --no-password --role viewer").status == 0)
    try #require(try run("users change otto --name Otto").status == 0)
    let entries = try run("audit --json").json.listValue ?? []
    #expect(entries.map { $0["action"] } == ["user.change", "user.add", "user.add"])
    #expect(entries.first?["origin"] == "command" && entries.first?["outcome"] == "done")
    #expect(entries.first?["actor"]?.stringValue?.isEmpty == false)
    #expect(try run("audit --user anna --json").json.listValue?.count == 1)
    #expect(try run("audit --since 1h --json").json.listValue?.count == 3)
    #expect(try run("audit --until 1h --json").json == [])
    #expect(try run("audit --limit 1 --json").json.listValue?.count == 1)
    #expect(try run("users erase otto --yes --json").json["replacement"] == "erased-1")
    #expect(try !run("audit --json").output.contains("otto"))
  }

  @Test func twoProcessesAddUsersAtOnce() throws {
    defer { sous.remove() }
    try sous.write("add.sh", "for n in 1 2 3; do \"$1\" users add $2$n --no-password || exit 1; done\n")
    let outcome = try sous.run(
      "/bin/sh",
      [
        "-c", "sh add.sh \"$0\" a & first=$!; sh add.sh \"$0\" b; second=$?; wait $first && exit $second",
        SousProcess.executable,
      ])
    #expect(outcome.status == 0, "\(outcome.errors)")
    let users = try run("users --json").json.listValue ?? []
    #expect(users.count == 6)
    #expect(users.filter { $0["roles"] == ["administrator"] }.count == 1)
  }

  @Test func aFileOfAnotherProgramIsRefused() throws {
    defer { sous.remove() }
    try sous.write(".sous/access.db", String(repeating: "something else\n", count: 200))
    for command in ["users", "tokens", "roles", "audit"] {
      let outcome = try run("\(command) --json")
      #expect(outcome.status == 3 && code(outcome) == "foreign_file", "\(outcome)")
    }
  }

  @Test(arguments: ["en", "de"]) func tablesFitTheTerminal(language: String) throws {
    defer { sous.remove() }
    let long = "a-user-with-a-rather-long-name.of-the-office@example.com"
    try #require(try run("users add anna --no-password --name 'Anna Muster'").status == 0)
    try #require(
      try run(
        "users add \(long) --no-password --name 'A Full Name That Is Longer Than Most Names Are' --role editor --role viewer "
          + "--group office --group accounting --group management"
      ).status == 0)
    try #require(
      try run(
        "roles add a-role-with-a-long-name --title 'Reads and answers what the office asks' --rule 'recipes/invoices/2026/first-quarter: read=all'"
      )
      .status == 0)
    try #require(try run("users change \(long) --role a-role-with-a-long-name --role viewer").status == 0)
    try #require(
      try run(
        "tokens add 'the nightly backup of the accounting server' --user \(long) --scope runs:create --scope viewer --expires 90d"
      )
      .status == 0)
    for columns in [60, 80, 120, 200] {
      var narrow = sous
      narrow.environment["COLUMNS"] = "\(columns)"
      for arguments in [
        ["users"], ["tokens"], ["roles"], ["roles", "show", "editor"], ["roles", "overview"], ["audit"],
      ] {
        let outcome = try narrow.run(SousProcess.executable, arguments + ["--lang", language])
        #expect(outcome.status == 0, "\(outcome.errors)")
        for line in outcome.output.split(separator: "\n") where String(line).columns > columns {
          Issue.record("\(arguments), \(columns): \(line)")
        }
      }
    }
  }
}
