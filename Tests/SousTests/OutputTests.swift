import Expressions
import FixturePlugins
import Foundation
import Glibc
import Testing

@testable import sous

@Suite(.timeLimit(.minutes(15))) struct OutputTests {
  @Test(arguments: [
    ("plain Grüße\n\t", "plain Grüße\n\t"), ("\u{1B}]52;c;eA==\u{07}", "␛]52;c;eA==␇"), ("a\u{1B}[2Jb", "a␛[2Jb"),
    ("\u{9B}2J", "\u{FFFD}2J"), ("x\u{202E}gnp.exe", "x\u{FFFD}gnp.exe"), ("\r", "␍"), ("\u{7F}", "␡"),
    ("pay\u{200B}pal", "pay\u{FFFD}pal"), ("\u{FEFF}a\u{2060}\u{200B}\u{34F}b", "\u{FFFD}a\u{FFFD}b"),
    ("a\u{E0068}\u{E0069}", "a\u{FFFD}"), ("\u{200F}a\u{AD}b", "\u{FFFD}a\u{FFFD}b"), ("a\u{200D}b", "a\u{FFFD}b"),
    ("👩‍👩‍👧 ❤️ 1️⃣ ©️ می‌خواهم", "👩‍👩‍👧 ❤️ 1️⃣ ©️ می‌خواهم"),
    ("\u{1B}[31mred\u{1B}[0m", "␛[31mred␛[0m"), ("\u{1B}[8mhidden", "␛[8mhidden"), ("\u{1B}[", "␛["),
  ])
  func nothingFromOutsideIsObeyedByATerminal(text: String, expected: String) {
    #expect(text.printable == expected)
  }

  @Test func stylesReachATerminalAndTakeNoColumns() {
    let terminal = Terminal(environment: ["CLICOLOR_FORCE": "1"])
    let text = terminal.styled("a\u{1B}[31mb", .green)
    #expect(text.printable == "\u{1B}[32ma␛[31mb\u{1B}[0m")
    #expect(text.singleLine.columns == 7)
    #expect(Terminal(environment: ["NO_COLOR": "1"]).styled("a", .green) == "a")
  }

  @Test(arguments: [("a\nb\r\nc\td", "a b c d"), ("a\u{85}b\u{2028}c", "a b c"), ("a\u{1B}[1Ab", "a␛[1Ab")])
  func labelsAndCellsStayOnOneLine(text: String, expected: String) {
    #expect(text.singleLine == expected)
    var table = TextTable()
    table.append([text, "x"])
    #expect(table.lines() == [expected + "  x"])
  }

  @Test(arguments: [("👩‍👩‍👧", 2), ("日本", 4), ("é", 1), ("e\u{301}", 1), ("❤️", 2)])
  func columnsAreCountedByCharacter(text: String, columns: Int) {
    #expect(text.columns == columns)
  }

  @Test(
    arguments: [
      (0.006, "6 ms"), (0.9996, "1.0 s"), (12.34, "12.3 s"), (125.0, "2 min 5 s"), (12_000, "3 h 20 min"),
      (169_200, "47 h 0 min"), (2_771_880, "32 d 1 h"), (-1, "–"), (.infinity, "–"), (.nan, "–"), (1e30, "–"),
    ] as [(Double, String)])
  func durationsAreSaidForPeople(seconds: Double, expected: String) {
    #expect(seconds.spokenDuration == expected)
  }

  @Test(
    arguments: [
      (["messages": [1]], "1 message"), (["messages": [1, 2]], "2 messages"), (["messages": []], "0 messages"),
      (["counts": ["people": 1, "bulk": 1, "invoices": 1]], "1 person · 1 bulk · 1 invoice"),
      (["entries": [1]], "1 entry"), (["addresses": [1]], "1 address"), (["message_id": "<a>", "refused": []], "<a>"),
      (["message_id": "<a>", "refused": [["address": "b"]]], "<a> · 1 refused"),
      (["changed": 4, "missing": []], "4 changed"),
      (["moved": 2, "uids": ["a", "b"], "missing": ["c"]], "2 moved · 1 missing"),
    ] as [(Value, String)])
  func oneIsSaidInTheSingular(output: Value, words: String) {
    #expect(OutputSummary.words(output) == words)
  }

  @Test func aMessageWithEscapeSequencesIsShownWithoutThem() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    try sous.write("sous.yaml", "providers: { home: { plugin: maildir, path: box } }\ndefaults: { mail.store: home }\n")
    try sous.write(
      "box/cur/1.a:2,", "From: Eve <eve@example.org>\nSubject: =?utf-8?Q?=1B]52;c;eA=07=C2=9B2J?=\n\n\u{1B}[2Jhello\n")
    try sous.write(
      "list.yaml",
      """
      name: list
      steps:
        - { id: found, uses: mail.search }
      outputs: { text: "{{ steps.found.output.messages.map(m, m.subject + m.text).join() }}" }
      """)
    let outcome = try sous("run", "list.yaml")
    #expect(outcome.status == 0, "\(outcome.errors)")
    for command in [["show", "last"], ["show", "last", "--json"], ["runs", "--json"]] {
      let shown = try sous.run(SousProcess.executable, command)
      #expect(shown.status == 0)
      let obeyed = shown.output.unicodeScalars.contains { $0.value == 0x1B || (0x80...0x9F).contains($0.value) }
      #expect(!obeyed, "\(command): \(shown.output)")
    }
  }

  @Test func aReaderThatGoesAwayStopsNoRun() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    try sous.write("sous.yaml", "providers: { flaky: { plugin: \"\(try FixtureLibrary.flaky())\" } }\n")
    let steps = (1...5).map {
      "  - { id: s\($0), uses: flaky.try, provider: flaky, with: { fail: 1, kind: server } }"
    }
    try sous.write("many.yaml", "name: many\nretry: { backoff: 10ms }\nsteps:\n" + steps.joined(separator: "\n") + "\n")
    let outcome = try sous.run("/bin/sh", ["-c", "'\(SousProcess.executable)' run many.yaml | head -n 1"])
    #expect(outcome.status == 0)
    let run = try sous("show", "last", "--json").json
    #expect(run["status"] == "succeeded")
  }

  @Test func outputThatCannotBeWrittenIsNoSuccess() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    try sous.write("x.yaml", "name: x\nsteps:\n  - { id: a, uses: template, with: { text: x } }\n")
    let outcome = try sous.run("/bin/sh", ["-c", "'\(SousProcess.executable)' run x.yaml > /dev/full"])
    #expect(outcome.status == 3)
    #expect(try sous("show", "last", "--json").json["status"] == "succeeded")
  }

  @Test func aListThatCannotBeWrittenIsNoSuccess() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    for command in ["runs --json", "--help", "version"] {
      let outcome = try sous.run("/bin/sh", ["-c", "'\(SousProcess.executable)' \(command) > /dev/full"])
      #expect(outcome.status == 3, "\(command)")
      #expect(!outcome.errors.isEmpty, "\(command)")
    }
  }

  @Test(arguments: [
    (["show", "ZZ"], 3, "database_missing"), (["run", "no.yaml"], 2, "invalid_recipe"),
    (["runs", "--bogus"], 2, "wrong_input"),
    (["rnu"], 2, "wrong_input"), (["run", "bad.yaml"], 2, "invalid_recipe"),
    (["run", "x.yaml", "-i", "a"], 2, "wrong_input"),
    (["plugins", "--config", "bad.yaml"], 3, "invalid_configuration"),
  ])
  func errorsAreOneLineOfJSONWhereJSONWasAskedFor(arguments: [String], status: Int32, code: String) throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    try sous.write("bad.yaml", "name: bad\nstpes: []\n")
    try sous.write("x.yaml", "name: x\nsteps:\n  - { id: a, uses: template, with: { text: x } }\n")
    let outcome = try sous.run(SousProcess.executable, arguments + ["--json"])
    #expect(outcome.status == status)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.split(separator: "\n").count == 1)
    let error = try Value(json: Array(outcome.errors.utf8))["error"]
    #expect(error?["code"] == .string(code), "\(outcome.errors)")
    #expect(error?["message"]?.stringValue?.isEmpty == false)
  }

  @Test func initWritesBothFilesOrNone() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    try sous.write("new/hello.yaml", "mine")
    let outcome = try sous("init", "new")
    #expect(outcome.status == 2)
    #expect(try FileManager.default.contentsOfDirectory(atPath: sous.folder + "/new") == ["hello.yaml"])
  }

  @Test func initLeavesNothingBehindWhereItCannotWrite() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    // No file may grow, so that the file is made and its content refused.
    let outcome = try sous.run(
      "/bin/sh", ["-c", "mkdir new; trap '' XFSZ; ulimit -f 0; exec '\(SousProcess.executable)' init new"])
    #expect(outcome.status == 3)
    #expect(try FileManager.default.contentsOfDirectory(atPath: sous.folder + "/new").isEmpty)
  }

  @Test(arguments: [
    ["--help"], ["run", "--help"], ["plugins", "--help"], ["runs", "--help"], ["run"], ["run", "x", "--bogus"],
    ["runs", "--limit", "x"], ["runs", "--limit"], ["runs", "a", "b"], ["rnu"], ["help", "show"],
    ["validate", "x", "--format", "y"], ["run", "x", "-i"], ["eval", "--help"],
  ])
  func theParserSpeaksGermanToo(arguments: [String]) throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    let outcome = try sous.run(SousProcess.executable, arguments + ["--lang", "de"])
    let text = outcome.output + outcome.errors
    for word in [
      "USAGE", "Usage", "OPTIONS", "Error", "Help", "See ", "Unknown", "Missing", "invalid", "Show ", "unexpected",
      "Please", "default", "ARGUMENTS", "SUBCOMMANDS", "OVERVIEW",
    ] {
      #expect(!text.contains(word), "\(word) in: \(text)")
    }
    #expect(!text.isEmpty)
  }

  @Test(
    arguments: [["run", "--help"], ["--help"], ["help", "recipes", "sync"], ["run"], ["mail", "pull", "--help"]],
    ["en", "de"])
  func helpWithItsUsageFitsTheTerminal(arguments: [String], language: String) throws {
    var sous = try SousProcess()
    defer { sous.remove() }
    sous.environment["COLUMNS"] = "60"
    let outcome = try sous.run(SousProcess.executable, arguments + ["--lang", language])
    let lines = (outcome.output + outcome.errors).split(separator: "\n").map(String.init)
    #expect(lines.contains { $0.lowercased().contains(language == "en" ? "usage:" : "aufruf:") })
    for line in lines { #expect(line.columns <= 60, "\(line)") }
  }

  @Test func anEnglishPageIsAnnouncedToReadersOfGerman() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    let (server, digest) = (try sous("docs", "server", "--lang", "de"), try sous("docs", "digest", "--lang", "de"))
    #expect(server.output.hasPrefix("# The server") && server.errors == "Diese Seite gibt es nur auf Englisch.\n")
    #expect(digest.output.hasPrefix("# ") && digest.errors.isEmpty, "\(digest.errors)")
    #expect(try sous("docs", "server").errors.isEmpty)
  }

  @Test(arguments: [true, false])
  func aTerminalGetsColoursUnlessTheyAreUnwanted(wanted: Bool) throws {
    let outcome = try napOnATerminal(environment: wanted ? [:] : ["NO_COLOR": "1"], columns: 80)
    #expect(outcome.output.contains("\u{1B}[32m✓\u{1B}[0m") == wanted)
    let hasStyles = outcome.output.contains(/\u{1B}\[[0-9;]*m/)
    #expect(hasStyles == wanted)
    // The live line is drawn and erased either way.
    #expect(outcome.output.contains("\u{1B}[1A\u{1B}[0J"))
    #expect(outcome.output.contains("✓"))
  }

  @Test func aNarrowTerminalGetsNoLiveLineThatWraps() throws {
    let outcome = try napOnATerminal(environment: ["NO_COLOR": "1"], columns: 24)
    let live = outcome.output.components(separatedBy: "\r\n").filter { line in
      line.unicodeScalars.contains { (0x2800...0x28FF).contains($0.value) }
    }
    #expect(!live.isEmpty)
    for line in live {
      let shown = line.replacingOccurrences(of: "\u{1B}[1A\u{1B}[0J", with: "")
      #expect(shown.columns < 24, "\(shown)")
    }
  }

  @Test func aMessageWithEscapeSequencesDoesNotReachATerminal() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    try sous.write(
      "evil.yaml",
      """
      name: "evil\\e]52;c;eA==\\a"
      steps:
        - { id: a, uses: template, with: { text: "\\e[2J\\e[31mred\\x9B2J\\u202Etxt" } }
      outputs: { text: "{{ steps.a.output.text }}" }
      """)
    let onTerminal = try onATerminal(sous, "stty cols 80; '\(SousProcess.executable)' run evil.yaml; true")
    #expect(onTerminal.output.contains("␛[2J␛[31mred"), "\(onTerminal.output)")
    for sequence in ["\u{1B}]52", "\u{1B}[2J", "\u{1B}[31m", "\u{9B}", "\u{202E}", "\u{07}"] {
      let isThere = onTerminal.output.unicodeScalars.contains(subsequence: sequence.unicodeScalars)
      #expect(!isThere, "\(sequence.debugDescription)")
    }
    // A pipe gets a run's outputs as they are.
    #expect(try sous("run", "-q", "evil.yaml").output.contains("\u{1B}[2J"))
  }

  @Test func aReaderThatStandsStillHoldsNoRunUpAndCtrlCEndsTheWaiting() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    let steps = (1...900).map { "  - { id: s\($0), uses: template, with: { text: x } }\n" }
    try sous.write("sous.yaml", "providers: {}\n")
    try sous.write("many.yaml", "name: many\nsteps:\n" + steps.joined())
    // Nobody reads the other end, which soon is full, as with a terminal after Ctrl-S.
    let output = Pipe()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: SousProcess.executable)
    process.arguments = ["run", "many.yaml"]
    process.currentDirectoryURL = URL(fileURLWithPath: sous.folder)
    process.environment = sous.environment
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    // The run goes on to its end all the same; the time limit ends the test where it does not.
    while try sous("runs", "--json").json.listValue?.first?["status"] != "succeeded" {}
    #expect(process.isRunning)
    // A signal may still meet the handler of the work that has just ended; one of the next does not.
    for _ in 1...50 where process.isRunning {
      kill(process.processIdentifier, SIGINT)
      _ = try sous("version")
    }
    #expect(!process.isRunning)
    if process.isRunning { process.terminate() }
  }

  private func napOnATerminal(environment: [String: String], columns: Int) throws -> SousProcess.Outcome {
    var sous = try SousProcess()
    defer { sous.remove() }
    sous.environment.merge(environment) { _, new in new }
    try sous.write("sous.yaml", "providers: { flaky: { plugin: \"\(try FixtureLibrary.flaky())\" } }\n")
    try sous.write(
      "nap.yaml", "name: nap\nsteps:\n  - { id: nap, uses: flaky.sleep, provider: flaky, with: { ms: 350 } }\n")
    let outcome = try onATerminal(sous, "stty cols \(columns); '\(SousProcess.executable)' run nap.yaml")
    #expect(outcome.status == 0)
    return outcome
  }

  /// Runs a shell command on a pseudo-terminal.
  private func onATerminal(_ sous: SousProcess, _ command: String) throws -> SousProcess.Outcome {
    var sous = sous
    let script = "/usr/bin/script"
    try #require(FileManager.default.isExecutableFile(atPath: script), "script is needed: apt-get install bsdutils")
    sous.environment["TERM"] = "xterm"
    return try sous.run(script, ["-qec", command, "/dev/null"])
  }
}

extension Collection where Element: Equatable {
  fileprivate func contains(subsequence: some Collection<Element>) -> Bool {
    indices.contains { self[$0...].starts(with: subsequence) }
  }
}
