import Expressions
import Foundation
import Testing

/// Saying what became of something that nobody but a person can find out.
@Suite(.timeLimit(.minutes(15))) struct SettleCommandTests {
  /// A run whose process was killed while a `once` step without `verify` was under way.
  private func runInDoubt(as recipe: String = "recipe.yaml") throws -> SousProcess {
    let sous = try SousProcess()
    try sous.write("sous.yaml", "providers: {}\n")
    try beInDoubt(sous, as: recipe)
    return sous
  }

  private func beInDoubt(_ sous: SousProcess, as recipe: String) throws {
    let act = "echo before >>ledger; test -e mark || { touch mark; kill -9 $PPID; }"
    try sous.write(
      "recipe.yaml",
      """
      name: doubtful
      steps:
        - { id: pay, uses: exec, retry: 1, with: { command: [sh, -c, "\(act)"] } }
        - { id: last, uses: template, with: { text: "status {{ steps.pay.output.status }}" } }
      outputs: { text: "{{ steps.last.output.text }}" }
      """)
    try sous.write(
      "parent.yaml",
      """
      name: parent
      steps:
        - { id: call, uses: recipe, with: { recipe: recipe } }
      """)
    #expect(try sous("run", recipe).status != 0)
    #expect(try sous("work", "--until-idle").status == 0)
    #expect(try sous("show", "last", "--json").json["status"] == "needs_attention")
  }

  @Test func whatTookEffectIsNotDoneAgain() throws {
    let sous = try runInDoubt()
    defer { sous.remove() }
    #expect(try sous("settle").output.contains("pay"))
    #expect(try sous("settle", "--done", "--not-done").status == 2)
    #expect(try sous("settle", "last", "--done", "--output", "{\"status\": true}").status == 2)
    #expect(try sous("settle", "last", "--done", "--output", "nonsense").status == 2)
    let given = "{\"status\": 0, \"stdout\": \"\", \"stderr\": \"\", \"truncated\": false}"
    let settled = try sous("settle", "last", "--done", "--output", given)
    #expect(settled.status == 0, "\(settled.errors)")
    #expect(try sous("settle", "last", "--done").status == 2)
    #expect(try sous("resume", "last").status == 0)
    #expect(try String(contentsOfFile: sous.folder + "/ledger", encoding: .utf8) == "before\n")
  }

  @Test func nothingIsSettledWhileTheProgramStillRuns() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    try sous.write("sous.yaml", "providers: {}\n")
    let act = "kill -9 $PPID; echo $$ >pid; exec >/dev/null 2>&1; sleep 600; echo paid >>ledger"
    try sous.write(
      "recipe.yaml",
      "name: slow\nsteps: [ { id: pay, uses: exec, with: { command: [sh, -c, \"\(act)\"] } } ]\n")
    #expect(try sous("run", "recipe.yaml").status != 0)
    #expect(try sous("work", "--until-idle").status == 0)
    let text = try String(contentsOfFile: sous.folder + "/pid", encoding: .utf8)
    let process = try #require(Int32(text.trimmingCharacters(in: .whitespacesAndNewlines)))
    let shown = try sous("show", "last", "--json").json
    #expect(shown["status"] == "needs_attention")
    #expect(try sous("settle", "--json").json[0]?["process"]?.intValue == Int64(process))
    for finding in ["--done", "--not-done"] { #expect(try sous("settle", "last", finding).status == 2) }
    kill(-process, SIGKILL)
    #expect(try sous("settle", "last", "--not-done").status == 0)
    #expect(!FileManager.default.fileExists(atPath: sous.folder + "/ledger"))
  }

  /// What is in doubt cannot be cancelled: whoever asked for that has to know that the run is not.
  @Test func callingOffWhatTurnsOutToBeInDoubtFails() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    try sous.write("sous.yaml", "providers: {}\n")
    try sous.write(
      "recipe.yaml",
      """
      name: doubtful
      steps:
        - { id: pay, uses: exec, retry: 1, with: { command: [sh, -c, "kill -9 $PPID"] } }
      """)
    #expect(try sous("run", "recipe.yaml").status != 0)
    let answer = try sous("cancel", "last", "--json")
    #expect(answer.status == 1)
    #expect(try answer.json["status"] == "needs_attention")
    #expect(try sous("settle", "last", "--not-done").status == 0)
    #expect(try sous("cancel", "last").status == 0)
    #expect(try sous("show", "last", "--json").json["status"] == "cancelled")
  }

  @Test func whatTookNoEffectIsDoneAgain() throws {
    let sous = try runInDoubt()
    defer { sous.remove() }
    #expect(try sous("settle", "last", "--not-done").status == 0)
    #expect(try sous("work", "--until-idle").status == 0)
    #expect(try sous("show", "last", "--json").json["status"] == "succeeded")
    #expect(try String(contentsOfFile: sous.folder + "/ledger", encoding: .utf8) == "before\nbefore\n")
  }

  @Test func doubtOfAChildIsSettledThroughItsParent() throws {
    let sous = try runInDoubt(as: "parent.yaml")
    defer { sous.remove() }
    let open = try sous("settle", "last", "--json")
    #expect(open.output.contains("\"pay\""), "\(open.output)\(open.errors)")
    let parent = try sous("runs", "--recipe", "parent", "--json").json
    guard case .list(let runs) = parent, let run = runs.first?["id"]?.stringValue else {
      Issue.record("no run of the parent: \(parent.jsonString)")
      return
    }
    #expect(try sous("settle", run, "--not-done").status == 0)
    #expect(try sous("work", "--until-idle").status == 0)
    #expect(try sous("show", run, "--json").json["status"] == "succeeded")
    #expect(try String(contentsOfFile: sous.folder + "/ledger", encoding: .utf8) == "before\nbefore\n")
  }

  @Test func withoutARunAllThatIsInDoubtIsListedAndSettled() throws {
    let sous = try runInDoubt()
    defer { sous.remove() }
    try FileManager.default.removeItem(atPath: sous.folder + "/mark")
    try beInDoubt(sous, as: "parent.yaml")
    try sous.write("quiet.yaml", "name: quiet\nsteps:\n  - { id: a, uses: template, with: { text: a } }\n")
    #expect(try sous("run", "quiet.yaml", "-q").status == 0)
    guard case .list(let doubts) = try sous("settle", "--json").json else {
      Issue.record("no list")
      return
    }
    #expect(doubts.compactMap { $0["step"]?.stringValue } == ["pay", "pay"])
    let runs = doubts.compactMap { $0["run"]?.stringValue }
    #expect(Set(runs).count == 2)
    for run in runs { #expect(try sous("settle").output.contains(run)) }
    // Which one is meant must be said.
    let refused = try sous("settle", "--not-done")
    #expect(refused.status == 2 && runs.allSatisfy(refused.errors.contains))
    #expect(try sous("settle", try #require(runs.first), "--not-done").status == 0)
    #expect(try sous("settle", "--not-done").status == 0)
    #expect(try sous("settle", "--json").json == .list([]))
    #expect(try sous("settle", "--not-done").status == 2)
    #expect(try sous("work", "--until-idle").status == 0)
    #expect(try sous("runs", "--status", "succeeded", "--json").output.contains(try #require(runs.last)))
  }

  @Test func anAttemptThatTookNoEffectStaysOnRecord() throws {
    let sous = try runInDoubt()
    defer { sous.remove() }
    #expect(try sous("settle", "last", "--not-done").status == 0)
    // Why it stood still is over.
    let between = try sous("show", "last", "--json").json
    #expect(between["status"] == "interrupted")
    #expect(between["failure"] == .null)
    #expect(!(try sous("show", "last").output.contains("sous answer settle")))
    #expect(try sous("work", "--until-idle").status == 0)
    guard case .list(let steps)? = try sous("show", "last", "--json").json["steps"],
      case .list(let attempts)? = steps.first?["attempts"]
    else {
      Issue.record("no attempts")
      return
    }
    #expect(attempts.map { $0["number"] } == [.int(1), .int(2)])
    #expect(attempts.map { $0["status"] } == ["failed", "succeeded"])
    #expect(attempts.map { $0["uncertain"] } == [.bool(false), .bool(false)])
    let message = try #require(attempts.first?["failure"]?["message"]?.stringValue)
    #expect(message.contains("it is not known") && message.contains("settled by"))
    #expect(attempts.first?["failure"]?["message_de"]?.stringValue?.contains("geklärt von") == true)
    #expect(try sous("db", "check").status == 0)
  }

  @Test func whatItGaveNeedNotBeSaid() throws {
    let sous = try runInDoubt()
    defer { sous.remove() }
    try sous.write(
      "recipe.yaml", try String(contentsOfFile: sous.folder + "/recipe.yaml", encoding: .utf8) + "# changed\n")
    #expect(try sous("settle", "last", "--done").status == 0)
    let output = try sous("show", "last", "--output", "pay", "--json")
    #expect(output.status == 0 && output.output == "null\n")
    // A later step counted on it, and says why it is not there.
    let resumed = try sous("resume", "last")
    #expect(resumed.status == 1)
    #expect(
      (resumed.output + resumed.errors).contains("sous answer settle --done"), "\(resumed.output)\(resumed.errors)")
    #expect(try String(contentsOfFile: sous.folder + "/ledger", encoding: .utf8) == "before\n")
  }

  @Test func aRunInDoubtIsSettledBeforeItIsCalledOff() throws {
    let sous = try runInDoubt()
    defer { sous.remove() }
    let refused = try sous("cancel", "last")
    #expect(refused.status == 2 && refused.errors.contains("sous answer settle"))
    #expect(try sous("cancel", "last", "--lang", "de").errors.contains("erst klären"))
    let shown = try sous("show", "last", "--json").json
    #expect(shown["status"] == "needs_attention")
    #expect(shown["cancel_requested"] == .bool(false))
    #expect(try sous("settle", "last", "--not-done").status == 0)
    #expect(try sous("cancel", "last").status == 0)
    #expect(try sous("show", "last", "--json").json["status"] == "cancelled")
    #expect(try String(contentsOfFile: sous.folder + "/ledger", encoding: .utf8) == "before\n")
  }

  @Test func aStepThatThereIsNotIsToldWithThoseThatThereAre() throws {
    let sous = try runInDoubt()
    defer { sous.remove() }
    let refused = try sous("settle", "last", "--step", "zz")
    #expect(refused.status == 2 && refused.errors.contains("pay, last"))
    #expect(try sous("settle", "last", "--step", "last").output == "nothing is in doubt\n")
    #expect(try sous("settle", "last", "--done").status == 0)
    #expect(try sous("resume", "last").status == 1)
    let from = try sous("retry", "last", "--from", "zz")
    #expect(from.status == 2 && from.errors.contains("pay, last"))
    #expect(try sous("retry", "last", "--from", "pay", "--failed").status == 2)
  }
}
