import NIOCore

/// Notices that nothing has happened for a while. Belongs to the event loop.
///
/// One timer, not one for each sign of life: when it fires it sees how long ago the last one was.
final class Silence {
  private let limit: TimeAmount
  private let loop: any EventLoop
  private let heldBack: () -> NIODeadline
  private let onSilence: () -> Void
  private var last: NIODeadline
  private var timer: Scheduled<Void>?

  /// Begins to wait.
  ///
  /// - Parameters:
  ///   - heldBack: The last moment at which this side kept the other from going on, now where it still does: until then
  ///     nobody was silent.
  ///   - onSilence: Called once, after a silence.
  init(
    limit: Duration, loop: any EventLoop, heldBack: @escaping () -> NIODeadline = { .distantPast },
    onSilence: @escaping () -> Void
  ) {
    self.limit = TimeAmount(limit)
    self.loop = loop
    self.heldBack = heldBack
    self.onSilence = onSilence
    last = loop.now
    wait(self.limit)
  }

  /// Something has happened.
  func touch() { last = loop.now }

  /// Nobody waits any more.
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
      onSilence()
    }
  }
}
