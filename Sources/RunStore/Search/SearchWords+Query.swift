internal import Engine

extension SearchWords {
  /// The search for FTS5; see <https://www.sqlite.org/fts5.html#full_text_query_syntax>.
  var query: String { words.map { "\"\($0)\" *" }.joined(separator: " AND ") }
}
