public import Mail
public import PluginKit

/// The input of `mail.list`.
public struct ListRequest: Decodable, Sendable {
  /// The folder.
  public var folder: String
}

/// The input of `mail.export`.
public struct ExportRequest: Decodable, Sendable {
  /// The folder.
  public var folder: String
  /// The messages, in the order in which they are wanted.
  public var uids: [String]
  /// How many bytes of messages one call keeps at most, unless the first message alone has more.
  public var bytes: Int?

  /// ``bytes``, or what counts if it is absent (16 MiB).
  public var budget: Int { max(1, bytes ?? 16 << 20) }
}

/// A message that `mail.export` has kept.
public struct ExportedMessage: Sendable {
  /// Its UID in the folder.
  public var uid: String
  /// Where in the blob it begins.
  public var offset: Int
  /// Its bytes.
  public var size: Int
  /// Flags and labels.
  public var flags: [String]
  /// When it was received, if that is known.
  public var received: MessageDate?

  /// Describes a message.
  public init(uid: String, offset: Int, size: Int, flags: [String], received: MessageDate?) {
    (self.uid, self.offset, self.size, self.flags, self.received) = (uid, offset, size, flags, received)
  }

  /// The output of `mail.export`, for messages that share a blob.
  public static func json(
    _ messages: [ExportedMessage], in blob: Blob, missing: [String], unreadable: [UnreadableMessage] = []
  ) -> JSONValue {
    let list = messages.map { message -> JSONValue in
      [
        "uid": .string(message.uid), "blob": .string(blob.name), "offset": .integer(Int64(message.offset)),
        "size": .integer(Int64(message.size)), "flags": .array(message.flags.map(JSONValue.string)),
        "received": message.received.map { .string($0.rfc3339) } ?? .null,
      ]
    }
    let output: JSONValue = ["messages": .array(list), "missing": .array(missing.map(JSONValue.string))]
    return output.adding(unreadable: unreadable)
  }
}

/// The input of `mail.import`.
public struct ImportRequest: Decodable, Sendable {
  /// A message to store.
  public struct Message: Decodable, Sendable {
    /// Where its bytes are.
    public var blob: Blob
    /// The first of them.
    public var offset: Int
    /// How many there are.
    public var size: Int
    /// Flags and labels.
    public var flags: [String]?
    /// When it was received, as RFC 3339 has it; now where absent.
    public var received: String?

    /// The flags in their usual spelling, without those that no store can keep.
    public var keptFlags: [String] { (flags ?? []).compactMap { try? MailFlag.checked($0) } }

    /// ``received`` in seconds since 1970; `nil` if it is absent or no point in time.
    public var receivedSeconds: Int? {
      guard let received, case .instant(let seconds)? = try? DateBound(received, name: "received") else { return nil }
      return seconds
    }
  }

  /// The folder, which is made if it is missing.
  public var folder: String
  /// The messages.
  public var messages: [Message]
}

/// The result of one message of `mail.import`.
public enum ImportResult: Sendable {
  /// It is there; its uid, if that is known.
  case stored(uid: String?)
  /// This one was not taken, and the reason; others may be.
  case refused(String)
  /// It was sent and the answer was lost, so that it may be stored. The caller looks for it before it sends it again.
  case unknown(String)
  /// It was not sent, because an earlier error stopped the import.
  case unsent(String)

  /// The output of `mail.import`.
  public static func json(_ results: [ImportResult]) -> JSONValue {
    let list = results.map { result -> JSONValue in
      switch result {
      case .stored(let uid): ["uid": uid.map(JSONValue.string) ?? .null, "error": .null, "outcome": "stored"]
      case .refused(let reason): ["uid": .null, "error": .string(reason), "outcome": "refused"]
      case .unknown(let reason): ["uid": .null, "error": .string(reason), "outcome": "unknown"]
      case .unsent(let reason): ["uid": .null, "error": .string(reason), "outcome": "unsent"]
      }
    }
    return ["messages": .array(list)]
  }
}
