internal import Engine
internal import GRDB
internal import Localization
internal import RunLogSchema

/// What must hold of the journal whatever happened: queries that find nothing in a sound run log.
struct JournalInvariants {
  /// The most findings of each sort.
  static let limit = 20

  private struct Rule {
    var kind: CheckFinding.Kind
    /// Gives the name of a run, and of something in it.
    var sql: String
    var message: @Sendable (String, String) -> LocalizedText
    var remedy: LocalizedText
  }

  static func findings(_ database: Database) throws -> [CheckFinding] {
    var found: [CheckFinding] = []
    for rule in rules {
      for row in try Row.fetchAll(
        database, sql: "SELECT CAST(run AS TEXT), CAST(part AS TEXT) FROM (\(rule.sql)) LIMIT \(limit)")
      {
        let (run, part): (String, String) = (row[0] ?? "", row[1] ?? "")
        found.append(
          CheckFinding(kind: rule.kind, message: rule.message(run, part), remedy: rule.remedy, run: run))
      }
    }
    return found
  }

  private static let reported = LocalizedText(
    "This is a fault of Sous; please report it with the output of 'sous show RUN --json'.",
    de: "Das ist ein Fehler von Sous; bitte mit der Ausgabe von 'sous show LAUF --json' melden.")

  private static let cancelling = LocalizedText(
    "Call the run off with 'sous cancel', and run the recipe again with 'sous retry'.",
    de: "Den Lauf mit 'sous cancel' abbrechen und das Rezept mit 'sous retry' noch einmal laufen lassen.")

  private static let rules: [Rule] = [
    Rule(
      kind: .unfinished,
      sql: """
        SELECT r.id AS run, s.id AS part FROM runs AS r JOIN steps AS s ON s.run = r.id
        WHERE r.status IN (\(RunReading.finalStatuses)) AND s.status = 'running'
        """,
      message: { run, step in
        LocalizedText(
          "run \(run) has ended, but its step '\(step)' has not",
          de: "Lauf \(run) ist zu Ende, sein Schritt '\(step)' aber nicht")
      }, remedy: reported),
    Rule(
      kind: .unfinished,
      sql: """
        SELECT r.id AS run, s.id AS part FROM runs AS r JOIN attempts AS a ON a.run = r.id
          JOIN steps AS s ON s.run = a.run AND s.position = a.step
        WHERE r.status = 'succeeded' AND a.status = 'running' AND s.effect IN ('idempotent', 'once')
        """,
      message: { run, step in
        LocalizedText(
          "run \(run) has succeeded, but nobody knows what became of an attempt of its step '\(step)'",
          de:
            "Lauf \(run) war erfolgreich, doch was aus einem Versuch seines Schritts '\(step)' wurde, ist nicht bekannt"
        )
      }, remedy: reported),
    Rule(
      kind: .unfinished,
      sql:
        "SELECT id AS run, status AS part FROM runs WHERE status IN (\(RunReading.finalStatuses)) AND ended_at IS NULL",
      message: { run, status in
        LocalizedText(
          "run \(run) has ended (\(status)) at no time", de: "Lauf \(run) ist ohne Zeitpunkt zu Ende (\(status))")
      }, remedy: reported),
    Rule(
      kind: .stuck,
      sql: """
        SELECT id AS run, recipe AS part FROM runs WHERE status = 'waiting' AND parent IS NULL AND due_at IS NULL
          AND NOT EXISTS (SELECT 1 FROM waits WHERE run = runs.id AND ended_at IS NULL)
        """,
      message: { run, recipe in
        LocalizedText(
          "run \(run) of '\(recipe)' waits for nothing", de: "Lauf \(run) von '\(recipe)' wartet auf nichts")
      }, remedy: cancelling),
    Rule(
      kind: .stuck,
      sql: """
        SELECT id AS run, concurrency_group AS part FROM runs
        WHERE status = 'queued' AND parent IS NULL AND concurrency_group IS NOT NULL
          AND NOT EXISTS (SELECT 1 FROM group_heads AS h WHERE h.concurrency_group = runs.concurrency_group)
          AND \(GroupPlaces.free("runs")) > 0
        """,
      message: { run, group in
        LocalizedText(
          "run \(run) is queued in the group '\(group)', where nobody would take it",
          de: "Lauf \(run) ist in der Gruppe '\(group)' eingereiht, wo ihn niemand nähme")
      }, remedy: cancelling),
    Rule(
      // Of a queued run it is who stands by until it is its turn.
      kind: .owner,
      sql: "SELECT id AS run, status AS part FROM runs WHERE status NOT IN ('running', 'queued') AND owner IS NOT NULL",
      message: { run, status in
        LocalizedText(
          "run \(run) belongs to a process, but nobody works on it (\(status))",
          de: "Lauf \(run) gehört einem Prozess, doch niemand arbeitet daran (\(status))")
      }, remedy: reported),
    Rule(
      kind: .owner,
      sql: "SELECT id AS run, recipe AS part FROM runs WHERE status = 'running' AND owner IS NULL",
      message: { run, recipe in
        LocalizedText(
          "run \(run) of '\(recipe)' is at work, but belongs to no process",
          de: "Lauf \(run) von '\(recipe)' läuft, gehört aber keinem Prozess")
      }, remedy: cancelling),
    Rule(
      kind: .parent,
      sql: """
        SELECT id AS run, parent AS part FROM runs
        WHERE parent IS NOT NULL AND NOT EXISTS (SELECT 1 FROM runs AS p WHERE p.id = runs.parent)
        """,
      message: { run, parent in
        LocalizedText(
          "run \(run) belongs to run \(parent), which is not there",
          de: "Lauf \(run) gehört zu Lauf \(parent), den es nicht gibt")
      }, remedy: reported),
    Rule(
      kind: .dangling,
      sql: """
        SELECT id AS run, recipe AS part FROM runs
        WHERE recipe_set IS NOT NULL AND NOT EXISTS (SELECT 1 FROM recipe_sets WHERE name = runs.recipe_set)
        """,
      message: { run, recipe in
        LocalizedText(
          "the texts of the recipes that '\(recipe)' runs are missing for run \(run)",
          de: "zu Lauf \(run) fehlen die Texte der Rezepte, die '\(recipe)' ausführt")
      }, remedy: reported),
    Rule(
      kind: .attempts,
      sql: """
        SELECT run, (SELECT id FROM steps WHERE steps.run = a.run AND position = step) AS part FROM attempts AS a
        WHERE NOT EXISTS (SELECT 1 FROM runs WHERE runs.id = a.run AND status = \(RunReading.removed))
        GROUP BY run, step, item HAVING max(number) <> count(*) OR min(number) <> 1
        """,
      message: { run, step in
        LocalizedText(
          "attempts of step '\(step)' in run \(run) are missing",
          de: "in Lauf \(run) fehlen Versuche des Schritts '\(step)'")
      }, remedy: reported),
  ]
}
