import Engine
import Synchronization

/// A journal in memory that can be told to refuse.
final class MemoryRecorder: RunRecorder {
  struct Refused: Error {}
  private let state = Mutex<(entries: [JournalEntry], durabilities: [Durability], refusesFrom: Int?)>(([], [], nil))

  init(refusingFrom count: Int? = nil) {
    state.withLock { $0.refusesFrom = count }
  }

  var entries: [JournalEntry] { state.withLock { $0.entries } }

  func record(_ entries: [JournalEntry], durability: Durability) async throws {
    try state.withLock {
      if let limit = $0.refusesFrom, $0.entries.count + entries.count > limit { throw Refused() }
      $0.entries += entries
      $0.durabilities += entries.map { _ in durability }
    }
  }

  var attempts: [AttemptEnd] {
    entries.compactMap { if case .attemptFinished(let end) = $0 { end } else { nil } }
  }
  var intents: [(AttemptStart, Durability)] {
    state.withLock { state in
      zip(state.entries, state.durabilities).compactMap { entry, durability in
        if case .attemptStarted(let start) = entry { (start, durability) } else { nil }
      }
    }
  }
  /// The ends of runs.
  var ends: [(RunEnd, Durability)] {
    state.withLock { state in
      zip(state.entries, state.durabilities).compactMap { entry, durability in
        if case .runFinished(let end) = entry { (end, durability) } else { nil }
      }
    }
  }
  func stepEnds() -> [StepEnd] {
    entries.compactMap { if case .stepFinished(let end) = $0 { end } else { nil } }
  }
  var lines: [LogLine] {
    entries.compactMap { if case .log(let line) = $0 { line } else { nil } }
  }
  var runEnd: RunEnd? {
    entries.compactMap { if case .runFinished(let end) = $0 { end } else { nil } }.last
  }
}
