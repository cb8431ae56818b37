public import Expressions

/// A conversation of `sous chat`.
public struct ChatRecord: Sendable {
  /// Its number.
  public var number: Int
  /// The beginning of its first question.
  public var title: String
  /// Standing instructions; empty for none.
  public var system: String
  /// When it began.
  public var at: Timestamp
  /// When its last turn came.
  public var changedAt: Timestamp
  /// How many turns it has.
  public var turnCount: Int

  /// The conversation for `--json`: `{chat, title, system, at, changed_at, turns}`, `turns` a count.
  public var json: ValueMap {
    [
      "chat": .int(Int64(number)), "title": .string(title), "system": .string(system),
      "at": .string(at.rfc3339Milliseconds), "changed_at": .string(changedAt.rfc3339Milliseconds),
      "turns": .int(Int64(turnCount)),
    ]
  }
}

/// A turn of a conversation.
public struct ChatTurnRecord: Sendable {
  /// Who has spoken.
  public enum Role: String, Sendable {
    /// The person.
    case user
    /// The model.
    case assistant
  }

  /// Who has spoken.
  public var role: Role
  /// What was said, with the texts of files.
  public var text: String
  /// The names of the files that came with it.
  public var files: [String] = []
  /// The route that answered, such as `gpt` or `gpt/gpt-4o`; empty for questions.
  public var provider = ""
  /// The model that answered.
  public var model = ""
  /// Whether the answer was broken off.
  public var isCut = false
  /// The settings of this answer that the next turn uses too: `{local, model, task, temperature}`, each optional; `nil` for
  /// questions.
  public var settings: ValueMap?
  /// When.
  public var at: Timestamp

  /// Creates a turn.
  public init(_ role: Role, _ text: String, at: Timestamp) {
    self.role = role
    self.text = text
    self.at = at
  }

  /// The turn for `--json`: `{role, text, files, provider, model, cut, at}`.
  public var json: Value {
    .map([
      "role": .string(role.rawValue), "text": .string(text), "files": .list(files.map(Value.string)),
      "provider": .string(provider), "model": .string(model), "cut": .bool(isCut),
      "at": .string(at.rfc3339Milliseconds),
    ])
  }
}
