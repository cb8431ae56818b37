import Expressions
import Foundation
import Testing

/// Programs as steps of a run: what stops them, what repeats them, what is kept of what they write.
@Suite(.timeLimit(.minutes(5))) struct ExecStepTests {
  private func folder(_ steps: String...) throws -> SousProcess {
    let sous = try SousProcess()
    try sous.write("sous.yaml", "providers: {}\n")
    try sous.write("recipe.yaml", "name: programs\nsteps:\n" + steps.map { "  - \($0)\n" }.joined())
    return sous
  }

  /// A program that ends with 0 when it is asked to end.
  private let polite = #"command: [sh, -c, "trap 'exit 0' TERM; echo begun >> ledger; sleep 100 & wait"]"#

  @Test func theOutcomeOfAProgramThatATimeoutHasStoppedIsUnknown() throws {
    let sous = try folder("{ id: pay, uses: exec, timeout: 300ms, with: { \(polite) } }")
    defer { sous.remove() }
    #expect(try sous("run", "recipe.yaml").status != 0)
    let run = try sous("show", "last", "--json").json
    #expect(run["status"] == "needs_attention")
    #expect(run["steps"]?[0]?["attempts"]?[0]?["failure"]?["kind"] == "timeout")
    #expect(run["steps"]?[0]?["attempts"]?[0]?["uncertain"] == true)
    #expect(try sous("logs", "last").output.contains("was stopped"))
  }

  @Test func aProgramThatATimeoutHasStoppedHasFailed() throws {
    let sous = try folder(
      "{ id: look, uses: exec.read, timeout: 300ms, retry: { attempts: 2, backoff: 10ms }, with: { \(polite) } }")
    defer { sous.remove() }
    #expect(try sous("run", "recipe.yaml").status == 1)
    let step = try sous("show", "last", "--json").json["steps"]?[0]
    #expect(step?["status"] == "failed")
    #expect(step?["failure"]?["kind"] == "timeout")
    #expect(step?["attempt_count"] == 2)
  }

  @Test func theOutcomeOfAProgramThatWasCancelledIsUnknown() throws {
    let sous = try folder("{ id: pay, uses: exec, with: { \(polite) } }")
    defer { sous.remove() }
    let outcome = try sous.run(
      "/bin/sh",
      [
        "-c",
        """
        '\(SousProcess.executable)' run recipe.yaml & run=$!
        until test -s ledger; do sleep 0.02; done
        kill -INT $run; wait $run
        '\(SousProcess.executable)' resume last
        """,
      ])
    #expect(outcome.status != 0)
    #expect(try sous("show", "last", "--json").json["status"] == "needs_attention")
    #expect(try String(contentsOfFile: sous.folder + "/ledger", encoding: .utf8) == "begun\n")
  }

  @Test(arguments: ["exec", "exec.read", "exec.idempotent"])
  func theRetryOfAStepIsObeyedWhateverTheStatus(action: String) throws {
    let program = #"command: [sh, -c, "echo x >> ledger; test $(wc -l < ledger) -ge 3"]"#
    let sous = try folder(
      "{ id: try, uses: \(action), retry: { attempts: 4, backoff: 10ms }, with: { \(program) } }")
    defer { sous.remove() }
    #expect(try sous("run", "recipe.yaml").status == 0)
    #expect(try sous("show", "last", "--json").json["attempt_count"] == 3)
    try sous.write("ledger", "")
    try sous.write(
      "general.yaml",
      "name: general\nretry: 4\nsteps:\n  - { id: try, uses: \(action), with: { \(program) } }\n")
    #expect(try sous("run", "general.yaml").status == 1)
    #expect(try sous("show", "last", "--json").json["attempt_count"] == 1)
  }

  @Test func theLastLinesOfAProgramThatHasFailedAreKept() throws {
    let sous = try folder(
      #"{ id: make, uses: exec, with: { command: [sh, -c, "seq 1 3; echo missing file >&2; echo gone >&2; exit 2"] } }"#
    )
    defer { sous.remove() }
    #expect(try sous("run", "recipe.yaml").status == 1)
    let lines = ["stdout: 1", "stdout: 2", "stdout: 3", "stderr: missing file", "stderr: gone"]
    let attempt = try sous("show", "last", "--json").json["steps"]?[0]?["attempts"]?[0]
    #expect(Set(attempt?["log"]?.listValue?.compactMap(\.stringValue) ?? []) == Set(lines))
    let (shown, logged) = (try sous("show", "last").output, try sous("logs", "last", "--step", "make", "--json").output)
    for line in lines {
      #expect(shown.contains(line))
      #expect(logged.contains("\"\(line)\""))
    }
  }

  @Test func theLinesOfARunningProgramAreFollowedLive() throws {
    let sous = try folder(#"{ id: long, uses: exec, with: { command: [sh, -c, "echo ready; cat gate"] } }"#)
    defer { sous.remove() }
    let program = SousProcess.executable
    // The program goes on only when its first line has been read.
    let outcome = try sous.run(
      "/bin/sh",
      [
        "-c",
        """
        mkfifo gate
        '\(program)' run recipe.yaml > ran & run=$!
        until '\(program)' logs last --step long > /dev/null 2>&1; do sleep 0.05; done
        '\(program)' logs last --follow --step long > followed & follower=$!
        tries=0
        until grep -q 'stdout: ready' followed || test $tries = 1200; do tries=$((tries + 1)); sleep 0.05; done
        kill -0 $run && echo still running
        timeout 10 sh -c 'echo go > gate'
        wait $run
        wait $follower
        cat followed
        """,
      ])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.contains("stdout: ready"))
    #expect(outcome.output.contains("still running"))
  }
}
