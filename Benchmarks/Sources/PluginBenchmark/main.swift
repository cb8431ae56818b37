import Engine
import Expressions
import Glibc
import PluginHost

// Usage: PluginBenchmark SOUS ROUNDS CALLS [NAME LIBRARY ACTION]...
// Calls actions that answer their input, one call after another, inside the program and in a worker process, and beside
// them sends a message to another process and back over a socket pair. The rounds take turns, so that a machine whose speed
// drifts treats all alike; the first warms up and is not counted. Prints the median round trip (the median of the rounds'
// medians, and the best of them), the 99th percentile, how many bare round trips that is (the median of the rounds), and
// what the program and the worker hold more after the last round than after the first. Ends with status 1 where a limit
// below is exceeded. SOUS is the program that tries unknown plugins out and runs the workers.

/// How many bare round trips a call may take.
let limits: [Isolation: Double] = [.inProcess: 1, .process: 1.5]
/// The bytes that may come to be held: pages that the allocator keeps.
let tolerance = 128 << 10

if CommandLine.arguments.dropFirst().first == BareRoundTrip.argument { BareRoundTrip.answer() }

struct Silent: ActionReporter {
  func log(_ level: LogLevel, _ message: String) {}
  func progress(done: UInt64, total: UInt64, label: String) {}
  func delta(_ delta: Value) {}
}

struct NoBuiltins: StepProvider {
  func perform(_ request: ActionRequest, reporter: any ActionReporter) async throws(ActionFailure) -> Value { .null }
  func verify(_ request: ActionRequest, reporter: any ActionReporter) async throws(ActionFailure) -> Verdict {
    .unknown
  }
}

/// One action in one kind of isolation, and how long its calls took.
struct Subject {
  let name: String
  let action: String
  let isolation: Isolation
  let provider: any StepProvider
  /// Its worker.
  let worker: pid_t?
  var medians: [Double] = []
  var tails: [Double] = []
  /// How many bare round trips a call took.
  var ratios: [Double] = []
}

nonisolated func nanoseconds() -> UInt64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

/// The round trips of one round, sorted, in nanoseconds.
nonisolated func round(_ calls: Int, of action: String, _ provider: any StepProvider) async throws -> [UInt64] {
  let input: Value = .map(["text": .string("Hello, world")])
  let run = RunID(rawValue: "01JD")
  var samples: [UInt64] = []
  samples.reserveCapacity(calls)
  for number in 0..<calls {
    let request = ActionRequest(
      run: run, step: "step", attempt: 1, action: action, input: input, key: "key \(number)", timeout: 60)
    let begin = nanoseconds()
    let output = try await provider.perform(request, reporter: Silent())
    samples.append(nanoseconds() - begin)
    guard output == input else { throw ActionFailure(.protocol, .init(verbatim: "another answer: \(output)")) }
  }
  return samples.sorted()
}

/// Makes calls without keeping anything of them.
nonisolated func call(_ calls: Int, of action: String, _ provider: any StepProvider) async throws {
  let input: Value = .map(["text": .string("Hello, world")])
  for number in 0..<calls {
    let request = ActionRequest(
      run: RunID(rawValue: "01JD"), step: "step", attempt: 1, action: action, input: input, key: "key \(number)",
      timeout: 60)
    _ = try await provider.perform(request, reporter: Silent())
  }
}

nonisolated func padded(_ text: String, _ width: Int) -> String {
  text + String(repeating: " ", count: max(0, width - text.count))
}

nonisolated func rounded(_ value: Double) -> String { "\((value * 100).rounded() / 100)" }

nonisolated func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count >= 6, let rounds = Int(arguments[1]), rounds > 0, let calls = Int(arguments[2]), calls > 0,
  arguments.count % 3 == 0
