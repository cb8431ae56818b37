import Engine
public import Expressions
import Foundation
public import Localization
import Plans
import PluginHost
import Providers
import RecipeModel
import RunStore
import Schemas
public import UseCases

/// Bookmarks of a Readeck server, and the articles that are kept for reading offline.
public struct Bookmarks: Sendable {
  /// A page of bookmarks.
  public struct Page: Sendable {
    /// The bookmarks, as the server has them.
    public var bookmarks: [Value]
    /// Which page it is, from 1.
    public var current: Int
    /// How many bookmarks there are with all pages.
    public var total: Int
    /// How many pages there are.
    public var pages: Int
    /// Whether the server could not be reached, and these are those that are kept.
    public var isOffline: Bool
    /// The ids of listed bookmarks whose change waits for the server; the bookmarks are listed with it.
    public var waiting: Set<String>
  }

  /// The state of the kept articles.
  public struct Status: Sendable {
    /// The provider's name.
    public var provider: String
    /// How many articles.
    public var articles: Int
    /// Bytes of the articles.
    public var articleBytes: Int
    /// How many pictures.
    public var pictures: Int
    /// Bytes of the pictures.
    public var pictureBytes: Int
    /// Changes that wait for the server.
    public var pending: [PendingMark]
    /// The articles that the last sync could not fetch.
    public var failures: [FailedArticle]
    /// When a sync last came to its end.
    public var lastSync: Timestamp?
    /// Why the last one did not.
    public var trouble: LocalizedText?
    /// How many articles are to be kept.
    public var wanted: Int
    /// Whether the daemon syncs by itself.
    public var isAutomatic: Bool
  }

  /// An article.
  public struct Article: Sendable {
    /// The bookmark, as the server has it.
    public var bookmark: Value
    /// The text, a fragment of HTML.
    public var html: String
    /// Whether it was kept; otherwise the server gave it.
    public var isKept: Bool
  }

  /// The provider's name.
  public let provider: String
  let settings: ConfiguredBookmarks
  private let project: Project
  private let folder: String
  private let time = SystemTime()

  /// Finds the provider of the bookmarks.
  ///
  /// - Throws: ``UseCaseError``: `unknown_provider` where there is none, `ambiguous_provider`.
  public init(_ project: Project) throws(UseCaseError) {
    self.project = project
    settings = project.configuration.bookmarks ?? ConfiguredBookmarks()
    folder = project.workspace.stateFolder + "/bookmarks"
    if let named = settings.provider {
      guard project.configuration.provider(named) != nil else {
        throw UseCaseError(
          .unknownProvider,
          LocalizedText(
            "'bookmarks.provider' names '\(named)', which is not configured",
            de: "'bookmarks.provider' nennt '\(named)', das nicht konfiguriert ist"))
      }
      provider = named
      return
    }
    let found = project.providers.names.filter { project.providers.pluginID(of: $0) == "readeck" }
    guard let only = found.first else {
      throw UseCaseError(
        .unknownProvider,
        LocalizedText(
          "no provider has bookmarks; add 'reading: { plugin: readeck, base_url: …, token: … }' to sous.yaml",
          de: "kein Provider hat Lesezeichen; 'reading: { plugin: readeck, base_url: …, token: … }' in sous.yaml "
            + "eintragen"))
    }
    guard found.count == 1 else {
      throw UseCaseError(
        .ambiguousProvider,
        LocalizedText(
          "several providers have bookmarks: \(found.joined(separator: ", ")); name one with 'bookmarks.provider'",
          de: "mehrere Provider haben Lesezeichen: \(found.joined(separator: ", ")); einen mit 'bookmarks.provider' "
            + "nennen"))
    }
    provider = only
  }

  private var shelf: BookmarkShelf { BookmarkShelf(folder, provider: provider) }

