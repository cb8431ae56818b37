internal import GRDB
internal import Localization

extension NoteStore {
  /// The categories in their order.
  public func categories() throws(NoteError) -> [NoteCategory] { try read { try categories($0) } }

  /// The category that notes without one belong to.
  public func defaultCategory() throws(NoteError) -> String {
    try read { database in
      try String.fetchOne(database, sql: "SELECT name FROM categories WHERE is_default = 1")
        ?? ""
    }
  }

  /// Makes a category, at the end.
  ///
  /// - Throws: ``NoteError``: `invalid_input` if there is one of that name, or the name or colour is none.
  public func addCategory(_ name: String, color: String?) throws(NoteError) {
    let name = try Self.checkedName(name)
    let color = try color.map { text throws(NoteError) in try Self.checkedColor(text) }
    try write { database in
      guard try found(name, database) == nil else {
        throw NoteError(.invalid, "there is a category '\(name)'", de: "die Kategorie '\(name)' gibt es schon")
      }
      _ = try categoryName(name, database, color: color)
    }
  }

  /// Changes a category: its name, colour, place, or whether it is the default.
  ///
  /// - Parameters:
  ///   - color: `#rrggbb`; an empty text takes the colour away; `nil` leaves it.
  ///   - position: Its place in the order, from 1.
  /// - Throws: ``NoteError``: `not_found`, `invalid_input`.
  public func changeCategory(
    _ name: String, to newName: String? = nil, color: String? = nil, position: Int? = nil, isDefault: Bool = false
  ) throws(NoteError) {
    let newName = try newName.map { text throws(NoteError) in try Self.checkedName(text) }
    let newColor = try color.map { text throws(NoteError) in text.isEmpty ? "" : try Self.checkedColor(text) }
    try write { database in
      var name = try require(name, database)
      if let newName {
        if let other = try found(newName, database), other != name {
          throw NoteError(.invalid, "there is a category '\(other)'", de: "die Kategorie '\(other)' gibt es schon")
        }
        try database.execute(
          sql: "UPDATE categories SET name = ?, folded = ? WHERE name = ?",
          arguments: [newName, newName.lowercased(), name])
        name = newName
      }
      if let newColor {
        try database.execute(
          sql: "UPDATE categories SET color = nullif(?, '') WHERE name = ?", arguments: [newColor, name])
      }
      if let position {
        var names = try String.fetchAll(database, sql: "SELECT name FROM categories ORDER BY position, name")
        names.removeAll { $0 == name }
        names.insert(name, at: min(max(0, position - 1), names.count))
        for (index, name) in names.enumerated() {
          try database.execute(sql: "UPDATE categories SET position = ? WHERE name = ?", arguments: [index, name])
        }
      }
      if isDefault {
        // Notes that had none stay if they were.
        try database.execute(
          sql: """
            UPDATE notes SET category = (SELECT name FROM categories WHERE is_default = 1) WHERE category IS NULL
            """)
        try database.execute(sql: "UPDATE categories SET is_default = (name = ?)", arguments: [name])
      }
    }
  }

  /// Deletes a category; its notes belong to the default one then.
  ///
  /// - Throws: ``NoteError``: `not_found`, `invalid_input` for the default one.
  public func deleteCategory(_ name: String) throws(NoteError) {
    try write { database in
      let name = try require(name, database)
      let isDefault = try Int.fetchOne(
        database, sql: "SELECT is_default FROM categories WHERE name = ?", arguments: [name])
      guard isDefault == 0 else {
        throw NoteError(
          .invalid, "'\(name)' is the default category; make another one the default first",
          de: "'\(name)' ist die Standardkategorie; erst eine andere zum Standard machen")
      }
      try database.execute(sql: "DELETE FROM categories WHERE name = ?", arguments: [name])
    }
  }

  // MARK: - Inside a transaction

  private func categories(_ database: Database) throws -> [NoteCategory] {
    try Row.fetchAll(
      database,
      sql: """
        SELECT name, color, is_default, (
          SELECT count(*) FROM notes
          WHERE notes.category = categories.name OR notes.category IS NULL AND categories.is_default = 1) AS count
        FROM categories ORDER BY position, name
        """
    ).map { row in
      var category = NoteCategory(row["name"] ?? "", color: row["color"], isDefault: row["is_default"] == 1)
      category.count = row["count"] ?? 0
      return category
    }
  }

  /// The name of a category as it is kept; it is made if there is none.
  func categoryName(_ name: String, _ database: Database, color: String? = nil) throws -> String {
    if let found = try found(name, database) { return found }
    try database.execute(
      sql: """
        INSERT INTO categories (name, folded, color, position, is_default)
        VALUES (?, ?, ?, (SELECT coalesce(max(position), -1) + 1 FROM categories), 0)
        """, arguments: [name, name.lowercased(), color])
    return name
  }

  /// Makes categories if they are missing; instead of the default ones if those are unchanged and no note exists.
  func add(_ categories: [NoteCategory], _ database: Database) throws {
    let known = try self.categories(database)
    let isNew =
      try Language.allCases.contains { NoteCategory.first(in: $0) == known }
      && Int.fetchOne(database, sql: "SELECT count(*) FROM notes") == 0
    let chosen = categories.first(where: \.isDefault)
    if isNew, chosen != nil { try database.execute(sql: "DELETE FROM categories") }
    for category in categories {
      let color = category.color.flatMap { try? Self.checkedColor($0) }
      let name = try categoryName(try Self.checkedName(category.name), database, color: color)
      guard isNew, category == chosen else { continue }
      try database.execute(sql: "UPDATE categories SET is_default = 1 WHERE name = ?", arguments: [name])
    }
  }

  private func found(_ name: String, _ database: Database) throws -> String? {
    try String.fetchOne(
      database, sql: "SELECT name FROM categories WHERE folded = ?", arguments: [Note.trimmed(name).lowercased()])
  }

  private func require(_ name: String, _ database: Database) throws -> String {
    if let found = try found(name, database) { return found }
    throw NoteError(
      .notFound, "no category '\(name)'; 'sous notes categories' lists them",
      de: "keine Kategorie '\(name)'; 'sous notes categories' zählt sie auf")
  }

  private static func checkedName(_ name: String) throws(NoteError) -> String {
    let name = Note.trimmed(name)
    guard !name.isEmpty, name.utf8.count <= 800, !name.contains(where: \.isNewline) else {
      throw NoteError(
        .invalid, "a category has a name of one line", de: "eine Kategorie hat einen Namen von einer Zeile")
    }
    return name
  }

  private static func checkedColor(_ text: String) throws(NoteError) -> String {
    let digits = text.hasPrefix("#") ? text.dropFirst() : Substring(text)
    guard digits.utf8.count == 6, digits.allSatisfy(\.isHexDigit) else {
      throw NoteError(
        .invalid, "'\(text)' is not a colour such as #0a84ff", de: "'\(text)' ist keine Farbe wie #0a84ff")
    }
    return "#" + digits.lowercased()
  }
}
