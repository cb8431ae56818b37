public import Localization
public import Schemas

/// A key of a file: what it means and what it takes.
public struct KeyDefinition: Sendable, Hashable {
  /// The key.
  public var name: String
  /// What it takes.
  public var shape: ValueShape
  /// What it means, in a sentence or two; Markdown with `code` marks.
  public var summary: LocalizedText
  /// Whether its map must have it.
  public var isRequired: Bool

  init(_ name: String, _ shape: ValueShape, _ english: String, de german: String, isRequired: Bool = false) {
    self.name = name
    self.shape = shape
    summary = LocalizedText(english, de: german)
    self.isRequired = isRequired
  }

  /// What it takes, as a JSON Schema; maps with keys of their own are only said to be objects.
  public var schema: Schema { Schema(document: SchemaWriter().value(of: shape)) }
}

/// A map of a file: its keys, all in one place for the parser, the JSON Schemas and the editor.
public struct MappingDefinition: Sendable, Hashable {
  /// The maps that files have.
  public enum Name: String, Sendable, CaseIterable {
    // Recipes
    case general, chain, mailFilter, reminder, send
    case input, retry, concurrency, step, stepRepetition, stepDefaults, undo, cache, matrix, recipeCall
    case trigger, schedule, overlap, catchUp, mailEvent, fileEvent, webhook, recipeEnd, pluginEvent
    case chainInput, prompt, promptSwitch, parts, tool, note
    case rule, ruleAction, deletion, forwarding, redirection, saving, automaticReply, unsubscription, search
    case delivery, message, attachment, repetition, notification, failurePolicy, ping, daemonPing,
      recipeTool, traces
    // The catalog
    case preset, folder
    // The configuration
    case configuration, engine, retention, recipeRetention, price, breaker, provider, limits, textLimits, rate, trust,
      secret,
      secretPlace,
      secretSource, vault, plugins, pluginIndex, account
    case files, http, credential, bookmarks, reminders, neutralise, summaries
    case servedRecipes, recipeSync
    case outbox, outboxAccount
    case server, serverTLS, serverLimits, serverSessions, serverIdentity
    // Language models
    case route, budget, budgetBound
    // Test files
    case testFile, testCase, answer, answerError, answersByItem, answersOfRecipe
    case expectation, stepExpectation, expectedError, matchers
  }

  /// Which map it is.
  public var name: Name
  /// What it is, in a sentence.
  public var summary: LocalizedText
  /// Its keys, in the order in which people write them.
  public var keys: [KeyDefinition]
  /// Whether further keys may stand beside these.
  public var isOpen: Bool
  /// The names of the keys.
  public let keyNames: [String]

  init(
    _ name: Name, _ english: String, de german: String, isOpen: Bool = false, _ keys: [KeyDefinition]
  ) {
    self.name = name
    summary = LocalizedText(english, de: german)
    self.keys = keys
    self.isOpen = isOpen
    keyNames = keys.map(\.name)
  }

  /// The key of a name.
  public func key(_ name: String) -> KeyDefinition? { keys.first { $0.name == name } }
}
