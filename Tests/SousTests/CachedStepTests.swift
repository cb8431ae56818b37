import Expressions
import Foundation
import Testing

/// Results of `cache:` never reach somebody who would have got another one.
@Suite(.timeLimit(.minutes(15))) struct CachedStepTests {
  let sous: SousProcess

  init() throws { sous = try SousProcess() }

  private func output(_ arguments: String...) throws -> String {
    let outcome = try sous.run(SousProcess.executable, ["run", "-q"] + arguments)
    #expect(outcome.status == 0, "\(outcome.errors)")
    return outcome.output.trimmingCharacters(in: .newlines)
  }

  @Test func theStateOfOneRecipeIsNotShownToAnother() throws {
    defer { sous.remove() }
    try sous.write("sous.yaml", "{}\n")
    for name in ["one", "two"] {
      try sous.write(
        "\(name).yaml",
        """
        name: \(name)
        steps:
          - { id: put, uses: state.set, with: { key: mine, value: "of \(name)" } }
          - { id: got, uses: state.get, with: { key: mine }, cache: { for: 1h }, needs: [put] }
        outputs: { text: "{{ steps.got.output.value }}" }
        """)
    }
    #expect(try output("one.yaml") == "of one")
    #expect(try output("two.yaml") == "of two")
  }

  @Test(arguments: ["cache: { for: 1h }", "cache: { key: k, for: 1h }"])
  func filesOfAnotherProjectAreReadAnew(_ cache: String) throws {
    defer { sous.remove() }
    for folder in ["a", "b"] {
      try sous.write("\(folder)/sous.yaml", "{}\n")
      try sous.write("\(folder)/d.txt", "of \(folder)")
      try sous.write(
        "\(folder)/r.yaml",
        """
        name: r
        steps:
          - { id: read, uses: file.read, with: { path: d.txt }, \(cache) }
          - { id: said, uses: exec.read, with: { command: [cat, d.txt] }, \(cache) }
        outputs: { text: "{{ steps.read.output.content }} {{ steps.said.output.stdout }}" }
        """)
    }
    for folder in ["a", "b"] {
      let call = "cd \(folder) && exec '\(SousProcess.executable)' run -q r.yaml --state ../shared"
      // The second time it gets again what it got.
      for _ in 0..<2 {
        let outcome = try sous.run("/bin/sh", ["-c", call])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output == "of \(folder) of \(folder)\n")
        try sous.write("\(folder)/d.txt", "something else")
      }
    }
  }

  @Test func aMailboxIsReadAnewWhereTheProviderIsAnother() throws {
    defer { sous.remove() }
    try sous.write("A/cur/1.a:2,S", "From: a@example.org\r\nSubject: for A\r\n\r\nx\r\n")
    for folder in ["A/new/.k", "A/tmp/.k", "B/cur/.k", "B/new/.k", "B/tmp/.k"] { try sous.write(folder, "") }
    try sous.write(
      "r.yaml",
      """
      name: r
      steps: [{ id: found, uses: mail.search, provider: home, cache: { for: 1h } }]
      outputs: { total: "{{ steps.found.output.total }}" }
      """)
    for (folder, total) in [("A", "1"), ("B", "0"), ("A", "1")] {
      try sous.write("sous.yaml", "providers: { home: { plugin: maildir, path: \(folder) } }\n")
      #expect(try output("r.yaml") == total)
    }
    #expect(try sous("show", "last").output.contains("cache"))
  }
}
