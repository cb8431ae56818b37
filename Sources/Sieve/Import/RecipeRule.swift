/// A rule of the recipe that a script becomes.
struct RecipeRule: Equatable {
  var title: String
  /// Where what it does is in the script.
  var place: Range<Int>
  var condition: Formula
  var effects: ScriptEffects
  /// The action that removes the message from its folder.
  enum End: Equatable {
    case move(String)
    case delete
  }
  var end: End?
  var copies: [String] = []
  var keeps = false
  var stops = false

  /// Whether later rules do not see its messages.
  var ends: Bool { stops || end != nil }

  /// Whether it does anything.
  var isEmpty: Bool {
    end == nil && copies.isEmpty && !keeps && !stops && effects.addedFlags.isEmpty && effects.removedFlags.isEmpty
      && effects.redirects.isEmpty && effects.answer == nil
  }
}
