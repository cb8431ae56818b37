internal import Engine
internal import Expressions
internal import GRDB

extension RunStore {
  /// Letters of the first question that a conversation is called by.
  private static let titleLength = 80

  /// Keeps turns of a conversation, all or none; on disk when it returns.
  ///
  /// - Parameters:
  ///   - turns: The turns, in their order.
  ///   - chat: The conversation; `nil` for a new one, which is called by the first line of its first turn.
  ///   - system: Standing instructions of a new one.
  /// - Returns: The conversation's number.
  /// - Throws: ``RunStoreError``.
  public func keep(_ turns: [ChatTurnRecord], in chat: Int?, system: String = "") async throws -> Int {
    let now = time.now.rfc3339Milliseconds
    return try await change(isDurable: true) { writing in
      let database = writing.database
      var number = chat.map(Int64.init)
      if number == nil {
        let title = turns.first?.text.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
        try database.execute(
          sql: "INSERT INTO chats (title, system, at, changed_at) VALUES (?, ?, ?, ?)",
          arguments: [String(title.prefix(Self.titleLength)), system, now, now])
        number = database.lastInsertedRowID
      }
      for turn in turns {
        try database.execute(
          sql: """
            INSERT INTO chat_turns (chat, role, text, files, provider, model, is_cut, at, settings)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
          arguments: [
            number, turn.role.rawValue, turn.text, Value.list(turn.files.map(Value.string)).jsonString, turn.provider,
            turn.model, turn.isCut ? 1 : 0, turn.at.rfc3339Milliseconds,
            turn.settings.map { Value.map($0).jsonString },
          ])
      }
      try database.execute(sql: "UPDATE chats SET changed_at = ? WHERE number = ?", arguments: [now, number])
      return Int(number ?? 0)
    }
  }

  /// Conversations, the one that was continued last first.
  ///
  /// - Parameters:
  ///   - words: Only those in which all of these occur, in any case of letters; empty for all.
  ///   - limit: At most so many.
  public func chats(with words: [String] = [], limit: Int) async throws -> [ChatRecord] {
    let path = path
    return try await look { database in
      let condition = words.map { _ in
        "EXISTS (SELECT 1 FROM chat_turns WHERE chat = chats.number AND text LIKE ? ESCAPE '\\')"
      }.joined(separator: " AND ")
      let arguments = words.map {
        "%" + $0.replacing("\\", with: "\\\\").replacing("%", with: "\\%").replacing("_", with: "\\_") + "%"
      }
      return try Row.fetchAll(
        database,
        sql: """
          SELECT *, (SELECT count(*) FROM chat_turns WHERE chat = chats.number) AS turns FROM chats
          \(words.isEmpty ? "" : "WHERE \(condition)") ORDER BY changed_at DESC, number DESC LIMIT \(max(0, limit))
          """, arguments: StatementArguments(arguments)
      ).map { try ChatRecord(RowReader(row: $0, path: path)) }
    }
  }

  /// A conversation with its turns; `nil` where there is none of that number.
  public func chat(_ number: Int) async throws -> (chat: ChatRecord, turns: [ChatTurnRecord])? {
    let path = path
    return try await look { database in
      let row = try Row.fetchOne(
        database,
        sql:
          "SELECT *, (SELECT count(*) FROM chat_turns WHERE chat = chats.number) AS turns FROM chats WHERE number = ?",
        arguments: [number])
      guard let row else { return nil }
      let turns = try Row.fetchAll(
        database, sql: "SELECT * FROM chat_turns WHERE chat = ? ORDER BY number", arguments: [number])
      return (
        try ChatRecord(RowReader(row: row, path: path)),
        try turns.map { try ChatTurnRecord(RowReader(row: $0, path: path)) }
      )
    }
  }

  /// Deletes conversations.
  ///
  /// - Returns: How many there were.
  public func deleteChats(_ numbers: [Int]) async throws -> Int {
    try await change(isDurable: true) { writing in
      var count = 0
      for number in Set(numbers) {
        try writing.database.execute(sql: "DELETE FROM chat_turns WHERE chat = ?", arguments: [number])
        try writing.database.execute(sql: "DELETE FROM chats WHERE number = ?", arguments: [number])
        count += writing.database.changesCount
      }
      return count
    }
  }
}

extension ChatRecord {
  init(_ row: RowReader) throws {
    self.init(
      number: try row.integer("number"), title: try row.text("title"), system: try row.text("system"),
      at: try row.time("at"), changedAt: try row.time("changed_at"), turnCount: try row.integer("turns"))
  }
}

extension ChatTurnRecord {
  init(_ row: RowReader) throws {
    let role = try row.text("role")
    self.init(role == Role.user.rawValue ? .user : .assistant, try row.text("text"), at: try row.time("at"))
    if case .list(let names)? = try row.value("files", blob: "") { files = names.compactMap(\.stringValue) }
    provider = try row.text("provider")
    model = try row.text("model")
    isCut = try row.integer("is_cut") != 0
    settings = row.optionalText("settings").flatMap { try? Value(json: Array($0.utf8)).mapValue }
  }
}
