import Localization

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
  }

  /// When a provider that keeps failing is left alone.
  public struct Breaker: Sendable, Hashable {
    /// Failures in a row that open it.
    public var failures = 3
    /// Seconds it stays open at first.
    public var openSeconds = 10.0
  }

  /// How many runs are worked on at once; `nil` where the file does not say.
  public var parallel: Int?
  /// How long ended runs are kept.
  public var retention = Retention()
  /// When a provider that keeps failing is left alone.
  public var breaker = Breaker()

  static let parallelBounds = 1...1000
  static let sizeBounds = (1 << 20)...(1 << 50)

  /// Reads the map under `engine`.
  static func read(_ node: Node, _ reader: FieldReader) -> EngineSettings {
    var settings = EngineSettings()
    guard let map = reader.map(node, "engine", RecipeDefinitions.engine) else { return settings }
    settings.parallel = map["parallel"].flatMap { reader.integer($0, "engine.parallel", in: parallelBounds) }
    if let node = map["retention"], let map = reader.map(node, "engine.retention", RecipeDefinitions.retention) {
      settings.retention.age = map["age"].flatMap { reader.duration($0, "engine.retention.age") }
      settings.retention.runs = map["runs"].flatMap { reader.integer($0, "engine.retention.runs", in: 1...Int.max) }
      settings.retention.size = map["size"].flatMap { reader.bytes($0, "engine.retention.size", in: sizeBounds) }
      if settings.retention != Retention() {
        reader.report(
          .notSupported,
          LocalizedText(
            "'retention' is not in force yet: all runs are kept",
            de: "'retention' wirkt noch nicht: alle Läufe bleiben"),
          at: node.range, severity: .warning)
      }
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
}
