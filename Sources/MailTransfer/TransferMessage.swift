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
struct TransferMessage: Sendable {
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
enum TransferOutcome: Sendable {
  /// It is stored; its uid there, where that is known.
  case stored(uid: String?)
  /// This one was refused, others may not be.
  case refused(LocalizedText)
  /// It was sent, but the answer was lost. It may be stored, so the pull looks for it before sending it again.
  case unknown(LocalizedText)
  /// It was not sent.
  case unsent
}

/// A store's answer to a request for messages.
struct TakenMessages: Sendable {
  /// The messages, without their digests.
  var messages: [TransferMessage] = []
  /// The uids of messages that no longer exist.
  var missing: [String] = []
  /// Messages that exist but cannot be read.
  var unreadable: [(uid: String, reason: LocalizedText)] = []

  /// The uids that the answer covers; all others have to be requested again.
  var covered: Set<String> { Set(messages.map(\.uid)).union(missing).union(unreadable.map(\.uid)) }
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
