/// Where the text of a recipe comes from: a file that the user wrote, or Sous, which wrote it for one purpose.
///
/// Recorded with each run in `runs.recipe_origin`; the raw values are part of the run log's schema. The path of a recipe that
/// Sous wrote is a label for people. A file may exist under the same path and has nothing to do with the run.
public enum RecipeOrigin: String, Sendable, CaseIterable {
  /// A file; its runs are one series with a common history.
  case file
  /// A reminder that comes once: `sous remind`, the reminder of a note, an import from a calendar.
  case reminder
  /// A message of the outbox.
  case outbox
  /// A note that is made from a message or revised.
  case note
  /// A notice about runs that failed.
  case notice
  /// A message that is put off and brought back: `sous mail snooze`.
  case snooze
  /// A run that reverses what a mail filter did: `sous mail undo`.
  case undo
}
