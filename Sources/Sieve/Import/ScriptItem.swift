/// The actions of a script at one position.
struct ScriptEffects: Equatable {
  /// A copy of the message in a folder.
  struct Store: Hashable {
    var folder: String
    /// Whether the message also stays if it is (RFC 3894).
    var isCopy: Bool
  }

  /// An automatic answer (RFC 5230).
  struct Answer: Equatable {
    var addresses: [String]
    var days: Int64
    var subject: String?
    var from: String?
    var handle: String?
    var text: String
  }

  var addedFlags: [String] = []
  var removedFlags: [String] = []
  var stores: [Store] = []
  /// Whether the message is kept in its folder explicitly.
  var keeps = false
  var discards = false
  var redirects: [(address: String, isCopy: Bool)] = []
  var answer: Answer?
  /// Whether stores have flags that nothing else of the script has.
  var hasOwnFlags = false

  /// Whether nothing keeps the message in its folder but an explicit wish.
  var cancels: Bool { discards || stores.contains { !$0.isCopy } || redirects.contains { !$0.isCopy } }

  /// Whether it does nothing.
  var isEmpty: Bool { self == ScriptEffects() }

  /// Whether it does nothing but set and remove flags.
  var isOfFlags: Bool {
    var rest = self
    rest.addedFlags = []
    rest.removedFlags = []
    return rest.isEmpty
  }

  /// Whether it does nothing but what storing in some folders has done already.
  func isCovered(by folders: Set<String>) -> Bool {
    var rest = self
    rest.stores.removeAll { folders.contains($0.folder) }
    rest.discards = false
    return rest.isEmpty
  }

  static func == (left: ScriptEffects, right: ScriptEffects) -> Bool {
    left.addedFlags == right.addedFlags && left.removedFlags == right.removedFlags && left.stores == right.stores
      && left.keeps == right.keeps && left.discards == right.discards
      && left.redirects.elementsEqual(right.redirects, by: ==) && left.answer == right.answer
      && left.hasOwnFlags == right.hasOwnFlags
  }
}

/// Actions that follow each other, and the condition under which a script comes to them.
struct ScriptItem {
  /// The condition; besides, no earlier `stop` may have been reached.
  var condition: Formula
  var effects = ScriptEffects()
  /// Whether the script ends here.
  var stops = false
  /// The position of the first action.
  var place: Range<Int>
  var title: String?

  /// Whether it ends the script and does nothing else.
  var isStop: Bool { stops && effects.isEmpty }
}
