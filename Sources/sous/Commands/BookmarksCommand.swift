import ArgumentParser
import Bookmarks
import Expressions
import Foundation
import Localization
import Mail
import PluginHost
import UseCases

/// `sous bookmarks`: bookmarks of a Readeck server, and articles for reading offline.
struct BookmarksCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "bookmarks",
      abstract: say(
        "List and read bookmarks, online and offline.", de: "Lesezeichen auflisten und lesen, mit und ohne Netz."),
      subcommands: [
        BookmarksListCommand.self, BookmarksShowCommand.self, BookmarksMarkCommand.self, BookmarksStatusCommand.self,
        BookmarksSyncCommand.self, BookmarksDropCommand.self, BookmarksClearCommand.self,
      ],
      defaultSubcommand: BookmarksListCommand.self)
  }
}

/// `sous bookmarks list`
struct BookmarksListCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "list",
      abstract: say(
        "List bookmarks; those that are kept where the server cannot be reached.",
        de: "Lesezeichen auflisten; die aufgehobenen, wo der Server nicht erreichbar ist."))
  }

  @Option(
    help: ArgumentHelp(
      say("unread, archived, marked or all.", de: "unread, archived, marked oder all."), valueName: "state"))
  var filter = "unread"

  @Option(help: ArgumentHelp(say("At most so many.", de: "Höchstens so viele."), valueName: "count"))
  var limit = 20

  @Option(help: ArgumentHelp(say("How many are skipped.", de: "Wie viele übergangen werden."), valueName: "count"))
  var offset = 0

  @Option(help: ArgumentHelp(say("Words to look for.", de: "Wörter, nach denen gesucht wird."), valueName: "words"))
  var search: String?

  @Option(help: ArgumentHelp(say("article, photo or video.", de: "article, photo oder video."), valueName: "type"))
  var type: String?

  @Option(help: ArgumentHelp(say("A label that they have.", de: "Ein Label, das sie haben."), valueName: "label"))
  var tag: String?

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  mutating func validate() throws {
    guard ["unread", "archived", "marked", "all"].contains(filter) else {
      throw ValidationError(
        say("--filter is unread, archived, marked or all", de: "--filter ist unread, archived, marked oder all"))
    }
    guard (1...100).contains(limit), (0...1_000_000).contains(offset) else {
      throw ValidationError(say("--limit takes 1 to 100", de: "--limit nimmt 1 bis 100"))
    }
    if let type, !["article", "photo", "video"].contains(type) {
      throw ValidationError(say("--type is article, photo or video", de: "--type ist article, photo oder video"))
    }
  }

  func run() async throws {
    var query: ValueMap = ["state": .string(filter), "limit": .int(Int64(limit)), "offset": .int(Int64(offset))]
    if let search { query["search"] = .string(search) }
    if let type { query["type"] = .string(type) }
    if let tag { query["label"] = .string(tag) }
    let page = try await Workspace(global).withBookmarks { try await $0.list(.map(query)) }
    if format.json {
      return writeJSON([
        "bookmarks": .list(page.bookmarks), "current_page": .int(Int64(page.current)),
        "total_count": .int(Int64(page.total)), "total_pages": .int(Int64(page.pages)),
        "offline": .bool(page.isOffline),
        "waiting": .list(
          page.bookmarks.compactMap { bookmark in
            bookmark["id"]?.stringValue.flatMap { page.waiting.contains($0) ? .string($0) : nil }
          }),
      ])
    }
    if page.isOffline {
      writeError(
        say("Offline mode – showing kept articles\n", de: "Offline-Modus – Zeige gespeicherte Artikel\n"))
    }
    guard !page.bookmarks.isEmpty else { return write(say("no bookmarks\n", de: "keine Lesezeichen\n")) }
    var table = TextTable([
      .init("id"), .init(""), .init(say("title", de: "Titel"), .cut(to: 20)),
      .init(say("site", de: "Seite"), .cut(to: 10)), .number(say("reading", de: "Lesezeit")),
    ])
    for bookmark in page.bookmarks {
      table.append([
        bookmark["id"]?.stringValue ?? "",
        (bookmark["is_marked"] == true ? "★" : "")
          + (page.waiting.contains(bookmark["id"]?.stringValue ?? "") ? "↑" : ""),
        bookmark["title"]?.stringValue ?? "", bookmark["site_name"]?.stringValue ?? "",
        bookmark["reading_time"]?.intValue.map { $0 > 0 ? "\($0) min" : "" } ?? "",
      ])
    }
    write(table.text())
  }
}

