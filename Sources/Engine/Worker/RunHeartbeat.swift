/// Renews the heartbeat of a process while it works on a run in the foreground, and cancels runs as other processes ask.
public struct RunHeartbeat: Sendable {
  /// Seconds between two heartbeats.
  static let beatSeconds = 15.0

  private let queue: any RunQueue
  private let time: any TimeSource
  private let controls: CancelTokens

  /// Creates a heartbeat.
  ///
  /// - Parameters:
  ///   - queue: The queue in which the run belongs to this process.
  ///   - time: The clock.
  ///   - controls: The cancel tokens of all runs of this process: also those of interrupted runs and of steps.
  public init(queue: any RunQueue, time: any TimeSource, controls: CancelTokens) {
    self.queue = queue
    self.time = time
    self.controls = controls
  }

  /// Works, with a heartbeat until the work has ended: an interrupted run may take longer to end than other processes wait
  /// for a heartbeat.
  public func during<Answer: Sendable>(_ body: () async throws -> Answer) async throws -> Answer {
    try await withBackground([keep], body)
  }

  @Sendable private func keep() async {
    var lastBeat = time.monotonic
    while (try? await time.sleep(seconds: 0.5)) != nil {
      // The run itself reports a failing run log.
      for run in (try? await queue.cancelRequests()) ?? [] { controls.cancel(run) }
      guard time.monotonic - lastBeat >= Self.beatSeconds else { continue }
      lastBeat = time.monotonic
      try? await queue.beat()
    }
  }
}
