public import Expressions
public import RecipeSyntax
public import Schemas

/// What a recipe of any kind lowers to: typed inputs and a graph of steps, ready to run.
public struct Plan: Sendable {
  /// A declared input of a recipe.
  public struct Input: Sendable {
    /// The input's name.
    public var name: String
    /// What values it takes; the default stands in the schema.
    public var schema: Schema
    /// Whether a run must give it.
    public var isRequired: Bool

    /// Creates an input.
    public init(name: String, schema: Schema, isRequired: Bool) {
      self.name = name
      self.schema = schema
      self.isRequired = isRequired
    }
  }

  /// Which runs of a recipe exclude each other.
  public struct Concurrency: Sendable {
    /// What happens to a run whose group is taken.
    public enum Policy: String, Sendable, CaseIterable {
      /// It waits.
      case queue
      /// It is left out.
      case skip
      /// The one that works is cancelled.
      case cancel
    }

    /// The group's name; runs of all recipes with the same one exclude each other. May hold expressions.
    public var group: BoundValue
    /// What happens when it is taken.
    public var policy: Policy
    /// How many runs of the group work at a time, 1 to ``most``.
    public var max: Int
    /// The position of a mail filter among the filters of its folder: smaller numbers first, equal ones by the recipe's name;
    /// `nil` for recipes of other kinds.
    public var order: Int?
    /// Where the recipe names the group.
    public var range: SourceRange?

    /// The largest ``max``.
    public static let most = 100

    /// Creates a group.
    public init(group: BoundValue, policy: Policy = .queue, max: Int = 1, order: Int? = nil) {
      self.group = group
      self.policy = policy
      self.max = max
      self.order = order
    }
  }

  /// How a reminder is repeated until somebody reacts.
  public struct Repetition: Sendable, Hashable {
    /// What ends a repetition.
    public enum End: String, Sendable, CaseIterable {
      /// Somebody acknowledges it.
      case acknowledged
    }

    /// The interval in seconds.
    public var every: Double
    /// What ends it.
    public var until: End
    /// How often at most; `nil` for no bound.
    public var limit: Int?

    /// Creates a repetition.
    public init(every: Double, until: End = .acknowledged, limit: Int? = nil) {
      self.every = every
      self.until = until
      self.limit = limit
    }
  }

  /// When a reminder is delivered, beside what its triggers say.
  public struct Reminding: Sendable, Hashable {
    /// The event that ends the repetitions of a reminder; its key is the run that delivered it first.
    public static let acknowledgement = "acknowledged"

    /// The point in time; `nil` means when the recipe is run.
    public var at: Timestamp?
    /// How many seconds before its time it is delivered as well, the longest first.
    public var leads: [Double] = []

    /// Creates times: none.
    public init() {}
  }

  /// When a message is to be sent.
  public struct Dispatch: Sendable, Hashable {
    /// The point in time; `nil` means when the recipe is run, or what ``phrase`` or an expression says then.
    public var time: Timestamp?
    /// The words for it, which count from when the recipe is run: `tomorrow at 8`.
    public var phrase: String?
    /// The IANA time zone in which it was given; `nil` where it was given with an offset.
    public var timezone: String?
    /// For how many seconds sending can be cancelled; `nil` for what the configuration says.
    public var undoFor: Double?

    /// Creates a dispatch.
    public init(time: Timestamp? = nil, timezone: String? = nil, undoFor: Double? = nil) {
      self.time = time
      self.timezone = timezone
      self.undoFor = undoFor
    }
  }

