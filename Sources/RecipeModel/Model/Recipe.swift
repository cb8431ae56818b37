package import Plans
package import RecipeSyntax
package import Schemas

/// A recipe as it was written, checked in shape but not yet against actions and providers.
package struct Recipe {
  /// A declared input.
  package struct Input {
    package var name: Located<String>
    package var schema: Schema
    package var isRequired: Bool
  }

  /// A declared output.
  package struct Output {
    package var name: Located<String>
    package var value: MadeValue
  }

  /// A step.
  package struct Step {
    /// The id, given or made from the position.
    package var id: Located<String>
    package var uses: Located<String>?
    package var title: String?
    /// Each as the text of a ``ProviderRoute``.
    package var providers: [Located<String>]?
    package var routing = RoutingSettings()
    package var input: Node?
    /// A single expression that gives the whole of `with`; ``input`` and ``made`` are empty then.
    package var wholeInput: Node?
    /// As ``wholeInput``, where the recipe does not write it as such.
    package var wholeText: PlacedText?
    /// Whether a kind of recipe, or a key of it, implies the step; only then it may use actions that no recipe names.
    package var isImplied = false
    /// The tools that a chat step offers to its model.
    package var tools: [ToolOffer] = []
    /// The tool whose calls this step of `tools.calls` finds; `nil` for other actions.
    package var toolCalls: ToolCalls?
    /// The step whose kind of output it gives on.
    package var givesOn: String?
    /// Whether something was reported about `with` as a whole, so that nothing more is said about what it lacks.
    package var isInputBroken = false
    /// Inputs that the recipe does not write as such, beside those of ``input``.
    package var made: [(name: String, value: MadeValue)] = []
    /// Names that the step's expressions know beside those of every recipe.
    package var variables: [(name: String, value: PlacedText)] = []
    package var condition: Node?
    /// A condition that the recipe does not write as such; ``condition`` is `nil` then.
    package var madeCondition: PlacedText?
    package var items: Node?
    /// What to go through where the recipe does not write it as such; ``items`` is `nil` then.
    package var madeItems: PlacedText?
    /// The lists whose combinations it goes through; ``items`` is `nil` then.
    package var matrix: Node?
    package var variable: Located<String>?
    package var parallel: Int = 1
    package var needs: [Located<String>]?
    package var keywords: [KeywordSource] = []
    package var retry = RetrySettings()
    package var timeout: Double?
    package var onError = PlanStep.ErrorPolicy.fail
    /// When it has its turn; the position is one of the recipe's steps.
    package var phase = PlanStep.Phase.main
    /// What undoes what it has done; one at most. The recipe's list has it as a step of its own.
    package var undo: [Step] = []
    /// How long its result may be used again.
    package var cache: (key: Node?, seconds: Double, place: SourceRange)?
    /// Repeats it until a condition is true.
    package var repetition: Repetition?
    /// Whether it says itself what a final failure does to the run.
    package var hasErrorPolicy = false
    /// Whether `retry` holds for it that a person has written for steps: its own, or that of `defaults`.
    package var retriesPrograms = false
    /// The rules of a mail filter, for the step that sorts its messages by them.
    package var rules: [SelectionRule]?
    /// The step and the rule whose messages it goes through.
    package var carrier: (step: String, rule: String)?
    /// Where the key `timeout` stands.
    package var timeoutKey: SourceRange?
    /// Where the key `retry` stands.
    package var retryKey: SourceRange?
    /// The steps of a block: they run once, or once for each item, as a part of the run that sees the steps around it.
    package var block: [Step]?
    /// The decision whose branch the step belongs to, by its id.
    package var decision: String?
    package var range: SourceRange

    package init(id: Located<String>, range: SourceRange) {
      self.id = id
      self.range = range
    }

    /// Whether it runs once for each of several items.
    package var isLoop: Bool { items != nil || madeItems != nil || matrix != nil }
  }

  /// The key `repeat` of a step.
  package struct Repetition {
    package var until: Node
    /// Seconds.
    package var every: Double
    package var limit: PlanStep.Repetition.Limit?
    /// The place of the key `repeat`.
    package var place: SourceRange
  }

  /// Values for all steps that have none of their own.
  package struct StepDefaults {
    package var retry: RetrySettings?
    package var timeout: Double?
    package var onError: PlanStep.ErrorPolicy?
    /// Each as the text of a ``ProviderRoute``.
    package var providers: [Located<String>]?
  }

  /// A tool that a model may call.
  package struct ToolOffer {
    /// What the model calls it.
    package var name: String
    /// What it does; `nil` for what its action or recipe says.
    package var summary: String?
    /// The step that carries a call out.
    package var step: String
    /// Inputs that the recipe gives.
    package var fixed: Set<String> = []
    /// The inputs that the recipe opens to the model; `nil` for those that are required and not fixed.
    package var inputs: [Located<String>]?
    /// Where the tool is written.
    package var place: SourceRange
  }

  /// How a step of `tools.calls` handles the calls of a tool.
  package struct ToolCalls {
    /// When a person has to approve a call.
    package enum Approval { case always, ofEffects, never }

    package var tool: ToolOffer
    package var approval: Approval
    /// Whether the step belongs to the first round: only there the plan reports problems of the tool, each once.
    package var isFirst: Bool
  }

  package var kind = RecipeKind.general
  package var repetition: Plan.Repetition?
  package var reminding: Plan.Reminding?
  package var dispatch: Plan.Dispatch?
  package var document: YAMLDocument
  package var name: String
  package var summary: String?
  package var keywords: [KeywordSource] = []
  package var inputs: [Input] = []
  package var triggers: [Trigger] = []
  package var retry = RetrySettings()
  package var timeout: Double?
  package var priority = 0
  package var onFailure: FailurePolicy?
  package var ping: PingTargets?
  /// Where `ping` is written.
  package var pingRange: SourceRange?
  /// How assistants call it; `nil` if it is not open to them.
  package var tool: RecipeTool?
  /// What its steps may do besides reading and computing; `nil` for everything.
  package var permissions: Set<Permission>?
  package var concurrency: (group: Node, policy: Plan.Concurrency.Policy, max: Int)?
  /// The folder whose filters take turns, for a mail filter.
  package var turn: FolderTurn?
  package var defaults: [Configuration.Default] = []
  package var stepDefaults = StepDefaults()
  /// The variables of all programs that its steps run.
  package var environment: [Node.Mapping.Entry] = []
  package var budget: Budget?
  package var routing = RoutingSettings()
  package var steps: [Step] = []
  package var outputs: [Output] = []
}

