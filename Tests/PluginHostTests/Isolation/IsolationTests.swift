import Engine
import Expressions
import FixturePlugins
import Foundation
import Localization
import Testing

@testable import PluginBoundary
@testable import PluginHost

/// Plugins in worker processes: whatever they do ends in one failure of one call, and the host goes on.
@Suite(.timeLimit(.minutes(5)), .serialized)
struct IsolationTests {
  let log = HostLog()
  let reporter = RecordingReporter()

  /// What is ended because `start` does not return; everything else ends for another reason, however long that takes.
  private static let staysInStart: Set = [
    "LEAVES_ITS_THREAD", "STOPS_ITSELF", "LOOPS_IN_START", "LOOPS_WITHOUT_SIGNALS", "LOOPS_IN_HANDLER", "FORK_BOMB",
    "BLOCKS_IN_START",
  ]

  private func host(
    _ misdeed: String, configure: (inout ProviderConfiguration) -> Void = { _ in }
  ) throws -> PluginHost {
    var limits = PluginLimits.forTests
    // Filling memory, or printing without end, takes its time on a machine that is busy with other tests.
    limits.startSeconds = Self.staysInStart.contains(misdeed) ? 1.5 : 60
    return PluginHost.forTests(
      .path(try FixtureLibrary.misbehaving(misdeed)), probe: PluginProbe(executable: FixtureLibrary.executable),
      isolation: .process, limits: limits, log: log, configure: configure)
  }

  private func provider(
    _ misdeed: String, configure: (inout ProviderConfiguration) -> Void = { _ in }
  ) async throws -> any StepProvider {
    try await host(misdeed, configure: configure).provider(named: "home")
  }

  private func behaves(_ provider: any StepProvider) async throws -> Bool {
    try await provider.perform(.forTests("misbehaving.behave"), reporter: RecordingReporter())
      == .map(["answer": .int(42)])
  }

