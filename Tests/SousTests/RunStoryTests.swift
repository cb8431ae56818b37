import Expressions
import Foundation
import Testing

/// What commands tell of runs: what they wait for, what became of them, and why.
@Suite(.timeLimit(.minutes(15))) struct RunStoryTests {
  private func prepared(_ recipes: [String: String]) throws -> SousProcess {
    let sous = try SousProcess()
    try sous.write("sous.yaml", "providers: {}\n")
    for (name, text) in recipes { try sous.write(name + ".yaml", text) }
    return sous
  }

  private static let ask = """
    name: ask
    steps:
      - { id: ok, uses: approve, with: { message: "Go?" } }
      - { id: out, uses: template, with: { text: "by {{ steps.ok.output.by }}" } }
      - { id: bad, uses: fail, with: { message: "no seat is left", kind: invalid_input } }
    """

  private static let grouped = """
    name: grouped
    priority: 3
    concurrency: { group: mail }
    steps: [{ id: ok, uses: approve, with: { message: "Go?" } }]
    outputs: { by: "{{ steps.ok.output.by }}" }
    """

  private func names(_ sous: SousProcess, _ arguments: String...) throws -> [String] {
    guard case .list(let runs) = try sous.run(SousProcess.executable, ["runs", "--json"] + arguments).json else {
      return []
    }
    return runs.compactMap { $0["id"]?.stringValue }
  }

  // MARK: - Waits

  @Test func aDecisionIsMadeThroughTheRunThatTheOtherIsPartOf() throws {
    let sous = try prepared([
      "ask": Self.ask, "whole": "name: whole\nsteps: [{ id: part, uses: recipe, with: { recipe: ask } }]\n",
    ])
    defer { sous.remove() }
    #expect(try sous("run", "--queue", "whole.yaml").status == 0)
    #expect(try sous("work", "--until-idle").status == 0)
    let whole = try #require(try names(sous, "--recipe", "whole").first)
    let part = try #require(try names(sous, "--recipe", "ask").first)
    let shown = try sous("show", whole).output
    #expect(shown.contains("a decision: Go?") && shown.contains("sous answer yes \(part.suffix(8))\n"))
    let made = try sous("approve", whole, "--by", "ada", "--json").json
    #expect(made["run"]?.stringValue == part && made["approved"] == .bool(true) && made["by"] == "ada")
    #expect(try sous("approve", whole).status == 2)
    #expect(try sous("work", "--until-idle").status == 0)
    #expect(try sous("show", whole, "--json").json["status"] == "failed")
  }

  @Test func aRefusalIsTellableAsJSON() throws {
    let sous = try prepared(["ask": Self.ask])
    defer { sous.remove() }
    #expect(try sous("run", "--queue", "ask.yaml").status == 0)
    #expect(try sous("work", "--until-idle").status == 0)
    let made = try sous("reject", "last", "--json").json
    #expect(made["step"] == "ok" && made["approved"] == .bool(false) && made["item"] == .null)
  }

  @Test func eventsThatAreWaitedForAreListed() throws {
    let sous = try prepared([
      "wait": "name: wait\nsteps: [{ id: paid, uses: wait_for, with: { event: order.paid, key: \"5\" } }]\n"
    ])
    defer { sous.remove() }
    #expect(try sous("event").output == "no run waits for an event\n")
    #expect(try sous("event", "--key", "5").status == 2)
    #expect(try sous("event", "order.paid").output.contains("no run waits for an event now"))
    #expect(try sous("run", "--queue", "wait.yaml").status == 0)
    #expect(try sous("work", "--until-idle").status == 0)
    let run = try #require(try names(sous).first)
    let missed = try sous("event", "order.payed", "--key", "5")
    #expect(missed.status == 0 && missed.output.contains("order.paid, key 5"))
    #expect(try sous("event", "x", "--lang", "de").output.contains("Läufe warten auf: order.paid, Schlüssel 5"))
    let listed = try sous("event").output
    #expect(
      listed.contains(run) && listed.contains("sous answer event order.paid --key 5") && listed.contains("order.payed"))
    let json = try sous("event", "--json").json
    guard case .list(let waits)? = json["waits"], case .list(let kept)? = json["kept"] else {
      Issue.record("no lists: \(json.jsonString)")
      return
    }
    #expect(waits.map { $0["event"] } == ["order.paid"])
    let left = Set(kept.compactMap { $0["event"]?.stringValue })
    #expect(left.isSuperset(of: ["order.payed", "x"]))
    #expect(try sous("event", "order.paid", "--key", "5", "--json").json["run"]?.stringValue == run)
  }

  @Test func aRunThatWaitsIsTakenUpWithWhatItWaitsFor() throws {
    let sous = try prepared(["ask": Self.ask])
    defer { sous.remove() }
    #expect(try sous("run", "--queue", "ask.yaml").status == 0)
    #expect(try sous("work", "--until-idle").status == 0)
    let script = """
      '\(SousProcess.executable)' resume last >out 2>&1 & process=$!
      until grep -q Go? out; do kill -0 $process || exit 4; sleep 0.05; done
      '\(SousProcess.executable)' approve last || exit 3
      wait $process
      """
    #expect(try sous.run("/bin/sh", ["-c", script]).status == 1)
    let told = try String(contentsOfFile: sous.folder + "/out", encoding: .utf8)
    #expect(told.contains("asks for a decision: Go?") && !told.contains("a decision or an event"))
  }

  // MARK: - Groups

  @Test func aRunWhoseGroupIsTakenWaitsForItsTurn() throws {
    let sous = try prepared(["grouped": Self.grouped])
    defer { sous.remove() }
    #expect(try sous("run", "--queue", "grouped.yaml").status == 0)
    #expect(try sous("run", "--queue", "grouped.yaml", "--priority", "-4").status == 0)
    #expect(try sous("run", "grouped.yaml", "--priority", "4").status == 2)
    #expect(try sous("work", "--until-idle").output.contains("1 run is queued, waiting for run "))
    let idle = try sous("work", "--until-idle", "--lang", "de").output
    #expect(
      idle.hasPrefix("1 Lauf ist eingereiht, wartet auf Lauf ") && !idle.contains("nichts zu tun"), "\(idle)")
    let queued = try #require(try names(sous, "--status", "queued").first)
    let waiting = try #require(try names(sous, "--status", "waiting").first)
    let line = try #require(try sous("runs").output.split(separator: "\n").first { $0.contains(queued.suffix(8)) })
    #expect(line.contains("waits for run \(waiting.suffix(8))") && line.contains("priority -4"))
    #expect(try sous("show", queued).output.contains("run \(waiting.suffix(8)), for which it waits"))
    #expect(try sous("show", queued, "--json").json["behind"]?.stringValue == waiting)
    let script = """
      '\(SousProcess.executable)' resume \(queued) >out 2>&1 & process=$!
      until grep -q 'waiting for run' out; do kill -0 $process || exit 4; sleep 0.05; done
      '\(SousProcess.executable)' approve \(waiting) || exit 3
      '\(SousProcess.executable)' work --until-idle || exit 3
      until '\(SousProcess.executable)' approve \(queued) --by ada; do kill -0 $process || exit 4; sleep 0.05; done
      wait $process
      """
    let outcome = try sous.run("/bin/sh", ["-c", script])
    #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    let told = try String(contentsOfFile: sous.folder + "/out", encoding: .utf8)
    #expect(told.contains("waiting for run \(waiting)") && told.hasSuffix("\n\nada\n"))
  }

  @Test func whoIsDisplacedOrLeftOutIsToldByWhom() throws {
    let sous = try prepared([
      "first": "name: first\nconcurrency: { group: g }\nsteps: [{ id: a, uses: wait_for, with: { event: go } }]\n",
      "skips":
        "name: skips\nconcurrency: { group: g, policy: skip }\nsteps: [{ id: a, uses: log, with: { message: a } }]\n",
      "takes":
        "name: takes\nconcurrency: { group: g, policy: cancel }\nsteps: [{ id: a, uses: log, with: { message: a } }]\n",
    ])
    defer { sous.remove() }
    #expect(try sous("run", "--queue", "first.yaml").status == 0)
    #expect(try sous("work", "--until-idle").status == 0)
    let first = try #require(try names(sous).first)
    #expect(try sous("run", "skips.yaml").output.contains("run \(first) of the same group is at work"))
    let script = """
      '\(SousProcess.executable)' run takes.yaml & process=$!
      until '\(SousProcess.executable)' show \(first) --json | grep -q '"cancel_requested":true'; do sleep 0.05; done
      '\(SousProcess.executable)' work --until-idle || exit 3
      wait $process
      """
    #expect(try sous.run("/bin/sh", ["-c", script]).status == 0)
    let takes = try #require(try names(sous, "--recipe", "takes").first)
    #expect(try sous("show", first, "--json").json["status"] == "cancelled")
    #expect(try sous("show", first).output.contains("cancelled, as run \(takes)"))
  }

  // MARK: - Ends

  @Test func whatAnotherProcessDidIsToldInTheForeground() throws {
    let sous = try prepared(["ask": Self.ask])
    defer { sous.remove() }
    // The run is answered for as soon as it waits; the other process looks more often than the one in the foreground.
    let script = """
      '\(SousProcess.executable)' work >/dev/null 2>&1 & worker=$!
      '\(SousProcess.executable)' run ask.yaml >out 2>&1 & process=$!
      until '\(SousProcess.executable)' approve last --by ada 2>/dev/null; do sleep 0.05; done
      wait $process; status=$?
      kill -INT $worker; wait $worker
      exit $status
      """
    #expect(try sous.run("/bin/sh", ["-c", script]).status == 1)
    let told = try String(contentsOfFile: sous.folder + "/out", encoding: .utf8)
    for part in ["✓ ok ", "✓ out ", "✗ bad ", "✗ invalid_input: "] { #expect(told.contains(part), "\(told)") }
    #expect(told.components(separatedBy: "✓ out ").count == 2)
  }

  @Test func aRetryGivesTheOutputsAndSaysWhenItDidNothing() throws {
    let sous = try prepared([
      "plain": """
      name: plain
      steps: [{ id: a, uses: template, with: { text: "four" } }]
      outputs: { text: "{{ steps.a.output.text }}" }
      """
    ])
    defer { sous.remove() }
    #expect(try sous("run", "plain.yaml").status == 0)
    let again = try sous("retry", "last").output
    #expect(again.contains("nothing was done again") && again.hasSuffix("\nfour\n"))
    let anew = try sous("retry", "last", "--from", "a").output
    #expect(!anew.contains("nothing was done again") && anew.hasSuffix("\nfour\n"))
    #expect(try sous("resume", "last", "--lang", "de").errors.contains("ist zu Ende (erfolgreich)"))
    #expect(try sous("show", "last", "--lang", "de").output.contains("(eine Wiederholung)"))
  }

  @Test func aLoopShowsItsOutputAndHowManyAttemptsAreNotShown() throws {
    let numbers = Array(0..<60).description
    let sous = try prepared([
      "loop": """
      name: loop
      steps:
        - { id: texts, for_each: [a, b], as: x, uses: template, with: { text: "{{ x }}" } }
        - { id: bad, for_each: \(numbers), as: x, on_error: continue, retry: 1, uses: fail, with: { message: "no" } }
        - { id: when, when: "steps.texts.output[7].text == 'a'", uses: template, with: { text: a } }
      """
    ])
    defer { sous.remove() }
    let told = try sous("run", "loop.yaml")
    #expect(told.output.contains("'when' of step 'when'"), "\(told.output)\(told.errors)")
    let output = try sous("show", "last", "--output", "texts", "--json")
    #expect(try output.json == .list([.map(["text": "a"]), .map(["text": "b"])]))
    #expect(try sous("show", "last").output.contains("    … 10 more (sous show "))
    #expect(try sous("show", "last", "--lang", "de").output.contains("    … 10 weitere (sous show "))
  }

  @Test func aWrongValueIsToldWithItsPlace() throws {
    let sous = try prepared([
      "wrong": """
      name: wrong
      steps:
        - { id: c, uses: exec.read, with: { command: [echo, '{"i": 1}'], parse: json } }
        - { id: e, uses: template, with: { text: "{{ steps.c.output.value.i }}" } }
      """
    ])
    defer { sous.remove() }
    let told = try sous("run", "wrong.yaml").output
    #expect(told.contains("invalid_input: e.with.text: "), "\(told)")
  }

  @Test func aFailureThatIsTriedAgainIsExplained() throws {
    let sous = try prepared([
      "f": "name: f\nretry: 3\nsteps: [{ id: f, uses: fail, with: { message: m, kind: server } }]\n"
    ])
    defer { sous.remove() }
    let told = try sous("explain", "f.yaml").output
    #expect(told.contains("retry"), "\(told)")
  }

  @Test func anEmptyAnswerNamesThePlace() throws {
    let sous = try prepared(["plain": "name: plain\nsteps: [{ id: a, uses: template, with: { text: a } }]\n"])
    defer { sous.remove() }
    #expect(try sous("runs").output.contains(".sous/sous.db"))
    #expect(try sous("runs", "--state", "elsewhere").output.contains("elsewhere/sous.db"))
    #expect(try sous("runs", "--state", "plain.yaml").status == 3)
    #expect(try sous("run", "plain.yaml", "-q").status == 0)
    let lines = try sous("logs")
    #expect(lines.status == 0 && lines.output.isEmpty && lines.errors == "no line fits\n")
    #expect(try sous("logs", "--json").errors.isEmpty)
  }
}
