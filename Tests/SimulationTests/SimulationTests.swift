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

  /// Each planted defect, and a seed whose history shows it. Where the engine changes so that a seed no longer does,
  /// `make simulate PLANT=name` searches for another one.
  @Test(arguments: [
    ("drop-end", 2), ("early-ack", 5), ("forget-accepted", 2), ("two-owners", 3), ("repeat-once", 2), ("new-key", 1),
    ("forget-wait", 3), ("early-timer", 2), ("lose-due", 2), ("no-group", 3), ("undo-forwards", 10),
    ("no-deadline", 94), ("no-budget", 51), ("stale-cache", 7), ("no-fence", 66), ("lax-disk", 25), ("repeat-done", 4),
    ("fresh-key", 1),
  ])
  func aPlantedDefectIsFound(name: String, seed: Int) throws {
    let (status, output) = try simulate("--first", "\(seed)", "--seeds", "1", "--plant", name)
    #expect(
      status == 1, "seed \(seed) no longer shows the planted defect '\(name)': search with make simulate PLANT=\(name)")
    #expect(output.contains("found after"))
  }

  @Test func whatItDoesNotKnowIsRefused() throws {
    #expect(try simulate("--plant", "nothing").status == 2)
    #expect(try simulate("--seed").status == 2)
  }
}
