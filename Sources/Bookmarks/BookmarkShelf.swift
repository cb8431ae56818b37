import Engine
public import Expressions
import Foundation
import Glibc
import Hashing
public import Localization
import OperatingSystem
import UseCases

/// An article that is kept for reading offline.
public struct KeptArticle: Sendable, Equatable {
  /// The bookmark's id.
  public var id: String
  /// The whole bookmark, as the server gave it.
  public var bookmark: Value
  /// When it was kept.
  public var cachedAt: Timestamp
  /// The time of the last reading.
  public var accessedAt: Timestamp
  /// Bytes of its HTML.
  public var size: Int
  /// The URLs of its pictures.
  public var pictures: [String] = []
}

/// A picture that is kept.
struct KeptPicture: Sendable, Equatable {
  var url: String
  /// Bytes.
  var size: Int
  /// When it, or its article, was last looked at.
  var accessedAt: Timestamp
}

/// A change that waits for the server to be there.
public struct PendingMark: Sendable, Equatable {
  /// The bookmark's id.
  public var id: String
  /// The changed fields, as `readeck.update` takes them; empty for a deletion.
  public var changes: Value
  /// When it was made.
  public var at: Timestamp
  /// Why the server did not take it when it was last sent; `nil` if it was not sent yet.
  public var trouble: LocalizedText?

  /// Whether the bookmark is to be deleted.
  public var isDeletion: Bool { changes.mapValue?.isEmpty != false }
}

/// An article that a sync could not fetch.
public struct FailedArticle: Sendable, Equatable {
  /// The bookmark's id.
  public var id: String
  /// The bookmark's title; the id if it has none.
  public var title: String
  /// The server's answer, or why there was none.
  public var reason: LocalizedText
}

/// Articles kept for reading offline: an index and a file for each article and picture, in a folder of their own, which may be
/// deleted. One process at a time changes it.
struct BookmarkShelf {
  /// Whose bookmarks they are: those of another provider are not shown as its own.
  var provider: String
  var articles: [KeptArticle] = []
  var pictures: [KeptPicture] = []
  /// At most one for each bookmark.
  var pending: [PendingMark] = []
  /// The articles that the last sync could not fetch.
  var failures: [FailedArticle] = []
  /// The bookmarks without a text, with the value of their `updated` when the server said so.
  var textless: [String: String] = [:]
  /// When a sync last came to its end.
  var lastSync: Timestamp?
  /// Why the last sync did not.
  var trouble: LocalizedText?
  /// When a sync was last tried.
  var lastTry: Timestamp?

  let folder: String

  /// Bytes of the articles.
  var articleBytes: Int { articles.reduce(0) { $0 + $1.size } }
  /// Bytes of the pictures.
  var pictureBytes: Int { pictures.reduce(0) { $0 + $1.size } }

  /// Reads what is kept; a folder that is not there, and an index that cannot be read, is an empty shelf.
  init(_ folder: String, provider: String) {
    (self.folder, self.provider) = (folder, provider)
    guard let bytes = FileManager.default.contents(atPath: folder + "/index.json"),
      let index = try? Value(json: Array(bytes)), index["provider"]?.stringValue == provider
    else { return }
    articles = (index["articles"]?.listValue ?? []).compactMap(KeptArticle.init(json:))
    pictures = (index["pictures"]?.listValue ?? []).compactMap(KeptPicture.init(json:))
    pending = (index["pending"]?.listValue ?? []).compactMap(PendingMark.init(json:))
    failures = (index["failures"]?.listValue ?? []).compactMap(FailedArticle.init(json:))
    for entry in index["textless"]?.mapValue?.entries ?? [] {
      if case .string(let id) = entry.key { textless[id] = entry.value.stringValue }
    }
    lastSync = Self.time(index["last_sync"])
    lastTry = Self.time(index["last_try"])
    trouble = LocalizedText(of: index, "trouble")
  }

