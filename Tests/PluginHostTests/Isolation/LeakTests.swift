import Engine
import Expressions
import FixturePlugins
import Foundation
import Testing

@testable import PluginBoundary
@testable import PluginHost

/// What many calls leave behind in a worker. What they leave in the host the benchmarks tell, as other tests run here.
@Suite(.timeLimit(.minutes(5)), .serialized)
struct LeakTests {
  private func holding(_ process: pid_t) throws -> (bytes: Int, files: Int) {
    let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") })
    let kilobytes = try #require(line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) })
    // Seen by root alone, as workers hide.
    let files = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd").count) ?? 0
    return (kilobytes << 10, files)
  }

  @Test func tenThousandCallsLeaveNothingInTheWorker() async throws {
    let library = try FixtureLibrary.echo()
    var configuration = ProviderConfiguration(name: "home", plugin: .path(library))
    configuration.isolation = .process
    let services = ProviderServices(provider: "home", time: SystemTime(), limits: .forTests) { _, _, _ in }
    let manifest = try PluginManifest(json: CountingProbe().manifest(ofLibraryAt: library), path: library)
    let destroyed = Latch()
    let connection = try await WorkerConnection.create(
      path: library, manifest: manifest, configuration: configuration, executable: FixtureLibrary.executable,
      services: services, limits: .forTests, destroyed: destroyed)
    let worker = try #require(connection.processID)
    let provider = PluginProvider(
      name: "home", manifest: manifest, connection: connection, services: services,
      deadlines: Deadlines(time: SystemTime()), destroyed: destroyed)
    func call(_ count: Int) async throws {
      for number in 0..<count {
        let input: ValueMap = ["number": .int(Int64(number))]
        let output = try await provider.perform(.forTests("echo.echo", input), reporter: RecordingReporter())
        guard output == .map(input) else { return #expect(output == .map(input)) }
      }
    }
    try await call(2000)
    let before = try holding(worker)
    try await call(10_000)
    let after = try holding(worker)
    #expect(connection.processID == worker)
    // One byte a call would be ten thousand; what the allocator keeps for itself is more.
    #expect(after.bytes - before.bytes <= 256 << 10, "\(after.bytes - before.bytes) bytes")
    #expect(after.files <= before.files)
    provider.close()
  }
}
