import Foundation
import Synchronization

/// `Simulation [--seeds N] [--first N] [--seed N] [--plant NAME]`: simulates the engine, the run log and providers with
/// faults that a seed decides, and checks after each simulation that nothing was lost and nothing happened twice.
@main struct Simulation {
  private struct Arguments {
    var first: UInt64 = 1
    var count: UInt64 = 100
    var isSingle = false
    var plant: Plant?

    init(_ words: [String]) throws {
      var words = words[...]
      while let word = words.popFirst() {
        guard let value = words.popFirst() else { throw SimulationError("'\(word)' needs a value") }
        switch (word, UInt64(value), Plant(rawValue: value)) {
        case ("--seeds", let number?, _): count = number
        case ("--first", let number?, _): first = number
        case ("--seed", let number?, _): (first, count, isSingle) = (number, 1, true)
        case ("--plant", _, let known?): plant = known
        default:
          let plants = Plant.allCases.map(\.rawValue).joined(separator: ", ")
          throw SimulationError(
            "cannot read '\(word) \(value)'; known are --seeds N, --first N, --seed N, --plant (\(plants))")
        }
      }
    }
  }

  static func main() throws {
    // The order of sets and maps must not depend on the process.
    if getenv("SWIFT_DETERMINISTIC_HASHING") == nil {
      setenv("SWIFT_DETERMINISTIC_HASHING", "1", 1)
      var arguments = CommandLine.arguments.map { strdup($0) } + [nil]
      execv("/proc/self/exe", &arguments)
      throw SimulationError("cannot start again with a fixed order of sets and maps")
    }
    let arguments: Arguments
    do {
      arguments = try Arguments(Array(CommandLine.arguments.dropFirst()))
    } catch {
      FileHandle.standardError.write(Data("error: \(error)\n".utf8))
      exit(2)
    }
    try Scheduler.shared.install()
    let began = Date()
    var total = (runs: 0, deaths: 0, failures: 0, span: 0.0)
    let isTerminal = isatty(STDERR_FILENO) == 1
    for seed in arguments.first..<arguments.first + arguments.count {
      let report = try simulate(seed, arguments.plant, tells: arguments.isSingle)
      total.runs += report.runs
      total.deaths += report.deaths
      total.failures += report.failures
      total.span += report.span
      if isTerminal { progress("\r\(seed - arguments.first + 1) of \(arguments.count) seeds ") }
      guard report.violations.isEmpty else {
        if isTerminal { progress("\n") }
        let again = arguments.isSingle ? report : try simulate(seed, arguments.plant, tells: true)
        print("seed \(seed): found after \(seed - arguments.first + 1) seeds")
        for violation in again.violations.isEmpty ? report.violations : again.violations { print("  \(violation)") }
        let plant = arguments.plant.map { " --plant \($0.rawValue)" } ?? ""
        print("again with: Simulation --seed \(seed)\(plant)")
        exit(1)
      }
    }
    if isTerminal { progress("\r") }
    let seconds = Date().timeIntervalSince(began)
    print(
      "\(arguments.count) seeds from \(arguments.first): \(total.runs) runs, \(total.deaths) deaths of a process, "
        + "\(total.failures) power failures, \(Int(total.span / 86_400)) days in \(String(format: "%.1f", seconds)) s; nothing lost, nothing twice"
    )
  }

  private static func progress(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }

  private static func simulate(_ seed: UInt64, _ plant: Plant?, tells: Bool) throws -> Scenario.Report {
    Scheduler.shared.reset(seed: seed)
    let scenario = try Scenario(seed: seed, plant: plant, tells: tells)
    let result = Mutex<Scenario.Report?>(nil)
    Task.detached {
      let report = await scenario.play()
      result.withLock { $0 = report }
    }
    let hasEnded = Scheduler.shared.run { result.withLock { $0 != nil } }
    guard hasEnded, let report = result.withLock({ $0 }) else {
      return Scenario.Report(violations: ["everything stands still"])
    }
    return report
  }
}
