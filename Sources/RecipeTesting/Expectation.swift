import RecipeModel
public import RecipeSyntax

/// What a test expects of its run: the map of `expect`.
public struct Expectation: Sendable {
  /// What is expected of a failure.
  enum Failure: Sendable {
    /// That there is none.
    case none(SourceRange)
    /// Its kind.
    case kind(Node)
    /// Its kind and its message, each where it matters.
    case details(kind: Node?, message: Node?, SourceRange)
  }

  /// What is expected of a step; values as they stand in the file.
  struct Step: Sendable {
    var step: Located<String>
    var status: Node?
    var error: Failure?
    var output: Node?
    var input: Node?
    var inputs: Node?
    var calls: Node?
    var attempts: Node?
    /// Seconds.
    var delays: Located<[Double]>?
    var items: Node?
    /// The expectations of the steps of its block or recipe.
    var steps: [Step] = []
  }

  /// Where the map stands.
  public var range: SourceRange
  var status: Node?
  var error: Failure?
  var outputs: [Node.Mapping.Entry] = []
  var calls: Node?
  var steps: [Step] = []
}