  @Test(
    arguments: [
      ("CRASHES", .crashed, "SIGSEGV"), ("CRASHES_ON_THREAD", .crashed, "SIGSEGV"), ("ABORTS", .crashed, "SIGABRT"),
      ("EXITS", .crashed, "status 0"), ("EXITS_AT_ONCE", .crashed, "status 7"),
      ("OVERFLOWS_STACK", .crashed, "SIGSEGV"), ("DIVIDES_BY_ZERO", .crashed, "SIGFPE"),
      ("CORRUPTS_HEAP", .crashed, "SIGABRT"), ("CALLS_NULL", .crashed, "SIGSEGV"),
      ("JUMPS_AWAY", .crashed, ""), ("RAISES_SIGNAL", .crashed, "SIGTERM"),
      ("LEAVES_ITS_THREAD", .protocol, "start"), ("STOPS_ITSELF", .protocol, "start"),
      ("LOOPS_IN_START", .protocol, "start"), ("LOOPS_WITHOUT_SIGNALS", .protocol, "start"),
      ("LOOPS_IN_HANDLER", .protocol, "start"), ("FORK_BOMB", .protocol, "start"),
      ("GIANT_ANSWER", .crashed, ""), ("MEMORY_BOMB", .crashed, ""), ("SHARED_MEMORY_BOMB", .crashed, "memory"),
      ("THREAD_BOMB", .crashed, "threads"), ("CLOSES_SOCKET", .crashed, ""),
      ("WRITES_GARBAGE", .protocol, "a frame of"), ("SENDS_GIANT_FRAME", .protocol, "bytes"),
      ("ANSWERS_FOREIGN_CALL", .protocol, "did not get"), ("FLOODS_SOCKET", .protocol, "there is not"),
    ] as [(String, ActionFailure.Kind, String)])
  func misdeedEndsInOneFailure(misdeed: String, kind: ActionFailure.Kind, words: String) async throws {
    let provider = try await provider(misdeed) { $0.limits.memory = 256 << 20 }
    let failure = await #expect(throws: ActionFailure.self) {
      try await provider.perform(.forTests("misbehaving.act"), reporter: reporter)
    }
    #expect(failure?.kind == kind)
    #expect(words.isEmpty || failure?.message.english.contains(words) == true, "\(failure?.message.english ?? "")")
    #expect(failure?.message.english.contains("misbehaving") == true)
    #expect(try await behaves(provider))
  }

  @Test(
    arguments: [
      "OPENS_SOCKET", "EXECUTES", "FORKS", "KILLS_PARENT", "READS_PARENT_ENVIRONMENT", "READS_PARENT_MEMORY",
      "TRACES_PARENT", "LEAVES_SESSION", "OUTLIVES_PARENT", "READS_ENVIRONMENT", "UNLOADS_ITSELF",
      "CHANGES_SURROUNDINGS", "LOGS_FOR_OTHERS", "EXHAUSTS_FILES", "READS_FOREIGN_SECRET",
      "SIGNALS_BY_DESCRIPTOR", "PAIRS_SOCKETS", "HIDES_MEMORY", "READS_OTHER_ENVIRONMENTS", "TYPES_ON_TERMINAL",
      "MOVES_FILES", "READS_ITS_THREADS", "USES_FOREIGN_MEMORY", "WATCHES_FILES", "CHANGES_ATTRIBUTES",
      "REACHES_FOREIGN_FILES",
    ])
  func whatIsRefusedDoesNotHappen(misdeed: String) async throws {
    setenv("SOUS_TEST_SECRET", "hunter22!", 1)
    let folder = FileManager.default.currentDirectoryPath
    let provider = try await provider(misdeed)
    let output = try await provider.perform(.forTests("misbehaving.act"), reporter: reporter)
    #expect(output == .map(["answer": .int(0)]))
    #expect(try await behaves(provider))
    #expect(FileManager.default.currentDirectoryPath == folder)
    #expect(!log.lines.contains { $0.contains("intruder") })
  }

  @Test(arguments: ["LEAVES_ITS_FOLDER", "USES_ITS_FOLDER"])
  func aPathSettingOpensItsFolderAndNoOther(misdeed: String) async throws {
    let folder = try FixtureLibrary.makeFolder()
    let own = folder + "/own"
    try FileManager.default.createDirectory(atPath: own, withIntermediateDirectories: true)
    try Data("text".utf8).write(to: URL(fileURLWithPath: folder + "/beside"))
    let provider = try await provider(misdeed) { $0.settings = .map(["path": .string(own)]) }
    let output = try await provider.perform(.forTests("misbehaving.act"), reporter: reporter)
    #expect(output == .map(["answer": .int(0)]))
    #expect(try FileManager.default.contentsOfDirectory(atPath: own) == ["new"])
    #expect(FileManager.default.contents(atPath: folder + "/beside") == Data("text".utf8))
  }

  @Test func aFolderThatIsMadeLaterIsUsedByTheNextCall() async throws {
    let folder = try FixtureLibrary.makeFolder()
    let own = folder + "/own"
    let provider = try await provider("USES_ITS_FOLDER") { $0.settings = .map(["path": .string(own)]) }
    let before = try await provider.perform(.forTests("misbehaving.act"), reporter: reporter)
    #expect(before == .map(["answer": .int(1)]))
    try FileManager.default.createDirectory(atPath: own, withIntermediateDirectories: true)
    let after = try await provider.perform(.forTests("misbehaving.act"), reporter: reporter)
    #expect(after == .map(["answer": .int(0)]))
  }

  @Test func aWorkerThatWorksWithoutACallIsEnded() async throws {
    let provider = try await provider("WORKS_WITHOUT_CALL") { $0.limits.idleSeconds = 0.2 }
    _ = try await provider.perform(.forTests("misbehaving.act"), reporter: reporter)
    await log.wait(for: "too much processor time without a call")
    #expect(try await behaves(provider))
  }

  @Test func temporaryFilesAreBounded() async throws {
    let provider = try await provider("FILLS_TEMPORARY_FOLDER") { $0.limits.temporaryBytes = 1 << 20 }
    let failure = await #expect(throws: ActionFailure.self) {
      try await provider.perform(.forTests("misbehaving.act"), reporter: reporter)
    }
    #expect(failure?.kind == .crashed)
    #expect(failure?.message.english.contains("1 MiB of temporary files") == true)
    #expect(try await behaves(provider))
  }

  @Test(arguments: ["FLOODS_OUTPUT", "FLOODS_DELTAS", "HUGE_LOG", "FLOODS_LOG"])
  func floodsAreBounded(misdeed: String) async throws {
    let provider = try await provider(misdeed) { $0.secrets = ["hunter22!"] }
    let output = try await provider.perform(.forTests("misbehaving.act"), reporter: reporter)
    #expect(output == .map(["answer": .int(1)]))
    #expect(log.lines.count < 1000)
    #expect(reporter.lines.count <= PluginLimits.forTests.logLines)
    #expect(reporter.lines.allSatisfy { $0.utf8.count < PluginLimits.forTests.logLineBytes + 20 })
    #expect(!(log.lines + reporter.lines).contains { $0.contains("hunter22!") })
    #expect(try await behaves(provider))
  }

  @Test(
    arguments: [
      "NULL_RESULT", "SMALL_RESULT", "NULL_PAYLOAD", "INVALID_JSON", "TRUNCATED_JSON", "DEEP_JSON", "NO_OBJECT",
      "INVALID_UTF8", "OUTPUT_AGAINST_SCHEMA", "UNKNOWN_STATUS", "ERROR_WITHOUT_KIND", "HUGE_ANSWER", "LYING_SIZE",
      "BLOCKS_IN_START",
    ])
  func unusableAnswerBreaksTheProtocolAndNothingElse(misdeed: String) async throws {
    let provider = try await provider(misdeed)
    await #expect(throws: ActionFailure(.protocol)) {
      try await provider.perform(.forTests("misbehaving.act"), reporter: reporter)
    }
    #expect(try await behaves(provider))
  }

  /// An answer within the bytes it may have that stands for thirty times as much memory.
  @Test func answerOfTooManyValuesBreaksTheProtocol() async throws {
    let host = PluginHost.forTests(
      .path(try FixtureLibrary.misbehaving("NESTED_ANSWER")),
      probe: PluginProbe(executable: FixtureLibrary.executable), isolation: .process, limits: PluginLimits(), log: log)
    let provider = try await host.pluginProvider(named: "home")
    var before = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &before)
    let failure = await #expect(throws: ActionFailure.self) {
      try await provider.perform(.forTests("misbehaving.act"), reporter: reporter)
    }
    var after = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &after)
    #expect(failure?.kind == .protocol)
    #expect(failure?.message.english.contains("too many values") == true)
    #expect(failure?.advice?.english.contains("limit") == true)
    #expect(after.ru_maxrss - before.ru_maxrss < 1 << 20, "KiB: \(before.ru_maxrss) to \(after.ru_maxrss)")
    #expect(try await behaves(provider))
  }

  @Test func processWithThePluginSaysHowMuchItHasAllocated() async throws {
    let provider = try await host("NONE").pluginProvider(named: "home")
    #expect((await provider.heapBytes() ?? 0) > 0)
  }

  @Test(arguments: ["COMPLETES_ON_OTHER_THREAD", "MADE_UP_COMPLETION", "NONE", "BAD_DELTAS", "REPORTS_AFTER_THE_END"])
  func oddButValidAnswerCounts(misdeed: String) async throws {
    let provider = try await provider(misdeed)
    let output = try await provider.perform(.forTests("misbehaving.act"), reporter: reporter)
    #expect(output == .map(["answer": .int(1)]))
  }

  @Test(arguments: ["COMPLETES_TWICE", "COMPLETES_LATER_TWICE"])
  func secondAnswerIsIgnoredAndReported(misdeed: String) async throws {
    let provider = try await provider(misdeed)
    let output = try await provider.perform(.forTests("misbehaving.act"), reporter: reporter)
    #expect(output == .map(["answer": .int(1)]))
    await log.wait(for: "twice")
    #expect(try await behaves(provider))
  }

  @Test(
    arguments: [
      "COMPLETES_WHEN_CANCELLED", "NEVER_COMPLETES", "COMPLETES_AFTER_CANCEL", "BLOCKS_IN_CANCEL", "LOOPS_ON_THREAD",
    ])
  func callWhoseTimeIsUpEndsWhateverThePluginDoes(misdeed: String) async throws {
    let provider = try await provider(misdeed)
    await #expect(throws: ActionFailure(.timeout)) {
      try await provider.perform(.forTests("misbehaving.act", timeout: 0.05), reporter: reporter)
    }
    #expect(try await behaves(provider))
  }

  @Test func hostsThatAreNotDeclaredAreRefused() async throws {
    let provider = try await provider("UNDECLARED_HOST")
    await #expect(throws: ActionFailure(.auth)) {
      try await provider.perform(.forTests("misbehaving.act"), reporter: reporter)
    }
    #expect(try await behaves(provider))
  }

  @Test func processorTimeIsLimited() async throws {
    let provider = try await provider("LOOPS_ON_THREAD") { $0.limits.processorSeconds = 0.5 }
    let failure = await #expect(throws: ActionFailure.self) {
      try await provider.perform(.forTests("misbehaving.act"), reporter: reporter)
    }
    #expect(failure?.kind == .crashed)
    #expect(failure?.message.english.contains("processor time") == true)
    #expect(try await behaves(provider))
  }

  @Test(
    arguments: [
      ("CREATE_FAILS", .createFailed), ("CREATE_FAILS_SILENTLY", .createFailed),
      ("CREATE_REFUSES_SETTINGS", .configInvalid), ("CREATE_HANGS", .createFailed),
      ("CRASHES_IN_CREATE", .crashedLoading),
    ] as [(String, PluginError.Code)])
  func failureToGetReadyIsTheProviders(misdeed: String, code: PluginError.Code) async throws {
    let host = try host(misdeed)
    await #expect(throws: PluginError(code)) { _ = try await host.pluginProvider(named: "home") }
  }

  @Test func blockedCallsOfAProviderDoNotHoldUpItsOthers() async throws {
    let provider = try await PluginHost.forTests(
      .path(try FixtureLibrary.flaky()), probe: PluginProbe(executable: FixtureLibrary.executable),
      isolation: .process, limits: PluginLimits(), log: log
    ).provider(named: "home")
    let sleeping = (0..<8).map { _ in
      Task {
        try await provider.perform(.forTests("flaky.sleep", ["ms": .int(60_000)]), reporter: RecordingReporter())
      }
    }
    for number in 0..<50 {
      let output = try await provider.perform(
        .forTests("flaky.echo", ["number": .int(Int64(number))]), reporter: reporter)
      #expect(output == .map(["number": .int(Int64(number))]))
    }
    for task in sleeping { task.cancel() }
    for task in sleeping { await #expect(throws: ActionFailure(.cancelled)) { try await task.value } }
  }

  @Test func providerThatCrashesRightAtItsStartIsGivenTime() async throws {
    let provider = try await provider("CRASHES_AT_ONCE")
    let mark = "/tmp/sous-crashes-at-once-\(getpid())"
    _ = FileManager.default.createFile(atPath: mark, contents: nil)
    defer { try? FileManager.default.removeItem(atPath: mark) }
    var failures: [ActionFailure] = []
    for _ in 0..<6 {
      do throws(ActionFailure) {
        _ = try await provider.perform(.forTests("misbehaving.act"), reporter: reporter)
        Issue.record("no failure")
      } catch {
        failures.append(error)
      }
    }
    #expect(failures.allSatisfy { $0.kind == .crashed })
    #expect(failures.contains { ($0.retryAfter ?? 0) > 0 })
  }

  @Test func nothingIsLeftOfWorkersThatEnded() async throws {
    let before = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    for _ in 0..<10 {
      let host = try host("NONE")
      _ = try await host.provider(named: "home").perform(.forTests("misbehaving.act"), reporter: reporter)
      #expect(await host.shutdown(grace: 10).isEmpty)
    }
    let after = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    #expect(after <= before + 3)
  }

  @Test(arguments: ["SLEEPS_IN_DESTROY", "LOCKS_FOR_EVER"])
  func destroyThatHangsIsEnded(misdeed: String) async throws {
    let host = try host(misdeed)
    _ = try await host.provider(named: "home").perform(.forTests("misbehaving.act"), reporter: reporter)
    let left = await host.shutdown(grace: 10)
    #expect(left.isEmpty)
  }
}
