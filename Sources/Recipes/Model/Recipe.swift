/// A recipe of the general kind as it was written, checked in shape but not yet against actions and providers.
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
    var value: Node
  }

  /// A step.
  struct Step {
    /// The id, given or made from the position.
    var id: Located<String>
    var uses: Located<String>?
    var title: String?
    var providers: [Located<String>]?
    var input: Node?
    var condition: Node?
    var items: Node?
    var variable: Located<String>?
    var parallel: Int = 1
    var needs: [Located<String>]?
    var keywords: [KeywordSource] = []
    var retry = RetrySettings()
    var timeout: Double?
    var onError = PlanStep.ErrorPolicy.fail
    var range: SourceRange
  }

  var document: YAMLDocument
  var name: String
  var summary: String?
  var keywords: [KeywordSource] = []
  var inputs: [Input] = []
  var triggers: [Trigger] = []
  var retry = RetrySettings()
  var timeout: Double?
  var concurrency: (group: Node, policy: Plan.Concurrency.Policy)?
  var defaults: [Configuration.Default] = []
  var steps: [Step] = []
  var outputs: [Output] = []
}

/// The kinds of recipes.
enum RecipeKind: String, CaseIterable {
  case general
  case chain
  case mailFilter = "mail-filter"
  case reminder
  case send
  case answer
}
