import Engine
import Expressions
import Glibc
import PluginHost
import Synchronization

// Usage: NetworkBenchmark SOUS LIBRARY
// Asks a model through the plugin LIBRARY as often as standard input says, and answers with the times from the call to
// the first delta, in microseconds. A line of standard input is `COUNT ISOLATION BASE_URL`, its answer a line of COUNT
// numbers. SOUS runs the workers.

/// Notes when the first delta comes.
final class FirstDelta: ActionReporter {
  private let first = Mutex<UInt64?>(nil)

  var time: UInt64? { first.withLock { $0 } }

  func log(_ level: LogLevel, _ message: String) {}
  func progress(done: UInt64, total: UInt64, label: String) {}

  func delta(_ delta: Value) {
    let now = nanoseconds()
    first.withLock { $0 = $0 ?? now }
  }
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

/// Asks once; microseconds to the first delta.
nonisolated func ask(_ provider: any StepProvider) async throws -> UInt64 {
  let reporter = FirstDelta()
  let request = ActionRequest(
    run: RunID(rawValue: "01JD"), step: "step", attempt: 1, action: "chat.complete",
    input: .map(["prompt": .string("Say hello.")]), key: "key", timeout: 60)
  let begin = nanoseconds()
  _ = try await provider.perform(request, reporter: reporter)
  guard let time = reporter.time else { throw ActionFailure(.protocol, .init(verbatim: "no delta came")) }
  return (time - begin) / 1000
}

let arguments = CommandLine.arguments
guard arguments.count == 3 else {
  print("usage: NetworkBenchmark SOUS LIBRARY")
  exit(2)
}
var hosts: [String: PluginHost] = [:]
do {
  while let line = readLine() {
    let words = line.split(separator: " ").map(String.init)
    guard words.count == 3, let count = Int(words[0]), let isolation = Isolation(rawValue: words[1]) else {
      print("usage: COUNT ISOLATION BASE_URL")
      exit(2)
    }
    let name = words[1] + words[2]
    let host =
      hosts[name]
      ?? {
        var configuration = ProviderConfiguration(name: name, plugin: .path(arguments[2]))
        configuration.isolation = isolation
        configuration.settings = .map(["base_url": .string(words[2])])
        return PluginHost(
          providers: [configuration], searchPath: PluginSearchPath(folders: []), cache: ManifestCache(folder: nil),
          probe: PluginProbe(executable: arguments[1]), workerExecutable: arguments[1], builtins: NoBuiltins(),
          time: SystemTime())
      }()
    hosts[name] = host
    let times = try await PluginThreads.run {
      let provider = try await host.provider(named: name)
      var times: [UInt64] = []
      for _ in 0..<count { times.append(try await ask(provider)) }
      return times
    }
    print(times.map(String.init).joined(separator: " "))
    fflush(nil)
  }
} catch {
  print("error: \(error)")
  exit(1)
}
for host in hosts.values { await host.shutdown() }
