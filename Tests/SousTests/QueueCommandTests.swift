import Expressions
import Foundation
import Testing

/// Putting runs into the queue, and calling runs off that another process works on.
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
