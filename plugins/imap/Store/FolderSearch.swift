import Mail
import MailWire
import PluginKit

/// One search in an open folder: asks the server, decides what it cannot, and makes a page.
struct FolderSearch: Sendable {
  /// How many candidates are looked at in one go.
  private static let batchSize = 500

  let session: Session
  let folder: OpenFolder
  let query: MailQuery
  let isNewestFirst: Bool
  let limit: Int

  /// A page of results.
  struct Page: Sendable {
    var uids: [UInt32]
    var total: Int
    /// The message behind which the next page begins; `nil` at the end.
    var last: UInt32?
    /// Messages that may match: the server does not send them.
    var unreadable: [UnreadableMessage] = []
  }

  /// - Throws: `not_found` for a cursor of a folder that was made anew; `unsupported` for a condition in Gmail's language
  ///   where the server is another.
  func page(after cursor: PageCursor?) async throws(ActionError) -> Page {
    if let other = try await withoutGmail() { return try await other.page(after: cursor) }
    let isSorted = await session.has("SORT")
    let listing = try await listing(isContinued: cursor != nil, isSorted: isSorted)
    let (candidates, isExact) = (listing.uids, listing.isExact)
    let rest = try await remaining(candidates, after: cursor, isSorted: isSorted)
    var found: [UInt32]
    var unreadable: [UnreadableMessage] = []
    var isMore: Bool
    let total: Int
    if isExact {
      found = Array(rest.prefix(limit))
      isMore = rest.count > limit
      total = cursor?.total ?? candidates.count
    } else {
      // The first page says how many there are, so all are looked at.
      (found, unreadable) = try await matches(rest, upTo: cursor == nil ? .max : limit + 1)
      isMore = found.count > limit
      total = cursor?.total ?? found.count
      found = Array(found.prefix(limit))
    }
    return Page(uids: found, total: total, last: isMore ? found.last : nil, unreadable: unreadable)
  }

  /// Where the page behind another begins; `nil` at the end.
  ///
  /// - Parameter seconds: When its last message was written, if that is known; else the server is asked.
  func cursor(after page: Page, writtenAt seconds: Int?) async throws(ActionError) -> PageCursor? {
    guard let last = page.last else { return nil }
    var written = seconds ?? 0
    if seconds == nil, await session.has("SORT") { written = try await date(of: [last])[last] ?? 0 }
    return PageCursor(isNewestFirst: isNewestFirst, seconds: written, uid: folder.name(of: last), total: page.total)
  }

  /// The search with what Gmail has found in the place of conditions in its language, where other conditions are decided here;
  /// `nil` if the server decides everything, or if the query has no such condition.
  private func withoutGmail() async throws(ActionError) -> FolderSearch? {
    let searches = query.gmailSearches
    guard !searches.isEmpty else { return nil }
    let isGmail = await session.has("X-GM-EXT-1")
    if !isGmail { try query.requireNoGmail(session.settings.host) }
    let dialect = QueryTranslation.Dialect(validity: folder.validity, isGmail: isGmail)
    guard !QueryTranslation(query, dialect).isExact else { return nil }
    var found: [String: [String]] = [:]
    for text in searches { found[text] = folder.names(of: try await session.search(.gmail(text)) ?? []) }
    return FolderSearch(
      session: session, folder: folder, query: query.replacingGmail(with: found).simplified,
      isNewestFirst: isNewestFirst, limit: limit)
  }

  // MARK: Candidates

  /// The result of the server: a further page uses the result of the first, unless flags decide.
  private func listing(isContinued: Bool, isSorted: Bool) async throws(ActionError) -> SearchListing {
    if isContinued, !FetchFields(query).flags, let kept = await session.listing(query, isNewestFirst: isNewestFirst) {
      return kept
    }
    let (uids, isExact) = try await candidates(isSorted: isSorted)
    let listing = SearchListing(
      query: query, isNewestFirst: isNewestFirst, mailbox: folder.mailbox, uids: uids, isExact: isExact)
    await session.keep(listing)
    return listing
  }

