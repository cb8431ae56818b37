import Expressions
import Foundation
import Mail
import UseCases

/// Changes that wait, and what the list shows of them.
extension BookmarkShelf {
  /// The change that waits for a bookmark.
  func pendingMark(of id: String) -> PendingMark? { pending.first { $0.id == id } }

  /// Adds a change to the one that waits for the same bookmark; of equal fields the last value counts.
  mutating func add(_ mark: PendingMark) {
    let earlier = pending.filter { $0.id == mark.id }
    pending.removeAll { $0.id == mark.id }
    var merged = mark
    for change in earlier where !mark.isDeletion && !change.isDeletion {
      var fields = change.changes.mapValue ?? ValueMap()
      for entry in merged.changes.mapValue?.entries ?? [] { fields[entry.key] = entry.value }
      merged.changes = .map(fields)
    }
    pending.append(merged)
  }

  /// Makes the kept article what it is after a change that the server has taken.
  mutating func apply(_ mark: PendingMark) throws(UseCaseError) {
    guard !mark.isDeletion else { return try remove([mark.id]) }
    guard let index = articles.firstIndex(where: { $0.id == mark.id }) else { return }
    articles[index].bookmark = mark.applied(to: articles[index].bookmark)
  }

  /// A bookmark with the change that waits for it; `nil` if it is to be deleted.
  func withPending(_ bookmark: Value) -> Value? {
    guard let mark = bookmark["id"]?.stringValue.flatMap(pendingMark(of:)) else { return bookmark }
    return mark.isDeletion ? nil : mark.applied(to: bookmark)
  }

  /// The kept bookmarks that a query asks for, newest first, with the changes that wait.
  ///
  /// - Parameter query: As `readeck.list` takes it.
  func matching(_ query: Value) -> [Value] {
    let newestFirst = articles.sorted { ($0.created, $0.cachedAt, $0.id) > ($1.created, $1.cachedAt, $1.id) }
    return newestFirst.compactMap { article in
      guard let bookmark = withPending(article.bookmark), isIn(query["state"]?.stringValue, bookmark),
        query["type"].map({ $0 == bookmark["type"] }) ?? true,
        query["label"].map({ bookmark["labels"]?.listValue?.contains($0) == true }) ?? true,
        matches(words: query["search"]?.stringValue, article, bookmark)
      else { return nil }
      return bookmark
    }
  }

  /// Whether a bookmark, with the change that waits for it, is in a state of `readeck.list`.
  ///
  /// A new favourite stays among the unread ones until the server has it, so that the list shows the mark.
  func isIn(_ state: String?, _ bookmark: Value) -> Bool {
    guard bookmark["is_deleted"] != true else { return false }
    return switch state ?? "unread" {
    case "all": true
    case "archived": bookmark["is_archived"] == true
    case "marked": bookmark["is_marked"] == true
    default:
      bookmark["is_archived"] != true
        && (bookmark["is_marked"] != true
          || bookmark["id"]?.stringValue.flatMap(pendingMark(of:))?.changes["is_marked"] == true)
    }
  }

  /// Whether each word is somewhere in the article: in its title, site, authors, labels, description, URL or text.
  private func matches(words: String?, _ article: KeptArticle, _ bookmark: Value) -> Bool {
    let words = (words ?? "").split(whereSeparator: \.isWhitespace)
    guard !words.isEmpty else { return true }
    var texts = ["title", "site_name", "site", "description", "url"].compactMap { bookmark[$0]?.stringValue }
    for name in ["authors", "labels"] { texts += bookmark[name]?.listValue?.compactMap(\.stringValue) ?? [] }
    texts.append(HTMLText.convert(html(of: article.id) ?? "", links: .omitted))
    let text = texts.joined(separator: "\n")
    return words.allSatisfy { text.range(of: $0, options: [.caseInsensitive, .diacriticInsensitive]) != nil }
  }
}

extension KeptArticle {
  /// When the bookmark was made; when it was kept if the server does not say so.
  fileprivate var created: Timestamp { BookmarkShelf.time(bookmark["created"]) ?? cachedAt }
}

extension PendingMark {
  /// A bookmark after the change.
  fileprivate func applied(to bookmark: Value) -> Value {
    guard case .map(var fields) = bookmark else { return bookmark }
    for entry in changes.mapValue?.entries ?? [] { fields[entry.key] = entry.value }
    return .map(fields)
  }
}
