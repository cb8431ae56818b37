internal import Engine
internal import Expressions
internal import GRDB
internal import Glibc
internal import Localization

extension RunStore {
  // MARK: - Recipes

  /// The files of the recipes whose triggers are switched off.
  public func disabledRecipes() async throws -> Set<String> {
    try await look(isSettled: false) { database in
      Set(try String.fetchAll(database, sql: "SELECT path FROM disabled_recipes"))
    }
  }

  /// Switches the triggers of a recipe on or off; on disk when it returns.
  ///
  /// - Parameter recipe: Its file.
  public func setDisabled(_ recipe: String, _ isDisabled: Bool) async throws {
    let now = time.now.rfc3339Milliseconds
    try await change(isDurable: true) { writing in
      if isDisabled {
        try writing.database.execute(
          sql: "INSERT OR IGNORE INTO disabled_recipes (path, since) VALUES (?, ?)", arguments: [recipe, now])
        // Where it is switched on again, the folders that are there then count, also where they are others.
        try writing.database.execute(
          sql: """
            UPDATE trigger_cursors SET cursor = substr(cursor, 1, instr(cursor, ' ') - 1)
            WHERE subscription >= ?1 AND subscription < ?2 AND instr(cursor, ' ') > 0
            """, arguments: ["file \(recipe) ", "file \(recipe)!"])
      } else {
        try writing.database.execute(sql: "DELETE FROM disabled_recipes WHERE path = ?", arguments: [recipe])
      }
    }
  }

  /// The last good version of a recipe: its text, and those of the recipes that it runs, by path; `nil` where none is kept.
  public func servedRecipe(_ recipe: String) async throws -> (source: String, recipes: [String: String])? {
    let path = path
    return try await look(isSettled: false) { database in
      let row = try Row.fetchOne(
        database, sql: "SELECT source, recipes FROM served_recipes WHERE path = ?", arguments: [recipe])
      guard let columns = row.map({ RowReader(row: $0, path: path) }) else { return nil }
      let texts = try columns.value("recipes", blob: "")?.mapValue ?? [:]
      return (
        try columns.text("source"),
        Dictionary(texts.entries.map { ($0.key.text, $0.value.stringValue ?? "") }) { $1 }
      )
    }
  }

  /// Keeps the good versions of recipes that are new, in one transaction.
  ///
  /// - Parameter recipes: The files with their texts and the texts of the recipes that they run.
  public func keepServedRecipes(_ recipes: [(path: String, source: String, recipes: [String: String])]) async throws {
    guard !recipes.isEmpty else { return }
    let now = time.now.rfc3339Milliseconds
    try await change { writing in
      let statement = try writing.database.cachedStatement(
        sql: """
          INSERT INTO served_recipes (path, source, recipes, kept_at) VALUES (?1, ?2, ?3, ?4)
          ON CONFLICT (path) DO UPDATE SET source = ?2, recipes = ?3, kept_at = ?4
            WHERE source <> ?2 OR recipes <> ?3
          """)
      for recipe in recipes {
        let texts = Value.map(
          ValueMap(recipe.recipes.sorted { $0.key < $1.key }.map { (.string($0.key), .string($0.value)) }))
        try statement.execute(arguments: [recipe.path, recipe.source, texts.jsonString, now])
      }
    }
  }

  // MARK: - Servers

  /// The processes of 'sous serve' that have not ended in good order, the oldest first.
  public func servers() async throws -> [ServerRecord] {
    let path = path
    return try await look(isSettled: false) { database in
      try Row.fetchAll(database, sql: "SELECT * FROM servers ORDER BY began_at, id").map {
        try ServerRecord(RowReader(row: $0, path: path))
      }
    }
  }

  /// Writes down that a process serves, in the place of what was known of it; forgets those that were gone a day ago.
  public func keep(_ server: ServerRecord) async throws {
    let problems = Value.list(
      server.problems.map { problem in
        .map([
          "path": .string(problem.path), "message": .string(problem.message.english),
          "message_de": .string(problem.message.german),
        ])
      })
    let old = server.beatAt.adding(seconds: -86_400).rfc3339Milliseconds
    let process = ProcessIdentity.current
    try await change { writing in
      try writing.database.execute(
        sql: """
          INSERT OR REPLACE INTO servers (id, host, pid, began_at, beat_at, recipes, problems, machine, boot, namespace,
            start_ticks) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
          """,
        arguments: [
          server.id, server.host, server.pid, server.beganAt.rfc3339Milliseconds, server.beatAt.rfc3339Milliseconds,
          server.recipes, problems.jsonString, process.machine, process.boot, process.namespace, process.startTicks,
        ])
      try writing.database.execute(sql: "DELETE FROM servers WHERE beat_at < ?", arguments: [old])
    }
  }