  /// The recipe's name.
  public var name: String
  /// The id of the step whose block this is; `nil` for a whole recipe. The ``inputs`` of a block are the steps and variables
  /// around it that its expressions use.
  public var block: String?
  /// The kind of recipe it was made from: `general`, `chain`, `mail-filter`, `reminder`, `send`.
  public var kind = "general"
  /// How a reminder is repeated; `nil` for recipes that are none, and those that are delivered once.
  public var repetition: Repetition?
  /// When a reminder is delivered; `nil` for other kinds.
  public var reminding: Reminding?
  /// When a recipe of kind `send` sends; `nil` for other kinds.
  public var dispatch: Dispatch?
  /// What the recipe is for.
  public var summary: String?
  /// The file it was read from, as the user named it; a label for people if ``origin`` is not `file`.
  public var path: String
  /// Where the recipe's text comes from.
  public var origin = RecipeOrigin.file
  /// SHA-256 or another stable fingerprint of the source text, lowercase hexadecimal: tells runs of different versions apart.
  public var fingerprint: String
  /// The declared inputs, in source order.
  public var inputs: [Input]
  /// The keywords in force, in source order, before `-k` overrides. A value may hold expressions.
  public var keywords: [(name: String, value: BoundValue)]
  /// What starts the recipe by itself.
  public var triggers: [Trigger]
  /// Which runs it excludes; `nil` for none.
  public var concurrency: Concurrency?
  /// The longest a whole run may take, in seconds.
  public var timeout: Double?
  /// Which runs are taken first where several wait for their turn: higher before lower.
  public var priority = 0
  /// Who is told that its runs fail; `nil` where what holds for all recipes holds.
  public var onFailure: FailurePolicy?
  /// The monitoring service that learns how its runs go; `nil` for none.
  public var ping: PingTargets?
  /// How assistants call the recipe; `nil` if it is not open to them.
  public var tool: RecipeTool?
  /// What its steps may do besides reading and computing; `nil` for everything. A child recipe has only those that its parent
  /// has too.
  public var permissions: Set<Permission>?
  /// What its calls of language models may use; `nil` for no bound.
  public var budget: Budget?
  /// The budgets of the runs whose steps run this one, the outermost first.
  public var outerBudgets: [RunBudget] = []
  /// The recipe's text, from which a run goes on even where the file has changed.
  public var source: String?
  /// The texts of the recipes that it runs, directly or through others, by path: with them it goes on even where those
  /// files have changed or are gone.
  public var recipes: [String: String] = [:]
  /// The steps, in source order; dependencies refer to positions in this list.
  public var steps: [PlanStep]
  /// The declared outputs, in source order.
  public var outputs: [(name: String, value: BoundValue)]
  /// The types of the declared outputs, as far as they are known.
  public var outputTypes: [String: ValueType] = [:]

  /// Creates a plan.
  public init(
    name: String, summary: String? = nil, path: String, fingerprint: String, inputs: [Input] = [],
    keywords: [(name: String, value: BoundValue)] = [], triggers: [Trigger] = [], concurrency: Concurrency? = nil,
    timeout: Double? = nil, steps: [PlanStep], outputs: [(name: String, value: BoundValue)] = []
  ) {
    self.name = name
    self.summary = summary
    self.path = path
    self.fingerprint = fingerprint
    self.inputs = inputs
    self.keywords = keywords
    self.triggers = triggers
    self.concurrency = concurrency
    self.timeout = timeout
    self.steps = steps
    self.outputs = outputs
  }

  /// The names that `-k name=value` may set: the recipe's keywords, those of its steps, presets included, and those of
  /// the recipes that it runs.
  public var keywordNames: [String] {
    var seen: Set<String> = []
    let names = (keywords + steps.flatMap(\.keywords)).map(\.name) + steps.flatMap { $0.child?.keywordNames ?? [] }
    return names.filter { seen.insert($0).inserted }
  }

  /// The plan as another recipe runs it: keywords of the one that runs it stand in the place of those of the same names
  /// that the recipe, its presets and the recipes that it runs have. Those of its own steps stay.
  ///
  /// - Parameter outer: The keywords in force at the step that runs it.
  public func inheriting(_ outer: [String: Value]) -> Plan {
    let names = Set(keywordNames)
    let texts = outer.filter { names.contains($0.key) && !$0.value.isNull }
      .mapValues { BoundValue.literal(.string($0.stringValue ?? $0.jsonString)) }
    guard !texts.isEmpty else { return self }
    var plan = self
    plan.keywords = keywords.map { ($0.name, texts[$0.name] ?? $0.value) }
    // Names that only steps and recipes further down know go on from here.
    let known = Set(keywords.map(\.name))
    plan.keywords += texts.filter { !known.contains($0.key) }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    plan.steps = steps.map { step in
      var step = step
      let fromPreset = step.presetKeywords
      step.keywords.removeAll { texts[$0.name] != nil && fromPreset.contains($0.name) }
      return step
    }
    return plan
  }
}
