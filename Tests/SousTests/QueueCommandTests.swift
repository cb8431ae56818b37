import Expressions
import Foundation
import Testing

/// Putting runs into the queue, settling what is in doubt, and calling runs off that another process works on.
@Suite(.timeLimit(.minutes(5))) struct QueueCommandTests {
  private func prepared(_ recipe: String) throws -> SousProcess {
    let sous = try SousProcess()
    try sous.write("sous.yaml", "providers: {}\n")
    try sous.write("recipe.yaml", recipe)
    return sous
  }

  private static let adding = """
    name: adding
    inputs: { n: { type: integer }, m: { type: integer, default: 1 } }
    steps:
      - { id: note, uses: exec.idempotent, with: { command: [sh, -c, "echo {{ inputs.n }} {{ inputs.m }} >>ledger"] } }
    """

  @Test func everyLineOfAFileIsARun() throws {
    let sous = try prepared(Self.adding)
    defer { sous.remove() }
    try sous.write("items.jsonl", "{\"n\": 3}\n\n{\"n\": 1, \"m\": 7}\r\n{\"n\": 2}")
    let queued = try sous("run", "--queue", "recipe.yaml", "--inputs-from", "items.jsonl", "-i", "m=5", "--json")
    guard case .list(let list) = try queued.json else {
      Issue.record("no list: \(queued.output)\(queued.errors)")
      return
    }
    let runs = list.compactMap { $0["run"]?.stringValue }
    #expect(runs.count == 3 && runs == runs.sorted())
    #expect(try sous("work", "--until-idle", "--parallel", "1").status == 0)
    #expect(try String(contentsOfFile: sous.folder + "/ledger", encoding: .utf8) == "3 5\n1 7\n2 5\n")
  }

  @Test func aFileWithAWrongLineQueuesNothing() throws {
    let sous = try prepared(Self.adding)
    defer { sous.remove() }
    try sous.write("items.jsonl", "{\"n\": 1}\n{\"n\": \"many\"}\nnonsense\n{\"x\": 1}\n")
    let refused = try sous("run", "--queue", "recipe.yaml", "--inputs-from", "items.jsonl")
    #expect(refused.status == 2)
    for line in ["items.jsonl:2: ", "items.jsonl:3: ", "items.jsonl:4: "] { #expect(refused.errors.contains(line)) }
    #expect(try sous("work", "--until-idle").output == "nothing to do\n")
    #expect(try sous("run", "--queue", "recipe.yaml", "--inputs-from", "absent.jsonl").status == 2)
    #expect(try sous("run", "recipe.yaml", "--inputs-from", "items.jsonl").status == 2)
  }

  /// A run whose process was killed while a `once` step without `verify` was under way.
  private func runInDoubt(as recipe: String = "recipe.yaml") throws -> SousProcess {
    let act = "echo before >>ledger; test -e mark || { touch mark; kill -9 $PPID; }"
    let sous = try prepared(
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
    return sous
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

  @Test func aRunInTheForegroundIsCalledOffFromOutside() throws {
    let sous = try prepared(
      """
      name: long
      steps:
        - { id: long, uses: exec.read, with: { command: [sh, -c, "touch begun; sleep 60"] } }
      """)
    defer { sous.remove() }
    let script = """
      '\(SousProcess.executable)' run recipe.yaml >out 2>&1 & process=$!
      while ! test -e begun; do sleep 0.05; done
      '\(SousProcess.executable)' cancel last || exit 3
      wait $process
      """
    #expect(try sous.run("/bin/sh", ["-c", script]).status == 1)
    #expect(try sous("show", "last", "--json").json["status"] == "cancelled")
  }

  @Test func nobodyWaitsForQueuedRunsOfAGroupThatNobodyWorksOn() throws {
    let sous = try prepared(
      """
      name: grouped
      concurrency: { group: mail, policy: skip }
      steps:
        - { id: note, uses: template, with: { text: done } }
      """)
    defer { sous.remove() }
    #expect(try sous("run", "--queue", "recipe.yaml").status == 0)
    let run = try sous("run", "recipe.yaml", "--json")
    #expect(run.status == 0)
    #expect(try run.json["status"] == "succeeded")
  }
}
