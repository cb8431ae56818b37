internal import Expressions
internal import Hashing

/// The texts of some recipes in the form in which the database keeps them: a blob for each, and a name for all of them.
struct StoredRecipes: Sendable {
  /// What names the set.
  let name: String
  /// The texts, by their paths.
  let texts: [(path: String, text: StoredValue)]

  /// Encodes texts; `nil` where there are none.
  init?(_ recipes: [String: String]) {
    guard !recipes.isEmpty else { return nil }
    texts = recipes.sorted { $0.key < $1.key }
      .map { (path: $0.key, text: StoredValue(.string($0.value), isAlwaysBlob: true)) }
    // A path may hold any character but NUL.
    name = ContentHash.hexadecimal(of: texts.flatMap { Array($0.path.utf8) + [0] + Array(($0.text.hash ?? "").utf8) })
  }

  /// About how much memory they hold, in bytes.
  var byteCount: Int { texts.reduce(0) { $0 + $1.path.utf8.count + $1.text.bytes.count } }
}
