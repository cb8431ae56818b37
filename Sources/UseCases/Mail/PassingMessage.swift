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
