import Engine

/// Tells when somebody may have put something into the queue: a run that another process has queued begins without waiting
/// for the next look.
///
/// Each transaction of the run log writes to its -wal file, whoever makes it; that is seen by inotify(7). Where the folder
/// cannot be watched, the looks in intervals stay.
final class QueueWatch: Sendable {
  /// Seconds between two looks at least: whoever writes all the time does not keep the worker looking.
  private static let shortestPause = 0.02

  private let watcher: FolderWatcher?
  private let file: String
  private let time = SystemTime()

  /// - Parameter database: The run log.
  init(_ database: String) {
    let slash = database.lastIndex(of: "/")
    file = (slash.map { String(database[database.index(after: $0)...]) } ?? database) + "-wal"
    watcher = try? FolderWatcher(slash.map { String(database[..<$0]) } ?? ".")
  }

  /// Whether changes are told.
  var isTold: Bool { watcher != nil }

  /// Waits so many seconds, or until the run log was written to.
  func rest(_ seconds: Double) async {
    guard let watcher, seconds > Self.shortestPause else {
      try? await time.sleep(seconds: seconds)
      return
    }
    let end = time.monotonic + seconds
    try? await time.sleep(seconds: Self.shortestPause)
    while !Task.isCancelled {
      if watcher.changes().contains(where: { $0 == .written(file) || $0 == .overflow || $0 == .gone }) { return }
      let left = end - time.monotonic
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