  /// Writes the index.
  ///
  /// - Throws: ``UseCaseError`` with code `environment`, as where the disk is full.
  func save() throws(UseCaseError) {
    let index: Value = [
      "provider": .string(provider), "articles": .list(articles.map(\.json)), "pictures": .list(pictures.map(\.json)),
      "pending": .list(pending.map(\.json)), "last_sync": lastSync.map { .string($0.rfc3339) } ?? .null,
      "last_try": lastTry.map { .string($0.rfc3339) } ?? .null,
      "failures": .list(failures.map(\.json)),
      "textless": .map(ValueMap(textless.sorted { $0.key < $1.key }.map { (.string($0.key), .string($0.value)) })),
      "trouble": trouble.map { .string($0.english) } ?? .null,
      "trouble_de": trouble.map { .string($0.german) } ?? .null,
    ]
    try write(index.json(), to: "index.json")
  }

  static func time(_ value: Value?) -> Timestamp? { value?.stringValue.flatMap(Timestamp.init(rfc3339:)) }

  // MARK: - Articles

  /// The HTML of an article; `nil` where it is not kept.
  func html(of id: String) -> String? {
    guard articles.contains(where: { $0.id == id }),
      let bytes = FileManager.default.contents(atPath: "\(folder)/\(Self.articleFile(id))")
    else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Keeps an article; its file comes before the index that names it.
  mutating func keep(_ bookmark: Value, id: String, html: String, at now: Timestamp) throws(UseCaseError) {
    try write(Array(html.utf8), to: Self.articleFile(id))
    articles.removeAll { $0.id == id }
    articles.append(
      KeptArticle(id: id, bookmark: bookmark, cachedAt: now, accessedAt: now, size: html.utf8.count))
    try save()
  }

  /// Notes that somebody has read an article.
  mutating func noteAccess(to id: String, at now: Timestamp) throws(UseCaseError) {
    guard let index = articles.firstIndex(where: { $0.id == id }) else { return }
    articles[index].accessedAt = now
    let urls = Set(articles[index].pictures)
    for place in pictures.indices where urls.contains(pictures[place].url) { pictures[place].accessedAt = now }
    try save()
  }

  /// Removes what is more than a number of articles: first those that the server does not list any more, then those that
  /// were kept first.
  mutating func shrink(to count: Int, listed: Set<String>) throws(UseCaseError) {
    let surplus = articles.count - count
    guard surplus > 0 else { return }
    let order = articles.sorted { left, right in
      let (leftListed, rightListed) = (listed.contains(left.id), listed.contains(right.id))
      if leftListed != rightListed { return rightListed }
      return (left.cachedAt, left.id) < (right.cachedAt, right.id)
    }
    try remove(Set(order.prefix(surplus).map(\.id)))
  }

  /// Replaces what is known of a kept article by the bookmark that the server has just listed; the index has to be saved.
  mutating func renew(_ bookmark: Value, id: String) {
    guard let index = articles.firstIndex(where: { $0.id == id }) else { return }
    articles[index].bookmark = bookmark
  }

  /// Removes articles.
  mutating func remove(_ ids: Set<String>) throws(UseCaseError) {
    let gone = articles.filter { ids.contains($0.id) }
    guard !gone.isEmpty else { return }
    articles.removeAll { ids.contains($0.id) }
    // The index first, so that each file that it names exists.
    try save()
    for article in gone { unlink("\(folder)/\(Self.articleFile(article.id))") }
  }

  /// Removes everything but changes that wait.
  mutating func clear() throws(UseCaseError) {
    let files = articles.map { Self.articleFile($0.id) } + pictures.map { Self.pictureFile($0.url) }
    (articles, pictures, lastSync, trouble, lastTry) = ([], [], nil, nil, nil)
    (failures, textless) = ([], [:])
    try save()
    for file in files { unlink("\(folder)/\(file)") }
  }

  // MARK: - Pictures

  /// The file of a picture; `nil` where it is not kept.
  func picture(_ url: String) -> String? {
    pictures.contains { $0.url == url } ? "\(folder)/\(Self.pictureFile(url))" : nil
  }

  /// Keeps a picture; the index has to be saved.
  mutating func keep(picture url: String, _ bytes: [UInt8], at now: Timestamp) throws(UseCaseError) {
    try write(bytes, to: Self.pictureFile(url))
    pictures.removeAll { $0.url == url }
    pictures.append(KeptPicture(url: url, size: bytes.count, accessedAt: now))
  }

  /// Removes pictures that nobody has looked at for the longest time, until the others fit.
  mutating func shrinkPictures(to bytes: Int) throws(UseCaseError) {
    var total = pictureBytes
    guard total > bytes else { return }
    var gone: Set<String> = []
    for picture in pictures.sorted(by: { ($0.accessedAt, $0.url) < ($1.accessedAt, $1.url) }) where total > bytes {
      gone.insert(picture.url)
      total -= picture.size
    }
    pictures.removeAll { gone.contains($0.url) }
    try save()
    for url in gone { unlink("\(folder)/\(Self.pictureFile(url))") }
  }

  // MARK: - Files

  /// Ids are letters and digits, as the plugin sees to; a name made of anything else would not lead out of the folder either.
  private static func articleFile(_ id: String) -> String {
    id.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) } ? "\(id).html" : "\(hash(id)).html"
  }

  private static func pictureFile(_ url: String) -> String { "\(hash(url)).picture" }

  private static func hash(_ text: String) -> String { ContentHash.hexadecimal(of: Array(text.utf8)) }

  /// Writes a file as a whole: whoever reads sees the old contents or the new.
  private func write(_ bytes: [UInt8], to name: String) throws(UseCaseError) {
    let path = "\(folder)/\(name)"
    mkdir(folder, 0o700)
    do throws(SystemError) {
      try AtomicFile.write(bytes, to: path, temporary: "\(path).new", mode: 0o600)
    } catch {
      throw .environment(
        LocalizedText("\(path) cannot be written: ", de: "\(path) lässt sich nicht schreiben: ")
          + .systemError(error.code))
    }
  }
}

