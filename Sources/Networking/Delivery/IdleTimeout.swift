import NIOCore

/// Reports that nothing has happened for a given time. Use it on the event loop only.
///
/// It has one timer, which compares the time of the last activity when it fires: restarting a timer for each activity is slow.
final class IdleTimeout {
  private let limit: TimeAmount
  private let loop: any EventLoop
  private let heldBack: () -> NIODeadline
  private let onTimeout: () -> Void
  private var last: NIODeadline
  private var timer: Scheduled<Void>?

  /// Starts the timer.
  ///
  /// - Parameters:
  ///   - heldBack: The last time at which this side refused to read; now if it still does. The peer was not idle until then.
  ///   - onTimeout: Called once, when the time has passed.
  init(
    limit: Duration, loop: any EventLoop, heldBack: @escaping () -> NIODeadline = { .distantPast },
    onTimeout: @escaping () -> Void
  ) {
    self.limit = TimeAmount(limit)
    self.loop = loop
    self.heldBack = heldBack
    self.onTimeout = onTimeout
    last = loop.now
    wait(self.limit)
  }

  /// Records activity.
  func touch() { last = loop.now }

  /// Cancels the timer.
  func stop() {
    timer?.cancel()
    timer = nil
  }

  private func wait(_ time: TimeAmount) {
    timer = loop.assumeIsolated().scheduleTask(in: time) { [weak self] in self?.fired() }
  }

  private func fired() {
    guard timer != nil else { return }
    let passed = loop.now - max(last, heldBack())
    if passed < limit {
      wait(limit - passed)
    } else {
      timer = nil
      onTimeout()
    }
  }
}
