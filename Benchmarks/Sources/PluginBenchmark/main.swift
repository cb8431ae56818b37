import CMemory
import Engine
import Expressions
import Glibc
import PluginHost

// Usage: PluginBenchmark SOUS CALLS [NAME LIBRARY ACTION]...
// Calls an action that answers its input, one call after another, and prints the median round trip, the 99th percentile,
// and how much the memory in use has grown over the calls; inside the program, and in a worker process. SOUS is the
// program that tries unknown plugins out and runs the workers.

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

nonisolated func nanoseconds() -> UInt64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

/// Bytes that the program has allocated and not given back.
nonisolated func allocated() -> Int { Int(memory_allocated()) }

nonisolated func padded(_ text: String, _ width: Int) -> String {
  text + String(repeating: " ", count: max(0, width - text.count))
}

nonisolated func rounded(_ value: Double) -> String { "\((value * 100).rounded() / 100)" }

nonisolated func measure(
  _ name: String, _ host: PluginHost, provider: String, action: String, calls: Int
) async throws {
  let provider = try await host.provider(named: provider)
  let input: Value = .map(["text": .string("Hello, world")])
  func call(_ number: Int) async throws -> UInt64 {
    let request = ActionRequest(
      run: RunID(rawValue: "01JD"), step: "step", attempt: 1, action: action, input: input, key: "key \(number)",
      timeout: 60)
    let begin = nanoseconds()
    let output = try await provider.perform(request, reporter: Silent())
    let end = nanoseconds()
    guard output == input else { throw ActionFailure(.protocol, .init(verbatim: "another answer: \(output)")) }
    return end - begin
  }
  for number in 0..<2000 { _ = try await call(number) }
  var samples: [UInt64] = []
  samples.reserveCapacity(calls)
  let before = allocated()
  for number in 0..<calls { samples.append(try await call(number)) }
  let grown = allocated() - before
  samples.sort()
  print(
    padded(name, 34) + padded(rounded(Double(samples[calls / 2]) / 1000), 12)
      + padded(rounded(Double(samples[calls * 99 / 100]) / 1000), 12) + "\(grown)")
}

let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count >= 5, let calls = Int(arguments[1]), calls > 0, arguments.count % 3 == 2 else {
  print("usage: PluginBenchmark SOUS CALLS [NAME LIBRARY ACTION]...")
  exit(2)
}
let entries = stride(from: 2, to: arguments.count, by: 3).map {
  (name: arguments[$0], library: arguments[$0 + 1], action: arguments[$0 + 2])
}
let host = PluginHost(
  providers: entries.flatMap { entry in
    Isolation.allCases.map { isolation in
      var configuration = ProviderConfiguration(
        name: "\(entry.name), \(isolation.rawValue)", plugin: .path(entry.library))
      configuration.isolation = isolation
      return configuration
    }
  },
  searchPath: PluginSearchPath(folders: []), cache: ManifestCache(folder: nil),
  probe: PluginProbe(executable: arguments[0]), workerExecutable: arguments[0], builtins: NoBuiltins(),
  time: SystemTime())
print(padded("call", 34) + padded("median µs", 12) + padded("99 % µs", 12) + "bytes grown over \(calls) calls")
do {
  for entry in entries {
    for isolation in Isolation.allCases {
      let name = "\(entry.name), \(isolation.rawValue)"
      try await PluginThreads.run {
        try await measure(name, host, provider: name, action: entry.action, calls: calls)
      }
    }
  }
} catch {
  print("error: \(error)")
  exit(1)
}
await host.shutdown()
