public import Expressions
public import Localization
public import Plans
public import RecipeModel
public import RecipeSyntax

/// Turns recipes into plans and finds everything that is wrong with them before anything runs.
public struct Planner: Sendable {
  /// The actions that recipes can name.
  public var catalog: ActionCatalog
  /// What the configured providers offer.
  public var providers: any ProviderLookup
  /// The default providers by contract; a list is a fallback order.
  public var defaults: [String: [String]]
  /// The prompts that recipes can name.
  public var prompts: PromptCatalog
  /// The recipes that recipes can run.
  public var recipes: any RecipeSource = RecipeFiles()
  /// What is against a request for a URL, as far as the project's settings tell: for URLs that stand in a recipe; `nil`
  /// where nothing is.
  public var urlRefusal: @Sendable (String) -> LocalizedText? = { _ in nil }
  /// What is against the use of a path, as far as the project's settings decide it: for paths that are written in a recipe, with
  /// whether the run changes the file; `nil` if nothing is.
  public var pathRefusal: @Sendable (_ path: String, _ isChanged: Bool) -> LocalizedText? = { _, _ in nil }
  /// Whether the environment of Sous has a variable, which a program can then inherit.
  public var hasVariable: @Sendable (_ name: String) -> Bool = { _ in true }
  /// The present: what a recipe wants before it has passed, and is reported.
  public var now: @Sendable () -> Timestamp = FieldReader.clock

  /// Creates a planner.
  public init(
    catalog: ActionCatalog, providers: any ProviderLookup = NoProviders(), defaults: [String: [String]] = [:],
    prompts: PromptCatalog = .bundled
  ) {
    self.catalog = catalog
    self.providers = providers
    self.defaults = defaults
    self.prompts = prompts
  }

  /// Creates a planner with the defaults of a configuration and the prompts beside it.
  public init(catalog: ActionCatalog, providers: any ProviderLookup, configuration: Configuration) {
    self.init(
      catalog: catalog, providers: providers,
      defaults: Dictionary(configuration.defaults.map { ($0.contract.value, $0.providers.map(\.value)) }) { $1 },
      prompts: configuration.path == nil ? .bundled : .project(in: configuration.directory))
  }

  /// Reads, checks and lowers a recipe.
  ///
  /// - Parameter source: The recipe's text; its path stands in messages.
  public func plan(_ source: SourceText) -> Planning {
    let children = ChildRecipes(planner: self, root: source.path)
    var planning = plan(source, children).planning
    // What is wrong with the recipes that it runs stands after what is wrong with itself.
    planning.diagnostics = (planning.diagnostics + children.diagnostics).inSourceOrder
    for problem in children.problems where !planning.providerProblems.contains(where: { $0.says(problem) }) {
      planning.providerProblems.append(problem)
    }
    planning.sources.merge(children.sources) { own, _ in own }
    if planning.hasErrors || !planning.providerProblems.isEmpty { planning.plan = nil }
    return planning
  }

  /// Plans one file; the types of its outputs are for the recipe that runs it.
  func plan(_ source: SourceText, _ children: ChildRecipes) -> (planning: Planning, outputs: [String: ValueType]) {
    let (document, problems) = YAMLDocument.parse(source)
    var planning = Planning(sources: [source.path: source])
    guard let document else {
      planning.diagnostics = problems
      return (planning, [:])
    }
    let reader = FieldReader(document, now: now())
    var outputs: [String: ValueType] = [:]
    if let recipe = RecipeReader(reader: reader).recipe() {
      let builder = PlanBuilder(planner: self, recipe: recipe, reader: reader, children: children)
      let plan = builder.build()
      outputs = builder.outputTypes
      planning.providerProblems = builder.resolver.problems
      for (path, source) in builder.sources { planning.sources[path] = source }
      let isSound = problems.isEmpty && !reader.diagnostics.contains { $0.severity == .error }
      planning.plan = isSound && planning.providerProblems.isEmpty ? plan : nil
    }
    planning.diagnostics = (problems + reader.diagnostics).inSourceOrder
    return (planning, outputs)
  }
}

/// What planning a recipe has led to.
public struct Planning: Sendable {
  /// The plan; `nil` where an error or a problem with a provider was found.
  public var plan: Plan?
  /// What is wrong or doubtful in the recipe and the files it uses, in source order.
  public var diagnostics: [Diagnostic] = []
  /// What is wrong with the configuration or the plugins the recipe uses.
  public var providerProblems: [ProviderProblem] = []
  /// The texts that diagnostics refer to, by path.
  public var sources: [String: SourceText]

  init(sources: [String: SourceText]) {
    self.sources = sources
  }

  /// What reading a file that is no recipe has led to: a configuration, tests.
  ///
  /// - Parameters:
  ///   - diagnostics: What is wrong or doubtful in it.
  ///   - providerProblems: What is wrong with the providers that it configures.
  ///   - sources: The texts that diagnostics refer to, by path.
  public init(
    diagnostics: [Diagnostic], providerProblems: [ProviderProblem] = [], sources: [String: SourceText]
  ) {
    self.diagnostics = diagnostics
    self.providerProblems = providerProblems
    self.sources = sources
  }

  /// What a recipe that could not be read has led to.
  public init(unreadable problem: Diagnostic) {
    self.init(sources: [:])
    diagnostics = [problem]
  }

  /// Whether the recipe itself is wrong.
  public var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }
}
