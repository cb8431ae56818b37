import Engine
import RecipeModel
package import UseCases

/// Syncs bookmarks while recipes are served, as `bookmarks` of `sous.yaml` says.
package struct BookmarkKeeper: Sendable {
  /// Seconds between two looks whether it is time.
  private static let interval = 30.0

  private let session: Session

  package init(_ session: Session) { self.session = session }

  /// Looks again and again, until the session drains or the task is cancelled. The status has the failures.
  package func keep() async {
    guard session.project.configuration.bookmarks != nil, let bookmarks = try? Bookmarks(session.project) else {
      return
    }
    let time = SystemTime()
    while !Task.isCancelled, !session.drain.isSet {
      if bookmarks.isDue(at: time.now) { await sync(bookmarks) }
      await session.drain.interrupt { try? await time.sleep(seconds: Self.interval) }
    }
  }

  /// A sync that ends when the session does.
  private func sync(_ bookmarks: Bookmarks) async {
    await session.drain.interrupt { _ = try? await bookmarks.sync(session) }
  }
}
