/// Keeps a run alive that this process works on in the foreground: writes the heartbeat, and cancels the run if another process
/// has asked for it.
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

  /// Calls a function with a heartbeat until it returns: also while an interrupted run ends, which may take longer than other
  /// processes wait for a heartbeat.
  ///
  /// - Parameter body: The work.
  public func attending<Result: Sendable>(_ body: () async throws -> Result) async throws -> Result {
    // A task of its own, awaited on every way out: it must outlive the cancellation of the surrounding one.
    let attendance = Task { await attend() }
    do {
      let result = try await body()
      attendance.cancel()
      await attendance.value
      return result
    } catch {
      attendance.cancel()
      await attendance.value
      throw error
    }
  }

  private func attend() async {
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
