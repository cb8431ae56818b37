import NIOCore

/// Notices that nothing has happened for a while. Belongs to the event loop.
///
/// One timer, not one for each sign of life: when it fires it sees how long ago the last one was.
final class Silence {
  private let limit: TimeAmount
  private let loop: any EventLoop
  private let onSilence: () -> Bool
  private var last: NIODeadline
  private var timer: Scheduled<Void>?

  /// Begins to wait.
  ///
  /// - Parameter onSilence: Called after a silence; returns whether that was the end. Otherwise it waits again.
  init(limit: Duration, loop: any EventLoop, onSilence: @escaping () -> Bool) {
    self.limit = TimeAmount(limit)
    self.loop = loop
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
    let passed = loop.now - last
    if passed < limit {
      wait(limit - passed)
    } else if !onSilence() {
      last = loop.now
      wait(limit)
    }
  }
}
