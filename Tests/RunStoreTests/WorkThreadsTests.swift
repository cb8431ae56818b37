import Engine
import Synchronization
import Testing

@testable import RunStore

struct WorkThreadsTests {
  private final class Tally: Sendable {
    private let reached = Atomic(0)

    var count: Int { reached.load(ordering: .acquiring) }

    func add() { reached.add(1, ordering: .acquiringAndReleasing) }
  }

  @Test func aThreadOfAnotherKindWritesNothing() {
    #expect(!WorkThreads.shared.write(gathering: false) { Issue.record("nobody waits for this") })
  }

  @Test(.timeLimit(.minutes(5)))
  func whatARunHasWrittenIsWrittenOnceTheRunIsSuspended() async {
    let isWritten = await withTaskExecutorPreference(WorkThreads.shared) {
      await withCheckedContinuation { continuation in
        let isTaken = WorkThreads.shared.write(gathering: true) { continuation.resume(returning: true) }
        if !isTaken { continuation.resume(returning: false) }
      }
    }
    #expect(isWritten)
  }

  @Test(.timeLimit(.minutes(5)))
  func manyTasksThatWaitForOneAnotherEnd() async {
    let tally = Tally()
    await withTaskExecutorPreference(WorkThreads.shared) {
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<64 {
          group.addTask {
            for _ in 0..<50 {
              await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                if !WorkThreads.shared.write(gathering: true, { continuation.resume() }) { continuation.resume() }
              }
              tally.add()
            }
          }
        }
      }
    }
    #expect(tally.count == 64 * 50)
  }

  @Test(.timeLimit(.minutes(5)))
  func aThreadThatIsHeldUpHoldsNobodyElseUp() async {
    // One of two tasks only ends when the other one has: each needs a thread of its own.
    let tally = Tally()
    await withTaskExecutorPreference(WorkThreads.shared) {
      await withTaskGroup(of: Void.self) { group in
        group.addTask { while tally.count == 0 {} }
        group.addTask { tally.add() }
      }
    }
    #expect(tally.count == 1)
  }
}
