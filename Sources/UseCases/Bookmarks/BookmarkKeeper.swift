import Engine
import Recipes

/// Syncs bookmarks while recipes are served, as `bookmarks` of `sous.yaml` says.
struct BookmarkKeeper: Sendable {
  /// Seconds between two looks whether it is time.
  private static let interval = 30.0

  let session: Session

  /// Looks again and again, until the session drains or the task is cancelled. What goes wrong stands in the status.
  func keep() async {
    guard session.project.configuration.bookmarks != nil, let bookmarks = try? Bookmarks(session.project) else {
      return
    }
    let time = SystemTime()
    var next = time.monotonic
    while !Task.isCancelled, !session.drain.isSet {
      if time.monotonic >= next {
        next = time.monotonic + Self.interval
        if bookmarks.isDue(at: time.now) { await sync(bookmarks) }
      }
      try? await time.sleep(seconds: 0.5)
    }
  }

  /// A sync that ends when the session does.
  private func sync(_ bookmarks: Bookmarks) async {
    let work = Task(priority: .utility) { try? await bookmarks.sync(session) }
    let watch = Task {
      while !session.drain.isSet { try await SystemTime().sleep(seconds: 0.25) }
      work.cancel()
    }
    await withTaskCancellationHandler {
      _ = await work.value
    } onCancel: {
      work.cancel()
    }
    watch.cancel()
    _ = await watch.result
  }
}
