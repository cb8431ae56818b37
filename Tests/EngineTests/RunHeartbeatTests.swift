import Engine
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct RunHeartbeatTests {
  @Test func aProcessThatIsStoppedShowsThatItIsAliveUntilItsRunHasEnded() async throws {
    let queue = try MemoryQueue()
    let task = Task {
      try await RunHeartbeat(queue: queue, time: JumpingTime(), controls: CancelTokens()).during {
        while !Task.isCancelled { await Task.yield() }
        let before = queue.beats
        while queue.beats < before + 3 { await Task.yield() }
        return queue.beats
      }
    }
    task.cancel()
    #expect(try await task.value >= 3)
    let beats = queue.beats
    for _ in 0..<100 { await Task.yield() }
    #expect(queue.beats == beats)
  }
}
