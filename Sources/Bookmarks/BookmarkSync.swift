import Engine
import Expressions
public import Localization
import Plans
import RecipeModel
import UseCases

/// How far a sync has come.
public enum BookmarkProgress: Sendable, Equatable {
  /// The list is asked for.
  case list
  /// So many articles are looked at.
  case articles(Int)
  /// An article is fetched.
  case article(Int, of: Int)
  /// An article is kept already.
  case kept(Int, of: Int)
  /// The pictures of an article are fetched.
  case pictures(Int, of: Int)
}

/// What a sync has come to.
public struct BookmarkSyncReport: Sendable {
  /// Articles that were fetched.
  public var fetched = 0
  /// Articles that were kept already.
  public var kept = 0
  /// Articles that could not be fetched.
  public var failed = 0
  /// Changes that were sent.
  public var sent = 0
  /// Changes that the server refused for good: the bookmark's id, and why.
  public var refused: [(id: String, reason: LocalizedText)] = []
  /// Why it ended early; `nil` where it came to its end.
  public var trouble: LocalizedText?
  /// Whether the server could not be reached.
  public var isOffline = false

  /// Creates the report of a sync that has not begun.
  public init() {}
}

/// Fetches the articles that nobody has read yet, one after the other, and keeps them.
///
/// Changes that were made without the server go first. What is kept costs no request. An article that fails is skipped;
/// without the server, or without room on the disk, the sync ends and says so.
struct BookmarkSync {
  /// Pictures of one article at most.
  private static let mostPictures = 200
  /// Pictures that are fetched at once.
  private static let pictureWidth = 4
  /// Tries for each picture.
  private static let pictureTries = 2

  let settings: ConfiguredBookmarks
  let source: any BookmarkSource
  let time: any TimeSource
  let tell: @Sendable (BookmarkProgress) -> Void

  /// Syncs.
  ///
  /// - Throws: `CancellationError` between two requests.
  func run(_ shelf: inout BookmarkShelf) async throws -> BookmarkSyncReport {
    var report = BookmarkSyncReport()
    shelf.lastTry = time.now
    do {
      try await work(&shelf, &report)
      (shelf.lastSync, shelf.trouble) = (time.now, nil)
    } catch let failure as ActionFailure {
      guard !Task.isCancelled else { throw CancellationError() }
      (report.trouble, report.isOffline) = (failure.message, failure.isOffline)
      shelf.trouble = failure.message
    } catch let error as UseCaseError {
      report.trouble = error.message
      shelf.trouble = error.message
    }
    // Where the disk is full nothing is lost by this failing.
    try? shelf.save()
    return report
  }

  private func work(_ shelf: inout BookmarkShelf, _ report: inout BookmarkSyncReport) async throws {
    try await send(&shelf, &report)
    guard settings.articles > 0 else { return try shelf.clear() }
    tell(.list)
    let page = try await source.list(["state": "unread", "limit": .int(Int64(settings.articles))])
    let bookmarks = (page["bookmarks"]?.listValue ?? []).prefix(settings.articles)
    tell(.articles(bookmarks.count))
    for (index, bookmark) in bookmarks.enumerated() {
      try Task.checkCancellation()
      guard let id = bookmark["id"]?.stringValue else { continue }
      if shelf.html(of: id) != nil {
        tell(.kept(index + 1, of: bookmarks.count))
        report.kept += 1
        continue
      }
      tell(.article(index + 1, of: bookmarks.count))
      do throws(ActionFailure) {
        let html = try await source.article(id)
        try keep(bookmark, id, html, &shelf)
        report.fetched += 1
      } catch {
        guard !error.isOffline, error.kind != .cancelled, error.kind != .diskFull else { throw error }
        report.failed += 1
        continue
      }
      guard settings.hasPictures else { continue }
      tell(.pictures(index + 1, of: bookmarks.count))
      try await fetchPictures(of: id, &shelf)
    }
    try shelf.shrink(to: settings.articles, listed: Set(bookmarks.compactMap { $0["id"]?.stringValue }))
    try shelf.shrinkPictures(to: settings.hasPictures ? settings.pictureSpace : 0)
  }

  private func keep(
    _ bookmark: Value, _ id: String, _ html: String, _ shelf: inout BookmarkShelf
  ) throws(ActionFailure) {
    do throws(UseCaseError) {
      try shelf.keep(bookmark, id: id, html: html, at: time.now)
    } catch {
      throw ActionFailure(.diskFull, error.message)
    }
  }

  /// Sends changes that were made without the server, the oldest first. One that the server refuses for good is dropped.
  private func send(_ shelf: inout BookmarkShelf, _ report: inout BookmarkSyncReport) async throws {
    while let mark = shelf.pending.first {
      try Task.checkCancellation()
      do throws(ActionFailure) {
        try await source.change(mark.id, mark.changes)
        report.sent += 1
      } catch {
        guard !error.kind.isTransient, error.kind != .auth, error.kind != .cancelled else { throw error }
        report.refused.append((mark.id, error.message))
      }
      shelf.pending.removeFirst()
      try shelf.save()
    }
  }

  // MARK: - Pictures

  private func fetchPictures(of id: String, _ shelf: inout BookmarkShelf) async throws {
    guard let html = shelf.html(of: id) else { return }
    let urls = Array(PictureLinks.urls(in: html).prefix(Self.mostPictures))
    let missing = urls.filter { shelf.picture($0) == nil }
    for start in stride(from: 0, to: missing.count, by: Self.pictureWidth) {
      try Task.checkCancellation()
      let some = missing[start..<min(start + Self.pictureWidth, missing.count)]
      let fetched = await withTaskGroup(of: (String, [UInt8])?.self) { group in
        for url in some { group.addTask { await fetch(url) } }
        return await group.reduce(into: [(String, [UInt8])]()) { if let found = $1 { $0.append(found) } }
      }
      for (url, bytes) in fetched { try shelf.keep(picture: url, bytes, at: time.now) }
    }
    if let index = shelf.articles.firstIndex(where: { $0.id == id }) { shelf.articles[index].pictures = urls }
    try shelf.save()
    try shelf.shrinkPictures(to: settings.pictureSpace)
  }

  /// A picture that cannot be had stops nothing.
  private func fetch(_ url: String) async -> (String, [UInt8])? {
    for _ in 0..<Self.pictureTries {
      do throws(ActionFailure) {
        return (url, try await source.picture(url))
      } catch {
        guard error.kind.isTransient else { return nil }
      }
    }
    return nil
  }
}

extension ActionFailure.Kind {
  /// Nothing can be kept any more.
  fileprivate static let diskFull = Self(rawValue: "disk_full")
}
