import Expressions
import Foundation
import Testing

/// Which text of a recipe `sous retry` takes.
@Suite(.timeLimit(.minutes(15))) struct RetryCommandTests {
  let sous: SousProcess

  init() throws {
    sous = try SousProcess()
    try sous.write("sous.yaml", "providers: {}\n")
    try write("exit 1")
    #expect(try sous("run", "-q", "fx.yaml").status == 1)
  }

  private func write(_ command: String) throws {
    try sous.write(
      "fx.yaml",
      """
      name: fx
      steps:
        - { id: a, uses: exec.idempotent, with: { command: [sh, -c, "echo a >>ledger"] } }
        - { id: b, uses: exec.read, with: { command: [sh, -c, "\(command)"] }, retry: 1 }
      """)
  }

  private func ledger() throws -> String {
    try String(contentsOfFile: sous.folder + "/ledger", encoding: .utf8)
  }

  @Test func whatWasMendedCounts() throws {
    defer { sous.remove() }
    try write("true")
    let answer = try sous("retry", "last")
    #expect(answer.status == 0, "\(answer.errors)")
    #expect(answer.errors.contains("fx.yaml as it is now"))
    #expect(try ledger() == "a\n")
    // The run has kept the text it was worked on with.
    try sous.write("fx.yaml", "nonsense: [")
    let again = try sous("retry", "last", "--from", "a")
    #expect(again.status == 0, "\(again.errors)")
    #expect(again.errors.contains("cannot be used as it is now"))
    #expect(try ledger() == "a\na\n")
  }

  @Test(arguments: [("en", "earlier"), ("de", "früher")])
  func attemptsOfTheEarlierRunAreNamedInTheLanguageOfTheReader(language: String, word: String) throws {
    defer { sous.remove() }
    try sous.write(
      "fx.yaml",
      """
      name: fx
      steps:
        - { id: a, uses: exec.idempotent, with: { command: [sh, -c, "test -e ok"] }, retry: 1 }
      """)
    #expect(try sous("run", "-q", "fx.yaml").status == 1)
    try sous.write("ok", "")
    let answer = try sous("retry", "last")
    #expect(answer.status == 0, "\(answer.errors)")
    let steps = try sous("show", "last", "--lang", language).output.split(separator: "\n")
    #expect(steps.contains { $0.contains("exec.idempotent") && $0.contains(word) }, "\(steps)")
    // Programs read the same word in each language.
    let providers = try sous("show", "last", "--json", "--lang", language).json["steps"]?.listValue?.first?["providers"]
    #expect(providers?.listValue?.contains("earlier") == true, "\(String(describing: providers))")
  }

  @Test func oneBeginningIsEnough() throws {
    defer { sous.remove() }
    let answer = try sous("retry", "last", "--failed", "--from", "a")
    #expect(answer.status == 2)
    #expect(answer.errors.contains("--failed"))
    #expect(try ledger() == "a\n")
  }
}
