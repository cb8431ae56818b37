import Engine
import Expressions
import Foundation
import OperatingSystem
import RunStore
import UseCases

/// The files that a sync is about to replace, stored before the first one changes.
///
/// A sync that was killed in between has left files of two commits. The next one finds the intent, and finishes that sync before it looks
/// for newer commits.
struct RecipeSyncIntent: Sendable, Hashable {
  /// The change of a file.
  struct Change: Sendable, Hashable {
    /// The path below the folder of recipes.
    var path: String
    /// The SHA-256 of the file before; `nil` if it did not exist.
    var before: String?
    /// The SHA-256 of the file afterwards; `nil` if it is deleted.
    var after: String?
    /// The author and the hash of the commit that has changed the file, for its version.
    var author: String
    var commit: String
  }

  /// The folder of recipes.
  var root: String
  /// The folder in the repository.
  var folder: String
  /// The state once all files are replaced.
  var state: RecipeSyncState
  /// The changes; deletions too.
  var changes: [Change]

  // MARK: - Stored

  /// The intent in a file; `nil` if no sync was interrupted. A file that cannot be read counts as none: the next sync then compares the
  /// files themselves.
  init?(at path: String) {
    guard let data = FileManager.default.contents(atPath: path), let value = try? Value(json: Array(data)),
      let root = value["root"]?.stringValue, let folder = value["folder"]?.stringValue,
      let source = value["source"]?.stringValue, let commit = value["commit"]?.stringValue,
      let at = value["at"]?.stringValue.flatMap(Timestamp.init(rfc3339:)), let changes = value["changes"]?.listValue,
      case .map(let files)? = value["files"]
    else { return nil }
    var digests: [String: String] = [:]
    for (key, digest) in files.entries { digests[key.text] = digest.stringValue }
    (self.root, self.folder) = (root, folder)
    state = RecipeSyncState(source: source, commit: commit, at: at, files: digests)
    self.changes = changes.compactMap { change in
      guard let path = change["path"]?.stringValue else { return nil }
      return Change(
        path: path, before: change["before"]?.stringValue, after: change["after"]?.stringValue,
        author: change["author"]?.stringValue ?? "", commit: change["commit"]?.stringValue ?? "")
    }
    // The file may have come with a folder from elsewhere: only names that a sync writes, and only a hash as an argument of git.
    guard self.changes.count == changes.count, self.changes.allSatisfy({ RecipeRepository.isRecipe($0.path) }),
      [40, 64].contains(commit.utf8.count), commit.allSatisfy(\.isHexDigit)
    else { return nil }
  }

  init(root: String, folder: String, state: RecipeSyncState, changes: [Change]) {
    (self.root, self.folder, self.state, self.changes) = (root, folder, state, changes)
  }

  /// Stores the intent; on the disk when it returns.
  func store(at path: String) throws {
    let files = state.files.sorted { $0.key < $1.key }.map { ($0.key, Value.string($0.value)) }
    let value = Value.object([
      ("root", .string(root)), ("folder", .string(folder)), ("source", .string(state.source)),
      ("commit", .string(state.commit)), ("at", .string(state.at.rfc3339Milliseconds)),
      (
        "changes",
        .list(
          changes.map {
            .object([
              ("path", .string($0.path)), ("before", $0.before.map(Value.string) ?? .null),
              ("after", $0.after.map(Value.string) ?? .null), ("author", .string($0.author)),
              ("commit", .string($0.commit)),
            ])
          })
      ), ("files", .object(files)),
    ])
    try AtomicFile.write(value.json(), to: path, mode: 0o600)
    AtomicFile.synchronizeFolder(of: path)
  }

  // MARK: - Finishing

  /// The changes that are left: those of files that are still as they were. A file that a user has changed since is left as it is; the next
  /// sync reports it.
  ///
  /// - Parameter local: The SHA-256 of the files that exist, by path.
  func left(_ local: [String: String]) -> [Change] {
    changes.filter { local[$0.path] == $0.before && $0.before != $0.after }
  }

  /// The state of the last sync as the files are, if the rest of the changes cannot be made.
  ///
  /// - Parameters:
  ///   - former: The state before the interrupted sync.
  ///   - local: The SHA-256 of the files that exist, by path.
  func partialState(_ former: RecipeSyncState?, _ local: [String: String]) -> RecipeSyncState {
    var state =
      former ?? RecipeSyncState(source: self.state.source, commit: self.state.commit, at: self.state.at, files: [:])
    for change in changes where local[change.path] == change.after { state.files[change.path] = change.after }
    return state
  }
}