  /// Forgets a process that has ended.
  public func removeServer(_ id: String) async throws {
    try await change { writing in
      try writing.database.execute(sql: "DELETE FROM servers WHERE id = ?", arguments: [id])
    }
  }

  // MARK: - Triggers

  /// How subscriptions fare, by name.
  public func triggerHealth() async throws -> [TriggerHealth] {
    let path = path
    return try await look(isSettled: false) { database in
      try Row.fetchAll(
        database,
        sql: """
          SELECT trigger_health.*, cursor FROM trigger_health LEFT JOIN trigger_cursors USING (subscription)
          ORDER BY subscription
          """
      ).map { try TriggerHealth(RowReader(row: $0, path: path)) }
    }
  }

  /// Writes down how a subscription fares, in the place of what was known of it.
  ///
  /// The number of events and the time of the last one count for a new subscription only: ``fire(event:_:)`` keeps them.
  public func keep(_ health: TriggerHealth) async throws {
    try await change { writing in
      try writing.database.execute(
        sql: """
          INSERT INTO trigger_health (subscription, recipe, path, trigger, provider, alive_at, event_at,
            events, reconnects, lag_ms, trouble, trouble_de) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
          ON CONFLICT (subscription) DO UPDATE SET recipe = excluded.recipe, path = excluded.path,
            trigger = excluded.trigger, provider = excluded.provider, alive_at = excluded.alive_at,
            reconnects = excluded.reconnects, lag_ms = excluded.lag_ms, trouble = excluded.trouble,
            trouble_de = excluded.trouble_de
          """,
        arguments: [
          health.subscription, health.recipe, health.path, health.trigger, health.provider,
          health.aliveAt?.rfc3339Milliseconds, health.eventAt?.rfc3339Milliseconds, health.events, health.reconnects,
          health.lag?.milliseconds, health.trouble?.english, health.trouble?.germanWhereItDiffers,
        ])
    }
  }

  /// Forgets a subscription that is no longer wanted; its cursor and the names of its events stay.
  public func removeTriggerHealth(of subscription: String) async throws {
    try await change { writing in
      try writing.database.execute(
        sql: "DELETE FROM trigger_health WHERE subscription = ?", arguments: [subscription])
    }
  }
}

extension ServerRecord {
  fileprivate init(_ row: RowReader) throws {
    self.init(
      id: try row.text("id"), host: try row.text("host"), pid: try row.integer("pid"),
      beganAt: try row.time("began_at"))
    beatAt = try row.time("beat_at")
    recipes = try row.integer("recipes")
    let process = ProcessIdentity(
      host: host, machine: try row.text("machine"), boot: try row.text("boot"), namespace: try row.text("namespace"),
      pid: pid, startTicks: Int64(try row.integer("start_ticks")))
    let hasGone = process.isGone()
    (isGone, isThere) = (hasGone == true, hasGone == false)
    if isThere { clockShift = Self.clockShift(sinceBegin: beganAt, ticks: process.startTicks) }
    guard case .list(let list)? = try row.value("problems", blob: "") else { return }
    problems = list.compactMap { problem in
      guard let path = problem["path"]?.stringValue, let message = problem["message"]?.stringValue else { return nil }
      return Problem(path: path, message: LocalizedText(message, de: problem["message_de"]?.stringValue ?? message))
    }
  }
}

extension ServerRecord {
  /// Smaller differences come from the start of the process and from a clock that is only adjusted.
  private static let leastShift = 5.0

  /// How far the time of day was set since a process of this start of the machine began: its beginning by the time of day,
  /// compared with its beginning in ticks of a clock that never jumps.
  private static func clockShift(sinceBegin beganAt: Timestamp, ticks: Int64) -> Double {
    var (day, up) = (timespec(), timespec())
    let perSecond = sysconf(Int32(_SC_CLK_TCK))
    guard clock_gettime(CLOCK_REALTIME, &day) == 0, clock_gettime(CLOCK_BOOTTIME, &up) == 0, perSecond > 0 else {
      return 0
    }
    let age = Double(up.tv_sec) - Double(ticks) / Double(perSecond)
    let shift = Timestamp(seconds: Int64(day.tv_sec)).seconds(since: beganAt) - age
    return abs(shift) < leastShift ? 0 : shift
  }
}

extension TriggerHealth {
  fileprivate init(_ row: RowReader) throws {
    self.init(
      subscription: try row.text("subscription"), recipe: try row.text("recipe"), path: try row.text("path"),
      trigger: try row.text("trigger"), provider: try row.text("provider"))
    (aliveAt, eventAt) = (try row.optionalTime("alive_at"), try row.optionalTime("event_at"))
    (events, reconnects) = (try row.integer("events"), try row.integer("reconnects"))
    lag = row.seconds("lag_ms")
    cursor = row.optionalText("cursor")
    trouble = row.optionalText("trouble").map { LocalizedText($0, de: row.optionalText("trouble_de") ?? $0) }
  }
}