  /// Works with the server.
  private func asking<Answer>(_ body: (any BookmarkSource) async throws -> Answer) async throws -> Answer {
    try await project.workspace.recordingRunLog { store in
      // Pictures pass through; nothing of them stays in the run log.
      let storage = TransferStorage(store)
      return try await project.keeping(in: storage) { try await body(ReadeckSource($0, provider, storage)) }
    }
  }

  // MARK: - Reading

  /// Lists bookmarks; those that are kept where the server cannot be reached.
  ///
  /// - Parameter query: As `readeck.list` takes it.
  /// - Throws: ``UseCaseError`` with the server's failure, or where it cannot be reached and nothing is kept.
  public func list(_ query: Value) async throws -> Page {
    do {
      let answer = try await asking { try await $0.list(query) }
      func number(_ name: String) -> Int { answer[name]?.intValue.map { Int(clamping: $0) } ?? 0 }
      let shelf = shelf
      let state = query["state"]?.stringValue
      let bookmarks = (answer["bookmarks"]?.listValue ?? []).compactMap { bookmark in
        shelf.withPending(bookmark).flatMap { $0 == bookmark || shelf.isIn(state, $0) ? $0 : nil }
      }
      return Page(
        bookmarks: bookmarks, current: number("current_page"), total: number("total_count"),
        pages: number("total_pages"), isOffline: false, waiting: Set(shelf.pending.map(\.id)))
    } catch {
      let failure = (error as? ActionFailure) ?? ((error as? UseCaseError)?.cause as? ActionFailure)
      guard failure?.isOffline == true else {
        throw Self.wrapped(
          error, .init("Error loading bookmarks", de: "Fehler beim Laden der Lesezeichen"))
      }
      let shelf = shelf
      guard !shelf.articles.isEmpty else {
        throw Self.wrapped(error, .init("No internet connection", de: "Keine Internetverbindung"))
      }
      let found = shelf.matching(query)
      let limit = max(1, query["limit"]?.intValue.map { Int(clamping: $0) } ?? 20)
      let offset = max(0, query["offset"]?.intValue.map { Int(clamping: $0) } ?? 0)
      return Page(
        bookmarks: Array(found.dropFirst(offset).prefix(limit)), current: offset / limit + 1, total: found.count,
        pages: max(1, found.count / limit + (found.count % limit == 0 ? 0 : 1)), isOffline: true,
        waiting: Set(shelf.pending.map(\.id)))
    }
  }

  private static func wrapped(_ error: any Error, _ words: LocalizedText) -> UseCaseError {
    let cause = UseCaseError(error)
    return UseCaseError(cause.code, words + LocalizedText(verbatim: ": ") + cause.message, cause: cause.cause)
  }

  /// An article: the one that is kept, or the server's, which is kept then where any are.
  public func article(_ id: String) async throws -> Article {
    var shelf = shelf
    if let html = shelf.html(of: id), let kept = shelf.articles.first(where: { $0.id == id }) {
      // Whoever syncs just now writes the index; that somebody reads can go unnoticed.
      if let lock = try? BookmarkLock(folder) {
        shelf = self.shelf
        try? shelf.noteAccess(to: id, at: time.now)
        withExtendedLifetime(lock) {}
      }
      return Article(bookmark: shelf.withPending(kept.bookmark) ?? kept.bookmark, html: html, isKept: true)
    }
    let (html, bookmark) = try await asking { source in
      let html = try await source.article(id)
      return (html, try await source.bookmark(id))
    }
    if settings.articles > 0, let lock = try? BookmarkLock(folder) {
      shelf = self.shelf
      try? shelf.keep(bookmark, id: id, html: html, at: time.now)
      try? shelf.shrink(to: settings.articles, listed: Set(shelf.articles.map(\.id)))
      withExtendedLifetime(lock) {}
    }
    return Article(bookmark: bookmark, html: html, isKept: false)
  }

