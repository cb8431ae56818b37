import Expressions
import FixturePlugins
import Foundation
import Glibc
import Testing

@testable import sous

@Suite(.timeLimit(.minutes(2))) struct OutputTests {
  @Test(arguments: [
    ("plain Grüße\n\t", "plain Grüße\n\t"), ("\u{1B}]52;c;eA==\u{07}", "␛]52;c;eA==␇"), ("a\u{1B}[2Jb", "a␛[2Jb"),
    ("\u{9B}2J", "\u{FFFD}2J"), ("x\u{202E}gnp.exe", "x\u{FFFD}gnp.exe"), ("\r", "␍"), ("\u{7F}", "␡"),
    ("\u{1B}[31mred\u{1B}[0m", "\u{1B}[31mred\u{1B}[0m"), ("\u{1B}[8mhidden", "␛[8mhidden"), ("\u{1B}[", "␛["),
  ])
  func nothingFromOutsideIsObeyedByATerminal(text: String, expected: String) {
    #expect(text.printable == expected)
  }

  @Test(arguments: [
    (0.006, "6 ms"), (0.9996, "1.0 s"), (12.34, "12.3 s"), (125.0, "2 min 5 s"), (3 * 3600 + 1200, "3 h 20 min"),
    (-1, "–"), (.infinity, "–"), (.nan, "–"), (1e30, "–"),
  ])
  func durationsAreSaidForPeople(seconds: Double, expected: String) {
    #expect(seconds.spokenDuration == expected)
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

  @Test func errorsAreJSONWhereJSONWasAskedFor() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    let outcome = try sous("show", "ZZ", "--json")
    #expect(outcome.status == 3)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.hasPrefix("{\"error\":{"))
  }

  @Test(arguments: [
    ["--help"], ["run", "--help"], ["plugins", "--help"], ["runs", "--help"], ["run"], ["run", "x", "--bogus"],
    ["runs", "--limit", "x"], ["runs", "--limit"], ["runs", "a", "b"], ["rnu"], ["help", "show"],
  ])
  func theParserSpeaksGermanToo(arguments: [String]) throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    let outcome = try sous.run(SousProcess.executable, arguments + ["--lang", "de"])
    let text = outcome.output + outcome.errors
    for word in [
      "USAGE", "Usage", "OPTIONS", "Error", "Help", "See ", "Unknown", "Missing", "invalid", "Show ", "unexpected",
    ] {
      #expect(!text.contains(word), "\(word) in: \(text)")
    }
    #expect(!text.isEmpty)
  }

  @Test(arguments: [true, false])
  func aTerminalGetsColoursUnlessTheyAreUnwanted(wanted: Bool) throws {
    var sous = try SousProcess()
    defer { sous.remove() }
    let script = "/usr/bin/script"
    try #require(FileManager.default.isExecutableFile(atPath: script), "script is needed: apt-get install bsdutils")
    sous.environment["TERM"] = "xterm"
    if !wanted { sous.environment["NO_COLOR"] = "1" }
    try sous.write("sous.yaml", "providers: { flaky: { plugin: \"\(try FixtureLibrary.flaky())\" } }\n")
    try sous.write(
      "nap.yaml", "name: nap\nsteps:\n  - { id: nap, uses: flaky.sleep, provider: flaky, with: { ms: 350 } }\n")
    let outcome = try sous.run(
      script, ["-qec", "'\(SousProcess.executable)' run nap.yaml", "/dev/null"])
    #expect(outcome.status == 0)
    #expect(outcome.output.contains("\u{1B}[32m") == wanted)
    // The live line is drawn and taken back either way.
    #expect(outcome.output.contains("\u{1B}[1A\u{1B}[0J"))
    #expect(outcome.output.contains("✓"))
  }
}
