package import Engine
package import RunStore
import Synchronization

/// Wakes the worker when the queue may have changed, so that a run begins without waiting for the next look.
///
/// Commits of this process wake it directly, once they are visible. A transaction of another process writes to the -wal file,
/// which inotify(7) reports; the write happens before the commit, which may wait for the disk, so the worker looks several
/// times afterwards. If the folder cannot be watched, the worker looks at intervals.
package final class QueueWatch: Sendable {
  /// The least number of seconds between two looks, so that constant writing does not keep the worker busy.
  private static let shortestPause = 0.02
  /// Seconds after a write of another process at which the worker looks again.
  private static let echoTimes = [0.06, 0.15, 0.35, 0.75, 1.5]

  /// The remaining looks after a write.
  private struct Echoes {
    var since = -Double.infinity
    var next = QueueWatch.echoTimes.count

    /// When the next look is due; `nil` if none is left.
    var due: Double? { QueueWatch.echoTimes.indices.contains(next) ? since + QueueWatch.echoTimes[next] : nil }
  }

  private let watcher: FolderWatcher?
  private let file: String
  private let time: any TimeSource
  private let hasCommitted = Atomic(false)
  private let echoes = Mutex(Echoes())

  /// - Parameters:
  ///   - store: The open run log, whose own commits wake too.
  ///   - time: Where time comes from.
  package convenience init(_ store: RunStore, time: any TimeSource = SystemTime()) {
    self.init(store.path, time: time)
    store.onCommit { [weak self] in self?.commit() }
  }

  /// - Parameter database: The run log's file.
  package init(_ database: String, time: any TimeSource = SystemTime()) {
    self.time = time
    let slash = database.lastIndex(of: "/")
    file = (slash.map { String(database[database.index(after: $0)...]) } ?? database) + "-wal"
    watcher = try? FolderWatcher(slash.map { String(database[..<$0]) } ?? ".")
  }

  /// Whether changes are told.
  package var isTold: Bool { watcher != nil }

  /// Records that a commit of this process is visible, and wakes the worker.
  func commit() {
    hasCommitted.store(true, ordering: .releasing)
    watcher?.wake()
  }

  /// Waits so many seconds, or until the queue may have changed.
  package func rest(_ seconds: Double) async {
    guard let watcher, seconds > Self.shortestPause else {
      try? await time.sleep(seconds: seconds)
      return
    }
    let end = time.monotonic + seconds
    try? await time.sleep(seconds: Self.shortestPause)
    while !Task.isCancelled {
      if watcher.changes().contains(where: { $0 == .written(file) || $0 == .overflow || $0 == .gone }) {
        echoes.withLock { $0 = Echoes(since: time.monotonic, next: 0) }
        return
      }
      if hasCommitted.exchange(false, ordering: .acquiringAndReleasing) { return }
      let now = time.monotonic
      let isEcho = echoes.withLock { echoes in
        guard let due = echoes.due, due <= now else { return false }
        echoes.next += 1
        return true
      }
      if isEcho { return }
      let left = min(end, echoes.withLock { $0.due } ?? end) - now
      guard left > 0 else { return }
      let alarm = Task { [time] in
        try await time.sleep(seconds: left)
        watcher.wake()
      }
      var wakes = watcher.wakes.makeAsyncIterator()
      _ = await wakes.next(isolation: nil)
      alarm.cancel()
    }
  }
}
