import Mail
import MailWire
import PluginKit

/// A search in one folder.
///
/// Decides by file names first (flags, size), then by the status of files, by headers, and reads bodies only where the
/// text matters or is asked for. Changes nothing: messages in `new` stay there.
struct Search {
  private let query: MailQuery
  private let fields: MessageFields
  private let limit: Int
  private let isNewestFirst: Bool
  private let cursor: PageCursor?

  /// Checks a request.
  /// - Throws: `invalid_input` for dates, limits, orders, fields, cursors and queries that are none; `unsupported` for
  ///   conditions in Gmail's language.
  init(_ request: SearchRequest) throws(ActionError) {
    query = try request.conditions
    try query.requireNoGmail("Maildir")
    fields = try request.messageFields
    limit = try request.pageSize
    let isNewestFirst = try request.isNewestFirst
    self.isNewestFirst = isNewestFirst
    cursor =
      if let text = request.cursor { try PageCursor(text, isNewestFirst: isNewestFirst) } else { nil }
  }

  /// What a search found.
  struct Result {
    /// The messages, in order, at most as many as the limit.
    var messages: [MessageContent] = []
    /// How many match, before the limit; on later pages, when the first one was made.
    var total = 0
    /// Where the next page begins; nil at the end.
    var cursor: PageCursor?
    /// How many files were opened.
    var filesRead = 0
    /// The messages whose files cannot be read.
    var unreadable: [UnreadableMessage] = []
  }

  private struct Candidate {
    var file: MessageFile
    var date: MessageDate
    /// Whether it matches; nil if that is not decided yet.
    var verdict: Bool?
  }

  /// Searches a folder.
  /// - Throws: ``FileError``, or `CancellationError` where the call was cancelled meanwhile.
  func run(reader: MessageReader, dates: DateCache) throws -> Result {
    var result = Result()
    var candidates = try candidates(reader, dates, &result)
    if let cursor { candidates.removeAll { !cursor.precedes(seconds: $0.date.secondsSinceEpoch, uid: $0.file.uid) } }
    candidates.sort(by: precedes)
    var total = 0
    var last: Candidate?
    for candidate in candidates {
      try Task.checkCancellation()
      let isFound =
        try candidate.verdict
        ?? reading(candidate.file, &result) { result in try decide(candidate.file, reader, &result.filesRead) }
      guard isFound ?? false else { continue }
      total += 1
      if result.messages.count < limit {
        // Gone since it was found: another program's doing, and no error.
        guard let found = try reading(candidate.file, &result, { _ in try reader.read(candidate.file, fields.need) })
        else {
          total -= 1
          continue
        }
        result.filesRead += found.filesRead
        result.messages.append(found.content)
        last = candidate
      } else if cursor != nil {
        // The first page has counted; that there is one more is all that matters.
        break
      }
    }
    result.total = cursor?.total ?? total
    if let last, total > result.messages.count {
      result.cursor = PageCursor(
        isNewestFirst: isNewestFirst, seconds: last.date.secondsSinceEpoch, uid: last.file.uid, total: result.total)
    }
    return result
  }

  // MARK: Deciding

  /// Reads a message. If its file cannot be read, adds it to `unreadable` and returns `nil`.
  private func reading<Output>(
    _ file: MessageFile, _ result: inout Result, _ body: (inout Result) throws -> Output?
  ) throws -> Output? {
    do {
      return try body(&result)
    } catch let error as FileError where error.concernsOneFile {
      if !result.unreadable.contains(where: { $0.uid == file.uid }) {
        result.unreadable.append(UnreadableMessage(uid: file.uid, error: ActionError(error)))
      }
      return nil
    }
  }

  /// The messages that may match, with their dates.
  private func candidates(
    _ reader: MessageReader, _ dates: DateCache, _ result: inout Result
  ) throws -> [Candidate] {
    let known = dates.dates(of: reader.folder.name)
    var kept: [String: MessageDate] = [:]
    var candidates: [Candidate] = []
    var unnamed: Set<String> = []
    let files = try reader.folder.messages(&unnamed)
    if cursor == nil {
      result.unreadable += unnamed.sorted().map { UnreadableMessage(unnamed: $0, reader.folder.name) }
    }
    for file in files {
      try Task.checkCancellation()
      var verdict = query.evaluate(evidence(file, nil, reader))
      if verdict == false {
        if let date = known[file.uid] { kept[file.uid] = date }
        continue
      }
      if let date = known[file.uid] {
        kept[file.uid] = date
        candidates.append(Candidate(file: file, date: date, verdict: verdict))
        continue
      }
      guard let found = try reading(file, &result, { _ in try reader.header(file) }) else { continue }
      result.filesRead += found.filesRead
      kept[file.uid] = found.content.date
      if verdict == nil { verdict = query.evaluate(QueryEvidence(found.content.facts, header: found.content.message)) }
      if verdict == false { continue }
      candidates.append(Candidate(file: found.file, date: found.content.date, verdict: verdict))
    }
    dates.keep(kept, of: reader.folder.name)
    return candidates
  }

  /// Decides about a message by reading more and more of it; false if it is gone.
  private func decide(_ file: MessageFile, _ reader: MessageReader, _ filesRead: inout Int) throws -> Bool {
    guard let status = try reader.folder.status(file) else { return false }
    if let verdict = query.evaluate(evidence(file, status, reader)) { return verdict }
    guard let header = try reader.header(file) else { return false }
    filesRead += header.filesRead
    if let verdict = query.evaluate(QueryEvidence(header.content.facts, header: header.content.message)) {
      return verdict
    }
    guard let whole = try reader.message(header.file) else { return false }
    filesRead += whole.filesRead
    let content = whole.content
    let text = content.isHeaderOnly ? "" : content.message.textBody
    return query.evaluate(QueryEvidence(content.facts, header: content.message, text: text)) ?? false
  }

  /// What is known without opening the file.
  private func evidence(_ file: MessageFile, _ status: Directory.Status?, _ reader: MessageReader) -> QueryEvidence {
    let facts = reader.facts(file, status)
    return QueryEvidence(
      uid: file.uid, flags: facts.flags + facts.labels, size: status?.size ?? file.name.size,
      received: status == nil ? nil : .some(facts.received))
  }

  /// Newest or oldest first; equal dates by uid, so that the order is always the same.
  private func precedes(_ left: Candidate, _ right: Candidate) -> Bool {
    if left.date.secondsSinceEpoch != right.date.secondsSinceEpoch {
      return (left.date.secondsSinceEpoch > right.date.secondsSinceEpoch) == isNewestFirst
    }
    return (left.file.uid > right.file.uid) == isNewestFirst
  }
}

extension UnreadableMessage {
  /// A message whose file has a name that is not UTF-8, so that no uid names it.
  init(unnamed name: String, _ folder: FolderName) {
    self.init(
      uid: name,
      error: ActionError(
        .invalidInput, "The name of the file '\(name)' in \(folder.display) is not UTF-8; the message is not read.",
        german: "Der Name der Datei '\(name)' in \(folder.display) ist kein UTF-8; die Nachricht wird nicht gelesen.",
        advice: "Rename the file.", adviceGerman: "Benenne die Datei um."))
  }
}
