/// The changes of a sync, from the files of the repository, of the last sync and of the folder of recipes. Pure.
public struct RecipeSyncPlan: Sendable, Equatable {
  /// A kind of change.
  public enum Action: String, Sendable {
    case add, update, delete
  }

  /// A change of a file.
  public struct Change: Sendable, Equatable {
    /// The path below the folder of recipes.
    public var path: String
    /// The kind of change.
    public var action: Action
    /// The reason why the file is not as the last sync has left it; `nil` if it is.
    public var conflict: Conflict?
    /// The digest of the file as it was compared; `nil` if it does not exist.
    package var seen: String?
  }

  /// A change that was made here.
  public enum Conflict: String, Sendable {
    /// The file has another text than the sync has written.
    case changed
    /// The file was deleted.
    case deleted
    /// The file was there, and did not come from the repository.
    case foreign
  }

  /// The changes, by path.
  public private(set) var changes: [Change] = []

  /// Changes of files that are not as the last sync has left them.
  public var conflicts: [Change] { changes.filter { $0.conflict != nil } }

  /// Compares files.
  ///
  /// - Parameters:
  ///   - wanted: The digests of the files in the repository, by path.
  ///   - synced: Those of the files as the last sync has left them.
  ///   - local: Those of the files as they are, for all paths of the two others that exist.
  package init(wanted: [String: String], synced: [String: String], local: [String: String]) {
    for path in Set(wanted.keys).union(synced.keys).sorted() {
      let (new, last, now) = (wanted[path], synced[path], local[path])
      guard new != now else { continue }
      var conflict: Conflict?
      if now != last { conflict = now == nil ? .deleted : last == nil ? .foreign : .changed }
      let action: Action = new == nil ? .delete : now == nil ? .add : .update
      changes.append(Change(path: path, action: action, conflict: conflict, seen: now))
    }
  }
}
