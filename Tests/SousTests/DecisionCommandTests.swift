import Engine
import Expressions
import Foundation
import Plans
import RunStore
import Testing

/// Decisions and events, from outside.
@Suite(.timeLimit(.minutes(15))) struct DecisionCommandTests {
  let sous: SousProcess

  init() throws {
    sous = try SousProcess()
    try sous.write("sous.yaml", "providers: {}\n")
  }

  /// Leaves a run behind that asks for something.
  private func ask(_ form: String?) throws {
    let form = form.map { ", form: \($0)" } ?? ""
    try sous.write(
      "ask.yaml",
      """
      name: ask
      steps:
        - { id: ok, uses: approve, with: { message: "Pay?"\(form) } }
      outputs: { fields: "{{ steps.ok.output.fields }}" }
      """)
    #expect(try sous("run", "--queue", "ask.yaml").status == 0)
    #expect(try sous("work", "--until-idle").status == 0)
  }

  @Test func aFormIsFilledInWithOptions() throws {
    defer { sous.remove() }
    try ask("{ type: object, properties: { amount: { type: number } } }")
    let refused = try sous("approve", "last", "-f", "amuont=5")
    #expect(refused.status == 2 && refused.errors.contains("'amount'"), "\(refused.errors)")
    #expect(try sous("approve", "last", "-f", "amount").status == 2)
    #expect(try sous("approve", "last", "-f", "amount=5").output.contains("goes on"))
    #expect(try sous("approve").output.contains("no decision is open"))
  }

  /// Nobody has resumed the run since: it still waits, but can no longer be decided on.
  @Test func aDecisionWhoseTimeIsUpIsNoLongerAskedFor() async throws {
    defer { sous.remove() }
    let time = SystemTime()
    let run = RunID(rawValue: "01M7ZVTSWYTMC2R5ZF080ZKYXP")
    let store = try RunStore(path: sous.folder + "/.sous/sous.db", time: time)
    let steps = [RunStart.Step(id: "late", action: "approve", effect: .pure)]
    try await store.record(
      [
        .runStarted(
          RunStart(
            run: run, recipe: "ask", path: "ask.yaml", fingerprint: "f00d", trigger: "manual", inputs: .map([:]),
            steps: steps, at: time.now)),
        .stepStarted(run: run, step: 0, itemCount: nil, at: time.now),
        .waitStarted(
          WaitStart(run: run, step: 0, item: nil, kind: .approval, until: time.now, message: "Now?", at: time.now)),
        .runParked(run: run, until: time.now, at: time.now),
      ], durability: .synced)
    try await store.close()
    let shown = try sous("show", "last").output
    #expect(shown.contains("its time was up") && !shown.contains("sous answer yes"), "\(shown)")
    let refused = try sous("approve", "last")
    #expect(refused.status == 2)
    #expect(refused.errors.contains("was up"), "\(refused.errors)")
  }

  @Test func listsNameTheAnswerThatARunWaitsFor() throws {
    defer { sous.remove() }
    try ask("{ type: object, required: [amount], properties: { amount: { type: number }, note: { type: string } } }")
    for list in ["status", "runs"] {
      let shown = try sous(list).output
      #expect(shown.contains("waits for an answer") && shown.contains("sous answer"), "\(shown)")
    }
    let refused = try sous("answer", "yes", "last")
    #expect(refused.status == 2)
    #expect(refused.errors.contains("--field amount=NUMBER") && !refused.errors.contains("note"), "\(refused.errors)")
    #expect(try sous("answer", "yes", "last", "--field", "amount=5").status == 0)
    let answered = try sous("status").output
    #expect(!answered.contains("waits for an answer"), "\(answered)")
  }

  @Test func anEventHasAName() throws {
    defer { sous.remove() }
    #expect(try sous("event", "").status == 2)
    #expect(try sous("event", "--key", "k").status == 2)
  }

  @Test func aTimeThatHasPassedIsNotWaitedFor() throws {
    defer { sous.remove() }
    try sous.write(
      "until.yaml",
      """
      name: until
      steps:
        - { id: passed, uses: until, with: { time: "2020-01-01T08:00:00Z" } }
        - { id: none, uses: sleep, with: { for: 0s } }
      """)
    let run = try sous("run", "until.yaml")
    #expect(run.status == 0)
    #expect(!run.output.contains("waits"))
  }

  @Test func whoDeliversAnEventIsToldWhoCanReceiveIt() throws {
    defer { sous.remove() }
    try sous.write("wait.yaml", "name: wait\nsteps:\n  - { id: w, uses: wait_for, with: { event: paid } }\n")
    #expect(try sous("event", "paid").output.contains("no run can receive it"))
    #expect(try sous("event", "paid", "--json").json == ["run": .null, "kept": .bool(false)])
    #expect(try sous("run", "--queue", "wait.yaml").status == 0)
    #expect(try sous("event", "other").output.contains("kept for those"))
    #expect(try sous("event", "other", "--json").json["kept"] == .bool(true))
    #expect(try sous("work", "--until-idle").status == 0)
    // What came before the run stood in the queue does not reach it.
    let run = try sous("show", "last", "--json").json
    #expect(run["status"] == "waiting")
    #expect(try sous("event", "paid", "--json").json == ["run": run["id"] ?? .null, "kept": .bool(false)])
    #expect(try sous("work", "--until-idle").status == 0)
    #expect(try sous("show", "last", "--json").json["status"] == "succeeded")
  }

  @Test(arguments: ["run", "resume", "retry"]) func whoeverLeavesAWaitingRunIsNotToldThatItSucceeded(
    _ command: String
  ) throws {
    defer { sous.remove() }
    try sous.write(
      "pay.yaml",
      """
      name: pay
      steps:
        - { id: ok, uses: approve, with: { message: "Pay?" } }
      """)
    var arguments = [command, "pay.yaml"]
    if command != "run" {
      #expect(try sous("run", "--queue", "pay.yaml").status == 0)
      #expect(try sous("work", "--until-idle").status == 0)
      arguments = [command, "last"]
    }
    if command == "retry" { #expect(try sous("cancel", "last").status == 0) }
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: SousProcess.executable)
    process.arguments = arguments
    process.currentDirectoryURL = URL(fileURLWithPath: sous.folder)
    process.environment = sous.environment
    process.standardOutput = output
    try process.run()
    // The first line comes when it has begun.
    #expect(!output.fileHandleForReading.availableData.isEmpty)
    while process.isRunning, try sous("show", "last", "--json").json["status"] != "waiting" {}
    kill(process.processIdentifier, SIGINT)
    process.waitUntilExit()
    #expect(process.terminationStatus == 130)
    #expect(try sous("show", "last", "--json").json["status"] == "waiting")
  }
}
