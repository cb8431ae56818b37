import Foundation

/// Compares the speed of reading messages with that of other libraries.
struct SpeedTable {
  private let corpus: Corpus
  private let rounds: Int
  private let peer: MailPeer

  /// What Sous has to reach: megabytes a second at taking messages apart, and times the speed of GMime at reading them.
  private static let least = (parse: 150.0, read: 3.0)

  init(corpus: Corpus, rounds: Int, python: String, script: String) throws {
    self.corpus = corpus
    self.rounds = rounds
    peer = try MailPeer(python: python, script: script)
  }

  /// Measures and prints a table.
  ///
  /// - Returns: Whether it is fast enough.
  func print() -> Bool {
    Swift.print("\(corpus.messages.count) messages, \(corpus.size) bytes")
    guard !corpus.messages.isEmpty else { return false }
    let libraries = ["email", "gmime"]
    for path in corpus.paths { _ = peer.ask("load \(path)") }
    let available = libraries.filter { peer.ask("check \($0)") == "ok" }
    for library in libraries where !available.contains(library) { Swift.print("no peer: \(library)") }
    var isFast = true
    let works: [(name: String, body: () -> Int)] = [("parse", corpus.parse), ("read", corpus.read)]
    for work in works {
      var own: [Double] = []
      var others: [String: [Double]] = [:]
      let count = turns { SpeedTable.seconds(count: $0, work.body) }
      for round in 0...rounds {
        let taken = SpeedTable.seconds(count: count, work.body) / Double(count)
        if round > 0 { own.append(taken) }
        for library in available {
          guard let answer = peer.ask("run \(library) \(work.name)"), let seconds = Double(answer) else { continue }
          if round > 0 { others[library, default: []].append(seconds) }
        }
      }
      var isMet = true
      let speed = Double(corpus.size) / SpeedTable.median(own) / 1e6
      var line = "\(work.name): Sous \(SpeedTable.rounded(speed)) MB/s"
      for library in available {
        let other = Double(corpus.size) / SpeedTable.median(others[library] ?? []) / 1e6
        line +=
          "; \(library) \(SpeedTable.rounded(other)) MB/s, Sous \(SpeedTable.rounded(speed / other)) times as fast"
      }
      if work.name == "parse", speed < SpeedTable.least.parse { isMet = false }
      if !isMet { isFast = false }
      let bound = work.name == "parse" ? "\(SpeedTable.least.parse) MB/s" : "\(SpeedTable.least.read) times GMime"
      Swift.print(line + (isMet ? "" : "  MISSED: at least \(bound)"))
    }
    return isFast
  }

  /// How often something is done in about 50 ms.
  private func turns(_ measure: (Int) -> Double) -> Int {
    var count = 1
    while count < 1 << 16, measure(count) < 0.025 { count *= 2 }
    return count
  }

  private static func seconds(count: Int, _ body: () -> Int) -> Double {
    let start = processorTime()
    var total = 0
    for _ in 0..<count { total &+= body() }
    let taken = processorTime() - start
    // What is read is used, so that no part of it is left out.
    return total == .min ? .nan : taken
  }

  /// Seconds of processor time that the process has used: what else runs on the machine does not count.
  private static func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  private static func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    return sorted.isEmpty ? .nan : sorted[sorted.count / 2]
  }

  private static func rounded(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }
}
