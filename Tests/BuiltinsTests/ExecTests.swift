import Builtins
import Engine
import Expressions
import Foundation
import Localization
import Plans
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct ExecTests {
  private let environment = ["PATH": "/usr/bin:/bin", "HOME": "/home/me", "LANG": "C.UTF-8", "TOKEN": "t0ken"]

  private func caller(_ folder: String = "/") -> BuiltinCaller {
    BuiltinCaller(BuiltinSurroundings(folder: folder, environment: environment))
  }

  private func shell(_ script: String, _ others: ValueMap = [:]) -> Value {
    var input = others
    input["command"] = ["sh", "-c", .string(script)]
    return .map(input)
  }

  @Test func argumentsAreNotReadByAShell() async throws {
    let output = try await caller().perform("exec", ["command": ["printf", "%s|", "a b", "$HOME", "*", "", "ü"]])
    #expect(output == ["status": 0, "stdout": "a b|$HOME|*||ü|", "stderr": "", "truncated": false])
  }

  @Test func standardInputIsWhatTheRecipeGives() async throws {
    let text = String(repeating: "0123456789abcdef", count: 20_000)
    let output = try await caller().perform("exec.read", ["command": ["wc", "-c"], "input": .string(text)])
    #expect(output["stdout"]?.stringValue?.trimmingCharacters(in: .whitespacesAndNewlines) == "320000")
    let nothing = try await caller().perform("exec.read", ["command": ["cat"]])
    #expect(nothing["stdout"] == "")
  }

  @Test func onlyNamedVariablesAreInherited() async throws {
    let output = try await caller().perform(
      "exec", ["command": ["env"], "inherit": ["TOKEN", "ABSENT"], "environment": ["MINE": "a=b"], "parse": "lines"])
    #expect(
      Set(output["value"]?.listValue?.compactMap(\.stringValue) ?? []) == [
        "PATH=/usr/bin:/bin", "HOME=/home/me", "LANG=C.UTF-8", "TOKEN=t0ken", "MINE=a=b", "SOUS_RUN=R", "SOUS_STEP=a",
        "SOUS_KEY=R.a",
      ])
    let bare = try await caller().perform("exec", ["command": ["env"]])
    #expect(bare["stdout"]?.stringValue?.contains("t0ken") == false)
  }

  @Test func secretsThatAProgramInheritsDoNotComeBack() async throws {
    let caller = BuiltinCaller(
      BuiltinSurroundings(folder: "/", environment: environment, secretVariables: ["TOKEN", "ABSENT"]))
    let output = try await caller.perform(
      "exec", shell("echo \"is $TOKEN\"; echo \"[$TOKEN]\" >&2", ["inherit": ["TOKEN"], "parse": "lines"]))
    #expect(output["stdout"] == "is ***\n")
    #expect(output["stderr"] == "[***]\n")
    #expect(output["value"] == ["is ***"])
    do {
      _ = try await caller.perform("exec", shell("echo \"bad $TOKEN\" >&2; exit 1", ["inherit": ["TOKEN"]]))
      Issue.record("the program has failed")
    } catch let error as ActionFailure {
      #expect(!error.message.english.contains("t0ken"))
      #expect(error.message.english.contains("bad ***"))
    }
  }

  private func failure(_ input: Value, _ caller: BuiltinCaller? = nil) async throws -> ActionFailure {
    do {
      _ = try await (caller ?? self.caller()).perform("exec", input)
    } catch let failure as ActionFailure {
      return failure
    }
    throw ActionFailure(.failed, .init(verbatim: "the program has not failed"))
  }

  @Test func aFailureHasTheStatusAndTheLastPartOfTheOutput() async throws {
    let failed = try await failure(shell("echo out; echo err >&2; exit 3"))
    #expect(failed.kind == .failed)
    #expect(failed.output == ["status": 3, "signal": .null, "stdout": "out\n", "stderr": "err\n"])
    let killed = try await failure(shell("echo out; kill -SEGV $$"))
    #expect(killed.output?["signal"] == 11)
    #expect(killed.output?["status"] == .null)
    // Much more than is kept: the last part counts, not the first.
    let long = try await failure(shell("seq 1 200000; exit 1", ["max_output": 1000]))
    let text = try #require(long.output?["stdout"]?.stringValue)
    #expect(text.hasSuffix("199999\n200000\n"))
    #expect(text.utf8.count == 64 << 10)
  }

  @Test func aFailureHasNoSecrets() async throws {
    let caller = BuiltinCaller(
      BuiltinSurroundings(
        folder: "/", environment: environment, secret: { (name) throws(ActionFailure) in "value of \(name)" }))
    let failed = try await failure(
      shell("echo $DB; echo $DB >&2; exit 1", ["environment": ["DB": ["secret": .secretMark("DB")]]]), caller)
    #expect(failed.output?["stdout"] == "***\n")
    #expect(failed.output?["stderr"] == "***\n")
  }

  @Test func aProgramIsStoppedByItsSignal() async throws {
    let script = "trap 'echo int; exit 0' INT; trap 'echo term; exit 0' TERM; echo ready; while :; do sleep 0.02; done"
    let input = shell(script, ["stop": ["signal": "SIGINT", "after": "30s"]])
    let caller = caller()
    let call = Task { try await failure(input, caller) }
    try await eventually { caller.report.log.contains { $0.contains("ready") } }
    call.cancel()
    let failed = try await call.value
    #expect(failed.kind == .cancelled)
    #expect(failed.output?["stdout"] == "ready\nint\n")
  }

  @Test func aStopThatContradictsItselfIsRefused() async throws {
    for stop: Value in [["after": "11m"], ["after": "3s"]] {
      var input: ValueMap = ["command": ["true"], "stop": stop]
      if stop["after"] == "3s" { input["grace"] = 2 }
      #expect(try await failure(.map(input)).kind == .invalidInput)
    }
  }

  @Test func secretsThatARecipeNamesReachTheProgramAndDoNotComeBack() async throws {
    let caller = BuiltinCaller(
      BuiltinSurroundings(
        folder: "/", environment: environment, secret: { (name) throws(ActionFailure) in "value of \(name)" }))
    let output = try await caller.perform(
      "exec",
      shell(
        "cat; printf %s \"$DB|$URL\" | wc -c; echo $DB",
        [
          "environment": [
            "DB": ["secret": .secretMark("DB")], "URL": ["secret": ["db://", .secretMark("DB"), "@host"]],
          ], "input": ["secret": .secretMark("IN")],
        ]))
    #expect(output["stdout"] == "***33\n***\n")
  }

  @Test(arguments: ["environment", "input"]) func dataCannotAskForASecret(field: String) async throws {
    let caller = BuiltinCaller(
      BuiltinSurroundings(folder: "/", environment: environment, secret: { _ in "value" }))
    let named: Value = ["secret": "DB"]
    await #expect(throws: ActionFailure.self) {
      _ = try await caller.perform("exec", shell("env", [field: field == "input" ? named : ["DB": named]]))
    }
  }

  @Test func secretsAreFoundWhateverAProgramMakesOfThem() async throws {
    let secret = "pä/ss \"wörd\" 1"
    let caller = BuiltinCaller(
      BuiltinSurroundings(
        folder: "/", environment: environment.merging(["TOKEN": secret]) { $1 }, secretVariables: ["TOKEN"]))
    let told = #"{"a": "p\u00e4\/ss \"w\u00f6rd\" 1", "b": "\#(Data("user:\(secret)".utf8).base64EncodedString())"}"#
    let output = try await caller.perform(
      "exec", ["command": ["cat"], "input": .string(told), "inherit": ["TOKEN"], "parse": "json"])
    #expect(output["value"]?["a"] == "***")
    #expect(output["value"]?["b"]?.stringValue?.hasSuffix("***") == true)
    #expect(output["stdout"]?.stringValue?.contains("u00f6rd") == false)
  }

  @Test func theFolderIsSeenFromThatOfTheConfiguration() async throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder("sub"), withIntermediateDirectories: false)
    let caller = caller(folder.path)
    let here = try await caller.perform("exec.read", ["command": ["pwd", "-P"]])
    #expect(here["stdout"]?.stringValue?.hasSuffix(folder.path + "\n") == true)
    let below = try await caller.perform("exec.read", ["command": ["pwd", "-P"], "folder": "sub"])
    #expect(below["stdout"]?.stringValue?.hasSuffix("/sub\n") == true)
    try folder.write("sub/own", "#!/bin/sh\necho mine\n")
    chmod(folder("sub/own"), 0o755)
    let own = try await caller.perform("exec.read", ["command": ["./own"], "folder": "sub"])
    #expect(own["stdout"] == "mine\n")
  }

  @Test(
    arguments: [
      ("exit 3", [:], "failed"), ("exit 3", ["success": [0, 3]], nil), ("exit 3", ["success": "any"], nil),
      ("exit 0", ["success": [3]], "failed"), ("exit 75", ["temporary": [75]], "server"),
      ("kill -SEGV $$", [:], "crashed"), ("echo '{'", ["parse": "json"], "bad_output"),
      ("echo 12345", ["parse": "json", "max_output": 2], "bad_output"),
    ] as [(String, ValueMap, String?)])
  func statusesMeanWhatTheRecipeSays(script: String, others: ValueMap, kind: String?) async throws {
    #expect(try await caller().failure("exec", shell(script, others))?.rawValue == kind)
  }

  @Test(
    arguments: [
      (["command": ["no-such-program"]], "not_found"), (["command": ["/no/such/program"]], "not_found"),
      (["command": ["true"], "folder": "/no/such/folder"], "not_found"), (["command": [""]], "invalid_input"),
      (["command": ["/etc/passwd"]], "invalid_input"), (["command": ["true", "a\u{0}b"]], "invalid_input"),
      (["command": ["true"], "environment": ["A=B": "c"]], "invalid_input"),
    ] as [(Value, String)])
  func whatCannotStartFailsWithoutDoubt(input: Value, kind: String) async throws {
    let found = try #require(try await caller().failure("exec", input))
    #expect(found.rawValue == kind)
    #expect(!found.leavesEffectOpen)
  }

  @Test func outputIsParsedAsWanted() async throws {
    let json = try await caller().perform("exec.read", shell("echo '{\"a\": [1, 2]}'", ["parse": "json"]))
    #expect(json["value"] == ["a": [1, 2]])
    let lines = try await caller().perform("exec.read", shell("printf 'a\\n\\nb\\r\\nc'", ["parse": "lines"]))
    #expect(lines["value"] == ["a", "", "b", "c"])
  }

  @Test func outputIsCutOffAtItsLimitAndInvalidUTF8IsReplaced() async throws {
    let output = try await caller().perform(
      "exec.read", shell("head -c 3000000 /dev/zero | tr '\\0' x; printf '\\377' >&2", ["max_output": 1000]))
    #expect(output["stdout"] == .string(String(repeating: "x", count: 1000)))
    #expect(output["stderr"] == "\u{FFFD}")
    #expect(output["truncated"] == true)
  }

  /// `engine.limits.text` holds for steps that do not say how much they read.
  @Test func theConfiguredLimitHoldsForStepsWithoutOne() async throws {
    let script = "head -c 3000000 /dev/zero | tr '\\0' x"
    for (limit, own, kept) in [
      (nil, nil, 1 << 20), (2 << 20, nil, 2 << 20), (4 << 20, nil, 3_000_000), (2 << 20, 1000, 1000),
    ]
      as [(Int?, Int64?, Int)]
    {
      var surroundings = BuiltinSurroundings(folder: "/", environment: environment)
      surroundings.textLimit = limit
      let output = try await BuiltinCaller(surroundings).perform(
        "exec.read", shell(script, own.map { ["max_output": .int($0)] } ?? [:]))
      #expect(output["stdout"]?.stringValue?.utf8.count == kept)
      #expect(output["truncated"] == .bool(kept < 3_000_000))
      // A text that has a form is not cut.
      let parsed = await #expect(throws: ActionFailure.self) {
        try await BuiltinCaller(surroundings).perform(
          "exec.read", shell("echo 1; " + script, ["parse": "json", "max_output": 9]))
      }
      #expect(parsed?.kind == .badOutput)
    }
  }

  @Test func aProgramHasNoDescriptorsOfOurs() async throws {
    // Some that are not closed on exec.
    let files = (0..<5).map { _ in open("/dev/null", O_RDONLY) }
    defer { for file in files { close(file) } }
    let output = try await caller().perform("exec.read", shell("ls /proc/$$/fd"))
    #expect(output["stdout"] == "0\n1\n2\n")
  }

  @Test func theProgramIsReapedAndSoIsWhatItLeavesBehind() async throws {
    let output = try await caller().perform(
      "exec", shell("sleep 1000 >/dev/null 2>&1 & echo $$ $!", ["parse": "lines"]))
    let numbers = output["value"]?[0]?.stringValue?.split(separator: " ").compactMap { Int32($0) } ?? []
    #expect(numbers.count == 2)
    for number in numbers { try await Self.waitForEnd(of: number) }
    #expect(numbers.first.map { kill($0, 0) } == -1)
  }

  @Test(
    arguments: ["wait", "trap '' TERM; while :; do sleep 1000; done"]
      // What is stopped has not come to its end, whatever it says.
      + ["trap 'exit 0' TERM; wait", "trap 'echo done; exit 0' TERM; while :; do sleep 0.01; done"])
  func aCancelledCallEndsTheWholeGroup(script: String) async throws {
    let (call, numbers, _) = try await start("sleep 1000 & echo $$ $! > ready; \(script)", ["grace": 0.2])
    call.cancel()
    await #expect(throws: ActionFailure(.cancelled, .init(verbatim: ""))) { _ = try await call.value }
    for number in numbers { try await Self.waitForEnd(of: number) }
  }

  @Test func whatHasEndedByItselfCannotBeStopped() async throws {
    // What it leaves behind keeps its output open.
    let (call, numbers, _) = try await start("sleep 1000 & echo $$ $! > ready", ["grace": 60])
    try await Self.waitForEnd(of: try #require(numbers.first))
    call.cancel()
    #expect(try await call.value["status"] == 0)
    for number in numbers { try await Self.waitForEnd(of: number) }
  }

  /// Starts a script that writes its process and another's to `ready`, and waits for that.
  private func start(_ script: String, _ others: ValueMap) async throws -> (Task<Value, any Error>, [Int32], String) {
    let folder = try TemporaryFolder()
    #expect(mkfifo(folder("ready"), 0o600) == 0)
    let caller = caller(folder.path)
    let input = shell(script, others)
    let call = Task { try await caller.perform("exec", input) }
    let line = await withCheckedContinuation { continuation in
      // Blocks until the program has written.
      Thread.detachNewThread {
        var buffer = [UInt8](repeating: 0, count: 100)
        let file = open(folder("ready"), O_RDONLY)
        let count = read(file, &buffer, buffer.count)
        close(file)
        continuation.resume(returning: String(decoding: buffer.prefix(max(0, count)), as: UTF8.self))
      }
    }
    let numbers = line.split(whereSeparator: \.isWhitespace).compactMap { Int32($0) }
    #expect(numbers.count == 2)
    return (call, numbers, folder.path)
  }

  // MARK: - The run log

  @Test func whatAProgramWritesIsInTheRunLogLineByLine() async throws {
    let caller = caller()
    _ = try await caller.perform("exec", shell("printf 'one\\r\\ntwo\\n\\nrest'; printf 'bad\\n' >&2"))
    #expect(
      Set(caller.report.log) == ["info: stdout: one", "info: stdout: two", "info: stdout: rest", "info: stderr: bad"])
    let long = self.caller()
    _ = try await long.perform("exec", shell("head -c 100000 /dev/zero | tr '\\0' x; echo; echo short"))
    #expect(long.report.log == ["info: stdout: \(String(repeating: "x", count: 500))…", "info: stdout: short"])
  }

  @Test func theLogHasNoSecretsNorPartsOfThem() async throws {
    let secret = "first line of it\nsecond line of it"
    let caller = BuiltinCaller(
      BuiltinSurroundings(
        folder: "/", environment: environment.merging(["TOKEN": secret]) { $1 }, secretVariables: ["TOKEN"]))
    let script =
      "printf 'is %s.\\n' \"$TOKEN\"; printf 'first line '; sleep 0.05; printf 'of it\\nsecond line of it\\n'"
    _ = try await caller.perform("exec", shell(script, ["inherit": ["TOKEN"]]))
    #expect(caller.report.log == ["info: stdout: is ***.", "info: stdout: ***"])
  }

  @Test func aProgramThatWritesMuchHasItsLastLinesInTheLogOnlyWhenItFails() async throws {
    let script = "seq 1 200000; seq 300001 300030 >&2"
    let done = caller()
    _ = try await done.perform("exec", shell(script))
    #expect(done.report.log.first == "info: stdout: 1")
    #expect(done.report.log.count < 1000)
    #expect(!done.report.log.contains("info: stdout: 200000"))
    let failed = caller()
    #expect(try await failed.failure("exec", shell(script + "; exit 1")) == .failed)
    let lines = failed.report.log
    #expect(lines.count < 1000)
    for (stream, last) in [("stdout", 200_000), ("stderr", 300_030)] {
      let expected = (last - 19...last).map { "info: \(stream): \($0)" }
      #expect(Array(lines.filter { $0.contains(stream) }.suffix(20)) == expected)
    }
  }

  @Test func hundredsOfProgramsRunAtOnce() async throws {
    let caller = caller()
    let total = try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 0..<200 {
        group.addTask {
          let output = try await caller.perform("exec.read", ["command": ["echo", .string("\(number)")]])
          return Int(output["stdout"]?.stringValue?.dropLast() ?? "") ?? 0
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(total == 199 * 100)
  }

  @Test func nobodyKnowsWhetherALostProgramDidItsWork() async throws {
    #expect(try await caller().verify("exec", ["command": ["true"]]) == .unknown)
  }

  @Test func theEffectIsInTheName() {
    let signatures = caller().actions.signatures
    #expect(signatures.first { $0.name == "exec" }?.effect == .once)
    #expect(signatures.first { $0.name == "exec.read" }?.effect == .read)
    #expect(signatures.first { $0.name == "exec.idempotent" }?.effect == .idempotent)
  }

  /// Returns once a process has ended: one that was killed is still there for a moment.
  private static func waitForEnd(of number: Int32) async throws {
    try await eventually { () async in !runs(number) }
  }

  /// Whether a process is there and no zombie: orphans wait for the machine's first process to reap them.
  private static func runs(_ number: Int32) -> Bool {
    guard let text = try? String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8),
      let state = text.split(separator: ")").last?.split(separator: " ").first
    else { return false }
    return state != "Z" && state != "X"
  }
}
