import Localization
public import Plans
package import RecipeSyntax

/// How runs are carried out and how long they are kept: `engine` in `sous.yaml`.
public struct EngineSettings: Sendable, Hashable {
  /// How long ended runs are kept; what exceeds a bound goes, oldest first.
  public struct Retention: Sendable, Hashable {
    /// Seconds after their end; `nil` for no bound.
    public var age: Double?
    /// How many at most; `nil` for no bound.
    public var runs: Int?
    /// Bytes the database may have; `nil` for no bound.
    public var size: Int?
    /// Versions of each recipe's file, the newest ones.
    public var versions = 100
    /// What holds for single recipes, by name.
    public var recipes: [String: RecipeRetention] = [:]
  }

  /// How long the ended runs of one recipe are kept.
  public struct RecipeRetention: Sendable, Hashable {
    /// Seconds after their end; `nil` where what holds for all recipes holds.
    public var age: Double?
    /// How many at most; `nil` for no bound.
    public var runs: Int?
  }

  /// What a language model costs, for a million tokens, in a currency that nobody names.
  public struct Price: Sendable, Hashable {
    /// Of what it is asked.
    public var input = 0.0
    /// Of what it answers.
    public var output = 0.0
    /// Of what it is asked and has read before; `nil` where that costs as ``input``.
    public var cached: Double?

    /// Creates a price.
    public init(input: Double = 0, output: Double = 0, cached: Double? = nil) {
      self.input = input
      self.output = output
      self.cached = cached
    }
  }

  /// The monitoring service that learns that the daemon is alive.
  public struct DaemonPing: Sendable, Hashable {
    /// The URL.
    public var url: SecretText
    /// Seconds between two requests.
    public var every = 60.0
  }

  /// The collector of OpenTelemetry that gets the traces of runs.
  public struct Traces: Sendable, Hashable {
    /// The URL of its receiver for OTLP/HTTP, with `/v1/traces`.
    public var url: SecretText
    /// Further fields of the header, in their order.
    public var headers: [Header] = []

    /// A field of the header.
    public struct Header: Sendable, Hashable {
      /// The name of the field.
      public var name: String
      /// Its value.
      public var value: SecretText
    }
  }

  /// When the circuit breaker of a provider that keeps failing opens.
  public struct Breaker: Sendable, Hashable {
    /// Failures in a row that open it.
    public var failures = 3
    /// Seconds it stays open at first.
    public var openSeconds = 10.0
    /// Creates the usual settings.
    public init() {}

    /// What ``openSeconds`` grows to at most while it goes on failing, as a multiple of it.
    public static let maximumFactor = 5.0
    /// Seconds it stays open at most.
    public var longestSeconds: Double { openSeconds * Self.maximumFactor }
  }

  /// How many runs are worked on at once; `nil` where the file does not say.
  public var parallel: Int?
  /// How long ended runs are kept.
  public var retention = Retention()
  /// When the circuit breaker of a provider that keeps failing opens.
  public var breaker = Breaker()
  /// Who is told that runs fail, where their recipe does not say.
  public var onFailure = FailurePolicy()
  /// The monitoring service that learns that the daemon is alive; `nil` for none.
  public var ping: DaemonPing?
  /// The collector that gets the traces of runs; `nil` for none.
  public var traces: Traces?
  /// What language models cost, by their names or beginnings of them.
  public var prices: [String: Price] = [:]
  /// What all calls of language models may use.
  public var budget: Budget?
  /// The bytes of a text that a step reads (output of a program, body of a response, file) if the step does not say; `nil` for
  /// the default of each action.
  public var textLimit: Int?

  /// Creates the usual settings.
  public init() {}

  static let parallelBounds = 1...1000
  /// From 1 MiB to the most that a step can ask for, 64 MiB.
  static let textBounds = (1 << 20)...(64 << 20)
  static let sizeBounds = (1 << 20)...(1 << 50)
  static let versionBounds = 1...10_000
  static let priceBounds = 0.0...1_000_000.0

