import Foundation
import Testing

extension SousProcess {
  /// Starts `sous serve` in the folder. The test ends it.
  ///
  /// - Parameter change: Changes the variables of the environment for this process.
  func serve(_ change: (inout [String: String]) -> Void = { _ in }) throws -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Self.executable)
    process.arguments = ["serve"]
    process.currentDirectoryURL = URL(fileURLWithPath: folder)
    var environment = environment
    change(&environment)
    process.environment = environment
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    return process
  }

  /// Waits until a condition holds, for at most a minute.
  ///
  /// - Throws: `CancellationError` after that minute. The issue shows the place in the test and the state of the daemon.
  func wait(_ location: SourceLocation = #_sourceLocation, until condition: () throws -> Bool) async throws {
    let deadline = ContinuousClock.now + .seconds(60)
    while try !condition() {
      guard ContinuousClock.now < deadline else {
        let state = try ["status", "triggers", "runs"].map { "\($0):\n\(try self($0).output)" }.joined(separator: "\n")
        Issue.record("the condition does not hold after a minute\n\(state)", sourceLocation: location)
        throw CancellationError()
      }
      try await Task.sleep(for: .milliseconds(50))
    }
  }
}