/// The turn of a mail filter among the filters of its folder.
package struct FolderTurn {
  /// The names of its providers; empty for the default.
  package var providers: [String]
  /// The text of `folder`; may contain expressions.
  package var folder: String
  /// The node of `folder`; if it is absent, the node of `rules`.
  package var node: Node
  /// Its position among the filters of the folder.
  package var order: Int
}

/// What the step that sorts the messages of a mail filter has to know of a rule.
package struct SelectionRule {
  /// The id of the step that has its messages.
  package var name: String
  package var title: String?
  package var condition: Node?
  package var actions: [String]
  package var ends: Bool
  package var takes: Bool
  package var keeps: Bool
  /// Messages that go out once, over all runs.
  package struct Sending {
    /// The action: `forward`.
    package var word: String
    /// The name of their list in what is known of the rule.
    package var list: String
    /// Tells in what is remembered which rule sent a message where.
    package var mark: String
    /// Whether all of its messages are dealt with at once: of those only the names are known.
    package var isBatch = false
    /// Whether it is for messages that earlier filters have moved to other folders.
    package var isElsewhere = false
  }

  package var sends: [Sending]
  /// The media types of the attachments that it saves; `nil` where it saves none.
  package var saves: [String]?
  /// Whose word on DKIM counts where it leaves the lists that its messages come from; `nil` where it leaves none.
  package var authenticators: [String]?
  package var reply: AutomaticReply?
}
