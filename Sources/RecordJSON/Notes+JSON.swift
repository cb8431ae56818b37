public import Expressions
public import Notes

extension Note {
  /// The note as `note.get` gives it, with its number.
  ///
  /// - Parameter defaultCategory: The category of notes that have none.
  public func record(defaultCategory: String) -> Value {
    var map = json(defaultCategory: defaultCategory)
    map["number"] = .int(Int64(number))
    return .map(map)
  }
}

extension FoundNote {
  /// The note with the passage that fits best: `{note, highlights: [{text, hit}]}`.
  public func record(defaultCategory: String) -> Value {
    [
      "note": note.record(defaultCategory: defaultCategory),
      "highlights": .list(passage.map { ["text": .string($0.text), "hit": .bool($0.isHit)] }),
    ]
  }
}

extension NoteCategory {
  /// The category: `{name, color, default, count}`.
  public var json: Value {
    [
      "name": .string(name), "color": color.map { .string($0) } ?? .null, "default": .bool(isDefault),
      "count": .int(Int64(count)),
    ]
  }
}
