/// Tables that belong together, with their indexes, views and triggers.
///
/// A group refers to tables of earlier groups alone. A new group is a file beside this one and a
/// ``Migration``.
struct TableGroup: Sendable {
  /// The statements, with `$STRICT` where a table's options stand. The comments end up in the file, for whoever reads it
  /// with `sqlite3` and `.schema`.
  let sql: String

  /// The groups of the first published schema, in the order in which they are created.
  static let all: [TableGroup] = [.runs, .queue, .providers, .search]
}
