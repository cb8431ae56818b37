extension TableGroup {
  /// A success that a person started ends the failures of its recipe as well, so it is an end that is to be judged.
  static let failureEnds = TableGroup(
    sql: """
      DROP TRIGGER runs_concluded;
      CREATE TRIGGER runs_concluded AFTER UPDATE OF status ON runs
      WHEN NEW.parent IS NULL AND NEW.trigger NOT IN ('notice', 'replay')
        AND NEW.status IN ('failed', 'needs_attention', 'succeeded') AND OLD.status <> NEW.status
        AND (NEW.queued_at IS NOT NULL OR NEW.status = 'succeeded')
        AND (NEW.status <> 'succeeded' OR EXISTS (SELECT 1 FROM failure_streaks WHERE path = NEW.path)
          OR EXISTS (SELECT 1 FROM concluded_runs WHERE path = NEW.path))
      BEGIN
        INSERT INTO concluded_runs (run, path, recipe, status, at, message, message_de)
        VALUES (NEW.id, NEW.path, NEW.recipe, NEW.status, coalesce(NEW.ended_at, NEW.started_at), NEW.failure_message,
          NEW.failure_message_de);
      END;
      """)
}
