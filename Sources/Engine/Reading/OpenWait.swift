public import Expressions

/// A wait that has not ended.
public struct OpenWait: Sendable {
  /// The recipe of the run.
  public var recipe: String
  /// The step's name.
  public var step: String
  /// The wait itself: run, position of step and item, kind, form and message.
  public var wait: WaitStart
  /// Whether what it waits for has come, and the run only has to go on.
  public var isAnswered: Bool

  package init(recipe: String, step: String, wait: WaitStart, isAnswered: Bool) {
    self.recipe = recipe
    self.step = step
    self.wait = wait
    self.isAnswered = isAnswered
  }

  /// The wait for `--json`.
  ///
  /// `{run, recipe, step, item, kind, event, key, message, form, since, until, answered}`: `kind` is `time`, `event`,
  /// `approval`, `retry` or `recipe`; null where there is none.
  public var json: Value {
    .object([
      ("run", .string(wait.run.rawValue)), ("recipe", .string(recipe)), ("step", .string(step)),
      ("item", .number(wait.item)), ("kind", .string(wait.kind.rawValue)), ("event", .text(wait.event)),
      ("key", .text(wait.key.isEmpty ? nil : wait.key)), ("message", .text(wait.message)),
      ("form", wait.form ?? .null), ("since", .time(wait.at)), ("until", .time(wait.until)),
      ("answered", .bool(isAnswered)),
    ])
  }
}
