public import Expressions
public import RecipeSyntax

/// One step of a plan.
public struct PlanStep: Sendable {
  /// What happens to the run when the step has failed for good.
  public enum ErrorPolicy: String, Sendable, CaseIterable {
    /// The run fails; steps that have not started are skipped.
    case fail
    /// The run goes on; the step counts as failed, its output is null.
    case `continue`
  }

  /// Repetition of a step over a list or a map; an item of a map is a map of `key` and `value`.
  public struct Loop: Sendable {
    /// What to go through; evaluates to a list or a map.
    public var items: BoundValue
    /// The name an item has in the step's expressions; its position is `index`.
    public var variable: String
    /// How many items are worked on at once; at least 1.
    public var parallel: Int
    /// Whether ``items`` are the lists of a ``Matrix``, whose combinations are the items.
    public var isMatrix = false

    /// Creates a loop.
    public init(items: BoundValue, variable: String = "item", parallel: Int = 1) {
      self.items = items
      self.variable = variable
      self.parallel = parallel
    }
  }

  /// When in a run a step has its turn; the phases come in this order.
  public enum Phase: Sendable, Hashable {
    /// What the recipe is for.
    case main
    /// Takes back what the step at this position has done; only after a failure or a cancellation, and only where that
    /// step has succeeded, or some item of it.
    case undo(of: Int)
    /// Only after a failure.
    case onFailure
    /// At the end, whether the run has succeeded or failed.
    case finally
  }

  /// How long a result may be used again.
  public struct Cache: Sendable {
    /// What names the result among those of the step; `nil` where the whole input does, whichever step asks.
    public var key: BoundValue?
    /// Seconds.
    public var seconds: Double

    /// Creates settings.
    public init(key: BoundValue? = nil, seconds: Double) {
      self.key = key
      self.seconds = seconds
    }
  }

  /// Repetition of a step until a condition is true.
  public final class Repetition: Sendable {
    /// When a step is not repeated any more.
    public enum Limit: Sendable, Hashable {
      /// After so many repetitions, the first included.
      case times(Int)
      /// Before a repetition would begin so many seconds after the first one.
      case seconds(Double)
    }

    /// The condition that ends the repetitions. It reads the variables of the step, and its output as `output`.
    public let until: Expression
    /// Seconds from the end of a repetition to the next one.
    public let every: Double
    /// When the step fails because ``until`` is still not true; `nil` for never.
    public let limit: Limit?

    /// Creates a repetition.
    public init(until: Expression, every: Double, limit: Limit?) {
      self.until = until
      self.every = every
      self.limit = limit
    }
  }

  /// The step's name, unique in its recipe.
  public var id: String
  /// What people call it; `nil` where only the id stands.
  public var title: String?
  /// The action it runs.
  public var action: ActionSignature
  /// The configured providers to use, first choice first; empty for a built-in action. Defaults are filled in.
  public var providers: [String]
  /// The action's input.
  public var input: BoundValue
  /// Runs only when this is true; for a loop it is asked once, before the first item.
  public var condition: Expression?
  /// Repeats over items.
  public var loop: Loop?
  /// Positions of the steps that must be done first.
  public var needs: [Int]
  /// Keywords of this step alone, laid over those of the plan; `-k` overrides both. Those that a prompt of the catalog
  /// brings stand first. A value may hold expressions.
  public var keywords: [(name: String, value: BoundValue)]
  /// The names among ``keywords`` that only a prompt of the catalog brings: a keyword of the recipe, or of one that runs
  /// it, stands above them.
  public var presetKeywords: Set<String> = []
  /// How failures are repeated.
  public var retry: RetryPolicy
  /// The longest one attempt may take, in seconds.
  public var timeout: Double?
  /// What a final failure does to the run.
  public var onError: ErrorPolicy
  /// Names that the step's expressions know beside those of every recipe, in order: what a chain calls `previous`.
  /// Each is evaluated with the variables of the step before its input, for a loop once for each item.
  public var variables: [(name: String, value: BoundValue)] = []
  /// Repeats the step, for a loop each of its items, until a condition is true; `nil` if it is executed once.
  public var repetition: Repetition?
  /// When in a run the step has its turn.
  ///
  /// The ``needs`` of a step of a later phase are all steps of the phases before it and those of its own phase that stand
  /// before it (for ``Phase/undo(of:)`` those of steps that stand after its own); it starts when they have ended,
  /// however they ended or were skipped.
  public var phase = Phase.main
  /// The permissions that it needs.
  public var demands: Set<Permission> = []
  /// How its providers were chosen.
  public var routing = RoutingSettings()
  /// How long a result may be used again; `nil` for not at all.
  public var cache: Cache?
  /// Whether the step runs at the end, whether the run has succeeded or failed.
  public var isFinally: Bool {
    get { phase == .finally }
    set { phase = newValue ? .finally : .main }
  }
  /// The recipe that the step runs; ``action`` is then ``ActionSignature/recipe`` and ``input`` a map of the child's
  /// inputs. Its declared outputs are the step's output.
  public var child: Plan? {
    get { childBox?.plan }
    set { childBox = newValue.map { ChildBox(plan: $0) } }
  }
  private var childBox: ChildBox?
  /// The rules that the step sorts messages by; ``action`` is then ``ActionSignature/select``, and ``providers`` are those
  /// that it asks for the messages.
  public var selection: MessageSelection? {
    get { selectionBox?.selection }
    set { selectionBox = newValue.map { SelectionBox(selection: $0) } }
  }
  private var selectionBox: SelectionBox?
  /// Whether the recipe does not write the step as such: a key of another one implies it.
  public var isImplied = false
  /// Whether the step belongs to the kind of recipe, not to its author, and only records what the run did.
  public var isRecord = false
  /// Where the step stands in the source.
  public var range: SourceRange

  /// Keeps a plan on the heap, since most steps have none.
  private final class ChildBox: Sendable {
    let plan: Plan
    init(plan: Plan) { self.plan = plan }
  }

  /// Keeps a selection on the heap, likewise.
  private final class SelectionBox: Sendable {
    let selection: MessageSelection
    init(selection: MessageSelection) { self.selection = selection }
  }

  /// Creates a step.
  public init(
    id: String, title: String? = nil, action: ActionSignature, providers: [String] = [],
    input: BoundValue = .literal(.map([:])),
    condition: Expression? = nil, loop: Loop? = nil, needs: [Int] = [],
    keywords: [(name: String, value: BoundValue)] = [], retry: RetryPolicy = .standard, timeout: Double? = nil,
    onError: ErrorPolicy = .fail, range: SourceRange
  ) {
    self.id = id
    self.title = title
    self.action = action
    self.providers = providers
    self.input = input
    self.condition = condition
    self.loop = loop
    self.needs = needs
    self.keywords = keywords
    self.retry = retry
    self.timeout = timeout
    self.onError = onError
    self.range = range
  }
}
