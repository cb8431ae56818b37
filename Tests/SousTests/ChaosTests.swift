import Expressions
import Foundation
import Testing

/// The program under faults from outside, with `Scripts/chaos` as the judge; `make chaos` does the same at length.
@Suite(.serialized, .timeLimit(.minutes(15)), .enabled(if: Tools.areThere, "needs python3 and cc"))
struct ChaosTests {
  private func chaos(_ part: String, _ settings: [String: String]) throws -> SousProcess.Outcome {
    var sous = try SousProcess()
    defer { sous.remove() }
    sous.environment.merge(settings) { $1 }
    sous.environment["TMPDIR"] = sous.folder
    return try sous.run(
      "/usr/bin/env", ["python3", SousProcess.repository + "/Scripts/chaos", SousProcess.executable, part])
  }

  @Test(arguments: [
    ("kills", ["RUNS": "20", "KILLS": "6"]), ("pair", ["RUNS": "300"]), ("full-disk", [:]), ("read-only", [:]),
    ("cut-off", ["CUTS": "4"]), ("stop", ["STOP": "3"]), ("sleep", ["SLEEPERS": "300", "LATE": "10", "MEMORY": "160"]),
  ]) func nothingIsLostOrDoneTwice(_ part: String, _ settings: [String: String]) throws {
    let outcome = try chaos(part, settings)
    #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    #expect(outcome.output.contains(part))
  }

  @Test(arguments: ["lose", "double"]) func theJudgeFindsWhatIsWrong(_ plant: String) throws {
    let outcome = try chaos("kills", ["RUNS": "20", "KILLS": "3", "PLANT": plant])
    #expect(outcome.status == 1, "\(outcome.output)\(outcome.errors)")
    #expect(outcome.output.contains("violation: "))
  }
}

/// What the script needs.
private enum Tools {
  static let areThere = ["python3", "cc"].allSatisfy { tool in
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains {
      FileManager.default.isExecutableFile(atPath: "\($0)/\(tool)")
    }
  }
}
