import Foundation
import Testing

/// The simulation, run as a program of its own: it takes the scheduling of all tasks of its process over.
@Suite(.serialized, .timeLimit(.minutes(10))) struct SimulationTests {
  private static let program = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    .appendingPathComponent("Simulation")

  private func simulate(_ arguments: String...) throws -> (status: Int32, output: String) {
    let process = Process()
    process.executableURL = Self.program
    process.arguments = arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: output, as: UTF8.self))
  }

  @Test func nothingIsLostAndNothingHappensTwice() throws {
    let (status, output) = try simulate("--seeds", "40")
    #expect(status == 0, "\(output.suffix(4000))")
  }

  /// With runs that run other recipes, loops in parallel, a broken disk, and processes that stand still.
  @Test(arguments: [2, 3, 4, 13, 20])
  func aSeedGivesTheSameHistoryAgain(seed: Int) throws {
    let lines = try (0..<3).map { _ in
      let (status, output) = try simulate("--seed", "\(seed)")
      #expect(status == 0)
      return output.split(separator: "\n").dropLast()
    }
    #expect(lines[0].count > 20)
    #expect(lines[0] == lines[1])
    #expect(lines[0] == lines[2])
  }

  @Test(arguments: [
    "drop-end", "early-ack", "forget-accepted", "two-owners", "repeat-once", "new-key", "forget-wait", "early-timer",
    "lose-due", "no-group", "undo-forwards", "no-deadline", "no-budget", "stale-cache", "no-fence",
    "lax-disk", "repeat-done", "fresh-key",
  ])
  func aPlantedDefectIsFound(name: String) throws {
    let (status, output) = try simulate("--seeds", "1000", "--plant", name)
    #expect(status == 1)
    #expect(output.contains("found after"))
  }

  @Test func whatItDoesNotKnowIsRefused() throws {
    #expect(try simulate("--plant", "nothing").status == 2)
    #expect(try simulate("--seed").status == 2)
  }
}
