import Localization

/// A message as a provider lists it.
struct ListedMessage: Sendable {
  var uid: String
  /// Flags and labels in one order, without those that are the server's own business.
  var flags: [String]
  /// When it was received, where the listing says it.
  var received: String?
}

/// A message on its way from one provider to another.
struct PassingMessage: Sendable {
  /// Its name at the source.
  var uid: String
  /// The blob that has its bytes, among others'.
  var blob: String
  var offset: Int
  var size: Int
  var flags: [String]
  var received: String?
  /// The beginning of the SHA-256 of its bytes, lines ended by CRLF: 32 hexadecimal digits.
  var digest = ""
}

/// What a target made of a message.
enum PassingOutcome: Sendable {
  /// It is stored; its uid there, where that is known.
  case stored(uid: String?)
  /// This one was refused, others may not be.
  case refused(LocalizedText)
  /// It was sent and the answer was lost: it may be stored, and is looked for before it is sent again.
  case unknown(LocalizedText)
  /// It was not sent.
  case unsent
}

/// What a store gave of messages that were asked for.
struct TakenMessages: Sendable {
  /// Without their digests.
  var messages: [PassingMessage] = []
  /// Those that are not there any more.
  var missing: [String] = []
  /// Those that are there and cannot be read.
  var unreadable: [(uid: String, reason: LocalizedText)] = []

  /// The uids of those of which something is known; the others are to be asked for again.
  var settled: Set<String> { Set(messages.map(\.uid)).union(missing).union(unreadable.map(\.uid)) }
}

/// Copies that are there already, by what is in them. Each stands for one message.
struct RecognizedCopies {
  private var uids: [String: [String]] = [:]

  var isEmpty: Bool { uids.isEmpty }

  mutating func add(_ uid: String, digest: String) { uids[digest, default: []].append(uid) }

  /// A copy of a message with this content, which then stands for no other.
  mutating func take(_ digest: String) -> String? {
    guard var found = uids[digest] else { return nil }
    let uid = found.popLast()
    uids[digest] = found.isEmpty ? nil : found
    return uid
  }
}
