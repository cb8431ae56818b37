import Access
import Expressions
import HTTPTypes
import Localization
import Synchronization

/// A request that comes again with the key of an earlier one whose answer is not there.
enum Repetition: Sendable {
  /// The earlier one is being carried out.
  case underWay
  /// The process ended while it carried the earlier one out, or the answer could not be kept.
  case outcomeUnknown
  /// The earlier one was carried out; its answer is secret, private or too large to be kept.
  case answerNotKept
}

extension Route {
  /// The treatment of a request that comes again with the same key while no answer of the first one is kept.
  enum RepetitionRule: Sendable {
    /// It is refused, because it could take effect twice.
    case refused
    /// It is carried out again, which changes nothing more.
    case harmless
    /// The handler finds what the first one has begun by ``APIRequest/run``.
    case found
  }
}

extension Problem {
  /// A request that comes again and that is not carried out a second time.
  static func repeated(_ repetition: Repetition) -> Problem {
    switch repetition {
    case .underWay:
      var problem = Problem(
        409, "request_in_progress",
        "the first request with this 'Idempotency-Key' is being carried out: send it again later for its answer",
        de:
          "die erste Anfrage mit diesem 'Idempotency-Key' wird gerade ausgeführt: später erneut senden, um die Antwort "
          + "zu bekommen")
      problem.fields = [HTTPField(name: .retryAfter, value: "2")]
      return problem
    case .outcomeUnknown:
      return Problem(
        409, "outcome_unknown",
        "it is unknown whether the first request with this 'Idempotency-Key' took effect: check that, then use a new key",
        de:
          "ob die erste Anfrage mit diesem 'Idempotency-Key' gewirkt hat, ist unbekannt: das prüfen, dann einen neuen "
          + "Schlüssel verwenden")
    case .answerNotKept:
      return Problem(
        409, "answer_not_kept", "this request was carried out; its answer was not kept",
        de: "diese Anfrage wurde ausgeführt; ihre Antwort wurde nicht aufgehoben")
    }
  }

  /// A problem that was kept as an answer.
  ///
  /// - Parameter document: The problem document.
  init(kept document: Value, status: Int) {
    self.init(
      status, document["code"]?.stringValue ?? "failed",
      LocalizedText(verbatim: document["detail"]?.stringValue ?? ""))
    let own: Set<String> = ["type", "title", "status", "code", "detail", "request"]
    for (key, value) in document.mapValue?.entries ?? [] where !own.contains(key.text) { members[key] = value }
  }
}

/// The requests with a key that this process is carrying out.
final class OpenRequests: Sendable {
  /// A request by its user and key.
  struct Entry: Hashable {
    let user: String
    let key: String
  }

  private let open = Mutex<Set<Entry>>([])

  /// Begins a request, or finds out whether the first one with its key is being carried out.
  ///
  /// - Parameter body: Records the request.
  /// - Returns: The result of `body`; whether the caller carries the request out, and has to call ``leave(_:)`` at its end.
  func begin(_ entry: Entry, _ body: () throws -> RequestStart) throws -> (start: RequestStart, isHeld: Bool) {
    // One at a time: record and set always agree.
    try open.withLock { open in
      let start = try body()
      if case .conflict = start { return (start, false) }
      return (start, open.insert(entry).inserted)
    }
  }

  /// Ends a request.
  func leave(_ entry: Entry) { open.withLock { _ = $0.remove(entry) } }
}

/// The record of a request with a key. Its answer is kept once.
final class RequestRecord: Sendable {
  private let access: AccessStore
  private let user: String
  private let key: String
  private let isSettled = Mutex(false)

  init(_ access: AccessStore, user: String, key: String) { (self.access, self.user, self.key) = (access, user, key) }

  /// Keeps the answer for repetitions; a later call changes nothing.
  ///
  /// - Parameters:
  ///   - status: The status of HTTP.
  ///   - body: The bytes of the answer; `nil` if only the fact is kept that there was one.
  func keep(_ status: Int, _ body: [UInt8]?, type: String = "application/json") throws {
    guard settle() else { return }
    try access.finish(actor: user, key: key, status: status, body: body, type: type)
  }

  /// Forgets the request, which has had no effect.
  func abandon() {
    guard settle() else { return }
    // A record that stays is refused as of unknown outcome, which is safe.
    try? access.abandon(actor: user, key: key)
  }

  /// Whether this is the first call.
  private func settle() -> Bool {
    isSettled.withLock { isSettled in
      defer { isSettled = true }
      return !isSettled
    }
  }
}
