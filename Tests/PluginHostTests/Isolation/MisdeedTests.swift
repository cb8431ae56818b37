import Engine
import Expressions
import FixturePlugins
import Foundation
import Localization
import Plans
import RecipeModel
import RecipeSyntax
import RunStore
import Schemas
import Synchronization
import Testing

@testable import PluginBoundary
@testable import PluginHost

/// One host for plugins that do all they can to bring it down and for sound ones, with runs as the engine makes them.
@Suite(.timeLimit(.minutes(3)), .serialized)
struct MisdeedTests {
  /// What each of them ends in: one failure of one step, of this kind.
  private static let misdeeds: [(name: String, kind: ActionFailure.Kind)] = [
    // The process.
    ("CRASHES", .crashed), ("CRASHES_ON_THREAD", .crashed), ("ABORTS", .crashed), ("EXITS", .crashed),
    ("EXITS_AT_ONCE", .crashed), ("OVERFLOWS_STACK", .crashed), ("DIVIDES_BY_ZERO", .crashed),
    ("CORRUPTS_HEAP", .crashed), ("CALLS_NULL", .crashed), ("JUMPS_AWAY", .crashed), ("RAISES_SIGNAL", .crashed),
    ("CRASHES_IN_CREATE", .crashed),
    // What it uses.
    ("GIANT_ANSWER", .crashed), ("MEMORY_BOMB", .crashed), ("SHARED_MEMORY_BOMB", .crashed), ("THREAD_BOMB", .crashed),
    ("FORK_BOMB", .protocol),
    // Time.
    ("LEAVES_ITS_THREAD", .protocol), ("STOPS_ITSELF", .protocol), ("LOOPS_IN_START", .protocol),
    ("LOOPS_WITHOUT_SIGNALS", .protocol), ("BLOCKS_IN_START", .protocol), ("NEVER_COMPLETES", .timeout),
    ("LOOPS_ON_THREAD", .timeout), ("COMPLETES_AFTER_CANCEL", .timeout), ("BLOCKS_IN_CANCEL", .timeout),
    // Answers.
    ("NULL_RESULT", .protocol), ("SMALL_RESULT", .protocol), ("INVALID_JSON", .protocol), ("DEEP_JSON", .protocol),
    ("INVALID_UTF8", .protocol), ("OUTPUT_AGAINST_SCHEMA", .protocol), ("HUGE_ANSWER", .protocol),
    ("LYING_SIZE", .protocol),
    // The socket to the host.
    ("CLOSES_SOCKET", .crashed), ("WRITES_GARBAGE", .protocol), ("SENDS_GIANT_FRAME", .protocol),
    ("ANSWERS_FOREIGN_CALL", .protocol), ("FLOODS_SOCKET", .protocol),
    // What it may not.
    ("UNDECLARED_HOST", .auth),
  ]

  /// What each of them comes to nothing with.
  private static let refusals = [
    "OPENS_SOCKET", "EXECUTES", "FORKS", "KILLS_PARENT", "SIGNALS_BY_DESCRIPTOR", "READS_PARENT_MEMORY",
    "READS_FOREIGN_SECRET", "EXHAUSTS_FILES",
  ]

  private static func configuration(_ name: String, _ library: String) -> ProviderConfiguration {
    var configuration = ProviderConfiguration(name: name, plugin: .path(library))
    configuration.isolation = .process
    configuration.limits.memory = 256 << 20
    return configuration
  }

  private static func makeHost() throws -> PluginHost {
    let names = misdeeds.map(\.name) + refusals
    var configurations = try names.map { configuration($0, try FixtureLibrary.misbehaving($0)) }
    configurations.append(configuration("isolated", try FixtureLibrary.flaky()))
    configurations.append(configuration("inside", try FixtureLibrary.flaky()))
    configurations[configurations.count - 1].isolation = .inProcess
    var limits = PluginLimits.forTests
    limits.startSeconds = 5
    return PluginHost(
      providers: configurations, searchPath: PluginSearchPath(folders: []), cache: ManifestCache(folder: nil),
      probe: PluginProbe(executable: FixtureLibrary.executable), workerExecutable: FixtureLibrary.executable,
      builtins: NoBuiltins(), time: SystemTime(), limits: limits)
  }

  /// A plan of one step.
  private static func plan(_ action: String, provider: String, number: Int = 0, timeout: Double? = nil) -> Plan {
    let origin = SourceRange.Position(line: 1, column: 1, offset: 0)
    let step = PlanStep(
      id: "step",
      action: ActionSignature(
        name: action, summary: LocalizedText(verbatim: action), effect: .pure, input: .anything, output: .anything),
      providers: [provider], input: .literal(.map(["number": .int(Int64(number))])), retry: RetryPolicy(attempts: 1),
      timeout: timeout, range: SourceRange(start: origin, end: origin))
    return Plan(name: "test", path: "test.yaml", fingerprint: "0", steps: [step])
  }

  @Test func everyMisdeedEndsInOneFailureAndAThousandRunsBesideThemSucceed() async throws {
    let host = try Self.makeHost()
    let journal = try Journal()
    let engine = RunEngine(queue: journal, providers: host, time: SystemTime())
    let sound = ["isolated", "inside"]
    await withTaskGroup(of: Void.self) { group in
      // As many at a time as leave the others some of the machine.
      for lane in 0..<4 {
        group.addTask {
          for index in stride(from: lane, to: Self.misdeeds.count, by: 4) {
            let (name, kind) = Self.misdeeds[index]
            let result = try? await engine.run(
              Self.plan("misbehaving.act", provider: name, timeout: kind == .timeout ? 0.3 : nil),
              RunRequest(id: RunID(rawValue: name)))
            #expect(result?.status == .failed, "\(name)")
            #expect(result?.failure?.kind == kind, "\(name): \(String(describing: result?.failure))")
          }
          for index in stride(from: lane, to: Self.refusals.count, by: 4) {
            let name = Self.refusals[index]
            let result = try? await engine.run(
              Self.plan("misbehaving.act", provider: name), RunRequest(id: RunID(rawValue: name)))
            #expect(result?.status == .succeeded, "\(name): \(String(describing: result?.failure))")
          }
        }
      }
      for lane in 0..<10 {
        group.addTask {
          for number in stride(from: lane, to: 1000, by: 10) {
            let result = try? await engine.run(
              Self.plan("flaky.echo", provider: sound[number % 2], number: number),
              RunRequest(id: RunID(rawValue: "\(number)")))
            #expect(result?.status == .succeeded, "\(number): \(String(describing: result?.failure))")
          }
        }
      }
    }
    // One attempt each, and of the sound ones every output its own.
    let ends = journal.attempts
    #expect(ends.count == 1000 + Self.misdeeds.count + Self.refusals.count)
    #expect(Self.misdeeds.count >= 25)
    #expect(await host.shutdown(grace: 10).isEmpty)
  }

  /// Keeps how attempts ended.
  private final class Journal: ForwardingRunQueue {
    let base: RunStore
    private let ends = Mutex<[AttemptEnd]>([])

    init() throws { base = try RunStore(inMemory: SystemTime()) }

    var attempts: [AttemptEnd] { ends.withLock { $0 } }

    func record(_ entries: [JournalEntry], durability: Durability) async throws {
      try await base.record(entries, durability: durability)
      ends.withLock { ends in
        for case .attemptFinished(let end) in entries { ends.append(end) }
      }
    }
  }
}