/// `sous bookmarks show`
struct BookmarksShowCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "show",
      abstract: say(
        "Show an article: the kept one first, else the server's.",
        de: "Einen Artikel zeigen: erst den aufgehobenen, sonst den vom Server."))
  }

  @Argument(help: ArgumentHelp(say("The bookmark's id.", de: "Die Kennung des Lesezeichens."), valueName: "id"))
  var id: String

  @Flag(help: ArgumentHelp(say("Print the HTML as it is.", de: "Das HTML ausgeben, wie es ist.")))
  var html = false

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let article = try await Workspace(global).withBookmarks { try await $0.article(id) }
    if format.json {
      return writeJSON(["bookmark": article.bookmark, "html": .string(article.html), "kept": .bool(article.isKept)])
    }
    if html { return writeVerbatim(article.html.hasSuffix("\n") ? article.html : article.html + "\n") }
    var lines = [article.bookmark["title"]?.stringValue ?? id]
    if let url = article.bookmark["url"]?.stringValue { lines.append(url) }
    lines.append("")
    lines += HTMLText.convert(article.html, links: .omitted).split(separator: "\n", omittingEmptySubsequences: false)
      .map(String.init)
    while lines.last?.isEmpty == true { lines.removeLast() }
    write(lines.map { $0.singleLine + "\n" }.joined())
  }
}

/// `sous bookmarks mark`
struct BookmarksMarkCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "mark",
      abstract: say(
        "Archive a bookmark, make it a favourite, delete it; without the server as soon as it is there again.",
        de: "Ein Lesezeichen archivieren, zum Favoriten machen, löschen; ohne Server, sobald er wieder da ist."))
  }

  @Argument(help: ArgumentHelp(say("The bookmark's id.", de: "Die Kennung des Lesezeichens."), valueName: "id"))
  var id: String

  @Flag(
    inversion: .prefixedNo, help: ArgumentHelp(say("Into the archive, or out of it.", de: "Ins Archiv oder heraus.")))
  var archive: Bool?

  @Flag(inversion: .prefixedNo, help: ArgumentHelp(say("Favourite, or not.", de: "Favorit oder nicht.")))
  var favourite: Bool?

  @Option(
    help: ArgumentHelp(say("How much is read, 0 to 100.", de: "Wie viel gelesen ist, 0 bis 100."), valueName: "percent")
  )
  var progress: Int?

  @Flag(help: ArgumentHelp(say("Delete it.", de: "Es löschen.")))
  var delete = false

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  mutating func validate() throws {
    let changes = archive != nil || favourite != nil || progress != nil
    if delete == changes {
      throw ValidationError(
        say(
          "say what changes: --archive, --favourite, --progress, or --delete alone",
          de: "angeben, was sich ändert: --archive, --favourite, --progress, oder --delete allein"))
    }
    if let progress, !(0...100).contains(progress) {
      throw ValidationError(say("--progress takes 0 to 100", de: "--progress nimmt 0 bis 100"))
    }
  }

  func run() async throws {
    var changes = ValueMap()
    if let archive { changes["is_archived"] = .bool(archive) }
    if let favourite { changes["is_marked"] = .bool(favourite) }
    if let progress { changes["read_progress"] = .int(Int64(progress)) }
    let isSent = try await Workspace(global).withBookmarks { [changes] in try await $0.mark(id, .map(changes)) }
    if format.json { return writeJSON(["sent": .bool(isSent)]) }
    write(
      isSent
        ? say("changed\n", de: "geändert\n")
        : say(
          "Changes are synced as soon as the server is there again.\n",
          de: "Änderungen werden synchronisiert, sobald der Server wieder da ist.\n"))
  }
}