  /// The UIDs to look at, in the order of the result, and whether all of them belong to it.
  private func candidates(isSorted: Bool) async throws(ActionError) -> ([UInt32], isExact: Bool) {
    let dialect = QueryTranslation.Dialect(validity: folder.validity, isGmail: await session.has("X-GM-EXT-1"))
    let translation = QueryTranslation(query, dialect)
    if translation.superset == .none || folder.mailbox.exists == 0 { return ([], true) }
    // A server that does not know the charset of a search in Gmail's language finds nothing.
    guard let found = try await ask(translation.superset, isSorted) else { return ([], true) }
    return (found, translation.isExact)
  }

  private func ask(_ key: SearchKey, _ isSorted: Bool) async throws(ActionError) -> [UInt32]? {
    if isSorted { return try await session.search(key, order: isNewestFirst ? "REVERSE DATE" : "DATE") }
    guard let found = try await session.search(key) else { return nil }
    return isNewestFirst ? found.reversed() : found
  }

  /// The messages behind a cursor.
  private func remaining(
    _ candidates: [UInt32], after cursor: PageCursor?, isSorted: Bool
  ) async throws(ActionError) -> ArraySlice<UInt32> {
    guard let cursor else { return candidates[...] }
    let last = try folder.uid(cursor.uid)
    if !isSorted { return candidates.drop { isNewestFirst ? $0 >= last : $0 <= last } }
    if let index = candidates.firstIndex(of: last) { return candidates[(index + 1)...] }
    // The last message is gone: the first one that comes after its date is looked for.
    var low = 0
    var high = candidates.count
    while low < high {
      let middle = (low + high) / 2
      let uid = candidates[middle]
      let seconds = try await date(of: [uid])[uid] ?? 0
      // Of equal dates the lower number comes first, in both orders (RFC 5256 §3).
      let comesAfter =
        seconds == cursor.seconds ? uid > last : (seconds < cursor.seconds) == isNewestFirst
      if comesAfter { high = middle } else { low = middle + 1 }
    }
    return candidates[low...]
  }

  /// When messages were written, in seconds since 1970; when they were received, where they do not say it.
  private func date(of uids: [UInt32]) async throws(ActionError) -> [UInt32: Int] {
    var wanted = FetchFields(MailQuery.since(.day(0)))
    wanted.flags = false
    let contents = try await MessageLoader(session: session, folder: folder).load(uids, wanted).outputs
    return Dictionary(
      contents.compactMap { content in
        OpenFolder.parse(content.facts.uid).map { ($0.uid, content.date.secondsSinceEpoch) }
      }
    ) { first, _ in first }
  }

  // MARK: Deciding

  /// The candidates that meet the query, in their order, and those that cannot be read.
  private func matches(
    _ candidates: ArraySlice<UInt32>, upTo count: Int
  ) async throws(ActionError) -> (found: [UInt32], unreadable: [UnreadableMessage]) {
    let wanted = FetchFields(query)
    let loader = MessageLoader(session: session, folder: folder)
    var found: [UInt32] = []
    var unreadable: [UnreadableMessage] = []
    var rest = candidates
    while !rest.isEmpty, found.count < count {
      guard !Task.isCancelled else { throw ActionError(.cancelled, "Cancelled", german: "Abgebrochen") }
      let batch = Array(rest.prefix(Self.batchSize))
      rest = rest.dropFirst(Self.batchSize)
      let loaded = try await loader.load(batch, wanted)
      unreadable += loaded.unreadable
      for content in loaded.outputs {
        let evidence = QueryEvidence(
          content.facts, header: content.message, text: wanted.text ? content.message.textBody : nil)
        guard query.evaluate(evidence) == true, let uid = OpenFolder.parse(content.facts.uid)?.uid else { continue }
        found.append(uid)
      }
    }
    return (found, unreadable)
  }
}
