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

  /// The recipe's name.
  public var name: String
  /// What the recipe is for.
  public var summary: String?
  /// The file it was read from, as the user named it.
  public var path: String
  /// SHA-256 or another stable fingerprint of the source text, lowercase hexadecimal: tells runs of different versions apart.
  public var fingerprint: String
  /// The declared inputs, in source order.
  public var inputs: [Input]
  /// The keywords in force, in source order, before `-k` overrides. A value may hold expressions.
  public var keywords: [(name: String, value: BoundValue)]
  /// The longest a whole run may take, in seconds.
  public var timeout: Double?
  /// The steps, in source order; dependencies refer to positions in this list.
  public var steps: [PlanStep]
  /// The declared outputs, in source order.
  public var outputs: [(name: String, value: BoundValue)]

  /// Creates a plan.
  public init(
    name: String, summary: String? = nil, path: String, fingerprint: String, inputs: [Input] = [],
    keywords: [(name: String, value: BoundValue)] = [], timeout: Double? = nil, steps: [PlanStep],
    outputs: [(name: String, value: BoundValue)] = []
  ) {
    self.name = name
    self.summary = summary
    self.path = path
    self.fingerprint = fingerprint
    self.inputs = inputs
    self.keywords = keywords
    self.timeout = timeout
    self.steps = steps
    self.outputs = outputs
  }
}