/// `sous bookmarks status`
struct BookmarksStatusCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "status", abstract: say("Show what is kept.", de: "Zeigen, was aufgehoben ist."))
  }

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let status = try await Workspace(global).withBookmarks { $0.status }
    if format.json {
      return writeJSON([
        "provider": .string(status.provider), "articles": .int(Int64(status.articles)),
        "article_bytes": .int(Int64(status.articleBytes)), "pictures": .int(Int64(status.pictures)),
        "picture_bytes": .int(Int64(status.pictureBytes)), "pending": .int(Int64(status.pending.count)),
        "changes": .list(status.pending.map(\.json)), "failures": .list(status.failures.map(\.json)),
        "last_sync": status.lastSync.map { .string($0.rfc3339) } ?? .null, "wanted": .int(Int64(status.wanted)),
        "automatic": .bool(status.isAutomatic), "trouble": status.trouble.map { .string($0.spoken) } ?? .null,
      ])
    }
    let articles = LocalizedText.count(status.articles, "article", "articles", de: "Artikel", "Artikel").spoken
    var lines = ["\(articles), \(status.articleBytes.spokenSize)"]
    if status.pictures > 0 {
      let pictures = LocalizedText.count(status.pictures, "picture", "pictures", de: "Bild", "Bilder").spoken
      lines.append("\(pictures), \(status.pictureBytes.spokenSize)")
    }
    if let last = status.lastSync {
      lines.append(say("Last synced: \(last.spokenLocalTime)", de: "Zuletzt synchronisiert: \(last.spokenLocalTime)"))
    } else {
      lines.append(say("Never synced", de: "Noch nie synchronisiert"))
    }
    if let trouble = status.trouble { lines.append("✗ \(trouble.spoken)") }
    lines += status.failures.map(\.spoken)
    if !status.pending.isEmpty {
      lines.append(
        LocalizedText.count(
          status.pending.count, "change waits", "changes wait", de: "Änderung wartet", "Änderungen warten"
        ).spoken)
      lines += status.pending.map(\.spoken)
    }
    write(lines.map { $0.singleLine + "\n" }.joined())
  }
}

/// `sous bookmarks sync`
struct BookmarksSyncCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "sync",
      abstract: say(
        "Send changes that wait, and keep unread articles for reading offline.",
        de: "Wartende Änderungen senden und ungelesene Artikel zum Lesen ohne Netz aufheben."))
  }

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let isQuiet = format.json
    let global = global
    let report = try await Interruption.untilInterrupted {
      try await Workspace(global).withBookmarks { bookmarks in
        try await bookmarks.sync { progress in if !isQuiet { writeError(progress.spoken + "\n") } }
      }
    }
    if format.json {
      writeJSON([
        "fetched": .int(Int64(report.fetched)), "kept": .int(Int64(report.kept)),
        "failed": .int(Int64(report.failures.count)), "failures": .list(report.failures.map(\.json)),
        "sent": .int(Int64(report.sent)), "held": .list(report.held.map(\.json)),
        "refused": .list(report.refused.map { ["id": .string($0.id), "reason": .string($0.reason.spoken)] }),
        "offline": .bool(report.isOffline), "trouble": report.trouble.map { .string($0.spoken) } ?? .null,
      ])
    } else {
      for refusal in report.refused {
        writeError(
          say(
            "the change of \(refusal.id) is dropped: \(refusal.reason.spoken)",
            de: "die Änderung von \(refusal.id) entfällt: \(refusal.reason.spoken)"
          ).singleLine + "\n")
      }
      for change in report.held { writeError(change.spoken.singleLine + "\n") }
      for failure in report.failures { writeError(failure.spoken.singleLine + "\n") }
      if report.sent > 0 {
        let changes = LocalizedText.count(report.sent, "change", "changes", de: "Änderung", "Änderungen").spoken
        write(say("\(changes) sent\n", de: "\(changes) gesendet\n"))
      }
      write(report.spoken + "\n")
    }
    if report.trouble != nil { throw CommandError(ExitStatus.runFailed) }
  }
}

