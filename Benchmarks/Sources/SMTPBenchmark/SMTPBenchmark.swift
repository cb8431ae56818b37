import Foundation
import PluginKit
import PluginKitTesting
import SMTPPlugin

/// Sends messages to `smtp-sink` over one connection, as `smtp-source` does, and a large one; both Postfix's own tools.
///
/// The host is in memory, so the records around the end of each message are made, but no disk waits for them. What a disk
/// adds is measured beside it: two writes a message that have to be on it, which `smtp-source` has none of.
///
/// Usage: SMTPBenchmark [MESSAGES]
@main
struct SMTPBenchmark {
  static func main() async throws {
    let count = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 2000
    let port = 20_000 + Int(getpid() % 20_000)
    let sink = Process()
    sink.executableURL = URL(fileURLWithPath: "/usr/sbin/smtp-sink")
    sink.arguments = (getuid() == 0 ? ["-u", "nobody"] : []) + ["127.0.0.1:\(port)", "100"]
    try sink.run()
    defer { kill(sink.processIdentifier, SIGKILL) }
    // Until it listens.
    for _ in 0..<200 where source(port, 1) == nil { usleep(20_000) }

    var ratios: [Double] = []
    var rates: [(peer: Double, own: Double, sync: Double)] = []
    for _ in 0..<5 {
      guard let peer = source(port, count) else { throw ActionError(.io, "smtp-source failed") }
      let own = try await plugin(port, count)
      ratios.append(own / peer)
      rates.append((peer, own, try sync()))
      print("smtp-source \(Int(peer))/s, plugin \(Int(own))/s, ratio \(String(format: "%.2f", own / peer))")
    }
    print("median ratio \(String(format: "%.2f", ratios.sorted()[2])) (wanted: 0.70)")
    let ratiosOnDisk = rates.map { 1 / (1 / $0.own + 2 * $0.sync) / $0.peer }.sorted()
    let sync = rates.map(\.sync).sorted()[2]
    print(
      "a write that is on the disk here: \(Int(sync * 1e6)) µs; with two of them a message the ratio is "
        + String(format: "%.2f", ratiosOnDisk[2]))
    try await large(port)
  }

  /// Seconds that a small write takes until it is on the disk.
  static func sync() throws -> Double {
    let path = FileManager.default.temporaryDirectory.path + "/sous-smtp-sync-\(getpid())"
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw ActionError(.io, "no temporary file") }
    defer {
      close(file)
      unlink(path)
    }
    let page = [UInt8](repeating: 65, count: 4096)
    let start = ContinuousClock.now
    for _ in 0..<100 {
      guard write(file, page, page.count) == page.count, fdatasync(file) == 0 else {
        throw ActionError(.io, "the temporary file cannot be written")
      }
    }
    return seconds(since: start) / 100
  }

  /// Messages a second of `smtp-source`: one session, one connection.
  static func source(_ port: Int, _ count: Int) -> Double? {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/sbin/smtp-source")
    process.arguments = [
      "-d", "-m", "\(count)", "-s", "1", "-l", "1024", "-f", "me@example.org", "-t", "you@example.org",
      "127.0.0.1:\(port)",
    ]
    process.standardError = FileHandle.nullDevice
    let end = DispatchSemaphore(value: 0)
    process.terminationHandler = { _ in end.signal() }
    let start = ContinuousClock.now
    guard (try? process.run()) != nil else { return nil }
    end.wait()
    return process.terminationStatus == 0 ? Double(count) / seconds(since: start) : nil
  }

  /// Messages a second of the plugin, one after the other over one connection.
  static func plugin(_ port: Int, _ count: Int) async throws -> Double {
    let host = InMemoryHost()
    host.connectStreams { _ in port }
    let plugin = try host.open(
      SMTPPlugin.self,
      configuration: ["host": "localhost", "tls": "none", "from": "me@example.org", "connections": 1])
    let mail: JSONValue = [
      "to": ["you@example.org"], "subject": "Benchmark",
      "text": .string(String(repeating: "A line of text of a message.\n", count: 25)),
    ]
    _ = try await plugin.call("mail.send", mail, key: "first")
    let start = ContinuousClock.now
    for number in 0..<count { _ = try await plugin.call("mail.send", mail, key: "run-1.send.\(number)") }
    return Double(count) / seconds(since: start)
  }

  /// Sends a file of 100 MB, and tells how much memory that took.
  static func large(_ port: Int) async throws {
    let path = "/tmp/sous-smtp-benchmark-\(getpid())"
    // Made without holding it in memory, so that the peak below is the plugin's.
    try Data().write(to: URL(fileURLWithPath: path))
    truncate(path, 100_000_000)
    defer { unlink(path) }
    let host = InMemoryHost()
    host.connectStreams { _ in port }
    let plugin = try host.open(
      SMTPPlugin.self, configuration: ["host": "localhost", "tls": "none", "from": "me@example.org"])
    let before = peak()
    let start = ContinuousClock.now
    _ = try await plugin.call(
      "mail.send",
      ["to": ["you@example.org"], "subject": "large", "text": "", "attachments": [["path": .string(path)]]],
      key: "large")
    print(
      "100 MB file: \(String(format: "%.2f", seconds(since: start))) s, \((peak() - before) / 1024) MB of memory more")
  }

  static func seconds(since start: ContinuousClock.Instant) -> Double {
    let (seconds, attoseconds) = (ContinuousClock.now - start).components
    return Double(seconds) + Double(attoseconds) / 1e18
  }

  /// The most memory so far, in KB.
  static func peak() -> Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return line?.split { !$0.isNumber }.first.flatMap { Int($0) } ?? 0
  }
}