  /// The state of the kept articles.
  public var status: Status {
    let shelf = shelf
    return Status(
      provider: provider, articles: shelf.articles.count, articleBytes: shelf.articleBytes,
      pictures: shelf.pictures.count, pictureBytes: shelf.pictureBytes, pending: shelf.pending,
      failures: shelf.failures, lastSync: shelf.lastSync, trouble: shelf.trouble, wanted: settings.articles,
      isAutomatic: project.configuration.bookmarks != nil && settings.articles > 0)
  }

  // MARK: - Keeping

  /// Syncs.
  ///
  /// - Parameter tell: Receives the progress.
  /// - Throws: ``UseCaseError`` if another process syncs; any other failure is in the report.
  public func sync(_ tell: @escaping @Sendable (BookmarkProgress) -> Void) async throws -> BookmarkSyncReport {
    let lock = try BookmarkLock(folder)
    defer { withExtendedLifetime(lock) {} }
    var shelf = shelf
    let sync = { (source: any BookmarkSource) in
      BookmarkSync(settings: settings, source: source, time: time, tell: tell)
    }
    return try await asking { try await sync($0).run(&shelf) }
  }

  /// Fetches what is new while a session has the run log open, whose providers are asked.
  func sync(_ session: Session) async throws -> BookmarkSyncReport {
    let lock = try BookmarkLock(folder)
    defer { withExtendedLifetime(lock) {} }
    var shelf = shelf
    // Of a provider that is open already pictures pass through the run log, like all its large values.
    let source = ReadeckSource(project, provider, session.store)
    return try await BookmarkSync(settings: settings, source: source, time: time, tell: { _ in }).run(&shelf)
  }

  /// Changes a bookmark, deletes it where nothing is named; without the server as soon as it is there again.
  ///
  /// - Returns: Whether the server has it already.
  public func mark(_ id: String, _ changes: Value) async throws -> Bool {
    let lock = try BookmarkLock(folder)
    defer { withExtendedLifetime(lock) {} }
    var shelf = shelf
    let mark = PendingMark(id: id, changes: changes, at: time.now)
    var queued = shelf
    queued.add(mark)
    // An earlier change of this bookmark that waits is sent with it.
    guard let merged = queued.pendingMark(of: id) else { return false }
    do {
      try await asking { try await $0.change(id, merged.changes) }
    } catch {
      let failure = (error as? ActionFailure) ?? ((error as? UseCaseError)?.cause as? ActionFailure)
      guard failure?.isOffline == true else { throw error }
      try queued.save()
      return false
    }
    shelf.pending.removeAll { $0.id == id }
    try shelf.apply(merged)
    try shelf.save()
    return true
  }

  /// Drops the change that waits for a bookmark.
  ///
  /// - Returns: Whether one waited.
  public func drop(_ id: String) throws(UseCaseError) -> Bool {
    let lock = try BookmarkLock(folder)
    defer { withExtendedLifetime(lock) {} }
    var shelf = shelf
    guard shelf.pendingMark(of: id) != nil else { return false }
    shelf.pending.removeAll { $0.id == id }
    try shelf.save()
    return true
  }

  /// Removes all articles and pictures that are kept; changes that wait stay.
  public func clear() throws(UseCaseError) {
    let lock = try BookmarkLock(folder)
    defer { withExtendedLifetime(lock) {} }
    var shelf = shelf
    try shelf.clear()
  }

  // MARK: - By itself

  /// Seconds after which a sync that did not come to its end is tried again.
  private static let pauseAfterTrouble = 900.0

  /// Whether it is time for a sync that nobody has asked for.
  func isDue(at now: Timestamp) -> Bool {
    guard project.configuration.bookmarks != nil else { return false }
    let shelf = shelf
    // Switched off: what is kept goes.
    guard settings.articles > 0 else { return !shelf.articles.isEmpty || !shelf.pictures.isEmpty }
    if let tried = shelf.lastTry, abs(now.seconds(since: tried)) < Self.pauseAfterTrouble, shelf.trouble != nil {
      return false
    }
    guard let last = shelf.lastSync else { return true }
    return abs(now.seconds(since: last)) >= settings.interval
  }
}
