/// A recipe as it was written, checked in shape but not yet against actions and providers.
struct Recipe {
  /// A declared input.
  struct Input {
    var name: Located<String>
    var schema: Schema
    var isRequired: Bool
  }

  /// A declared output.
  struct Output {
    var name: Located<String>
    var value: MadeValue
  }

  /// A step.
  struct Step {
    /// The id, given or made from the position.
    var id: Located<String>
    var uses: Located<String>?
    var title: String?
    /// Each as the text of a ``ProviderRoute``.
    var providers: [Located<String>]?
    var routing = RoutingSettings()
    var input: Node?
    /// A single expression that gives the whole of `with`; ``input`` and ``made`` are empty then.
    var wholeInput: Node?
    /// As ``wholeInput``, where the recipe does not write it as such.
    var wholeText: PlacedText?
    /// Whether a kind of recipe, or a key of it, implies the step; only then it may use actions that no recipe names.
    var isImplied = false
    /// The tools that a chat step offers to its model.
    var tools: [ToolOffer] = []
    /// The tool whose calls this step of `tools.calls` finds; `nil` for other actions.
    var toolCalls: ToolCalls?
    /// The step whose kind of output it gives on.
    var givesOn: String?
    /// Whether something was reported about `with` as a whole, so that nothing more is said about what it lacks.
    var isInputBroken = false
    /// Inputs that the recipe does not write as such, beside those of ``input``.
    var made: [(name: String, value: MadeValue)] = []
    /// Names that the step's expressions know beside those of every recipe.
    var variables: [(name: String, value: PlacedText)] = []
    var condition: Node?
    /// A condition that the recipe does not write as such; ``condition`` is `nil` then.
    var madeCondition: PlacedText?
    var items: Node?
    /// What to go through where the recipe does not write it as such; ``items`` is `nil` then.
    var madeItems: PlacedText?
    var variable: Located<String>?
    var parallel: Int = 1
    var needs: [Located<String>]?
    var keywords: [KeywordSource] = []
    var retry = RetrySettings()
    var timeout: Double?
    var onError = PlanStep.ErrorPolicy.fail
    /// When it has its turn; the position is one of the recipe's steps.
    var phase = PlanStep.Phase.main
    /// What undoes what it has done; one at most. The recipe's list has it as a step of its own.
    var undo: [Step] = []
    /// How long its result may be used again.
    var cache: (key: Node?, seconds: Double, place: SourceRange)?
    /// The rules of a mail filter, for the step that sorts its messages by them.
    var rules: [SelectionRule]?
    /// The step and the rule whose messages it goes through.
    var carrier: (step: String, rule: String)?
    /// Where the key `timeout` stands.
    var timeoutKey: SourceRange?
    /// Where the key `retry` stands.
    var retryKey: SourceRange?
    var range: SourceRange

    /// Whether it runs once for each of several items.
    var isLoop: Bool { items != nil || madeItems != nil }
  }

  /// A tool that a model may call.
  struct ToolOffer {
    /// What the model calls it.
    var name: String
    /// What it does; `nil` for what its action or recipe says.
    var summary: String?
    /// The step that carries a call out.
    var step: String
    /// Inputs that the recipe gives.
    var fixed: Set<String> = []
    /// The inputs that the recipe opens to the model; `nil` for those that are required and not fixed.
    var inputs: [Located<String>]?
    /// Where the tool is written.
    var place: SourceRange
  }

  /// How a step of `tools.calls` handles the calls of a tool.
  struct ToolCalls {
    /// When a person has to approve a call.
    enum Approval { case always, ofEffects, never }

    var tool: ToolOffer
    var approval: Approval
    /// Whether the step belongs to the first round: only there the plan reports problems of the tool, each once.
    var isFirst: Bool
  }

  var kind = RecipeKind.general
  var repetition: Plan.Repetition?
  var reminding: Plan.Reminding?
  var dispatch: Plan.Dispatch?
  var document: YAMLDocument
  var name: String
  var summary: String?
  var keywords: [KeywordSource] = []
  var inputs: [Input] = []
  var triggers: [Trigger] = []
  var retry = RetrySettings()
  var timeout: Double?
  var priority = 0
  var onFailure: FailurePolicy?
  /// What its steps may do besides reading and computing; `nil` for everything.
  var permissions: Set<Permission>?
  var concurrency: (group: Node, policy: Plan.Concurrency.Policy)?
  /// The folder whose filters take turns, for a mail filter.
  var turn: FolderTurn?
  var defaults: [Configuration.Default] = []
  var budget: Budget?
  var routing = RoutingSettings()
  var steps: [Step] = []
  var outputs: [Output] = []
}

/// The turn of a mail filter among the filters of its folder.
struct FolderTurn {
  /// The names of its providers; empty for the default.
  var providers: [String]
  /// The text of `folder`; may contain expressions.
  var folder: String
  /// The node of `folder`; if it is absent, the node of `rules`.
  var node: Node
  /// Its position among the filters of the folder.
  var order: Int
}

/// What the step that sorts the messages of a mail filter has to know of a rule.
struct SelectionRule {
  /// The id of the step that has its messages.
  var name: String
  var title: String?
  var condition: Node?
  var actions: [String]
  var ends: Bool
  var takes: Bool
  var keeps: Bool
  /// Messages that go out once, over all runs.
  struct Sending {
    /// The action: `forward`.
    var word: String
    /// The name of their list in what is known of the rule.
    var list: String
    /// Tells in what is remembered which rule sent a message where.
    var mark: String
    /// Whether all of its messages are dealt with at once: of those only the names are known.
    var isBatch = false
    /// Whether it is for messages that earlier filters have moved to other folders.
    var isElsewhere = false
  }

  var sends: [Sending]
  /// The media types of the attachments that it saves; `nil` where it saves none.
  var saves: [String]?
  /// Whose word on DKIM counts where it leaves the lists that its messages come from; `nil` where it leaves none.
  var authenticators: [String]?
  var reply: AutomaticReply?
}
