extension TableGroup {
  /// Where the recipes of runs come from. The labels that earlier versions stored as paths say it for their runs.
  static let recipeOrigins = TableGroup(
    sql: """
      ALTER TABLE runs ADD COLUMN
        recipe_origin TEXT NOT NULL DEFAULT 'file'; -- file, reminder, outbox, note, notice, snooze, undo
      UPDATE runs SET recipe_origin = CASE
        WHEN path LIKE 'outbox:%' THEN 'outbox'
        WHEN path = 'sous:failure-notice' THEN 'notice'
        WHEN recipe = 'mail-undo' AND path LIKE 'mail-undo-%.yaml' THEN 'undo'
        WHEN recipe = 'note-from-mail' AND '/' || path LIKE '%/note-from-mail.yaml'
          OR recipe = 'note-revision' AND '/' || path LIKE '%/revise.yaml' THEN 'note'
        WHEN recipe = 'snooze' AND '/' || path LIKE '%/snooze.yaml' AND inputs LIKE '%"uid":%' AND inputs LIKE '%"until":%' THEN 'snooze'
        ELSE 'reminder' END
      WHERE path LIKE 'outbox:%' OR path = 'sous:failure-notice' OR trigger = 'remind'
        OR recipe = 'mail-undo' AND path LIKE 'mail-undo-%.yaml'
        OR recipe = 'note-from-mail' AND '/' || path LIKE '%/note-from-mail.yaml'
        OR recipe = 'note-revision' AND '/' || path LIKE '%/revise.yaml'
        OR recipe = 'snooze' AND '/' || path LIKE '%/snooze.yaml' AND inputs LIKE '%"uid":%' AND inputs LIKE '%"until":%'
        -- Later deliveries and repetitions of reminders, unless the path is that of a file that was run.
        OR '/' || path LIKE '%/reminder.yaml' AND trigger IN ('reminder', 'retry', 'replay')
          AND path NOT IN (SELECT path FROM runs WHERE trigger IN ('manual', 'schedule'));
      """)
}
