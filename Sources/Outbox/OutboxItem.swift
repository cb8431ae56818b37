public import Engine
public import Expressions
public import Localization
import UseCases

/// A message of the outbox: a view of the run that sends it.
public struct OutboxItem: Sendable {
  /// Where a message stands.
  public enum State: String, Sendable, CaseIterable {
    /// It waits for its time, its turn or the next try.
    case pending
    /// It is late and waits for a person: `send-now` or `cancel`.
    case held
    /// It is being handed to the server.
    case sending
    /// The server has taken it.
    case sent
    /// No try has succeeded.
    case failed
    /// Somebody has cancelled it; it was not sent.
    case cancelled
    /// Nobody knows whether the server has taken it; a person finds out.
    case unknown

    /// The state in a word for people.
    public var words: LocalizedText {
      switch self {
      case .pending: .init("pending", de: "wartet")
      case .held: .init("held", de: "angehalten")
      case .sending: .init("sending", de: "wird gesendet")
      case .sent: .init("sent", de: "gesendet")
      case .failed: .init("failed", de: "fehlgeschlagen")
      case .cancelled: .init("cancelled", de: "abgebrochen")
      case .unknown: .init("unknown", de: "ungewiss")
      }
    }
  }

  /// Its run.
  public var run: RunID
  /// What its run is called.
  public var name: String
  /// Where it stands.
  public var state: State
  /// The fields of `mail.send`; `nil` where the recipe cannot be read any more.
  public var message: Value?
  /// The provider that sends it.
  public var account: String?
  /// When it is to go out.
  public var time: Timestamp?
  /// When something happens next by itself; `nil` where nothing does.
  public var next: Timestamp?
  /// When the server took it.
  public var sentAt: Timestamp?
  /// Of one that has failed: the run in which it was tried again, which stands for it from then on.
  public var repetition: RunID?
  /// How often it was tried.
  public var attempts: Int
  /// Why it has failed, or the last try has.
  public var failure: ActionFailure?
  /// What the transport answered.
  public var answer: Value?
  /// The run that this one repeats.
  public var origin: RunID?

  /// The addresses of a field of the message.
  public func addresses(_ field: String) -> [String] {
    message?[field]?.listValue?.compactMap(\.stringValue) ?? []
  }

  /// The message for `sous outbox --json`.
  ///
  /// `{id, name, state, account, send_at, next, sent_at, attempts, failure, to, cc, bcc, from, subject, attachments,
  /// message_id, refused, origin}`, with `text` and `html` in `show`; null where there is none.
  public func json(isWhole: Bool) -> Value {
    var fields: [(String, Value)] = [
      ("id", .string(run.rawValue)), ("name", .string(name)), ("state", .string(state.rawValue)),
      ("account", account.map { .string($0) } ?? .null), ("send_at", Self.time(time)), ("next", Self.time(next)),
      ("sent_at", Self.time(sentAt)), ("attempts", .int(Int64(attempts))), ("failure", failure?.json ?? .null),
    ]
    fields += ["to", "cc", "bcc"].map { ($0, .list(addresses($0).map { .string($0) })) }
    fields += ["from", "subject"].map { ($0, message?[$0] ?? .null) }
    fields += [
      ("attachments", .list(attachments.map { .string($0) })), ("message_id", answer?["message_id"] ?? .null),
      ("refused", answer?["refused"] ?? .null), ("origin", origin.map { .string($0.rawValue) } ?? .null),
    ]
    if isWhole { fields += ["text", "html"].map { ($0, message?[$0] ?? .null) } }
    var map = ValueMap()
    for (name, value) in fields { map[name] = value }
    return .map(map)
  }

  /// The names of the files that go with it.
  public var attachments: [String] {
    message?["attachments"]?.listValue?.map {
      $0["name"]?.stringValue ?? $0["path"]?.stringValue ?? "attachment"
    } ?? []
  }

  private static func time(_ time: Timestamp?) -> Value {
    time.map { .string($0.rfc3339Milliseconds) } ?? .null
  }
}

extension OutboxItem {
  /// Reads a message out of what is recorded of its run, all but its fields.
  init(_ record: RunRecord) {
    let summary = record.summary
    let send = record.steps.last
    let due = record.steps.first { $0.action == "outbox.due" }?.output
    let waits = record.waits
    run = summary.id
    name = summary.recipe
    origin = summary.origin
    attempts = send?.attemptCount ?? 0
    failure = summary.failure ?? send?.attempts.last?.failure
    answer = send?.output
    sentAt = send?.status == .succeeded ? send?.endedAt : nil
    account = send?.providers.last
    time =
      (due?["time"]?.stringValue ?? record.inputs["send_at"]?.stringValue).flatMap { Timestamp(rfc3339: $0) }
      ?? summary.dueAt
    next = summary.status == .waiting ? summary.dueAt : nil
    switch summary.status {
    case .succeeded: state = .sent
    case .failed: state = .failed
    case .cancelled, .skipped: state = .cancelled
    case .needsAttention: state = .unknown
    case .running where send?.status == .running: state = .sending
    case .queued, .running, .waiting, .interrupted:
      state = waits.contains { $0.wait.kind == .approval && !$0.isAnswered } ? .held : .pending
    }
  }
}
