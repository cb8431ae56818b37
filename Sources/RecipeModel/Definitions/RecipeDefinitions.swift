import Plans
public import Schemas

/// The keys of every map of recipes, configurations, presets and test files.
///
/// The parser takes its known keys from here, `sous schema` its JSON Schemas, and the editor its completions.
public enum RecipeDefinitions {
  /// The files that have definitions.
  public enum File: String, Sendable, CaseIterable {
    /// A recipe of any kind.
    case recipe
    /// `sous.yaml`.
    case configuration
    /// A preset of the prompt catalog.
    case preset
    /// Tests of a recipe.
    case test
  }

  /// The kinds of recipes that can be written, with the map each has at the top.
  static let kinds: [(kind: RecipeKind, name: MappingDefinition.Name)] = [
    (.general, .general), (.chain, .chain), (.mailFilter, .mailFilter), (.reminder, .reminder), (.send, .send),
  ]

  /// The map at the top of a file.
  ///
  /// - Parameter kind: What a recipe's `kind` says; `nil`, and a kind that does not exist, mean the general one.
  public static func root(of file: File, kind: String? = nil) -> MappingDefinition {
    switch file {
    case .configuration: return definition(.configuration)
    case .preset: return definition(.preset)
    case .test: return definition(.testFile)
    case .recipe: return definition(kinds.first { $0.kind.rawValue == kind }?.name ?? .general)
    }
  }

  /// The map at a place of a file.
  ///
  /// - Parameters:
  ///   - path: The keys and positions that lead there; empty for the top.
  ///   - file: The file.
  ///   - kind: What a recipe's `kind` says.
  /// - Returns: `nil` where the place holds no map with keys of its own.
  public static func mapping(
    at path: [SchemaViolation.PathElement], of file: File = .recipe, kind: String? = nil
  ) -> MappingDefinition? {
    shape(at: path, of: file, kind: kind)?.mappings.first.map { definition($0) }
  }

  /// What a place of a file takes.
  ///
  /// - Parameters:
  ///   - path: The keys and positions that lead there; empty for the top.
  ///   - file: The file.
  ///   - kind: What a recipe's `kind` says.
  /// - Returns: `nil` for a place that nothing is known about.
  public static func shape(
    at path: [SchemaViolation.PathElement], of file: File = .recipe, kind: String? = nil
  ) -> ValueShape? {
    var shape = ValueShape.mapping(root(of: file, kind: kind).name)
    for element in path {
      guard let next = step(shape, element) else { return nil }
      shape = next
    }
    return shape
  }

  /// The key at a place of a file, where the last element of the path names one.
  public static func key(
    at path: [SchemaViolation.PathElement], of file: File = .recipe, kind: String? = nil
  ) -> KeyDefinition? {
    guard case .key(let name)? = path.last else { return nil }
    return mapping(at: path.dropLast(), of: file, kind: kind)?.key(name)
  }

  private static func step(_ shape: ValueShape, _ element: SchemaViolation.PathElement) -> ValueShape? {
    switch (shape, element) {
    case (.mapping(let name), .key(let key)): return definition(name).key(key)?.shape
    case (.map(let value), .key): return value
    case (.list(let value), .index): return value
    case (.any(let shapes), _):
      let found = shapes.compactMap { step($0, element) }
      return found.count > 1 ? .any(found) : found.first
    default: return nil
    }
  }

  /// The definition of a map.
  public static func definition(_ name: MappingDefinition.Name) -> MappingDefinition {
    switch name {
    case .general: general
    case .chain: chain
    case .mailFilter: mailFilter
    case .reminder: reminder
    case .send: send
    case .input: input
    case .retry: retry
    case .concurrency: concurrency
    case .step: step
    case .stepRepetition: stepRepetition
    case .stepDefaults: stepDefaults
    case .undo: undo
    case .cache: cache
    case .matrix: matrix
    case .recipeCall: recipeCall
    case .trigger: trigger
    case .schedule: schedule
    case .overlap: overlap
    case .catchUp: catchUp
    case .mailEvent: mailEvent
    case .fileEvent: fileEvent
    case .webhook: webhook
    case .recipeEnd: recipeEnd
    case .pluginEvent: pluginEvent
    case .chainInput: chainInput
    case .prompt: prompt
    case .promptSwitch: promptSwitch
    case .parts: parts
    case .tool: tool
    case .note: note
    case .rule: rule
    case .ruleAction: ruleAction
    case .deletion: deletion
    case .forwarding: forwarding
    case .redirection: redirection
    case .saving: saving
    case .automaticReply: automaticReply
    case .unsubscription: unsubscription
    case .search: search
    case .delivery: delivery
    case .message: message
    case .attachment: attachment
    case .repetition: repetition
    case .notification: notification
    case .failurePolicy: failurePolicy
    case .ping: ping
    case .daemonPing: daemonPing
    case .recipeTool: recipeTool
    case .traces: traces
    case .bookmarks: bookmarks
    case .servedRecipes: servedRecipes
    case .recipeSync: recipeSync
    case .neutralise: neutralise
    case .summaries: summaries
    case .preset: preset
    case .folder: folder
    case .configuration: configuration
    case .engine: engine
    case .retention: retention
    case .recipeRetention: recipeRetention
    case .textLimits: textLimits
    case .price: price
    case .breaker: breaker
    case .outbox: outbox
    case .route: route
    case .budget: budget
    case .budgetBound: budgetBound
    case .outboxAccount: outboxAccount
    case .server: server
    case .serverTLS: serverTLS
    case .serverLimits: serverLimits
    case .serverSessions: serverSessions
    case .serverIdentity: serverIdentity
    case .provider: provider
    case .rate: rate
    case .trust: trust
    case .secret: secret
    case .secretPlace: secretPlace
    case .secretSource: secretSource
    case .vault: vault
    case .plugins: plugins
    case .pluginIndex: pluginIndex
    case .account: account
    case .files: files
    case .http: http
    case .credential: credential
    case .reminders: reminders
    case .testFile: testFile
    case .testCase: testCase
    case .answer: answer
    case .answerError: answerError
    case .answersByItem: answersByItem
    case .answersOfRecipe: answersOfRecipe
    case .expectation: expectation
    case .stepExpectation: stepExpectation
    case .expectedError: expectedError
    case .matchers: matchers
    case .limits: limits
    }
  }
}
