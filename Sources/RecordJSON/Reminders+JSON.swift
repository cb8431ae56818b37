import Engine
public import Expressions
public import Foundation
public import Localization
public import UseCases

extension KeptReminder {
  /// The name of the reminder: its run, or its recipe.
  public var id: String {
    switch self {
    case .run(let run): run.rawValue
    case .recipe(_, let name): name
    }
  }

  /// The recipe's file; `nil` for a reminder that comes once.
  public var path: String? { if case .recipe(let path, _) = self { path } else { nil } }

  /// The new reminder: `{id, title, next, understood, repeated, path}`.
  ///
  /// - Parameters:
  ///   - draft: The reminder as it was kept.
  ///   - understood: The time that was understood.
  ///   - now: The present, from which the first time is counted.
  public func json(_ draft: ReminderDraft, _ understood: LocalizedText, now: Date, in language: Language) -> Value {
    let first = draft.first(after: now).map { Timestamp(seconds: Int64($0.timeIntervalSince1970)).rfc3339 }
    return [
      "id": .string(id), "title": .string(draft.title), "next": first.map { .string($0) } ?? .null,
      "understood": .string(understood.string(in: language)), "repeated": .bool(draft.isRepeated),
      "path": path.map { .string($0) } ?? .null,
    ]
  }
}

extension ReminderChange {
  /// The change: `{id, title, next, path}`.
  public var json: Value {
    [
      "id": .string(id), "title": .string(title), "next": next.map { .string($0.rfc3339) } ?? .null,
      "path": path.map { .string($0) } ?? .null,
    ]
  }
}

extension ReminderEntry {
  /// The reminder for programs: `{id, title, state, at, next, round, rhythm, words, words_de, path, run}`; null where there
  /// is none. `words` is the rhythm in words, `rhythm` as the recipe says it.
  public var json: Value {
    [
      "id": .string(id), "title": .string(title), "state": .string(state.rawValue),
      "at": at.map { .string($0.rfc3339) } ?? .null, "next": next.map { .string($0.rfc3339) } ?? .null,
      "round": .int(Int64(round)), "rhythm": rhythm.isEmpty ? .null : .string(rhythm),
      "words": .text(rhythmWords?.english), "words_de": .text(rhythmWords?.german),
      "path": path.map { .string($0) } ?? .null, "run": run.map { .string($0.rawValue) } ?? .null,
    ]
  }
}
