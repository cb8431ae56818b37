/// What a process does beside a run that it works on in the foreground: it shows that it is alive, and looks whether
/// somebody has asked to call the run off.
public struct RunHeartbeat: Sendable {
  /// Seconds between two signs of life.
  static let beatSeconds = 15.0

  private let queue: any RunQueue
  private let time: any TimeSource
  private let controls: CancelTokens

  /// Creates an attendance.
  ///
  /// - Parameters:
  ///   - queue: Where the run belongs to this process.
  ///   - time: Where time comes from.
  ///   - controls: The runs that are worked on: also those that others have left, and those of steps.
  public init(queue: any RunQueue, time: any TimeSource, controls: CancelTokens) {
    self.queue = queue
    self.time = time
    self.controls = controls
  }

  /// Works and attends to the run until the work has ended: also while a run that was interrupted comes to its end, which
  /// may take longer than others wait for a sign of life.
  ///
  /// - Parameter body: The work.
  public func attending<Result: Sendable>(_ body: () async throws -> Result) async throws -> Result {
    // A task of its own, awaited on every way out: the end of the surrounding one must not end it.
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
      // A run log that cannot be used now shows in what the run itself records.
      for run in (try? await queue.cancelRequests()) ?? [] { controls.cancel(run) }
      guard time.monotonic - lastBeat >= Self.beatSeconds else { continue }
      lastBeat = time.monotonic
      try? await queue.beat()
    }
  }
}
