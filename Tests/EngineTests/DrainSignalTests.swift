import Engine
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5))) struct DrainSignalTests {
  /// Work that ends only once its task is cancelled.
  private static func untilCancelled(_ began: AsyncStream<Void>.Continuation? = nil) async {
    let (stream, _) = AsyncStream.makeStream(of: Void.self)
    began?.yield()
    // A stream ends for a task that is cancelled.
    for await _ in stream {}
  }

  @Test func theSignalCancelsWhatGoesOn() async {
    let signal = DrainSignal()
    let (began, hasBegun) = AsyncStream.makeStream(of: Void.self)
    let wait = Task { await signal.interrupt { await Self.untilCancelled(hasBegun) } }
    for await _ in began { break }
    #expect(!signal.isSet)
    signal.set()
    await wait.value
    #expect(signal.isSet)
  }

  @Test func workAfterTheSignalBeginsCancelled() async {
    let signal = DrainSignal()
    signal.set()
    let (answers, answer) = AsyncStream.makeStream(of: Bool.self)
    await signal.interrupt {
      await Self.untilCancelled()
      answer.yield(Task.isCancelled)
    }
    for await wasCancelled in answers {
      #expect(wasCancelled)
      break
    }
  }

  @Test func theTaskThatWaitsCancelsTheWork() async {
    let signal = DrainSignal()
    let (began, hasBegun) = AsyncStream.makeStream(of: Void.self)
    let wait = Task { await signal.interrupt { await Self.untilCancelled(hasBegun) } }
    for await _ in began { break }
    wait.cancel()
    await wait.value
    #expect(!signal.isSet)
  }

  @Test func workThatEndsLeavesNothingBehind() async {
    let signal = DrainSignal()
    let count = Mutex(0)
    for _ in 0..<3 { await signal.interrupt { count.withLock { $0 += 1 } } }
    signal.set()
    #expect(count.withLock { $0 } == 3)
  }
}