else {
  print("usage: PluginBenchmark SOUS ROUNDS CALLS [NAME LIBRARY ACTION]...")
  exit(2)
}
let entries = stride(from: 3, to: arguments.count, by: 3).map {
  (name: arguments[$0], library: arguments[$0 + 1], action: arguments[$0 + 2])
}
func title(_ name: String, _ isolation: Isolation) -> String { "\(name), \(isolation.rawValue)" }
let host = PluginHost(
  providers: entries.flatMap { entry in
    Isolation.allCases.map { isolation in
      var configuration = ProviderConfiguration(name: title(entry.name, isolation), plugin: .path(entry.library))
      configuration.isolation = isolation
      return configuration
    }
  },
  searchPath: PluginSearchPath(folders: []), cache: ManifestCache(folder: nil),
  probe: PluginProbe(executable: arguments[0]), workerExecutable: arguments[0], builtins: NoBuiltins(),
  time: SystemTime())

var isWithinLimits = true
do {
  var subjects: [Subject] = []
  for entry in entries {
    for isolation in Isolation.allCases {
      let known = Set(Holding.children())
      let provider = try await host.provider(named: title(entry.name, isolation))
      subjects.append(
        Subject(
          name: title(entry.name, isolation), action: entry.action, isolation: isolation, provider: provider,
          worker: Holding.children().first { !known.contains($0) }))
    }
  }
  let bare = try BareRoundTrip()
  var bareMedians: [Double] = []
  var bareTails: [Double] = []
  for number in 0...rounds {
    let bareSamples = try await PluginThreads.run { try bare.round(calls) }
    let bareMedian = Double(bareSamples[calls / 2]) / 1000
    if number > 0 {
      bareMedians.append(bareMedian)
      bareTails.append(Double(bareSamples[calls * 99 / 100]) / 1000)
    }
    for index in subjects.indices {
      let (action, provider) = (subjects[index].action, subjects[index].provider)
      let samples = try await PluginThreads.run { try await round(calls, of: action, provider) }
      guard number > 0 else { continue }
      subjects[index].medians.append(Double(samples[calls / 2]) / 1000)
      subjects[index].tails.append(Double(samples[calls * 99 / 100]) / 1000)
      subjects[index].ratios.append(Double(samples[calls / 2]) / 1000 / bareMedian)
    }
  }
  // What is held is looked at subject by subject: the program is one for all.
  print(
    padded("call", 30) + padded("median µs", 11) + padded("best µs", 10) + padded("99 % µs", 10)
      + padded("ratio", 8) + "at most  held more after \(rounds * calls) further calls")
  print(
    padded("bare round trip", 30) + padded(rounded(median(bareMedians)), 11)
      + padded(rounded(bareMedians.min() ?? 0), 10) + padded(rounded(median(bareTails)), 10) + "1.0")
  for subject in subjects {
    let (action, provider, count) = (subject.action, subject.provider, rounds * calls)
    try await PluginThreads.run { try await call(calls, of: action, provider) }
    let own = Holding.ofThisProcess()
    let workers = subject.worker.flatMap { Holding(ofProcess: $0) }
    try await PluginThreads.run { try await call(count, of: action, provider) }
    var held = ["program " + Holding.ofThisProcess().growth(since: own)]
    var isSound = !Holding.ofThisProcess().exceeds(own, by: tolerance)
    if let worker = subject.worker, let workers {
      guard let after = Holding(ofProcess: worker) else {
        throw ActionFailure(.crashed, .init(verbatim: "the worker of \(subject.name) is gone"))
      }
      held.append("worker " + after.growth(since: workers))
      if after.exceeds(workers, by: tolerance) { isSound = false }
    }
    let middle = median(subject.medians)
    let (ratio, limit) = (median(subject.ratios), limits[subject.isolation] ?? .infinity)
    if ratio > limit { isSound = false }
    if !isSound { isWithinLimits = false }
    print(
      padded(subject.name, 30) + padded(rounded(middle), 11) + padded(rounded(subject.medians.min() ?? 0), 10)
        + padded(rounded(median(subject.tails)), 10) + padded(rounded(ratio), 8) + padded(rounded(limit), 9)
        + held.joined(separator: "; ") + (isSound ? "" : "  TOO MUCH"))
  }
} catch {
  print("error: \(error)")
  exit(1)
}
await host.shutdown()
exit(isWithinLimits ? 0 : 1)