  /// Reads the map under `engine`.
  package static func read(_ node: Node, _ reader: FieldReader) -> EngineSettings {
    var settings = EngineSettings()
    guard let map = reader.map(node, "engine", RecipeDefinitions.engine) else { return settings }
    settings.parallel = map["parallel"].flatMap { reader.integer($0, "engine.parallel", in: parallelBounds) }
    if let node = map["retention"] { settings.retention = readRetention(node, reader) }
    if let node = map["on_failure"] {
      settings.onFailure = FailurePolicy.read(node, "engine.on_failure", reader) ?? settings.onFailure
    }
    settings.ping = map["ping"].flatMap { readPing($0, reader) }
    settings.traces = map["traces"].flatMap { Traces.read($0, reader) }
    if let node = map["prices"] { settings.prices = readPrices(node, reader) }
    settings.budget = map["budget"].flatMap { Budget.read($0, "engine.budget", isOfRecipe: false, reader) }
    if let node = map["limits"], let map = reader.map(node, "engine.limits", RecipeDefinitions.textLimits) {
      settings.textLimit = map["text"].flatMap { reader.bytes($0, "engine.limits.text", in: textBounds) }
    }
    if let node = map["breaker"], let map = reader.map(node, "engine.breaker", RecipeDefinitions.breaker) {
      if let count = map["failures"].flatMap({ reader.integer($0, "engine.breaker.failures", in: 1...1000) }) {
        settings.breaker.failures = count
      }
      if let seconds = map["open"].flatMap({ reader.duration($0, "engine.breaker.open") }) {
        settings.breaker.openSeconds = seconds
      }
    }
    return settings
  }

  private static let pingBounds = 10.0...86_400.0

  private static func readPing(_ node: Node, _ reader: FieldReader) -> DaemonPing? {
    guard !node.isNull else { return nil }
    guard node.mapping != nil, node.mapping?["secret"] == nil else {
      return PingTargets.url(node, "engine.ping", reader).map { DaemonPing(url: $0) }
    }
    guard let map = reader.map(node, "engine.ping", RecipeDefinitions.daemonPing), let written = map["url"],
      let url = PingTargets.url(written, "engine.ping.url", reader)
    else { return nil }
    var ping = DaemonPing(url: url)
    if let node = map["every"], let every = reader.duration(node, "engine.ping.every") {
      guard pingBounds.contains(every) else {
        reader.report(
          .invalidValue,
          LocalizedText(
            "'engine.ping.every' is between 10s and 1d", de: "'engine.ping.every' liegt zwischen 10s und 1d"),
          at: node.range)
        return nil
      }
      ping.every = every
    }
    return ping
  }

  private static func readRetention(_ node: Node, _ reader: FieldReader) -> Retention {
    var retention = Retention()
    let field = "engine.retention"
    guard let map = reader.map(node, field, RecipeDefinitions.retention) else { return retention }
    retention.age = map["age"].flatMap { reader.duration($0, "\(field).age") }
    retention.runs = map["runs"].flatMap { reader.integer($0, "\(field).runs", in: 1...Int.max) }
    retention.size = map["size"].flatMap { reader.bytes($0, "\(field).size", in: sizeBounds) }
    if let count = map["versions"].flatMap({ reader.integer($0, "\(field).versions", in: versionBounds) }) {
      retention.versions = count
    }
    guard let recipes = map["recipes"].flatMap({ reader.map($0, "\(field).recipes", keys: nil) }) else {
      return retention
    }
    for entry in recipes.entries {
      let place = "\(field).recipes.\(entry.name)"
      guard let map = reader.map(entry.value, place, RecipeDefinitions.recipeRetention) else { continue }
      retention.recipes[entry.name] = RecipeRetention(
        age: map["age"].flatMap { reader.duration($0, "\(place).age") },
        runs: map["runs"].flatMap { reader.integer($0, "\(place).runs", in: 1...Int.max) })
    }
    return retention
  }

  private static func readPrices(_ node: Node, _ reader: FieldReader) -> [String: Price] {
    var prices: [String: Price] = [:]
    for entry in reader.map(node, "engine.prices", keys: nil)?.entries ?? [] {
      let place = "engine.prices.\(entry.name)"
      guard let map = reader.map(entry.value, place, RecipeDefinitions.price) else { continue }
      prices[entry.name] = Price(
        input: map["input"].flatMap { reader.number($0, "\(place).input", in: priceBounds) } ?? 0,
        output: map["output"].flatMap { reader.number($0, "\(place).output", in: priceBounds) } ?? 0,
        cached: map["cached"].flatMap { reader.number($0, "\(place).cached", in: priceBounds) })
    }
    return prices
  }
}
