public import Expressions
public import RecipeSyntax
import Schedules

/// What starts a recipe by itself.
public struct Trigger: Sendable {
  /// The sorts of triggers.
  public enum Kind: Sendable {
    /// At points in time.
    case schedule(Schedule)
    /// On something that happens in a mailbox.
    case mail(MailEvent)
    /// When a file has come or changed.
    case file(FileEvent)
    /// When another program sends a request.
    case webhook(Webhook)
    /// When a run of another recipe has ended.
    case recipe(RecipeEnd)
    /// On an event of a plugin.
    case plugin(PluginEvent)
    /// Only by hand; says so to readers.
    case manual
  }

  /// What it waits for.
  public var kind: Kind
  /// Where it stands.
  public var range: SourceRange
  /// Says of an event whether it begins a run; `nil` where each does.
  public var filter: Expression?
  /// What an event gives to the recipe's inputs; those that are not named here have their defaults.
  public var inputs: [(name: String, value: BoundValue)] = []
  /// The filter and the inputs as they are written, for the planner.
  package var written: (filter: Node?, inputs: Node?) = (nil, nil)

  package init(kind: Kind, range: SourceRange) {
    self.kind = kind
    self.range = range
  }
}
