import Expressions
import Foundation
import Testing

/// Blocks, repetitions and the output of failures, with the program as people run it.
@Suite(.timeLimit(.minutes(5))) struct BlockCommandTests {
  private func project(_ files: [String: String], configuration: String = "providers: {}\n") throws -> SousProcess {
    let sous = try SousProcess()
    try sous.write("sous.yaml", configuration)
    for (name, text) in files { try sous.write(name, text) }
    return sous
  }

  /// Everything that the run log has, as its files are.
  private func bytes(_ sous: SousProcess) throws -> Data {
    let folder = sous.folder + "/.sous"
    return try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasPrefix("sous.db") }
      .reduce(Data()) { $0 + (FileManager.default.contents(atPath: folder + "/" + $1) ?? Data()) }
  }

  @Test(arguments: ["steps", "recipe"]) func aFailureBelowAStepHasTheOutputOfTheProgram(form: String) throws {
    let program = "- { id: p, uses: exec, with: { command: [sh, -c, \"echo broken >&2; exit 4\"] } }\n"
    let step =
      form == "steps"
      ? "  - id: each\n    for_each: [1]\n    steps:\n      " + program
      : "  - { id: each, uses: recipe, with: { recipe: kid } }\n"
    let sous = try project([
      "kid.yaml": "name: kid\nsteps:\n  " + program,
      "main.yaml": "name: main\nsteps:\n\(step)on_failure:\n"
        + "  - { id: tell, uses: template, with: { text: \"{{ failure.output.status }} {{ failure.output.stderr }}\" } }\n",
    ])
    defer { sous.remove() }
    #expect(try sous("run", "main.yaml").status == 1)
    #expect(try sous("show", "last", "--output", "tell").output.contains("4 broken"))
    if form == "steps" { #expect(try sous("show", "last").output.contains("block 'each', step 'p' (run ")) }
    let lines = try sous("show", "last").output.split(separator: "\n").map(String.init)
    let title = try #require(lines.firstIndex { $0.contains("what step 'p' (run ") }, "\(lines)")
    #expect(lines[title + 1].contains("│ stderr: broken"), "\(lines)")
    let attempt = try sous("show", "last", "--json").json["steps"]?.listValue?.first?["attempts"]?.listValue?.first
    #expect(attempt?["logged_by"]?["step"] == "p")
  }

  @Test func theLinesOfTheInnermostFailedStepAreShown() throws {
    let sous = try project([
      "main.yaml": """
      name: main
      steps:
        - id: outer
          for_each: [1, 2]
          steps:
            - { id: noise, uses: exec, on_error: continue, with: { command: [sh, -c, "echo quiet >&2; exit 1"] } }
            - id: inner
              steps:
                - { id: p, uses: exec, with: { command: [sh, -c, "echo deep >&2; exit 4"] } }
            - { id: end, finally: true, uses: exec, with: { command: [sh, -c, "echo late >&2; exit 5"] } }
      """
    ])
    defer { sous.remove() }
    #expect(try sous("run", "main.yaml").status == 1)
    let shown = try sous("show", "last", "--lang", "de").output
    #expect(shown.contains("was Schritt 'p' (Lauf "), "\(shown)")
    #expect(shown.contains("│ stderr: deep"), "\(shown)")
    #expect(!shown.contains("stderr: late") && !shown.contains("stderr: quiet"), "\(shown)")
  }

  @Test func aRetryOfAChangedBlockHasNoMorePermissionsThanItsRun() throws {
    let text = """
      name: deny
      steps:
        - id: b
          steps:
            - { id: first, uses: values, with: { a: 1 } }
            - { id: q, uses: exec, with: { command: [sh, -c, "echo done >> q.txt"] } }
      """
    let sous = try project(["deny.yaml": text])
    defer { sous.remove() }
    #expect(try sous("run", "deny.yaml", "--deny", "exec").status == 1)
    try sous.write("deny.yaml", text.replacing("id: first", with: "id: renamed"))
    let retried = try sous("retry", "last")
    #expect(retried.status != 0, "\(retried.output)")
    #expect(!FileManager.default.fileExists(atPath: sous.folder + "/q.txt"))
  }

  @Test func theKeptEndOfALongOutputHasNoPartOfASecret() throws {
    let sous = try project(
      [
        "long.yaml": """
        name: long
        steps:
          - id: r
            uses: exec
            on_error: continue
            with:
              command: [sh, -c, "i=0; while [ $i -lt 9000 ]; do echo $T; i=$((i+1)); done; printf 123456; exit 3"]
              environment: { T: "{{ secrets.TOKEN_X }}" }
        outputs: { end: "{{ steps.r.error.output.stdout }}" }
        """
      ], configuration: "secrets: [environment]\n")
    defer { sous.remove() }
    var known = sous
    known.environment["TOKEN_X"] = "SECRETVALUE0123456789abcdefghijkl"
    let outcome = try known("run", "long.yaml", "--json")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.contains("123456"))
    for part in ["abcdefghijkl", "89abcdef", "VALUE012"] {
      #expect(!outcome.output.contains(part))
      #expect(try !bytes(sous).contains(Data(part.utf8)))
    }
  }

  @Test func theOutputOfAFailureInAPrivateRunIsSealed() throws {
    let sous = try project([
      "private.yaml": """
      name: private
      inputs: { who: string }
      steps:
        - { id: n, uses: text.neutralise, with: { text: "{{ inputs.who }}" } }
        - { id: x, uses: exec, on_error: continue, with: { command: [sh, -c, "cat; exit 3"], input: "{{ inputs.who }}" } }
      outputs: { kept: "{{ steps.x.error.output.stdout }}" }
      """
    ])
    defer { sous.remove() }
    // Makes the vault, whose key opens the output after the process has ended.
    try sous.write("a.txt", "Erika Mustermann\n")
    try #require(try sous("neutralise", "a.txt", "--mapping", "m.sealed").status == 0)
    let outcome = try sous("run", "private.yaml", "-i", "who=Mail from erika.mustermann@example.com")
    #expect(outcome.status == 0, "\(outcome.output) \(outcome.errors)")
    #expect(outcome.output.contains("erika.mustermann@example.com"))
    #expect(try !bytes(sous).contains(Data("erika.mustermann".utf8)))
  }

  @Test func aRepeatedRecipeThatWaitsKeepsItsCount() throws {
    let sous = try project([
      "kid.yaml": """
      name: kid
      steps:
        - { id: line, uses: exec, with: { command: [sh, -c, "echo x >> kid.txt"] } }
        - { uses: sleep, with: { for: 1s } }
      outputs: { n: "1" }
      """,
      "main.yaml": """
      name: main
      steps:
        - { id: a, needs: [], uses: exec, with: { command: [sh, -c, "while [ ! -e stop ] && [ $(wc -l < kid.txt || echo 0) -lt 3 ]; do sleep 0.2; done"] } }
        - id: b
          needs: []
          on_error: continue
          uses: recipe
          with: { recipe: kid }
          repeat: { until: "output.n == 'never'", every: 1s, limit: 2 }
        - { id: stop, needs: [b], uses: exec, with: { command: [touch, stop] } }
      """,
    ])
    defer { sous.remove() }
    let outcome = try sous("run", "main.yaml")
    #expect(outcome.status == 0, "\(outcome.output) \(outcome.errors)")
    let lines = try String(contentsOfFile: sous.folder + "/kid.txt", encoding: .utf8).split(separator: "\n")
    #expect(lines.count == 2)
  }

  /// The second repetition kills Sous in its second step; the third makes the condition true.
  @Test func aRepeatedBlockContinuesAfterItsProcessWasKilled() throws {
    let act = "echo x >>second; n=$(wc -l <second); test $n != 2 || kill -9 $PPID; echo $n"
    let sous = try project([
      "main.yaml": """
      name: main
      steps:
        - id: round
          repeat: { until: "output.state.value >= 4 && steps.round.output.state.status == 0", every: 100ms, limit: 3 }
          steps:
            - { id: fetch, uses: exec.idempotent, with: { command: [sh, -c, "echo x >>first"] } }
            - { id: state, uses: exec.idempotent, with: { command: [sh, -c, "\(act)"], parse: json } }
      outputs: { n: "{{ steps.round.output.state.value }}" }
      """
    ])
    defer { sous.remove() }
    #expect(try sous("run", "main.yaml").status != 0)
    #expect(try sous("work", "--until-idle").status == 0)
    let record = try sous("show", "last", "--json").json
    #expect(record["status"] == "succeeded", "\(record)")
    #expect(record["outputs"]?["n"] == 4)
    let lines = try ["first", "second"].map { name in
      try String(contentsOfFile: sous.folder + "/" + name, encoding: .utf8).split(separator: "\n").count
    }
    // Three repetitions; the second went on with the step that was cut off.
    #expect(lines == [3, 4])
  }

  @Test func aRepeatedBlockThatReachesItsLimitFailsWithTheLastOutputs() throws {
    let sous = try project([
      "main.yaml": """
      name: main
      steps:
        - id: each
          for_each: [1, 2]
          on_error: continue
          repeat: { until: "output.n.value == item + 1", every: 10ms, limit: 2 }
          steps:
            - { id: n, uses: exec, with: { command: [sh, -c, "echo x >>l{{ item }}; wc -l <l{{ item }}"], parse: json } }
      outputs: { first: "{{ steps.each.items[0].output.n.value }}", second: "{{ steps.each.items[1].error.kind }}" }
      """
    ])
    defer { sous.remove() }
    let outcome = try sous("run", "main.yaml", "--json")
    #expect(try outcome.json["outputs"]?["first"] == 2, "\(outcome.output)\(outcome.errors)")
    #expect(try outcome.json["outputs"]?["second"] == "repeat_limit")
  }

  @Test func theLogOfARunHasTheLinesOfItsBlocks() throws {
    let sous = try project([
      "main.yaml": """
      name: main
      steps:
        - { id: first, uses: exec, with: { command: [echo, begin] } }
        - id: each
          for_each: [a, b]
          steps:
            - { id: say, uses: exec, with: { command: [echo, "hello {{ item }}"] } }
            - id: inner
              steps:
                - { id: deep, uses: exec, with: { command: [echo, "deep {{ item }}"] } }
        - { id: last, uses: exec, with: { command: [echo, end] } }
      """
    ])
    defer { sous.remove() }
    try #require(try sous("run", "main.yaml").status == 0)
    func lines(_ arguments: String...) throws -> [String] {
      let outcome = try sous.run(SousProcess.executable, ["logs", "last"] + arguments)
      return outcome.output.split(separator: "\n").map { line in
        line.split(separator: "  ").dropFirst(2).joined(separator: " ")
      }
    }
    #expect(
      try lines() == [
        "first #1 stdout: begin", "each [0] › say #1 stdout: hello a", "each [0] › inner › deep #1 stdout: deep a",
        "each [1] › say #1 stdout: hello b",
        "each [1] › inner › deep #1 stdout: deep b", "last #1 stdout: end",
      ])
    #expect(try lines("--step", "each").count == 4)
    #expect(try lines("--step", "inner").map { $0.hasSuffix("deep a") || $0.hasSuffix("deep b") } == [true, true])
    #expect(try lines("--step", "say", "--limit", "1") == ["each [1] › say #1 stdout: hello b"])
    #expect(try sous("logs", "last", "--step", "none").status == 2)
    let json = try sous("logs", "last", "--step", "deep", "--json").output.split(separator: "\n").first.map(String.init)
    #expect(
      json?.contains(#""within":[{"step":"each","item":0},{"step":"inner","item":null}]"#) == true, "\(json ?? "")")
  }

  @Test func theJSONOfAFailureHasItsOutput() throws {
    let sous = try project([
      "main.yaml": """
      name: main
      steps:
        - id: each
          for_each: [a, b]
          on_error: continue
          uses: exec
          with: { command: [sh, -c, "echo {{ item }}; exit 3"] }
        - { id: bad, uses: exec, with: { command: [sh, -c, "echo out; echo why >&2; exit 4"] } }
      """
    ])
    defer { sous.remove() }
    let run = try sous("run", "main.yaml", "--json")
    #expect(run.status == 1)
    for record in [try run.json, try sous("show", "last", "--json").json] {
      for failure in [record["failure"], record["steps"]?.listValue?[1]["failure"]] {
        #expect(failure?["output"]?["status"] == 4, "\(record)")
        #expect(failure?["output"]?["stdout"] == "out\n")
        #expect(failure?["output"]?["stderr"] == "why\n")
      }
      let attempts = record["steps"]?.listValue?[0]["attempts"]?.listValue
      #expect(attempts?.map { $0["failure"]?["output"]?["stdout"] } == ["a\n", "b\n"])
    }
  }

  @Test func theJSONOfAFailureInAPrivateRunIsSealed() throws {
    let sous = try project([
      "private.yaml": """
      name: private
      inputs: { who: string }
      steps:
        - { id: n, uses: text.neutralise, with: { text: "{{ inputs.who }}" } }
        - { id: x, uses: exec, with: { command: [sh, -c, "cat; exit 3"], input: "{{ inputs.who }}" } }
      """
    ])
    defer { sous.remove() }
    // Makes the vault, whose key opens the output after the process has ended.
    try sous.write("a.txt", "Erika Mustermann\n")
    try #require(try sous("neutralise", "a.txt", "--mapping", "m.sealed").status == 0)
    let run = try sous("run", "private.yaml", "--json", "-i", "who=Mail from erika.mustermann@example.com")
    let shown = try sous("show", "last", "--json")
    #expect(run.status == 1 && shown.status == 0)
    for output in [run.output, shown.output] {
      #expect(output.contains(#""output":"#) && !output.contains("erika.mustermann"))
    }
    let open = try sous("show", "last", "--json", "--unseal")
    #expect(
      try open.json["failure"]?["output"]?["stdout"]?.stringValue?.contains("erika.mustermann") == true,
      "\(open.errors)")
  }

  /// Expressions that read the error of a step or item that has none, and the advice.
  @Test(arguments: [
    ("steps.each.items.map(i, i.error.output.status)", "i.status == 'failed'"),
    ("steps.each.items.map(i, i.output.status)", "i.status == 'succeeded'"),
    ("steps.good.error.output.status", "steps.good.status == 'failed'"),
    ("steps.bad.error.output.status", "steps.bad.error.?output"),
  ])
  func theAdviceForAnAbsentErrorFits(expression: String, advice: String) throws {
    let sous = try project([
      "main.yaml": """
      name: main
      steps:
        - id: each
          for_each: [0, 3]
          on_error: continue
          uses: exec
          with: { command: [sh, -c, "exit {{ item }}"] }
        - { id: good, uses: values, with: { a: 1 } }
        - { id: bad, on_error: continue, uses: fail, with: { message: no } }
        - { id: look, uses: values, with: { a: "{{ \(expression) }}" } }
      """
    ])
    defer { sous.remove() }
    let outcome = try sous("run", "main.yaml", "--json")
    #expect(try outcome.json["failure"]?["message"]?.stringValue?.contains(advice) == true, "\(outcome.output)")
  }

  @Test func theNewestRunThatWaitsIsAnswered() throws {
    let sous = try project([
      "gate.yaml": "name: gate\nsteps:\n  - { id: ok, uses: approve, with: { message: Go? } }\n"
    ])
    defer { sous.remove() }
    for _ in 0..<2 {
      try #require(try sous("run", "--queue", "gate.yaml").status == 0)
      try #require(try sous("serve", "--once").status == 0)
    }
    let waiting = try sous("answer", "--json").json.listValue?.compactMap { $0["run"]?.stringValue }.sorted() ?? []
    try #require(waiting.count == 2)
    for run in waiting.reversed() {
      let answered = try sous("answer", "yes", "gate")
      #expect(answered.status == 0 && answered.output.contains(run), "\(answered.output)\(answered.errors)")
    }
    #expect(try sous("answer", "yes", "gate").status == 2)
  }

  /// An effect in doubt in a block: what is said names the run that people know, and settling by it works.
  @Test func aDoubtInABlockIsSettledByTheRunAroundIt() throws {
    let sous = try project([
      "main.yaml": """
      name: main
      steps:
        - id: block
          steps:
            - { id: pay, uses: exec, with: { command: [sh, -c, "kill -9 $PPID"] } }
      """
    ])
    defer { sous.remove() }
    _ = try sous("run", "main.yaml")
    _ = try sous("work", "--until-idle")
    let record = try sous("show", "main", "--json").json
    #expect(record["status"] == "needs_attention")
    let run = try #require(record["id"]?.stringValue)
    #expect(record["failure"]?["advice"]?.stringValue?.contains("settle \(run) ") == true, "\(record)")
    let doubts = try sous("answer", "settle", "--json").json.listValue
    let part = try #require(doubts?.first?["run"]?.stringValue)
    #expect(part != run)
    let settled = try sous("answer", "settle", part, "--done")
    #expect(settled.output.contains("sous resume \(run)"), "\(settled.output)\(settled.errors)")
    #expect(try sous("resume", run).status == 0)
  }

  @Test func aDecisionIsNotTakenForNothing() throws {
    let sous = try project([
      "gate.yaml": "name: gate\nsteps:\n  - { id: ok, uses: approve, with: { message: Go? } }\n"
    ])
    defer { sous.remove() }
    try #require(try sous("run", "--queue", "gate.yaml").status == 0)
    try #require(try sous("serve", "--once").status == 0)
    let listed = try sous("answer")
    #expect(listed.status == 0 && listed.output.contains("Go?") && listed.output.contains("sous answer yes "))
    #expect(try sous("answer", "yes").status == 2)
    let answered = try sous("answer", "yes", "gate")
    #expect(answered.status == 0 && answered.output.contains("sous resume "), "\(answered.output)")
  }
}
