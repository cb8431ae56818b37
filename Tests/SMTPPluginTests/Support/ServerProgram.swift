import Foundation
import Synchronization
import Testing

/// A server program that a test starts on a private port, with its state in a temporary folder.
final class ServerProgram: Sendable {
  /// What starting it came to.
  struct NotStarted: Error, CustomStringConvertible { let description: String }

  /// A folder of its own that goes away with it.
  let folder: String
  private let process: Mutex<Process>
  private let stop: [String]?
  private let isKilled: Bool

  /// Where a program is; `nil` where it is not installed.
  static func path(_ name: String) -> String? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
    return (["/usr/bin", "/usr/sbin"] + folders).map { "\($0)/\(name)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// A new temporary folder that everybody may look into.
  static func makeFolder() throws -> String {
    let folder = "/tmp/sous-smtp-" + UUID().uuidString.prefix(8).lowercased()
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
    return folder
  }

  /// Starts a program and waits until something listens on a port.
  ///
  /// - Parameters:
  ///   - program: Its path.
  ///   - arguments: Its arguments.
  ///   - folder: Its folder, removed in the end.
  ///   - ports: Where it will listen.
  ///   - stop: A command that stops it, where it runs in the background.
  ///   - isKilled: Whether it has no children, which would go on without it.
  init(
    _ program: String, _ arguments: [String], folder: String, ports: [Int], stop: [String]? = nil,
    isKilled: Bool = true
  ) throws {
    self.folder = folder
    self.isKilled = isKilled
    self.stop = stop
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    let log = "\(folder)/output.log"
    try Data().write(to: URL(fileURLWithPath: log))
    let output = FileHandle(forWritingAtPath: log)
    process.standardOutput = output
    process.standardError = output
    try process.run()
    self.process = Mutex(process)
    for port in ports { try waitForListener(port, log) }
  }

  deinit {
    if let stop {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: stop[0])
      process.arguments = Array(stop.dropFirst())
      process.standardError = FileHandle.nullDevice
      process.standardOutput = FileHandle.nullDevice
      Self.finish(process)
    }
    // Threads of Swift block signals, and programs that they start inherit that: only this one arrives.
    process.withLock { process in
      guard process.isRunning else { return }
      kill(process.processIdentifier, isKilled ? SIGKILL : SIGTERM)
      let deadline = ContinuousClock.now + .seconds(20)
      while !isKilled, process.isRunning, ContinuousClock.now < deadline { usleep(10_000) }
      if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// Runs a program to its end. `waitUntilExit` may wait for ever on a thread that has no run loop.
  static func finish(_ process: Process) {
    let end = DispatchSemaphore(value: 0)
    process.terminationHandler = { _ in end.signal() }
    guard (try? process.run()) != nil else { return }
    end.wait()
  }

  private func waitForListener(_ port: Int, _ log: String) throws {
    let deadline = ContinuousClock.now + .seconds(60)
    while ContinuousClock.now < deadline {
      if Self.listens(port) { return }
      let hasEnded = process.withLock { !$0.isRunning && ($0.terminationStatus != 0 || stop == nil) }
      if hasEnded { break }
      usleep(20_000)
    }
    let said = [log, "\(folder)/mail.log"].compactMap { try? String(contentsOfFile: $0, encoding: .utf8) }
    throw NotStarted(description: "nothing listens on \(port): " + said.joined(separator: "\n"))
  }

  private static func listens(_ port: Int) -> Bool {
    let handle = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(handle) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(handle, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }
}
