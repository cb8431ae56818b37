public import Expressions
public import Plans

/// Something that carries actions out: a loaded plugin, the built-in actions, a fake in a test.
public protocol StepProvider: Sendable {
  /// Carries an action out, once. Never retries by itself.
  ///
  /// When the surrounding task is cancelled the provider ends soon, with the result if there is one, otherwise with a
  /// failure of kind ``ActionFailure/Kind/cancelled``; it returns in bounded time whatever the plugin does. It gives its
  /// thread up while it waits: an attempt's timeout counts from then on.
  func perform(_ request: ActionRequest, reporter: any ActionReporter) async throws(ActionFailure) -> Value

  /// Finds out whether an earlier attempt with the same key, whose result was lost, took effect.
  func verify(_ request: ActionRequest, reporter: any ActionReporter) async throws(ActionFailure) -> Verdict

  /// Whether it hands a part of an action's input to its service in a form of the service's own: the `schema` of
  /// `chat.complete`. What it does not is asked for in words.
  func passesOn(_ field: String, of action: String) -> Bool
}

extension StepProvider {
  /// Takes every input as it stands.
  public func passesOn(_ field: String, of action: String) -> Bool { true }
}

/// The outcome of an attempt whose result was lost.
public enum Verdict: Sendable, Hashable {
  /// It took effect; this is what it would have answered.
  case done(output: Value)
  /// It took no effect and may be repeated.
  case notDone
  /// Nobody can say.
  case unknown
}

/// One call of an action.
public struct ActionRequest: Sendable {
  /// The run it belongs to.
  public var run: RunID
  /// The step it belongs to.
  public var step: String
  /// The position of the item in a `for_each`, counted from 0.
  public var item: Int?
  /// 1 for the first attempt.
  public var attempt: Int
  /// The action: `mail.search`.
  public var action: String
  /// The input, checked against the action's schema.
  public var input: Value
  /// The same for every attempt of one step and item, different for all others.
  public var key: String
  /// Seconds the attempt may take.
  public var timeout: Double?
  /// The name of the recipe; empty where no recipe is concerned.
  public var recipe: String
  /// The recipe's file, as the run names it; empty where no recipe is concerned.
  public var recipePath: String

  /// Creates a request.
  public init(
    run: RunID, step: String, item: Int? = nil, attempt: Int, action: String, input: Value, key: String,
    timeout: Double? = nil, recipe: String = "", recipePath: String = ""
  ) {
    self.run = run
    self.step = step
    self.item = item
    self.attempt = attempt
    self.action = action
    self.input = input
    self.key = key
    self.timeout = timeout
    self.recipe = recipe
    self.recipePath = recipePath
  }
}

/// Where an action reports to while it works.
public protocol ActionReporter: Sendable {
  /// Adds a line to the run log. Holds no secret and no message body.
  func log(_ level: LogLevel, _ message: String)
  /// Says how far the action has come; `total` is 0 when unknown.
  func progress(done: UInt64, total: UInt64, label: String)
  /// Hands over a piece of the answer while it is being made.
  func delta(_ delta: Value)
}

/// How important a line of the run log is.
public enum LogLevel: String, Sendable, CaseIterable, Comparable {
  /// For authors of recipes and plugins.
  case debug
  /// For everyone.
  case info
  /// Something is odd but handled.
  case warning
  /// Something failed.
  case error

  /// Whether one level is less important than another.
  public static func < (left: LogLevel, right: LogLevel) -> Bool { left.rank < right.rank }

  private var rank: Int {
    switch self {
    case .debug: 0
    case .info: 1
    case .warning: 2
    case .error: 3
    }
  }
}

/// The use of a provider by a step: providers can decide by the step too, not only by the request.
public struct ProviderUse: Sendable {
  /// The step.
  public var step: PlanStep
  /// The budgets that its calls count for: that of the run, under an empty name, and of those whose steps run it.
  public var budgets: [RunBudget]
  /// The variables of the step's expressions.
  public var bindings: Bindings

  /// Creates a use.
  public init(step: PlanStep, budgets: [RunBudget] = [], bindings: Bindings) {
    self.step = step
    self.budgets = budgets
    self.bindings = bindings
  }
}

/// Finds providers by the names the configuration gives them.
public protocol ProviderDirectory: Sendable {
  /// As ``provider(named:)``, for the calls of one step.
  func provider(named name: String, for use: ProviderUse) async throws(ActionFailure) -> any StepProvider
  /// The provider with a configured name, or of a ``Plans/ProviderRoute``, opened on first use.
  ///
  /// - Throws: ``ActionFailure`` of kind `not_found` or `unsupported` where it cannot be had.
  func provider(named name: String) async throws(ActionFailure) -> any StepProvider
  /// The provider of the built-in actions.
  var builtins: any StepProvider { get }
  /// Waits until the provider of a name may be called, as its limits say; before an attempt begins, so that the wait does
  /// not count into the attempt's timeout.
  ///
  /// - Returns: Leave, to be ended when the attempt is over.
  /// - Throws: ``ActionFailure`` of kind `cancelled` as soon as the surrounding task is cancelled.
  func admit(to name: String) async throws(ActionFailure) -> Admission
}

extension ProviderDirectory {
  /// The same provider for all steps.
  public func provider(named name: String, for use: ProviderUse) async throws(ActionFailure) -> any StepProvider {
    try await provider(named: name)
  }

  /// Calls no provider to order.
  public func admit(to name: String) async throws(ActionFailure) -> Admission { .free }
}
