extension TableGroup {
  /// The outbox: it has no table of its own, as it is a view over runs.
  static let outbox = TableGroup(
    sql: """
      CREATE INDEX steps_of_mails ON steps (run) WHERE action = 'outbox.turn'; -- the runs that send messages
      """)
}
