import Builtins
package import Engine
package import Expressions
package import Plans
import RecipeModel
package import RunStore

/// Which messages runs have put into folders, and which recipes led to that.
///
/// A recipe that new mail starts, and that puts messages into the same folder, starts itself: each message has a line of recipes
/// behind it, and a recipe that is in it too often begins no further run. Stored by day in the state of recipes.
package struct StoredMessages {
  /// How often a recipe may be in the line of a message that starts it.
  package static let mostRounds = 2
  /// Recipes of a line that are stored.
  private static let longest = 40
  /// The prefix of the spaces; a day and a digit made from the key follow. Each space has a limit.
  private static let spaces = "mail-filters/stored/"

  private let state: any RecipeState
  private let now: Timestamp

  package init(_ store: RunStore, at now: Timestamp) {
    state = ProviderRecipeState(store) { _ in true }
    self.now = now
  }

  /// The recipes that led to a message, the latest last; empty if no run has put it there within a day.
  package func line(of uid: String, in folder: MailFolder) throws(StorageFailure) -> [String] {
    try line(Self.key(uid, folder))
  }

  /// The recipes that led to the message that has started a run; empty if none did.
  package func line(before run: RunID) throws(StorageFailure) -> [String] { try line("run \(run)") }

  /// Stores the recipes that led to the message that starts a run.
  package func keep(_ line: [String], before run: RunID) throws(StorageFailure) {
    let key = "run \(run)"
    try state.set(key, to: Self.value(line), in: space(key, day(of: now)))
  }

  /// Stores the recipes that led to messages.
  package func keep(_ line: [String], of uids: [String], in folder: MailFolder) throws(StorageFailure) {
    let keys = uids.map { Self.key($0, folder) }
    for (space, keys) in Dictionary(grouping: keys, by: { space($0, day(of: now)) }).sorted(by: { $0.key < $1.key }) {
      try state.set(keys, to: Self.value(line), in: space)
    }
  }

  /// Forgets what is older than two days.
  package static func forget(in store: RunStore, at now: Timestamp) async throws {
    let prefix = "recipe:" + spaces
    let oldest = now.adding(seconds: -2 * 86_400)
    try await store.forgetState(from: prefix, before: prefix + String(oldest.rfc3339.prefix(10)))
  }

  private func line(_ key: String) throws(StorageFailure) -> [String] {
    for day in [day(of: now), day(of: now.adding(seconds: -86_400))] {
      if let found = try state.value(of: key, in: space(key, day)) {
        return found["line"]?.listValue?.compactMap(\.stringValue) ?? []
      }
    }
    return []
  }

  private static func value(_ line: [String]) -> Value {
    ["line": .list(line.suffix(longest).map { .string($0) })]
  }

  private static func key(_ uid: String, _ folder: MailFolder) -> String {
    "\(folder.provider)/\(folder.name)/\(uid)"
  }

  private func day(of time: Timestamp) -> String { String(time.rfc3339.prefix(10)) }

  private func space(_ key: String, _ day: String) -> String {
    "\(Self.spaces)\(day)/\(String(key.utf8.reduce(0) { ($0 + Int($1)) % 16 }, radix: 16))"
  }
}
