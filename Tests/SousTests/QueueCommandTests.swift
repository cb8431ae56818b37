import Expressions
import Foundation
import Testing

/// Putting runs into the queue, and calling runs off that another process works on.
@Suite(.timeLimit(.minutes(15))) struct QueueCommandTests {
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
    try sous.write("items.jsonl", "{\"n\": 1}\n{\"n\": \"many\"}\n")
    let refused = try sous("run", "--queue", "recipe.yaml", "--inputs-from", "items.jsonl")
    #expect(refused.status == 2)
    #expect(refused.errors.contains("items.jsonl:2: "))
    #expect(try sous("work", "--until-idle").output == "nothing to do\n")
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

  /// Five runs of a group with three places: the first three wait for each other, and none sees more than two others.
  @Test func asManyRunsOfAGroupWorkAtATimeAsItSays() throws {
    let act = "touch now/$$; ls now | wc -l >>peaks; while [ $(wc -l <peaks) -lt 3 ]; do sleep 0.05; done; rm now/$$"
    let sous = try prepared(
      """
      name: places
      concurrency: { group: downloads, max: 3 }
      steps:
        - { id: a, timeout: 60s, uses: exec.idempotent, with: { command: [sh, -c, "\(act)"] } }
      """)
    defer { sous.remove() }
    try FileManager.default.createDirectory(atPath: sous.folder + "/now", withIntermediateDirectories: false)
    try sous.write("items.jsonl", String(repeating: "{}\n", count: 5))
    try #require(try sous("run", "--queue", "recipe.yaml", "--inputs-from", "items.jsonl").status == 0)
    #expect(try sous("work", "--until-idle", "--parallel", "5").status == 0)
    let peaks = try String(contentsOfFile: sous.folder + "/peaks", encoding: .utf8).split(separator: "\n")
      .compactMap { Int($0) }
    #expect(peaks.count == 5 && peaks.max() == 3, "\(peaks)")
    #expect(try sous("explain", "recipe.yaml").output.contains("3 runs at a time"))
  }

  @Test func recipesOfAGroupThatDifferAreReported() throws {
    let recipe = { (name: String, max: Int) in
      "name: \(name)\nconcurrency: { group: g, max: \(max) }\nsteps: [{ uses: values, with: { a: 1 } }]\n"
    }
    let sous = try prepared(recipe("one", 2))
    defer { sous.remove() }
    try sous.write("other.yaml", recipe("two", 3))
    let differing = try sous("validate", "recipe.yaml", "other.yaml", "--json")
    #expect(differing.status == 2)
    #expect(try differing.json.listValue?.compactMap { $0["code"]?.stringValue } == ["groups_differ", "groups_differ"])
    try sous.write("other.yaml", recipe("two", 2))
    #expect(try sous("validate", "recipe.yaml", "other.yaml").status == 0)
    try sous.write("other.yaml", recipe("two", 101))
    #expect(try sous("validate", "other.yaml").status == 2)
  }

  /// A recipe with a group of its own, which tells that it has begun and works until it is cancelled.
  private static let long = """
    name: long
    concurrency: mail
    steps:
      - id: a
        uses: exec.idempotent
        with: { command: [sh, -c, "touch begun; while ! test -e go; do sleep 0.05; done"] }
    """

  /// A run of a group that was interrupted, and another one that is worked on after it: its calling off puts the first
  /// one down at once.
  @Test(arguments: ["run recipe.yaml", "resume last"])
  func whoIsCalledOffInAGroupPutsDownWhatItBringsToItsEnd(command: String) throws {
    let sous = try prepared(Self.long)
    defer { sous.remove() }
    let script = """
      '\(SousProcess.executable)' run recipe.yaml >first 2>&1 & process=$!
      while ! test -e begun; do sleep 0.05; done
      kill -INT $process
      wait $process
      test $? = 130 || exit 3
      rm begun
      case '\(command)' in resume*) '\(SousProcess.executable)' run --queue recipe.yaml || exit 4;; esac
      '\(SousProcess.executable)' \(command) >second 2>&1 & process=$!
      while ! test -e begun; do sleep 0.05; done
      '\(SousProcess.executable)' cancel last || exit 5
      wait $process
      """
    #expect(try sous.run("/bin/sh", ["-c", script]).status == 1)
    #expect(try statuses(sous) == ["cancelled", "interrupted"])
  }

  @Test func whoeverIsResumedBringsWhatWasLeftOfItsGroupToItsEnd() throws {
    let sous = try prepared(
      """
      name: short
      inputs: { n: integer }
      concurrency: mail
      steps:
        - { id: wait, uses: wait_for, with: { event: go } }
        - { id: note, uses: exec.idempotent, with: { command: [sh, -c, "echo {{ inputs.n }} >>ledger"] } }
      """)
    defer { sous.remove() }
    #expect(try sous("run", "--queue", "recipe.yaml", "-i", "n=1").status == 0)
    #expect(try sous("work", "--until-idle").status == 0)
    #expect(try sous("run", "--queue", "recipe.yaml", "-i", "n=2").status == 0)
    for _ in 0..<2 { #expect(try sous("event", "go").status == 0) }
    #expect(try sous("resume", "last").status == 0)
    #expect(try text(sous, "ledger") == "1\n2\n")
    #expect(try statuses(sous) == ["succeeded", "succeeded"])
  }

  /// Who waits for a turn and is interrupted says so; a run that stood in the queue before stays there.
  @Test(arguments: [("run recipe.yaml", "cancelled"), ("resume last", "queued")])
  func whoIsInterruptedInAGroupSaysSo(command: String, status: String) throws {
    let sous = try prepared(Self.long)
    defer { sous.remove() }
    let script = """
      '\(SousProcess.executable)' run recipe.yaml >first 2>&1 & first=$!
      while ! test -e begun; do sleep 0.05; done
      case '\(command)' in resume*) '\(SousProcess.executable)' run --queue recipe.yaml || exit 4;; esac
      '\(SousProcess.executable)' \(command) >second 2>&1 & second=$!
      while ! grep -q 'waiting for run' second; do sleep 0.05; done
      kill -INT $second
      wait $second
      status=$?
      touch go
      wait $first
      exit $status
      """
    #expect(try sous.run("/bin/sh", ["-c", script]).status == 130)
    #expect(try statuses(sous) == [status, "succeeded"].sorted())
  }

  @Test func whatIsLeftOutIsNotCalledQueued() throws {
    let sous = try prepared(
      """
      name: grouped
      inputs: { group: { type: string, default: mail } }
      concurrency: { group: "{{ inputs.group }}", policy: skip }
      steps:
        - { id: note, uses: template, with: { text: done } }
      """)
    defer { sous.remove() }
    #expect(try sous("run", "--queue", "recipe.yaml", "--json").json["status"] == "queued")
    #expect(try sous("run", "--queue", "recipe.yaml", "--json").json["status"] == "skipped")
    #expect(try sous("run", "--queue", "recipe.yaml").output.hasPrefix("left out"))
    try sous.write("items.jsonl", "{}\n{\"group\": \"notes\"}\n{}\n")
    let file = try sous("run", "--queue", "recipe.yaml", "--inputs-from", "items.jsonl")
    #expect(file.status == 0)
    #expect(file.output.hasPrefix("queued 1 run,") && file.output.contains("2 left out"))
    #expect(try statuses(sous) == ["queued", "queued", "skipped", "skipped", "skipped", "skipped"])
  }

  /// A program that does not heed SIGTERM is killed by the second Ctrl-C: nobody would be there to end it afterwards.
  @Test func aSecondInterruptionEndsProgramsToo() throws {
    let sous = try prepared(
      """
      name: stubborn
      steps:
        - id: a
          uses: exec.idempotent
          with:
            command: [sh, -c, "exec 9>lock; flock 9; trap 'touch told' TERM; touch begun; while :; do sleep 0.05; done"]
            grace: 600
      """)
    defer { sous.remove() }
    let script = """
      '\(SousProcess.executable)' run recipe.yaml >out 2>&1 & process=$!
      while ! test -e begun; do sleep 0.05; done
      kill -INT $process
      while ! test -e told; do sleep 0.05; done
      kill -INT $process
      wait $process
      status=$?
      flock lock true
      exit $status
      """
    #expect(try sous.run("/bin/sh", ["-c", script]).status == 130)
    #expect(try sous("runs", "--json").output.contains("\"process_gone\":true"))
  }

  // MARK: - The end of a worker

  /// A run whose first step works until there is a file `go`, beside one that is still in the queue.
  private func preparedForTheEnd() throws -> SousProcess {
    let sous = try prepared(
      """
      name: long
      steps:
        - id: a
          uses: exec.idempotent
          with: { command: [sh, -c, "echo a >>ledger; touch begun; while ! test -e go; do sleep 0.05; done"] }
        - { id: b, uses: exec.idempotent, needs: [a], with: { command: [sh, -c, "echo b >>ledger"] } }
      """)
    for _ in 0..<2 { #expect(try sous("run", "--queue", "recipe.yaml").status == 0) }
    return sous
  }

  /// Starts a worker with room for one run, does something while its step works, and waits for its end.
  private func work(_ sous: SousProcess, _ options: String, _ meanwhile: String) throws -> Int32 {
    let script = """
      '\(SousProcess.executable)' work --parallel 1 \(options) >out 2>errors & process=$!
      while ! test -e begun; do sleep 0.05; done
      \(meanwhile)
      wait $process
      """
    return try sous.run("/bin/sh", ["-c", script]).status
  }

  private func statuses(_ sous: SousProcess) throws -> [String] {
    guard case .list(let runs) = try sous("runs", "--json").json else { return [] }
    return runs.compactMap { $0["status"]?.stringValue }.sorted()
  }

  private func text(_ sous: SousProcess, _ name: String) throws -> String {
    try String(contentsOfFile: sous.folder + "/" + name, encoding: .utf8)
  }

  private static let untilTold = "while ! grep -q Stopping errors; do sleep 0.05; done"

  @Test func terminationLetsAStepEndAndLeavesTheRest() throws {
    let sous = try preparedForTheEnd()
    defer { sous.remove() }
    let status = try work(sous, "", "kill -TERM $process; \(Self.untilTold); touch go")
    #expect(status == 0)
    #expect(try text(sous, "errors").contains("1 run is suspended after what is under way, within 25"))
    #expect(try statuses(sous) == ["interrupted", "queued"])
    #expect(try text(sous, "ledger") == "a\n")
    #expect(try sous("work", "--until-idle").status == 0)
    #expect(try statuses(sous) == ["succeeded", "succeeded"])
    #expect(try text(sous, "ledger").split(separator: "\n").sorted() == ["a", "a", "b", "b"])
  }

  @Test(arguments: [
    ("", "kill -TERM $process; \(untilTold); kill -TERM $process"),
    ("", "kill -TERM $process; \(untilTold); kill -INT $process"), ("--drain 0.2s", "kill -TERM $process"),
    ("", "kill -HUP $process"),
  ])
  func whatDoesNotEndInTimeIsInterrupted(_ end: (options: String, script: String)) throws {
    let sous = try preparedForTheEnd()
    defer { sous.remove() }
    #expect(try work(sous, end.options, end.script) == 0)
    #expect(try statuses(sous) == ["interrupted", "queued"])
    #expect(try text(sous, "ledger") == "a\n")
    try sous.write("go", "")
    #expect(try sous("work", "--until-idle").status == 0)
    #expect(try statuses(sous) == ["succeeded", "succeeded"])
  }

  @Test(arguments: ["soon", "-1s"]) func aDrainIsADuration(text: String) throws {
    let sous = try prepared("name: x\nsteps: [{ uses: template, with: { text: a } }]\n")
    defer { sous.remove() }
    let answer = try sous("work", "--until-idle", "--drain=\(text)")
    #expect(answer.status == 2)
    #expect(answer.errors.contains("--drain"))
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
