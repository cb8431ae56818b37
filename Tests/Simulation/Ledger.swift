import Engine
import RunStore
import Synchronization

/// What a process handed to its journal, and what of it the journal said was written.
final class Ledger: Sendable {
  /// Something that must be found in the run log once it is written.
  enum Fact: Hashable {
    case intent(RunID, step: Int, item: Int?, number: Int)
    case end(RunID, step: Int, item: Int?, number: Int)
    case output(RunID, step: Int, item: Int?)
    case finished(RunID, RunStatus)
    case begun(RunID)

    init?(_ entry: JournalEntry) {
      switch entry {
      case .attemptStarted(let start):
        self = .intent(start.run, step: start.step, item: start.item, number: start.number)
      case .attemptFinished(let end) where !end.isUncertain:
        self = .end(end.run, step: end.step, item: end.item, number: end.number)
      case .output(let run, let step, let item, _): self = .output(run, step: step, item: item)
      case .runStarted(let start): self = .begun(start.run)
      case .runFinished(let end) where end.status.isFinal: self = .finished(end.run, end.status)
      default: return nil
      }
    }

    var run: RunID {
      switch self {
      case .intent(let run, _, _, _), .end(let run, _, _, _), .output(let run, _, _), .finished(let run, _),
        .begun(let run):
        run
      }
    }
  }

  private struct State {
    var accepted: [JournalEntry] = []
    /// And after which commit; 0 where that is said to be on the disk.
    var written: [Fact: Int] = [:]
  }

  private let world: World
  private let state = Mutex(State())

  init(_ world: World) { self.world = world }

  func accept(_ entries: [JournalEntry]) { state.withLock { $0.accepted += entries } }

  /// Everything that was accepted is written now; returns it.
  ///
  /// - Parameter commit: The newest commit; 0 where all is said to be on the disk.
  func confirm(_ commit: Int) -> [JournalEntry] {
    state.withLock { state in
      defer { state.accepted = [] }
      for fact in state.accepted.compactMap(Fact.init) { state.written[fact] = commit }
      return state.accepted
    }
  }

  /// Takes over what another one knows to be written.
  func add(_ other: Ledger) {
    let facts = other.state.withLock { $0.written }
    state.withLock { $0.written.merge(facts) { min($0, $1) } }
  }

  /// Something is said to be on the disk.
  func add(_ fact: Fact) { state.withLock { $0.written[fact] = 0 } }

  /// All that came after a commit is gone.
  func losePower(after commit: Int) {
    state.withLock { state in
      state.accepted = []
      state.written = state.written.filter { $0.value <= commit }
    }
  }

  /// Compares what is said to be written with what is.
  func compare(with store: RunStore, process: String) async {
    await Scheduler.shared.call {
      let facts = Dictionary(grouping: state.withLock { $0.written.keys }, by: \.run)
      for (run, facts) in facts.sorted(by: { $0.key < $1.key }) {
        guard let snapshot = try? await store.snapshot(of: run) else {
          world.violate("\(process) has written about \(world.name(of: run)), which is not on record")
          continue
        }
        let status = try? await store.status(of: run)
        for fact in facts where !holds(fact, snapshot, status) {
          world.violate("\(process) was told that \(world.words(fact)) is written, and it is not")
        }
      }
    }
  }

  private func holds(_ fact: Fact, _ snapshot: RunSnapshot, _ status: RunStatus?) -> Bool {
    func unit(_ step: Int, _ item: Int?) -> UnitSnapshot? {
      snapshot.steps.indices.contains(step) ? snapshot.steps[step].units.first { $0.item == item } : nil
    }
    switch fact {
    case .intent(let run, let step, let item, let number):
      // A person who has found out that it took no effect takes it off the record.
      if world.isSettled(run, step, item) { return true }
      return unit(step, item)?.lastAttempt.map { $0.number >= number } ?? false
    case .end(let run, let step, let item, let number):
      if world.isSettled(run, step, item) { return true }
      guard let last = unit(step, item)?.lastAttempt else { return false }
      // One that was cancelled may be in doubt later: nobody knows whether it took effect.
      return last.number > number || last.number == number && (last.endedAt != nil || last.failure != nil)
    case .output(_, let step, let item): return unit(step, item)?.output != nil
    case .finished(_, let wanted): return status == wanted
    case .begun: return true
    }
  }
}

extension World {
  fileprivate func words(_ fact: Ledger.Fact) -> String {
    switch fact {
    case .intent(let run, let step, let item, let number):
      "the intent \(number) of \(Self.unit(name(of: run), "\(step)", item))"
    case .end(let run, let step, let item, let number):
      "the end of attempt \(number) of \(Self.unit(name(of: run), "\(step)", item))"
    case .output(let run, let step, let item): "the result of \(Self.unit(name(of: run), "\(step)", item))"
    case .begun(let run): "the beginning of \(name(of: run))"
    case .finished(let run, let status): "the end of \(name(of: run)) as \(status.rawValue)"
    }
  }
}
