internal import Engine
internal import Expressions
internal import Foundation
internal import GRDB
public import Localization

extension RunStore {
  // MARK: - Posting

  /// Puts a notification into the inbox, once for each call; on disk when it returns.
  ///
  /// A notification with the key of another one that could not be delivered, or whose run has ended before it was, takes
  /// its place, and is delivered under that one's call: whatever is still under way there is the same to the service.
  ///
  /// - Throws: ``RunStoreError``.
  public func post(_ notification: NotificationRecord) async throws -> NotificationPosting {
    let path = path
    return try await change(isDurable: true) { writing in
      try NotificationWriter(database: writing.database, path: path).post(notification)
    }
  }

  /// The notification of a call; `nil` where there is none.
  public func notification(ofCall call: String) async throws -> NotificationRecord? {
    let path = path
    return try await look { database in
      try Row.fetchOne(database, sql: "SELECT * FROM notifications WHERE call = ?", arguments: [call]).map {
        try NotificationRecord(RowReader(row: $0, path: path))
      }
    }
  }

  /// Notes what has become of the delivery of a notification; on disk when it returns.
  ///
  /// - Parameters:
  ///   - number: The notification.
  ///   - provider: Who was asked.
  ///   - trouble: Why it was not delivered; `nil` where it was.
  public func noteDelivery(of number: Int, by provider: String, trouble: LocalizedText?) async throws {
    let now = time.now.rfc3339Milliseconds
    try await change(isDurable: trouble == nil) { writing in
      try writing.database.execute(
        sql: """
          UPDATE notifications SET provider = ?2, delivered_at = ?3, trouble = ?4, trouble_de = ?5
          WHERE number = ?1 AND delivered_at IS NULL
          """,
        arguments: [
          number, provider, trouble == nil ? now : nil, trouble?.english, trouble?.germanWhereItDiffers,
        ])
    }
  }

  // MARK: - Reading

  /// Why the mail of a notice of failures has not been sent, from the run that sends it: the step `mail` beside `tell`.
  private static let mailTrouble: String = ["failure_message AS mail_trouble", "failure_message_de AS mail_trouble_de"]
    .map {
      let names = $0.components(separatedBy: " AS ")
      return """
        (SELECT COALESCE(s.\(names[0]), (
          SELECT a.\(names[0]) FROM attempts a WHERE a.run = s.run AND a.step = s.position AND a.status = 'failed'
          ORDER BY a.number DESC LIMIT 1))
        FROM steps s WHERE n.tags = '["sous"]' AND n.call LIKE '%.tell' AND s.run = substr(n.call, 1, length(n.call) - 5)
          AND s.id = 'mail' AND s.status <> 'succeeded') AS \(names[1])
        """
    }.joined(separator: ", ")

  /// The notifications in the inbox, the latest first.
  ///
  /// - Parameters:
  ///   - isUnread: Only those that nobody has read.
  ///   - limit: At most so many.
  public func notifications(isUnread: Bool = false, limit: Int) async throws -> [NotificationRecord] {
    let path = path
    return try await look(isSettled: false) { database in
      try Row.fetchAll(
        database,
        sql: """
          SELECT *, \(Self.mailTrouble) FROM notifications n WHERE cleared_at IS NULL
            \(isUnread ? "AND read_at IS NULL" : "")
          ORDER BY number DESC LIMIT ?
          """, arguments: [max(0, limit)]
      ).map { try NotificationRecord(RowReader(row: $0, path: path)) }
    }
  }

  /// A notification in the inbox by its number; `nil` where there is none.
  public func notification(_ number: Int) async throws -> NotificationRecord? {
    let path = path
    return try await look(isSettled: false) { database in
      try Row.fetchOne(
        database,
        sql: "SELECT *, \(Self.mailTrouble) FROM notifications n WHERE number = ? AND cleared_at IS NULL",
        arguments: [number]
      ).map { try NotificationRecord(RowReader(row: $0, path: path)) }
    }
  }

  /// The number of unread notifications that are not cleared.
  public func unreadNotifications() async throws -> Int {
    try await look(isSettled: false) { database in
      try Int.fetchOne(
        database, sql: "SELECT count(*) FROM notifications WHERE read_at IS NULL AND cleared_at IS NULL") ?? 0
    }
  }

  // MARK: - Marks

  /// Marks notifications as read or unread.
  ///
  /// - Parameters:
  ///   - numbers: Which; `nil` for all.
  ///   - isRead: As what.
  /// - Returns: How many have changed.
  public func markNotifications(_ numbers: [Int]?, isRead: Bool) async throws -> Int {
    let now = time.now.rfc3339Milliseconds
    return try await change(isDurable: true) { writing in
      try writing.database.execute(
        sql: """
          UPDATE notifications SET read_at = \(isRead ? "?1" : "NULL")
          WHERE cleared_at IS NULL AND (read_at IS NULL) = \(isRead ? 1 : 0) AND \(isRead ? "1" : "?1 IS NOT NULL")
            \(Self.condition(numbers))
          """, arguments: [now])
      return writing.database.changesCount
    }
  }

