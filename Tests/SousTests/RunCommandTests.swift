import Expressions
import FixturePlugins
import Foundation
import Glibc
import Testing

private let oneStep = """
  name: one
  inputs:
    name: { type: string, default: world }
    count: { type: integer, default: 1, minimum: 1 }
  keywords: { Gruss: Hallo }
  steps:
    - id: greet
      uses: template
      with: { text: "{{ Gruss }}, {{ inputs.name }} × {{ inputs.count }}" }
  outputs:
    greeting: "{{ steps.greet.output.text }}"
  """

@Suite(.timeLimit(.minutes(15))) struct RunCommandTests {
  @Test func aRunThatSucceedsReportsItsStepsAndOutputs() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    try sous.write("one.yaml", oneStep)
    let outcome = try sous("run", "one.yaml", "-i", "name=Jana", "-i", "count=3", "-k", "Gruss=Salut")
    #expect(outcome.status == 0)
    #expect(outcome.output.contains("✓ greet"))
    #expect(outcome.output.hasSuffix("Salut, Jana × 3\n"))
    #expect(!outcome.output.contains("\u{1B}"))
    #expect(outcome.errors.isEmpty)
  }

  @Test func quietPrintsTheOutputsAlone() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    try sous.write("one.yaml", oneStep)
    #expect(try sous("run", "-q", "one.yaml").output == "Hallo, world × 1\n")
  }

  @Test(arguments: [
    ["-i", "nmae=x"], ["-i", "count=many"], ["-i", "count=0"], ["-i", "name"], ["-k", "Grus=x"], ["--bogus"],
  ])
  func wrongInputsEndBeforeAnythingRuns(arguments: [String]) throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    try sous.write("one.yaml", oneStep)
    let outcome = try sous.run(SousProcess.executable, ["run", "one.yaml"] + arguments)
    #expect(outcome.status == 2)
    #expect(outcome.output.isEmpty)
    #expect(!outcome.errors.isEmpty)
    #expect(try sous("runs", "--json").json == [])
  }

  @Test func aStepThatFailsTwiceIsTriedThreeTimesWithGrowingPauses() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    try configureFlaky(sous)
    try sous.write("flaky.yaml", flaky(fail: 2, retry: "{ backoff: 20ms, jitter: 0 }"))
    let outcome = try sous("run", "flaky.yaml")
    #expect(outcome.status == 0)
    let run = try sous("show", "last", "--json").json
    let attempts = try #require(run["steps"]?.listValue?.first?["attempts"]?.listValue)
    #expect(attempts.map { $0["number"] } == [1, 2, 3])
    #expect(attempts.map { $0["status"] } == ["failed", "failed", "succeeded"])
    #expect(attempts.prefix(2).map { $0["failure"]?["kind"] } == ["server", "server"])
    #expect(attempts.map { $0["retry_delay_ms"]?.numberValue } == [20, 40, nil])
    for attempt in attempts { #expect((attempt["input_bytes"]?.intValue ?? 0) > 0) }
    #expect((attempts.last?["output_bytes"]?.intValue ?? 0) > 0)
  }

  @Test func oneAttemptFailsAtOnce() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    try configureFlaky(sous)
    try sous.write("flaky.yaml", flaky(fail: 2, retry: "{ attempts: 1 }"))
    let outcome = try sous("run", "flaky.yaml")
    #expect(outcome.status == 1)
    let run = try sous("show", "last", "--json").json
    #expect(run["status"] == "failed")
    #expect(run["failure"]?["kind"] == "server")
    #expect(run["attempt_count"] == 1)
  }

  @Test func anInterruptedRunSaysSoAndStaysOpen() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    try configureFlaky(sous)
    try sous.write(
      "sleep.yaml",
      """
      name: sleep
      steps:
        - id: nap
          uses: flaky.sleep
          provider: flaky
          with: { ms: 60000 }
        - id: after
          uses: template
          with: { text: never }
      """)
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: SousProcess.executable)
    process.arguments = ["run", "sleep.yaml"]
    process.currentDirectoryURL = URL(fileURLWithPath: sous.folder)
    process.environment = sous.environment
    process.standardOutput = output
    try process.run()
    // The first line comes when the run has begun; from then on Ctrl-C has to leave it in order.
    let beginning = output.fileHandleForReading.availableData
    #expect(!beginning.isEmpty)
    kill(process.processIdentifier, SIGINT)
    process.waitUntilExit()
    #expect(process.terminationStatus == 130)
    let run = try sous("show", "last", "--json").json
    #expect(run["status"] == "interrupted")
    #expect(run["steps"]?.listValue?.last?["status"] == "pending")
  }

  @Test func aPluginThatTheRunDoesNotUseIsNotOpened() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    let strace = try #require(
      ["/usr/bin/strace", "/bin/strace"].first(where: FileManager.default.isExecutableFile),
      "strace is needed: apt-get install strace")
    try configureFlaky(sous)
    try sous.write("flaky.yaml", flaky(fail: 0, retry: "{ attempts: 1 }"))
    let trace = sous.folder + "/trace"
    for round in 1...2 {
      let outcome = try sous.run(
        strace, ["-f", "-e", "trace=open,openat", "-o", trace, SousProcess.executable, "run", "flaky.yaml"])
      #expect(outcome.status == 0, "round \(round): \(outcome.errors)")
      let opened = String(decoding: FileManager.default.contents(atPath: trace) ?? Data(), as: UTF8.self)
      #expect(opened.contains("libflaky.so"))
      #expect(!opened.contains("libmaildir.so"))
      #expect(!opened.contains("libextractive.so"))
    }
  }

  private func configureFlaky(_ sous: SousProcess) throws {
    try sous.write(
      "sous.yaml",
      """
      providers:
        flaky: { plugin: "\(try FixtureLibrary.flaky())" }
        home: { plugin: maildir, path: mailbox }
      defaults: { mail.store: home }
      """)
  }

  private func flaky(fail: Int, retry: String) -> String {
    """
    name: flaky
    retry: \(retry)
    steps:
      - id: try
        uses: flaky.try
        provider: flaky
        with: { fail: \(fail), kind: server }
    """
  }
}

extension Value {
  /// A number of whatever kind; `nil` for null and all else.
  fileprivate var numberValue: Double? {
    switch self {
    case .int(let number): Double(number)
    case .double(let number): number
    default: nil
    }
  }
}

@Suite(.timeLimit(.minutes(15))) struct ChildRecipeRunTests {
  @Test func aRecipeRunsAnotherAndUsesItsOutputs() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    try sous.write(
      "child.yaml",
      """
      name: child
      inputs: { who: string }
      steps:
        - { id: greet, uses: template, with: { text: "Hello, {{ inputs.who }}!" } }
      outputs: { text: "{{ steps.greet.output.text }}" }
      """)
    try sous.write(
      "parent.yaml",
      """
      name: parent
      steps:
        - id: each
          for_each: [Ada, Bo]
          uses: recipe
          with: { recipe: child, inputs: { who: "{{ item }}" } }
      outputs: { all: "{{ steps.each.output.map(o, o.text).join(' ') }}" }
      """)
    let outcome = try sous("run", "-q", "parent.yaml")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output == "Hello, Ada! Hello, Bo!\n")
    let runs = try sous("runs", "--json").json.listValue ?? []
    #expect(runs.count == 3)
  }
}
