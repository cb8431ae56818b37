public import Expressions

/// Who makes a change, for the audit log.
public struct AuditSource: Sendable, Hashable {
  /// The user name; empty if none is known.
  public var actor: String
  /// How: `session`, `token`, `socket`, `command` or `sign-in`; `file` for a file that has changed on disk, `sync` for a commit.
  public var origin: String
  /// The address of the client; `nil` for changes on the machine itself.
  public var address: String?

  /// Creates a source.
  public init(actor: String, origin: String, address: String? = nil) {
    (self.actor, self.origin, self.address) = (actor, origin, address)
  }

  /// The source of what an actor does.
  public init(_ actor: Actor, address: String? = nil) {
    self.init(actor: actor.user, origin: actor.origin.word, address: address)
  }
}

/// An entry of the audit log.
public struct AuditEntry: Sendable, Hashable {
  /// The outcome of a change that was made.
  public static let done = "done"

  /// The number, in the order of time; 0 before it is stored.
  public var id: Int
  /// When.
  public var at: Timestamp
  /// Who.
  public var source: AuditSource
  /// The action: `user.add`, `run.create`.
  public var action: String
  /// To what: `users/anna`, `runs/01JD…`.
  public var object: String
  /// The object before; `nil` if it did not exist or does not matter.
  public var before: Value?
  /// The object after; `nil` if it does not exist or does not matter.
  public var after: Value?
  /// `done`, or the code of an error.
  public var outcome: String

  /// Creates an entry.
  public init(
    id: Int = 0, at: Timestamp, _ source: AuditSource, action: String, object: String, before: Value? = nil,
    after: Value? = nil, outcome: String = done
  ) {
    (self.id, self.at, self.source, self.action, self.object) = (id, at, source, action, object)
    (self.before, self.after, self.outcome) = (before, after, outcome)
  }

  /// The entry for programs.
  public var json: Value {
    [
      "id": .int(Int64(id)), "at": .string(at.rfc3339Milliseconds), "actor": .string(source.actor),
      "origin": .string(source.origin), "address": source.address.map { .string($0) } ?? .null,
      "action": .string(action), "object": .string(object), "before": before ?? .null, "after": after ?? .null,
      "changes": .list(changes.map(\.json)), "outcome": .string(outcome),
    ]
  }
}

/// Which entries of the audit log are wanted.
public struct AuditFilter: Sendable, Hashable {
  /// Those of this user, and those about this user.
  public var user: String?
  /// Those of this time or later.
  public var since: Timestamp?
  /// Those before this time.
  public var before: Timestamp?
  /// Those with a smaller number: for the next page.
  public var below: Int?

  /// Creates a filter.
  public init(user: String? = nil, since: Timestamp? = nil, before: Timestamp? = nil, below: Int? = nil) {
    (self.user, self.since, self.before, self.below) = (user, since, before, below)
  }
}
