import Foundation
import Testing

@testable import sous

/// Lines that are wider than the terminal.
@Suite(.timeLimit(.minutes(15))) struct LineEdgeTests {
  @Test func aWideLineIsWrappedAtWordsAndIndented() {
    let text = "short\n  - one two three four five six\n"
    #expect(text.fitted(to: 20) == "short\n  - one two three\n    four five six\n")
    #expect(text.fitted(to: 40) == text)
    // The end of a line that was begun before stays in it.
    #expect("one two three four five six\n".fitted(to: 20, isInLine: true) == "one two three four five six\n")
    #expect("".fitted(to: 20) == "" && "\n\n".fitted(to: 20) == "\n\n")
  }

  @Test func anAddressStaysWhole() {
    let address = "https://accounts.example.com/o/oauth2/auth?client_id=4711"
    #expect("Visit \(address) to sign in\n".fitted(to: 30) == "Visit\n  \(address)\n  to sign in\n")
  }

  @Test func aLineOfOneWordStaysWholeIfItIsAPath() {
    let path = "/home/jana/recipes/nightly-backup-of-the-database.yaml"
    #expect("\(path)\n".fitted(to: 30) == "\(path)\n")
    #expect("Wrote \(path)\n".fitted(to: 30) == "Wrote\n  \(path)\n")
  }

  @Test func stylesTakeNoColumns() {
    let terminal = Terminal(environment: ["CLICOLOR_FORCE": "1"])
    let line = terminal.styled("one", .red) + " two three"
    #expect(line.fitted(to: 13) == line)
  }

  @Test(arguments: [60, 100] as [UInt16]) func noLineOfACommandIsWiderThanTheTerminal(columns: UInt16) throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    try sous.write(
      "sous.yaml",
      """
      providers:
        cloud: { plugin: openai, model: gpt-5-mini, base_url: "https://m.example/v1", api_key: { secret: MODEL_KEY } }
        work: { plugin: imap, host: imap.example.com, user: anna, password: { secret: WORK_MAIL } }
      """)
    try sous.write(
      "long.yaml",
      """
      name: long
      summary: Reads the newest messages, finds those that ask for an answer, and writes a summary of each one of them
      steps:
        - id: a
          uses: template
          with: { text: "a text that is long enough to be wrapped on a terminal of a hundred columns, and that goes on and on" }
      """)
    let table: [(arguments: [String], hasLongLines: Bool)] = [
      (["doctor"], true), (["explain", "long.yaml"], true), (["secrets"], false), (["bookmarks"], true),
      (["auth"], true),
      (["trust", "--list"], false), (["plugins", "list"], true), (["docs", "security"], true),
      (["run", "missing.yaml"], true),
      (["runs", "--since", "nonsense"], true),
    ]
    for (arguments, hasLongLines) in table {
      let terminal = try PseudoTerminal(columns: columns)
      let process = try terminal.start(sous, arguments)
      let shown = terminal.output(of: process).replacing(#/\u{1B}\[[0-9;]*m/#, with: "")
      #expect(!shown.isEmpty, "\(arguments)")
      for line in shown.split(whereSeparator: \.isNewline) where String(line).columns > Int(columns) {
        // Code of a page of documentation keeps its lines.
        if arguments[0] == "docs", line.hasPrefix("  ") { continue }
        // An address or a path is not broken.
        if line.trimmingCharacters(in: .whitespaces).contains(" ") == false { continue }
        Issue.record("\(arguments), \(columns) columns: \(line)")
      }
      guard hasLongLines, columns == 60 else { continue }
      let piped = try sous.run(SousProcess.executable, arguments)
      let lines = (piped.output + piped.errors).split(separator: "\n")
      #expect(lines.contains { String($0).columns > 60 }, "\(arguments): \(lines)")
    }
  }
}
