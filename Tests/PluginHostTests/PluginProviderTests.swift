import CPluginABI
import Engine
import Expressions
import FixturePlugins
import Foundation
import Localization
import Testing

@testable import PluginBoundary
@testable import PluginHost

/// Calls of plugins that misbehave while they are called, and of one that does not.
@Suite(.timeLimit(.minutes(5)))
struct PluginProviderTests {
  let log = HostLog()
  let reporter = RecordingReporter()

  func provider(_ misdeed: String) async throws -> any StepProvider {
    try await PluginHost.forTests(.path(try FixtureLibrary.misbehaving(misdeed)), log: log).provider(named: "home")
  }

  func flaky() async throws -> any StepProvider {
    try await PluginHost.forTests(.path(try FixtureLibrary.flaky()), limits: PluginLimits(), log: log)
      .provider(named: "home")
  }

  @Test(
    arguments: [
      "NULL_RESULT", "SMALL_RESULT", "NULL_PAYLOAD", "INVALID_JSON", "TRUNCATED_JSON", "DEEP_JSON", "NO_OBJECT",
      "INVALID_UTF8", "OUTPUT_AGAINST_SCHEMA", "UNKNOWN_STATUS", "ERROR_WITHOUT_KIND", "HUGE_ANSWER", "LYING_SIZE",
    ])
  func unusableAnswerBreaksTheProtocolAndNothingElse(misdeed: String) async throws {
    let provider = try await provider(misdeed)
    let failure = await #expect(throws: ActionFailure.self) {
      try await provider.perform(.forTests("misbehaving.act"), reporter: reporter)
    }
    #expect(failure?.kind == .protocol)
    #expect(failure?.message.english.contains("misbehaving") == true)
    #expect(try await behaves(provider))
  }

  @Test(arguments: ["COMPLETES_ON_OTHER_THREAD", "MADE_UP_COMPLETION"])
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

  @Test func unknownKindIsPermanent() async throws {
    let provider = try await provider("UNKNOWN_KIND")
    let failure = await #expect(throws: ActionFailure.self) {
      try await provider.perform(.forTests("misbehaving.act"), reporter: reporter)
    }
    #expect(failure?.kind.rawValue == "grumpy")
    #expect(failure?.kind.isTransient == false)
    #expect(failure?.retryAfter == 1.5)
  }

  @Test(arguments: ["COMPLETES_WHEN_CANCELLED", "NEVER_COMPLETES", "COMPLETES_AFTER_CANCEL", "BLOCKS_IN_CANCEL"])
  func cancelledCallEndsWhateverThePluginDoes(misdeed: String) async throws {
    let provider = try await provider(misdeed)
    let task = Task { try await provider.perform(.forTests("misbehaving.act"), reporter: reporter) }
    task.cancel()
    await #expect(throws: ActionFailure(.cancelled)) { try await task.value }
    #expect(try await behaves(provider))
  }

  @Test(arguments: ["COMPLETES_WHEN_CANCELLED", "NEVER_COMPLETES", "COMPLETES_AFTER_CANCEL", "BLOCKS_IN_CANCEL"])
  func callWhoseTimeIsUpEndsWhateverThePluginDoes(misdeed: String) async throws {
    let provider = try await provider(misdeed)
    await #expect(throws: ActionFailure(.timeout)) {
      try await provider.perform(.forTests("misbehaving.act", timeout: 0.05), reporter: reporter)
    }
    #expect(try await behaves(provider))
  }

  @Test func whoAskedHasTheFirstWordAboutTheTimeout() async throws {
    let provider = try await provider("COMPLETES_WHEN_CANCELLED")
    let start = SystemTime().monotonic
    await #expect(throws: ActionFailure(.timeout)) {
      try await provider.perform(.forTests("misbehaving.act", timeout: 0.05), reporter: reporter)
    }
    // The timeout and the grace: until then the caller may end the call itself.
    #expect(SystemTime().monotonic - start >= 0.05 + PluginLimits.forTests.cancelGrace)
  }

  @Test func secretsAndControlCharactersStayInThePlugin() async throws {
    let host = PluginHost.forTests(.path(try FixtureLibrary.misbehaving("SPEAKS_SECRETS")), log: log) {
      $0.secrets = ["hunter22!"]
    }
    let output = try await host.provider(named: "home").perform(.forTests("misbehaving.act"), reporter: reporter)
    #expect(output == .map(["answer": .int(1), "echo": .list([.string("*** *** ***")])]))
    let words = "one token ***\\u{1B}[2J"
    #expect(reporter.lines == ["info: " + words])
    #expect(reporter.labels == [words])
    #expect(reporter.deltas == [.map(["text": .string("***")])])
    #expect(log.lines == ["home info: " + words])
  }

  @Test func secretsStayOutOfFailures() async throws {
    let host = PluginHost.forTests(.path(try FixtureLibrary.misbehaving("FAILS_WITH_SECRETS"))) {
      $0.secrets = ["hunter22!"]
    }
    let provider = try await host.provider(named: "home")
    let failure = await #expect(throws: ActionFailure.self) {
      try await provider.perform(.forTests("misbehaving.act"), reporter: reporter)
    }
    let texts = [failure?.message.english, failure?.message.german, failure?.advice?.english]
    #expect(texts.allSatisfy { $0?.contains("***") == true && $0?.contains("hunter22") == false })
  }

  @Test(
    arguments: [("1e12", 86_400), ("90000", 86_400), ("18446744073709551615", 86_400), ("2", 2), ("-3", nil)]
      as [(String, Double?)])
  func longWaitsAreLimitedToADay(seconds: String, expected: Double?) throws {
    let json = #"{"kind": "server", "message": "later", "retry_after": \#(seconds)}"#
    let failure = Array(json.utf8).withUnsafeBufferPointer { bytes in
      var result = sous_result(
        size: MemoryLayout<sous_result>.size, status: UInt32(SOUS_STATUS_ERROR),
        payload: sous_bytes(data: bytes.baseAddress, size: bytes.count))
      return AnswerReader(plugin: "p", provider: "home", action: "a").failure(Answer(copying: &result, limit: 1000))
    }
    #expect(failure.kind == .server)
    #expect(failure.retryAfter == expected)
  }

  @Test func whatAFailedAnswerHasUsedIsCounted() throws {
    let json = #"{"kind":"unsuitable","message":"no JSON","usage":{"prompt_tokens":7,"completion_tokens":2}}"#
    let failure = Array(json.utf8).withUnsafeBufferPointer { bytes in
      var result = sous_result(
        size: MemoryLayout<sous_result>.size, status: UInt32(SOUS_STATUS_ERROR),
        payload: sous_bytes(data: bytes.baseAddress, size: bytes.count))
      return AnswerReader(plugin: "p", provider: "home", action: "a").failure(Answer(copying: &result, limit: 1000))
    }
    #expect(failure.usage == TokenCount(prompt: 7, completion: 2))
  }

  @Test func answerAfterTheHostStoppedWaitingIsDropped() async throws {
    let provider = try await provider("COMPLETES_AFTER_CANCEL")
    await #expect(throws: ActionFailure(.timeout)) {
      try await provider.perform(.forTests("misbehaving.act", key: "key-7", timeout: 0.05), reporter: reporter)
    }
    #expect(try await behaves(provider))
    await log.wait(for: "stopped waiting")
    #expect(
      log.lines.contains { $0.hasPrefix("home warning: ") && $0.contains("misbehaving.act") && $0.contains("key-7") })
    #expect(!log.lines.contains { $0.contains("late\"") })
    #expect(try await behaves(provider))
  }

  @Test func blockingStartIsCutOff() async throws {
    let provider = try await provider("BLOCKS_IN_START")
    await #expect(throws: ActionFailure(.protocol)) {
      try await provider.perform(.forTests("misbehaving.act"), reporter: reporter)
    }
    await #expect(throws: ActionFailure(.timeout)) {
      try await provider.perform(.forTests("misbehaving.act", timeout: 0.05), reporter: reporter)
    }
    let task = Task { try await provider.perform(.forTests("misbehaving.act"), reporter: reporter) }
    task.cancel()
    await #expect(throws: ActionFailure(.cancelled)) { try await task.value }
    #expect(try await behaves(provider))
  }

  @Test func manyBlockedCallsHoldNobodyElseUp() async throws {
    let blocking = try await provider("BLOCKS_IN_START")
    let flaky = try await flaky()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<20 {
        group.addTask {
          await #expect(throws: ActionFailure(.protocol)) {
            try await blocking.perform(.forTests("misbehaving.act"), reporter: RecordingReporter())
          }
        }
      }
      for number in 0..<20 {
        group.addTask {
          let output = try await flaky.perform(
            .forTests("flaky.echo", ["number": .int(Int64(number))]), reporter: RecordingReporter())
          #expect(output == .map(["number": .int(Int64(number))]))
        }
      }
      try await group.waitForAll()
    }
  }

  @Test func floodsAreThinnedOut() async throws {
    _ = try await provider("FLOODS_LOG").perform(.forTests("misbehaving.act"), reporter: reporter)
    #expect(reporter.lines.count == PluginLimits.forTests.logLines)
    #expect(reporter.progress.count < 1000)
    #expect(reporter.progress.first == 0)
  }

  @Test func badDeltasAreDropped() async throws {
    _ = try await provider("BAD_DELTAS").perform(.forTests("misbehaving.act"), reporter: reporter)
    #expect(reporter.deltas == [.map(["text": .string("good")])])
    #expect(log.lines.count == 1)
  }

  @Test func reportsAfterTheEndGoNowhere() async throws {
    let provider = try await provider("REPORTS_AFTER_THE_END")
    _ = try await provider.perform(.forTests("misbehaving.act"), reporter: reporter)
    await log.wait(for: "done")
    withExtendedLifetime(provider) {}
    #expect(reporter.lines.isEmpty)
    #expect(reporter.progress.isEmpty)
    #expect(reporter.deltas.isEmpty)
  }

  @Test func threadThatOutlivesItsInstanceFindsCapabilitiesThatDoNothing() async throws {
    _ = try await provider("REPORTS_AFTER_THE_END").perform(.forTests("misbehaving.act"), reporter: reporter)
    // The instance goes here, while the plugin's thread still reports: a crash would end the whole test run.
    #expect(reporter.lines.isEmpty)
  }

  @Test func actionThatTheManifestDoesNotNameIsUnsupported() async throws {
    let provider = try await flaky()
    await #expect(throws: ActionFailure(.unsupported)) {
      try await provider.perform(.forTests("flaky.fly"), reporter: reporter)
    }
  }

  @Test func failuresKeepTheirKindAndAdvice() async throws {
    let provider = try await flaky()
    let request = ActionRequest.forTests(
      "flaky.try", ["fail": .int(2), "kind": .string("rate_limited"), "retry_after": .double(1.5)],
      key: UUID().uuidString)
    for _ in 0..<2 {
      let failure = await #expect(throws: ActionFailure.self) {
        try await provider.perform(request, reporter: reporter)
      }
      #expect(failure?.kind == .rateLimited)
      #expect(failure?.retryAfter == 1.5)
      #expect(failure?.message.german.hasPrefix("Absichtlicher") == true)
    }
    #expect(try await provider.perform(request, reporter: reporter) == .map(["attempts": .int(3)]))
  }

  @Test func pluginThatHonoursCancelEndsTheCallItself() async throws {
    let provider = try await flaky()
    let task = Task { try await provider.perform(.forTests("flaky.sleep", ["ms": .int(60_000)]), reporter: reporter) }
    task.cancel()
    await #expect(throws: ActionFailure(.cancelled)) { try await task.value }
  }

  @Test func verificationThatThePluginDoesNotOfferIsUnknown() async throws {
    let verdict = try await flaky().verify(.forTests("flaky.try"), reporter: reporter)
    #expect(verdict == .unknown)
  }

  @Test func verdictWithoutTheRightShapeBreaksTheProtocol() async throws {
    let provider = try await provider("NONE")
    await #expect(throws: ActionFailure(.protocol)) {
      try await provider.verify(.forTests("misbehaving.act"), reporter: reporter)
    }
  }

  @Test func thousandsOfCallsAtOnceAllEnd() async throws {
    let provider = try await flaky()
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 0..<2000 {
        group.addTask {
          let output = try await provider.perform(
            .forTests("flaky.echo", ["number": .int(Int64(number))]), reporter: RecordingReporter())
          return output == .map(["number": .int(Int64(number))])
        }
      }
      for try await isRight in group { #expect(isRight) }
    }
  }

  private func behaves(_ provider: any StepProvider) async throws -> Bool {
    try await provider.perform(.forTests("misbehaving.behave"), reporter: RecordingReporter())
      == .map(["answer": .int(42)])
  }
}
