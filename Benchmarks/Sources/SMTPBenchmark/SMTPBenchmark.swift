import Foundation
import PluginKit
import PluginKitTesting
import SMTPPlugin

/// Sends messages to a server on this machine, for `peers/smtp.py`.
///
/// Usage: SMTPBenchmark rate PORT MESSAGES   prints the seconds that so many messages took, one after the other over one
///                                           connection
///        SMTPBenchmark large PORT           sends a file of 100 MB, and prints how long that took, how much memory, and what
///                                           a write costs that is on the disk
@main
struct SMTPBenchmark {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count > 2, let port = Int(arguments[2]) else {
      print("usage: SMTPBenchmark rate PORT MESSAGES | large PORT")
      exit(2)
    }
    switch arguments[1] {
    case "rate": print(try await rate(port, arguments.count > 3 ? Int(arguments[3]) ?? 2000 : 2000))
    default: try await large(port)
    }
  }

  private static func plugin(_ port: Int) throws -> InMemoryHost.OpenPlugin<SMTPPlugin> {
    let host = InMemoryHost()
    host.connectStreams { _ in port }
    return try host.open(
      SMTPPlugin.self,
      configuration: ["host": "localhost", "tls": "none", "from": "me@example.org", "connections": 1])
  }

  /// The seconds that so many messages take.
  private static func rate(_ port: Int, _ count: Int) async throws -> Double {
    let plugin = try plugin(port)
    let mail: JSONValue = [
      "to": ["you@example.org"], "subject": "Benchmark",
      "text": .string(String(repeating: "A line of text of a message.\n", count: 25)),
    ]
    let start = ContinuousClock.now
    for number in 0..<count { _ = try await plugin.call("mail.send", mail, key: "run-1.send.\(number)") }
    return start.duration(to: .now) / .seconds(1)
  }

  /// Sends a file of 100 MB, and tells how much memory that took.
  private static func large(_ port: Int) async throws {
    let path = "/tmp/sous-smtp-benchmark-\(getpid())"
    // Made without holding it in memory, so that the peak below is the plugin's.
    try Data().write(to: URL(fileURLWithPath: path))
    truncate(path, 100_000_000)
    defer { unlink(path) }
    let plugin = try plugin(port)
    let before = peak()
    let start = ContinuousClock.now
    _ = try await plugin.call(
      "mail.send",
      ["to": ["you@example.org"], "subject": "large", "text": "", "attachments": [["path": .string(path)]]],
      key: "large")
    let spent = start.duration(to: .now) / .seconds(1)
    print("  a file of 100 MB: \(String(format: "%.2f", spent)) s, \((peak() - before) / 1024) MB of memory more")
    print(
      "  a note that is on this disk: \(Int(try sync() * 1e6)) µs; Sous makes two for a message, smtp-source none")
  }

  /// Seconds that a small write takes until it is on the disk.
  private static func sync() throws -> Double {
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
    return start.duration(to: .now) / .seconds(100)
  }

  /// The most memory so far, in KB.
  private static func peak() -> Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return line?.split { !$0.isNumber }.first.flatMap { Int($0) } ?? 0
  }
}