extension KeptArticle {
  fileprivate init?(json: Value) {
    guard let id = json["id"]?.stringValue, let cached = BookmarkShelf.time(json["cached_at"]),
      let size = json["size"]?.intValue
    else { return nil }
    self.init(
      id: id, bookmark: json["bookmark"] ?? .null, cachedAt: cached,
      accessedAt: BookmarkShelf.time(json["accessed_at"]) ?? cached, size: Int(clamping: size))
    pictures = json["pictures"]?.listValue?.compactMap(\.stringValue) ?? []
  }

  fileprivate var json: Value {
    [
      "id": .string(id), "bookmark": bookmark, "cached_at": .string(cachedAt.rfc3339Milliseconds),
      "accessed_at": .string(accessedAt.rfc3339Milliseconds), "size": .int(Int64(size)),
      "pictures": .list(pictures.map { .string($0) }),
    ]
  }
}

extension KeptPicture {
  fileprivate init?(json: Value) {
    guard let url = json["url"]?.stringValue, let size = json["size"]?.intValue,
      let accessed = BookmarkShelf.time(json["accessed_at"])
    else { return nil }
    self.init(url: url, size: Int(clamping: size), accessedAt: accessed)
  }

  fileprivate var json: Value {
    ["url": .string(url), "size": .int(Int64(size)), "accessed_at": .string(accessedAt.rfc3339Milliseconds)]
  }
}

extension PendingMark {
  fileprivate init?(json: Value) {
    guard let id = json["id"]?.stringValue, let at = BookmarkShelf.time(json["at"]) else { return nil }
    self.init(id: id, changes: json["changes"] ?? .map([:]), at: at, trouble: LocalizedText(of: json, "trouble"))
  }

  fileprivate var json: Value {
    [
      "id": .string(id), "changes": changes, "at": .string(at.rfc3339Milliseconds),
      "trouble": trouble.map { .string($0.english) } ?? .null,
      "trouble_de": trouble.map { .string($0.german) } ?? .null,
    ]
  }
}

extension FailedArticle {
  fileprivate init?(json: Value) {
    guard let id = json["id"]?.stringValue, let reason = LocalizedText(of: json, "reason") else { return nil }
    self.init(id: id, title: json["title"]?.stringValue ?? id, reason: reason)
  }

  fileprivate var json: Value {
    [
      "id": .string(id), "title": .string(title), "reason": .string(reason.english),
      "reason_de": .string(reason.german),
    ]
  }
}