/// `sous bookmarks drop`
struct BookmarksDropCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "drop",
      abstract: say(
        "Drop the change of a bookmark that waits for the server.",
        de: "Die Änderung eines Lesezeichens verwerfen, die auf den Server wartet."))
  }

  @Argument(help: ArgumentHelp(say("The bookmark's id.", de: "Die Kennung des Lesezeichens."), valueName: "id"))
  var id: String

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    guard try await Workspace(global).withBookmarks({ try $0.drop(id) }) else {
      throw UseCaseError(
        .wrongInput,
        LocalizedText(
          "no change of '\(id)' waits; 'sous bookmarks status' lists those that do",
          de: "keine Änderung von '\(id)' wartet; 'sous bookmarks status' nennt die wartenden"))
    }
    if format.json { return writeJSON(["dropped": .string(id)]) }
    write(say("the change of \(id) is dropped\n", de: "die Änderung von \(id) ist verworfen\n"))
  }
}

/// `sous bookmarks clear`
struct BookmarksClearCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "clear",
      abstract: say(
        "Remove all kept articles and pictures; changes that wait stay.",
        de: "Alle aufgehobenen Artikel und Bilder entfernen; wartende Änderungen bleiben."))
  }

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    try await Workspace(global).withBookmarks { try $0.clear() }
    if format.json { return writeJSON(["cleared": true]) }
    write(say("nothing is kept any more\n", de: "nichts ist mehr aufgehoben\n"))
  }
}

extension Workspace {
  /// Works with the bookmarks, and ends what the provider still does.
  fileprivate func withBookmarks<Answer>(_ body: (Bookmarks) async throws -> Answer) async throws -> Answer {
    let project = try Project(self)
    do {
      let answer = try await body(try Bookmarks(project))
      await project.host.shutdown()
      return answer
    } catch {
      await project.host.shutdown()
      throw error
    }
  }
}

extension BookmarkProgress {
  /// The progress for people.
  fileprivate var spoken: String {
    switch self {
    case .list: say("Loading unread articles...", de: "Lade ungelesene Artikel...")
    case .articles(let count):
      say("Loading \(count) articles...", de: "Laden \(count) Artikel...")
    case .article(let number, let count):
      say("Loading article \(number)/\(count)...", de: "Lade Artikel \(number)/\(count)...")
    case .kept(let number, let count):
      say("Article \(number)/\(count) (already cached)...", de: "Artikel \(number)/\(count) (bereits gecacht)...")
    case .pictures(let number, let count):
      say("Article \(number)/\(count) + pictures...", de: "Artikel \(number)/\(count) + Bilder...")
    }
  }
}

extension PendingMark {
  fileprivate var json: Value {
    [
      "id": .string(id), "changes": changes, "at": .string(at.rfc3339),
      "reason": trouble.map { .string($0.spoken) } ?? .null,
    ]
  }

  /// The change and why it still waits, for people.
  fileprivate var spoken: String {
    let fields = (changes.mapValue?.entries ?? []).compactMap { entry -> String? in
      guard case .string(let name) = entry.key else { return nil }
      return "\(name): \(String(decoding: entry.value.json(), as: UTF8.self))"
    }
    let what = isDeletion ? say("delete", de: "löschen") : fields.joined(separator: ", ")
    guard let trouble else { return "  \(id)  \(what)" }
    return "  \(id)  \(what)  ✗ \(trouble.spoken)"
  }
}

extension FailedArticle {
  fileprivate var json: Value {
    ["id": .string(id), "title": .string(title), "reason": .string(reason.spoken)]
  }

  /// The article and what went wrong, for people.
  fileprivate var spoken: String { "✗ \(title) (\(id)): \(reason.spoken)" }
}

extension BookmarkSyncReport {
  /// The result, for people.
  fileprivate var spoken: String {
    if let trouble { return say("❌ Error: \(trouble.spoken)", de: "❌ Fehler: \(trouble.spoken)") }
    if fetched > 0 {
      let articles = LocalizedText.count(fetched, "article", "articles", de: "Artikel", "Artikel").spoken
      return failures.isEmpty
        ? say("✅ \(articles) synced", de: "✅ \(articles) synchronisiert")
        : say(
          "⚠️ \(fetched) synced, \(failures.count) failed",
          de: "⚠️ \(fetched) synchronisiert, \(failures.count) fehlgeschlagen")
    }
    return failures.isEmpty
      ? say("All articles already cached", de: "Alle Artikel sind bereits gespeichert")
      : say("❌ Sync failed", de: "❌ Synchronisierung fehlgeschlagen")
  }
}