  /// Removes notifications from the inbox.
  ///
  /// - Parameters:
  ///   - numbers: Which; `nil` for all.
  ///   - isRead: Only those that somebody has read.
  /// - Returns: How many are gone.
  public func clearNotifications(_ numbers: [Int]?, isRead: Bool) async throws -> Int {
    let now = time.now.rfc3339Milliseconds
    return try await change(isDurable: true) { writing in
      // The row stays for a while, so that its call and its key stay known.
      try writing.database.execute(
        sql: """
          UPDATE notifications SET cleared_at = ?1, title = '', text = '', tags = '[]', link = NULL
          WHERE cleared_at IS NULL \(isRead ? "AND read_at IS NOT NULL" : "") \(Self.condition(numbers))
          """, arguments: [now])
      return writing.database.changesCount
    }
  }

  private static func condition(_ numbers: [Int]?) -> String {
    numbers.map { "AND number IN (\($0.map(String.init).joined(separator: ", ")))" } ?? ""
  }
}

/// Writes notifications, inside a transaction.
struct NotificationWriter {
  /// Seconds for which notifications are kept that somebody has read.
  private static let period = 90.0 * 86_400
  /// Notifications that are kept at most; the oldest go first.
  private static let mostKept = 10_000
  /// One of so many notifications looks for what need not be kept any more.
  private static let cleaningInterval = 64

  let database: Database
  /// The database file, for errors.
  let path: String

  func post(_ notification: NotificationRecord) throws -> NotificationPosting {
    if let known = try row("call = ?", [notification.call]) { return Self.standing(known) }
    let since = notification.at.adding(seconds: -NotificationRecord.keyPeriod).rfc3339Milliseconds
    if let key = notification.key,
      let earlier = try row(
        "recipe = ? AND key = ? AND at > ? ORDER BY at DESC LIMIT 1", [notification.recipe, key, since])
    {
      return try hasFailed(earlier) ? .open(earlier) : .duplicate(of: earlier)
    }
    var written = notification
    try insert(notification)
    written.number = Int(database.lastInsertedRowID)
    if written.number % Self.cleaningInterval == 0 { try forget(at: notification.at) }
    return Self.standing(written)
  }

  /// Whether a notification was not delivered and nobody is at it any more: its run has ended, or was ended by force
  /// between the inbox and the provider.
  private func hasFailed(_ notification: NotificationRecord) throws -> Bool {
    guard notification.deliveredAt == nil else { return false }
    guard notification.trouble == nil else { return true }
    guard notification.provider != nil else { return false }
    return try Bool.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT NOT EXISTS (SELECT 1 FROM runs
            WHERE id = ? AND status NOT IN (\(RunReading.finalStatuses), \(RunReading.removed)))
          """), arguments: [notification.run]) == true
  }

  private static func standing(_ notification: NotificationRecord) -> NotificationPosting {
    notification.deliveredAt == nil && notification.provider != nil ? .open(notification) : .delivered(notification)
  }

  private func row(_ condition: String, _ arguments: StatementArguments) throws -> NotificationRecord? {
    try Row.fetchOne(
      database.cachedStatement(sql: "SELECT * FROM notifications WHERE \(condition)"), arguments: arguments
    ).map { try NotificationRecord(RowReader(row: $0, path: path)) }
  }

  private func insert(_ notification: NotificationRecord) throws {
    try database.cachedStatement(
      sql: """
        INSERT INTO notifications (call, recipe, run, key, title, text, priority, tags, link, at, provider, trouble,
          trouble_de) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
    ).execute(
      arguments: [
        notification.call, notification.recipe, notification.run, notification.key, notification.title,
        notification.text, notification.priority.rawValue,
        Value.list(notification.tags.map(Value.string)).jsonString, notification.link,
        notification.at.rfc3339Milliseconds, notification.provider, notification.trouble?.english,
        notification.trouble?.germanWhereItDiffers,
      ])
  }

  /// Forgets what is older than what is kept; never what came within the time for which keys count.
  private func forget(at now: Timestamp) throws {
    let counted = now.adding(seconds: -NotificationRecord.keyPeriod).rfc3339Milliseconds
    try database.execute(
      sql: """
        DELETE FROM notifications WHERE at < ?1 AND (
          cleared_at IS NOT NULL OR read_at IS NOT NULL AND at < ?2
          OR number <= (SELECT max(number) FROM notifications) - ?3)
        """,
      arguments: [counted, now.adding(seconds: -Self.period).rfc3339Milliseconds, Self.mostKept])
  }
}

extension NotificationRecord {
  init(_ row: RowReader) throws {
    self.init(
      call: try row.text("call"), recipe: try row.text("recipe"), run: try row.text("run"), text: try row.text("text"),
      at: try row.time("at"))
    number = try row.integer("number")
    key = row.optionalText("key")
    title = try row.text("title")
    priority = try row.choice("priority")
    if case .list(let list)? = try row.value("tags", blob: "") { tags = list.compactMap(\.stringValue) }
    link = row.optionalText("link")
    readAt = try row.optionalTime("read_at")
    provider = row.optionalText("provider")
    deliveredAt = try row.optionalTime("delivered_at")
    trouble = row.optionalText("trouble").map { LocalizedText($0, de: row.optionalText("trouble_de") ?? $0) }
    mailTrouble = row.optionalText("mail_trouble").map {
      LocalizedText($0, de: row.optionalText("mail_trouble_de") ?? $0)
    }
  }
}
