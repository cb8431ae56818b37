public import Expressions
internal import GRDB
internal import Localization

/// A filter of the list of runs that a user has given a name.
public struct SavedFilter: Sendable, Hashable {
  /// The name, at most 60 characters.
  public let name: String
  /// The values by field: `status`, `recipe`, `search`.
  public let query: [String: String]

  /// The fields that a filter can have.
  public static let fields = ["status", "recipe", "search"]

  /// Creates a filter; other fields and empty values are left out.
  public init(name: String, query: [String: String]) {
    self.name = name
    self.query = query.filter { Self.fields.contains($0.key) && !$0.value.isEmpty }
  }

  /// The filter for programs: `{name, status, recipe, search}`; fields without a value are null.
  public var json: Value {
    var map: ValueMap = ["name": .string(name)]
    for field in Self.fields { map[field] = query[field].map { .string($0) } ?? .null }
    return .map(map)
  }
}

extension AccessStore {
  /// The most filters that a user can save.
  public static let mostFilters = 50

  /// The saved filters of a user, by name.
  public func savedFilters(of user: String) throws(AccessError) -> [SavedFilter] {
    try read { database in
      try Row.fetchAll(database, sql: "SELECT * FROM saved_filters WHERE user = ? ORDER BY name", arguments: [user])
        .map(Self.savedFilter)
    }
  }

  /// Saves a filter; one with the same name is replaced.
  ///
  /// - Throws: ``AccessError``: `unknown_user`; `invalid_input` for a name that is empty or too long, a filter without values, or
  ///   one filter too many.
  public func saveFilter(_ filter: SavedFilter, of user: String) throws(AccessError) {
    guard (1...60).contains(filter.name.count), !filter.name.unicodeScalars.contains(where: { $0.value < 0x20 }) else {
      throw AccessError(
        .invalidInput, "the name of a filter has 1 to 60 characters",
        de: "der Name eines Filters hat 1 bis 60 Zeichen")
    }
    guard !filter.query.isEmpty else {
      throw AccessError(
        .invalidInput, "the filter shows all runs: choose a status, a recipe or words first",
        de: "der Filter zeigt alle Läufe: erst Zustand, Rezept oder Wörter wählen")
    }
    var map = ValueMap()
    for field in SavedFilter.fields { if let value = filter.query[field] { map[field] = .string(value) } }
    let text = Value.map(map).jsonString
    try write { database in
      _ = try require(user: user, database)
      try database.execute(
        sql: "INSERT OR REPLACE INTO saved_filters (user, name, query) VALUES (?, ?, ?)",
        arguments: [user, filter.name, text])
      let count = try Int.fetchOne(
        database, sql: "SELECT count(*) FROM saved_filters WHERE user = ?", arguments: [user])
      guard count ?? 0 <= Self.mostFilters else {
        throw AccessError(
          .invalidInput, "\(Self.mostFilters) filters are saved: remove one first",
          de: "\(Self.mostFilters) Filter sind gespeichert: erst einen entfernen")
      }
    }
  }

  /// Removes a saved filter.
  ///
  /// - Returns: Whether it existed.
  public func removeFilter(_ name: String, of user: String) throws(AccessError) -> Bool {
    try write { database in
      try database.execute(
        sql: "DELETE FROM saved_filters WHERE user = ? AND name = ?", arguments: [user, name])
      return database.changesCount > 0
    }
  }

  static func savedFilter(_ row: Row) -> SavedFilter {
    let query = (try? Value(json: (row["query"] as String?) ?? ""))?.mapValue ?? [:]
    return SavedFilter(
      name: row["name"] ?? "",
      query: Dictionary(query.entries.map { ($0.key.text, $0.value.stringValue ?? "") }) { first, _ in first })
  }
}
