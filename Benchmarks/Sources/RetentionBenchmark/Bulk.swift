import Engine
import Expressions
import Foundation
import RunStore

/// Many runs, written as fast as may be, then exported, listed, searched and removed: what keeps up with what.
struct Bulk {
  let count: Int
  let store: RunStore
  let time: SimulatedTime

  private let clock = ContinuousClock()

  /// Runs that write at the same time.
  private static let writers = 16

  /// - Returns: Whether every rate is as it has to be.
  func measure() async throws -> Bool {
    let written = try await rate("written", of: count) { try await write() }
    let exported = try await rate("exported", of: count) {
      var bytes = 0
      let runs = try await store.export(.jsonLines) { bytes += $0.count }
      print("  \(runs) lines, \(bytes >> 20) MiB")
    }
    try await rate("listed", of: count) {
      var bytes = 0
      try await store.forEachPage(of: RunFilter(limit: .max)) { for run in $0 { bytes += run.json.json().count } }
    }
    guard let words = SearchWords("\"subject of run \(count - 5)\"") else { return false }
    var found = 0
    let first = try await seconds {
      if try await !store.updateSearch(within: 2) { try await store.searchWithoutIndex(words) }
      found = try await store.runs(RunFilter(words: words)).count
    }
    print("first search: \(first.rounded(toPlaces: 2)) s, finds \(found)")
    try await rate("indexed, the rest", of: count) { try await store.updateSearch() }
    var removed = 0
    let share = count * 9 / 10
    time.advance(by: 60)
    let pruned = try await rate("removed", of: share) {
      removed = try await store.prune(RetentionPolicy(runs: count - share), at: time.now).runs
    }
    let findings = try await store.check()
    print("kept \(count - removed); check finds \(findings.count) problems")
    return pruned > written && exported > 20_000 && first < 10 && found == 1 && removed == share && findings.isEmpty
  }

  private func write() async throws {
    let (store, time, count) = (store, time, count)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<Self.writers {
        group.addTask {
          for number in stride(from: writer, to: count, by: Self.writers) {
            for entries in SimulatedRun(number: number, at: time.now.adding(seconds: Double(number) / 1000)).batches {
              try await store.record(entries, durability: .committed)
            }
          }
        }
      }
      try await group.waitForAll()
    }
    time.advance(by: Double(count) / 1000)
  }

  private func seconds(_ body: () async throws -> Void) async throws -> Double {
    Memory.forgetPeak()
    let start = clock.now
    try await body()
    let parts = (clock.now - start).components
    return Double(parts.seconds) + Double(parts.attoseconds) / 1e18
  }

  @discardableResult
  private func rate(_ what: String, of count: Int, _ body: () async throws -> Void) async throws -> Double {
    let rate = Double(count) / (try await seconds(body))
    print("\(what): \(Int(rate)) runs/s, at most \(Memory.peak >> 10) MiB of memory")
    return rate
  }
}

/// What the kernel says of this process's memory; see proc(5).
enum Memory {
  /// The most memory since ``forgetPeak()``, in KiB.
  static var peak: Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return line.flatMap { $0.split(separator: " ").compactMap { Int($0) }.first } ?? 0
  }

  static func forgetPeak() { try? "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8) }
}

extension Double {
  fileprivate func rounded(toPlaces places: Int) -> Double {
    let factor = pow(10, Double(places))
    return (self * factor).rounded() / factor
  }
}
