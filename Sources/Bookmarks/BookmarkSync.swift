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

/// The result of a sync.
public struct BookmarkSyncReport: Sendable {
  /// Articles that were fetched.
  public var fetched = 0
  /// Articles that were kept already.
  public var kept = 0
  /// Articles that could not be fetched.
  public var failures: [FailedArticle] = []
  /// Changes that were sent.
  public var sent = 0
  /// Changes that the server did not take, which wait on.
  public var held: [PendingMark] = []
  /// Changes that the server refused for good: the bookmark's id, and why.
  public var refused: [(id: String, reason: LocalizedText)] = []
  /// Why it ended early; `nil` where it came to its end.
  public var trouble: LocalizedText?
  /// Whether the server could not be reached.
  public var isOffline = false

  /// Creates the report of a sync that has not begun.
  public init() {}
}

/// Fetches the unread articles, one after the other, and keeps them.
///
/// Changes that were made without the server go first. A kept article costs no request. An article or a change that fails is
/// skipped and tried again by the next sync, after the others. Without the server, or without room on the disk, the sync ends
/// and says so.
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
      shelf.failures = report.failures
      report.trouble = report.nothingSucceeded
      shelf.trouble = report.trouble
      if report.trouble == nil { shelf.lastSync = time.now }
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
    let listed = Set(bookmarks.compactMap { $0["id"]?.stringValue })
    for bookmark in bookmarks {
      if let id = bookmark["id"]?.stringValue { shelf.renew(bookmark, id: id) }
    }
    let isWhole = page["total_count"]?.intValue.map { $0 <= listed.count } ?? false
    if isWhole { try shelf.remove(Set(shelf.articles.map(\.id)).subtracting(listed)) }
    shelf.textless = shelf.textless.filter { listed.contains($0.key) }
    tell(.articles(bookmarks.count))
    // Articles that failed last time come last, so that they cannot hold up the others.
    let failed = Set(shelf.failures.map(\.id))
    let inTurn =
      bookmarks.filter { !failed.contains($0["id"]?.stringValue ?? "") }
      + bookmarks.filter { failed.contains($0["id"]?.stringValue ?? "") }
    var outage = Outage()
    for (index, bookmark) in inTurn.enumerated() {
      try Task.checkCancellation()
      guard let id = bookmark["id"]?.stringValue else { continue }
      if shelf.html(of: id) != nil {
        tell(.kept(index + 1, of: bookmarks.count))
        report.kept += 1
        continue
      }
      guard bookmark["has_article"] != false, shelf.textless[id] != bookmark.updated else { continue }
      tell(.article(index + 1, of: bookmarks.count))
      do throws(ActionFailure) {
        let html = try await source.article(id)
        try keep(bookmark, id, html, &shelf)
        report.fetched += 1
        outage = Outage()
      } catch {
        if error.kind == .notFound {
          shelf.textless[id] = bookmark.updated
          continue
        }
        guard error.kind != .cancelled, error.kind != .diskFull, !outage.isCertain(after: error) else { throw error }
        report.failures.append(
          FailedArticle(id: id, title: bookmark["title"]?.stringValue ?? id, reason: error.message))
        continue
      }
      guard settings.hasPictures else { continue }
      tell(.pictures(index + 1, of: bookmarks.count))
      try await fetchPictures(of: id, &shelf)
    }
    try shelf.shrink(to: settings.articles, listed: listed)
    try shelf.shrinkPictures(to: settings.hasPictures ? settings.pictureSpace : 0)
    if !isWhole { try await look(after: Set(shelf.articles.map(\.id)).subtracting(listed), &shelf) }
  }

  /// Asks for kept articles that a page of a longer list did not have: those that were deleted or archived go.
  private func look(after ids: Set<String>, _ shelf: inout BookmarkShelf) async throws {
    for id in ids.sorted() {
      try Task.checkCancellation()
      do throws(ActionFailure) {
        let bookmark = try await source.bookmark(id)
        if bookmark["is_archived"] == true || bookmark["is_deleted"] == true {
          try? shelf.remove([id])
        } else {
          shelf.renew(bookmark, id: id)
        }
      } catch {
        guard error.kind == .notFound else { return }
        try? shelf.remove([id])
      }
    }
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

  /// Sends changes that were made without the server, the oldest first; those that failed before come last.
  ///
  /// A change is dropped only if the bookmark does not exist any more, or can never be changed so. Any other failure may end:
  /// the change waits on, and the others are sent.
  private func send(_ shelf: inout BookmarkShelf, _ report: inout BookmarkSyncReport) async throws {
    var outage = Outage()
    for mark in shelf.pending.filter({ $0.trouble == nil }) + shelf.pending.filter({ $0.trouble != nil }) {
      try Task.checkCancellation()
      do throws(ActionFailure) {
        try await source.change(mark.id, mark.changes)
        report.sent += 1
        outage = Outage()
      } catch {
        guard error.kind == .notFound || error.kind == .invalidInput else {
          guard error.kind != .cancelled, !error.isUnreachable else { throw error }
          if let place = shelf.pending.firstIndex(of: mark) {
            shelf.pending[place].trouble = error.message
            report.held.append(shelf.pending[place])
          }
          // The list that follows shows whether the server answers at all.
          if outage.isCertain(after: error) { break }
          continue
        }
        report.refused.append((mark.id, error.message))
        shelf.pending.removeAll { $0 == mark }
        try shelf.save()
        continue
      }
      shelf.pending.removeAll { $0 == mark }
      try shelf.apply(mark)
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

extension ActionFailure {
  /// Whether no connection to the server is possible; another request fails as well.
  fileprivate var isUnreachable: Bool { [.dns, .refused, .unreachable].contains(kind) }
}

/// Distinguishes the failure of one bookmark from that of the whole server.
private struct Outage {
  private var inARow = 0

  /// Whether the server as a whole fails, and not only what was asked for: it cannot be reached, or two requests in a row got
  /// no answer, or were refused for their number or for the token.
  mutating func isCertain(after failure: ActionFailure) -> Bool {
    if failure.isUnreachable { return true }
    guard failure.isOffline || failure.kind == .rateLimited || failure.kind == .auth else { return false }
    inARow += 1
    return inARow > 1
  }
}

extension Value {
  /// When the server last changed a bookmark, as it gives it.
  fileprivate var updated: String { self["updated"]?.stringValue ?? "" }
}

extension BookmarkSyncReport {
  /// The first failure if nothing that was tried succeeded; otherwise `nil`.
  fileprivate var nothingSucceeded: LocalizedText? {
    guard fetched == 0, sent == 0 else { return nil }
    if let first = failures.first {
      return LocalizedText(
        "none of \(failures.count) articles could be fetched; '\(first.title)' (\(first.id)): \(first.reason.english)",
        de: "von \(failures.count) Artikeln ließ sich keiner laden; '\(first.title)' (\(first.id)): "
          + first.reason.german)
    }
    guard let first = held.first, let reason = first.trouble else { return nil }
    return LocalizedText(
      "the change of \(first.id) waits on: \(reason.english)",
      de: "die Änderung von \(first.id) wartet weiter: \(reason.german)")
  }
}
