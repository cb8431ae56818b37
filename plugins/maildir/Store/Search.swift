import Mail
import PluginKit

/// A search in one folder.
///
/// Looks at file names first (flags, size), then at headers of what is left, and reads bodies only where the text
/// matters, besides those of the messages it returns. Changes nothing: messages in `new` stay there.
struct Search {
  /// A header beyond this many bytes is cut.
  static let headerLimit = 256 * 1024
  /// The most messages one search returns, as the contract says.
  static let maximumLimit = 1000

  private let request: SearchRequest
  private let since: DateBound?
  private let before: DateBound?
  private let from: String?
  private let to: String?
  private let subject: String?
  private let text: String?
  private let limit: Int
  private let isNewestFirst: Bool

  /// Checks a request.
  /// - Throws: `invalid_input` for dates, limits and orders that are none.
  init(_ request: SearchRequest) throws(ActionError) {
    self.request = request
    since = if let text = request.since { try DateBound(text, name: "since") } else { nil }
    before = if let text = request.before { try DateBound(text, name: "before") } else { nil }
    from = request.from?.lowercased()
    to = request.to?.lowercased()
    subject = request.subject?.lowercased()
    text = request.text?.lowercased()
    limit = request.limit ?? 50
    isNewestFirst = (request.order ?? "newest") == "newest"
    guard (1...Self.maximumLimit).contains(limit) else {
      throw ActionError(
        .invalidInput, "'limit' is \(limit); it must be between 1 and \(Self.maximumLimit).",
        german: "'limit' ist \(limit); erlaubt sind 1 bis \(Self.maximumLimit).")
    }
    guard isNewestFirst || request.order == "oldest" else {
      throw ActionError(
        .invalidInput, "'order' is neither 'newest' nor 'oldest'.", german: "'order' ist weder 'newest' noch 'oldest'.")
    }
  }

  /// What a search found.
  struct Result {
    /// The messages, in order, at most as many as the limit.
    var messages: [MessageReader.Found]
    /// How many match.
    var total: Int
    /// How many files were opened.
    var filesRead: Int
  }

  private struct Candidate {
    let file: MessageFile
    let date: MessageDate
  }

  /// Searches a folder.
  /// - Throws: ``FileError``, or `CancellationError` where the call was called off meanwhile.
  func run(in folder: MaildirFolder, reader: MessageReader) throws -> Result {
    var candidates: [Candidate] = []
    var filesRead = 0
    for file in try folder.messages() where matchesName(file) {
      try Task.checkCancellation()
      filesRead += 1
      guard let header = try reader.header(of: file, in: folder), matchesHeader(header) else { continue }
      if let text {
        filesRead += 1
        guard let found = try reader.message(header.file, in: folder),
          found.message.textBody.lowercased().contains(text)
        else { continue }
      }
      candidates.append(Candidate(file: header.file, date: header.date))
    }
    candidates.sort(by: precedes)
    var messages: [MessageReader.Found] = []
    for candidate in candidates.prefix(limit) {
      try Task.checkCancellation()
      filesRead += 1
      // Gone since the header was read: another program's doing, and no error.
      if let found = try reader.message(candidate.file, in: folder) { messages.append(found) }
    }
    return Result(messages: messages, total: candidates.count, filesRead: filesRead)
  }

  /// Newest or oldest first; equal dates by uid, so that the order is always the same.
  private func precedes(_ left: Candidate, _ right: Candidate) -> Bool {
    if left.date.secondsSinceEpoch != right.date.secondsSinceEpoch {
      return (left.date.secondsSinceEpoch > right.date.secondsSinceEpoch) == isNewestFirst
    }
    return (left.file.uid > right.file.uid) == isNewestFirst
  }

  private func matchesName(_ file: MessageFile) -> Bool {
    if let unseen = request.unseen, file.flags.contains(MessageFlags.seen) == unseen { return false }
    if let flagged = request.flagged, file.flags.contains(MessageFlags.flagged) != flagged { return false }
    if let answered = request.answered, file.flags.contains(MessageFlags.answered) != answered { return false }
    if let size = file.name.size { return matches(size: size) }
    return true
  }

  private func matches(size: Int) -> Bool {
    if let larger = request.larger, size <= larger { return false }
    if let smaller = request.smaller, size >= smaller { return false }
    return true
  }

  private func matchesHeader(_ found: MessageReader.Found) -> Bool {
    guard matches(size: found.size) else { return false }
    if let since, !since.isReached(by: found.date) { return false }
    if let before, before.isReached(by: found.date) { return false }
    let message = found.message
    if let subject, !message.subject.lowercased().contains(subject) { return false }
    if let from, !Self.contains(from, message.from + (message.sender.map { [$0] } ?? [])) { return false }
    if let to, !Self.contains(to, message.to + message.cc + message.bcc) { return false }
    return true
  }

  private static func contains(_ text: String, _ addresses: [Address]) -> Bool {
    addresses.contains { address in
      address.address.lowercased().contains(text) || address.name?.lowercased().contains(text) == true
        || "\(address.name ?? "") <\(address.address)>".lowercased().contains(text)
    }
  }
}
