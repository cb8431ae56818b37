import Engine
import Synchronization
package import UseCases

/// Tells many at once that somebody may have written to the run log, whichever process did it.
public final class RunLogChanges: Sendable {
  /// Seconds between two beats at least: many may look at each.
  private static let shortestPause = 0.25
  /// Seconds after which it beats although nothing was told; the same where nothing is told at all.
  private static let (longestPause, interval) = (30.0, 1.0)

  private let listeners = Mutex<(next: Int, all: [Int: AsyncStream<Void>.Continuation])>((0, [:]))

  /// Creates a teller without listeners.
  package init() {}

  /// A beat for each time that the run log may have been written to; several that nobody has waited for are one.
  public func beats() -> AsyncStream<Void> {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let number = listeners.withLock { listeners in
      defer { listeners.next += 1 }
      listeners.all[listeners.next] = continuation
      return listeners.next
    }
    continuation.onTermination = { [weak self] _ in self?.listeners.withLock { $0.all[number] = nil } }
    return stream
  }

  /// How many listen.
  var count: Int { listeners.withLock { $0.all.count } }

  /// Beats once.
  func beat() {
    for listener in listeners.withLock({ Array($0.all.values) }) { listener.yield() }
  }

  /// Beats until the task is cancelled.
  package func beat(with watch: QueueWatch) async {
    let time = SystemTime()
    while !Task.isCancelled {
      await watch.rest(watch.isTold ? Self.longestPause : Self.interval)
      beat()
      try? await time.sleep(seconds: Self.shortestPause)
    }
  }
}
