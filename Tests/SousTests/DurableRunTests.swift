import Expressions
import Foundation
import Testing

/// Runs that outlast the process that began them.
@Suite(.timeLimit(.minutes(15))) struct DurableRunTests {
  private func status(_ sous: SousProcess, _ run: String = "last") throws -> String? {
    try sous("show", run, "--json").json["status"]?.stringValue
  }

  @Test func aQueuedRunWaitsForADecisionAndGoesOn() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    try sous.write("sous.yaml", "providers: {}\n")
    try sous.write(
      "ask.yaml",
      """
      name: ask
      steps:
        - id: ok
          uses: approve
          with:
            message: "Send it?"
            form: { type: object, required: [count], properties: { count: { type: integer } } }
        - { id: out, uses: template, with: { text: "n={{ steps.ok.output.fields.count + 1 }}" } }
      outputs: { text: "{{ steps.out.output.text }}" }
      """)
    #expect(try sous("run", "--queue", "ask.yaml").status == 0)
    #expect(try status(sous) == "queued")
    #expect(try sous("work", "--until-idle").status == 0)
    #expect(try status(sous) == "waiting")
    #expect(try sous("approve").output.contains("Send it?"))
    #expect(try sous("approve", "last", "-f", "count=many").status == 2)
    #expect(try sous("approve", "last").status == 2)
    #expect(try sous("approve", "last", "-f", "count=41").status == 0)
    #expect(try sous("work", "--until-idle").status == 0)
    #expect(try status(sous) == "succeeded")
    #expect(try sous("show", "last", "--json").json["outputs"]?["text"]?.stringValue == "n=42")
  }

  @Test func aProgramThatOutlivedItsProcessIsEndedBeforeItRunsAgain() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    try sous.write("sous.yaml", "providers: {}\n")
    // The second attempt looks whether the first one still runs.
    let act =
      "if test -e first; then kill -0 -$(cat first) && echo both >overlap; exit 0; fi; "
      + "echo $$ >first; kill -9 $PPID; exec >/dev/null 2>&1; sleep 600 & wait"
    try sous.write(
      "deploy.yaml",
      "name: deploy\nsteps: [ { id: a, uses: exec.idempotent, with: { command: [sh, -c, \"\(act)\"] } } ]\n")
    #expect(try sous("run", "deploy.yaml").status != 0)
    #expect(try sous("work", "--until-idle").status == 0)
    #expect(try status(sous) == "succeeded")
    #expect(!FileManager.default.fileExists(atPath: sous.folder + "/overlap"))
  }

  @Test func aRunWhoseProcessIsKilledGoesOnWhereItWas() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    try sous.write("sous.yaml", "providers: {}\n")
    try sous.write(
      "killed.yaml",
      """
      name: killed
      steps:
        - { id: first, uses: exec.idempotent, with: { command: [sh, -c, "echo first >>ledger"] } }
        - { id: kill, uses: exec.idempotent, with: { command: [sh, -c, "test -e mark || { touch mark; kill -9 $PPID; }"] } }
        - { id: last, uses: exec.idempotent, with: { command: [sh, -c, "echo last >>ledger"] } }
      """)
    #expect(try sous("run", "killed.yaml").status != 0)
    #expect(try status(sous) == "interrupted")
    #expect(try sous("work", "--until-idle").status == 0)
    #expect(try status(sous) == "succeeded")
    #expect(try String(contentsOfFile: sous.folder + "/ledger", encoding: .utf8) == "first\nlast\n")
  }

  @Test func aRepetitionContinuesAfterItsProcessWasKilled() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    try sous.write("sous.yaml", "providers: {}\n")
    // The second repetition kills Sous; the fourth makes the condition true.
    let act = "echo $SOUS_KEY >>ledger; n=$(wc -l <ledger); test $n != 2 || kill -9 $PPID; echo $n"
    try sous.write(
      "poll.yaml",
      """
      name: poll
      env: { LC_ALL: C }
      steps:
        - id: poll
          uses: exec.idempotent
          with: { command: [sh, -c, "\(act)"], parse: json }
          repeat: { until: "output.value >= 4 && steps.poll.output.status == 0", every: 100ms, limit: 5 }
        - { id: never, on_error: continue, uses: exec.read, with: { command: [sh, -c, "echo no; echo why >&2; exit 3"] } }
      outputs:
        n: "{{ steps.poll.output.value }}"
        error: "{{ steps.never.error.output.status }}{{ steps.never.error.output.stderr }}"
      """)
    #expect(try sous("run", "poll.yaml").status != 0)
    #expect(try sous("work", "--until-idle").status == 0)
    let record = try sous("show", "last", "--json").json
    #expect(record["status"] == "succeeded")
    #expect(record["outputs"]?["n"] == 4)
    #expect(record["outputs"]?["error"] == "3why\n")
    let keys = try String(contentsOfFile: sous.folder + "/ledger", encoding: .utf8).split(separator: "\n")
    // The repetition that was cut off runs again under its key.
    #expect(keys.map { $0.split(separator: "~").dropFirst().first ?? "1" } == ["1", "2", "2", "3"])
  }

  @Test func whatSucceededIsNotDoneAgainByARetry() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    try sous.write("sous.yaml", "providers: {}\n")
    try sous.write(
      "again.yaml",
      """
      name: again
      steps:
        - { id: first, uses: exec.idempotent, with: { command: [sh, -c, "echo first >>ledger"] } }
        - { id: check, uses: exec.read, with: { command: [test, -e, ready] }, retry: 1 }
      """)
    #expect(try sous("run", "again.yaml").status == 1)
    try sous.write("ready", "")
    #expect(try sous("retry", "last").status == 0)
    #expect(try status(sous) == "succeeded")
    #expect(try String(contentsOfFile: sous.folder + "/ledger", encoding: .utf8) == "first\n")
    #expect(try sous("retry", "last", "--from", "first").status == 0)
    #expect(try String(contentsOfFile: sous.folder + "/ledger", encoding: .utf8) == "first\nfirst\n")
  }

  @Test func aRunThatWaitsIsCalledOffAndTakenBack() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    try sous.write("sous.yaml", "providers: {}\n")
    try sous.write(
      "trip.yaml",
      """
      name: trip
      steps:
        - id: book
          uses: exec.idempotent
          with: { command: [sh, -c, "echo booked >>ledger"] }
          undo: { uses: exec.idempotent, with: { command: [sh, -c, "echo returned >>ledger"] } }
        - { id: paid, uses: wait_for, with: { event: paid } }
      """)
    #expect(try sous("run", "--queue", "trip.yaml").status == 0)
    #expect(try sous("work", "--until-idle").status == 0)
    #expect(try status(sous) == "waiting")
    #expect(try sous("cancel", "last").status == 0)
    #expect(try status(sous) == "cancelled")
    #expect(try String(contentsOfFile: sous.folder + "/ledger", encoding: .utf8) == "booked\nreturned\n")
  }

  @Test func aRunWhoseProviderIsGoneStaysAsItIsUntilItIsEndedByForce() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    try sous.write("sous.yaml", "providers: { home: { plugin: maildir, path: mail } }\n")
    try sous.write(
      "ask.yaml",
      """
      name: ask
      steps:
        - { id: ask, uses: approve, with: { message: "Now?" } }
        - { id: folders, uses: mail.folders, provider: home }
      """)
    #expect(try sous("run", "--queue", "ask.yaml").status == 0)
    #expect(try sous("work", "--until-idle").status == 0)
    try sous.write("sous.yaml", "providers: {}\n")
    for command in ["resume", "cancel"] {
      let answer = try sous(command, "last")
      #expect(answer.status == 3, "\(answer.errors)")
      #expect(try status(sous) == "waiting")
      #expect(answer.errors.contains("--force") == (command == "cancel"), "\(answer.errors)")
    }
    #expect(try sous("cancel", "last", "--force").status == 0)
    #expect(try status(sous) == "cancelled")
    #expect(try sous("db", "check").status == 0)
  }

  @Test func aRunThatHasNotBegunNeedsNoRecipeToBeCalledOff() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    try sous.write("sous.yaml", "providers: { home: { plugin: maildir, path: mail } }\n")
    try sous.write("list.yaml", "name: list\nsteps: [{ id: folders, uses: mail.folders, provider: home }]\n")
    #expect(try sous("run", "--queue", "list.yaml").status == 0)
    try sous.write("sous.yaml", "providers: {}\n")
    #expect(try sous("cancel", "last").status == 0)
    #expect(try status(sous) == "cancelled")
  }

  @Test func aRunThatHasBeenRepeatedIsNotRepeatedOnceMore() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    try sous.write("sous.yaml", "providers: {}\n")
    try sous.write(
      "steps.yaml",
      """
      name: steps
      steps:
        - { id: first, uses: exec.read, with: { command: [test, -e, one] }, retry: 1 }
        - { id: book, uses: exec.idempotent, with: { command: [sh, -c, "echo booked >>ledger"] } }
        - { id: last, uses: exec.read, with: { command: [test, -e, two] }, retry: 1 }
      """)
    #expect(try sous("run", "-q", "steps.yaml").status == 1)
    let origin = try #require(try sous("show", "last", "--json").json["id"]?.stringValue)
    try sous.write("one", "")
    #expect(try sous("retry", origin).status == 1)
    let answer = try sous("retry", origin)
    #expect(answer.status == 2)
    #expect(answer.errors.contains("'sous retry"), "\(answer.errors)")
    try sous.write("two", "")
    #expect(try sous("retry", "last").status == 0)
    #expect(try String(contentsOfFile: sous.folder + "/ledger", encoding: .utf8) == "booked\n")
  }

  /// A run that waits before it runs another recipe, which runs one more.
  private func waitingFamily() throws -> SousProcess {
    let sous = try SousProcess()
    try sous.write("sous.yaml", "providers: {}\n")
    try sous.write(
      "whole.yaml",
      """
      name: whole
      steps:
        - { id: paid, uses: wait_for, with: { event: paid } }
        - { id: part, uses: recipe, with: { recipe: parts/part } }
      outputs: { said: "{{ steps.part.output.said }}" }
      """)
    try sous.write(
      "parts/part.yaml",
      """
      name: part
      steps:
        - { id: leaf, uses: recipe, with: { recipe: leaf } }
      outputs: { said: "{{ steps.leaf.output.said }}" }
      """)
    try writeLeaf(sous, "as it was")
    #expect(try sous("run", "--queue", "whole.yaml").status == 0)
    return sous
  }

  private func writeLeaf(_ sous: SousProcess, _ said: String) throws {
    try sous.write(
      "parts/leaf.yaml",
      """
      name: leaf
      steps:
        - { id: text, uses: template, with: { text: \(said) } }
        - { id: look, uses: exec.read, with: { command: [test, -e, mended] }, retry: 1 }
      outputs: { said: "{{ steps.text.output.text }}" }
      """)
  }

  private func said(_ sous: SousProcess) throws -> String? {
    try sous("show", "last", "--json").json["outputs"]?["said"]?.stringValue
  }

  @Test(arguments: [false, true]) func recipesThatARunComesToLaterAreThoseOfItsBeginning(isGone: Bool) throws {
    let sous = try waitingFamily()
    defer { sous.remove() }
    try sous.write("mended", "")
    if isGone {
      try FileManager.default.removeItem(atPath: sous.folder + "/parts")
    } else {
      try writeLeaf(sous, "as it is now")
    }
    #expect(try sous("work", "--until-idle").status == 0)
    #expect(try status(sous) == "waiting")
    #expect(try sous("event", "paid").status == 0)
    #expect(try sous("work", "--until-idle").errors == "")
    #expect(try status(sous) == "succeeded")
    #expect(try said(sous) == "as it was")
    #expect(try sous("replay", "last").status == 0)
    #expect(try said(sous) == "as it was")
    #expect(try sous("db", "check").status == 0)
  }

  @Test(arguments: [false, true]) func aRetryTakesTheOtherRecipesAsTheyAreNowWhereTheyAreThere(isGone: Bool) throws {
    let sous = try waitingFamily()
    defer { sous.remove() }
    #expect(try sous("event", "paid").status == 0)
    #expect(try sous("work", "--until-idle").status == 0)
    #expect(try status(sous) == "failed")
    try sous.write("mended", "")
    if isGone {
      try FileManager.default.removeItem(atPath: sous.folder + "/parts")
    } else {
      try writeLeaf(sous, "as it is now")
    }
    let retry = try sous("retry", "last")
    #expect(retry.status == 0, "\(retry.errors)")
    #expect(retry.errors.contains(isGone ? "cannot be used as it is now" : "or a recipe that it runs, has changed"))
    // The text was made by the run before.
    #expect(try said(sous) == "as it was")
    let anew = try sous("retry", "last", "--from", "part")
    #expect(anew.status == 0, "\(anew.errors)")
    #expect(try said(sous) == (isGone ? "as it was" : "as it is now"))
  }

  @Test func aPartOfARunIsLeftToTheRun() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    try sous.write("sous.yaml", "providers: {}\n")
    try sous.write("whole.yaml", "name: whole\nsteps:\n  - { id: part, uses: recipe, with: { recipe: part } }\n")
    try sous.write("part.yaml", "name: part\nsteps:\n  - { id: ok, uses: approve, with: { message: Go? } }\n")
    #expect(try sous("run", "--queue", "whole.yaml").status == 0)
    #expect(try sous("work", "--until-idle").status == 0)
    guard case .list(let runs) = try sous("runs", "--json").json else {
      Issue.record("no list of runs")
      return
    }
    let whole = try #require(runs.first { $0["recipe"]?.stringValue == "whole" }?["id"]?.stringValue)
    let part = try #require(runs.first { $0["recipe"]?.stringValue == "part" }?["id"]?.stringValue)
    for (command, remedy) in [("cancel", "cancel"), ("resume", "resume"), ("retry", "resume")] {
      let answer = try sous(command, part)
      #expect(answer.status == 2)
      #expect(answer.errors.contains("'sous \(remedy) \(whole)'"), "\(answer.errors)")
    }
    #expect(try sous("approve", part).status == 0)
    #expect(try sous("work", "--until-idle").status == 0)
    #expect(try status(sous, whole) == "succeeded")
    for command in ["resume", "retry"] {
      let answer = try sous(command, part)
      #expect(answer.status == 2)
      #expect(answer.errors.contains("'sous retry \(whole)'"), "\(answer.errors)")
    }
    guard case .list(let after) = try sous("runs", "--json").json else { return }
    #expect(after.count == 2)
    // Nothing outside is touched by this one.
    #expect(try sous("replay", part).status == 0)
  }
}
