import Localization
import Plans
package import RecipeSyntax
import Schemas

/// How messages wait and go out: `outbox` of `sous.yaml`.
public struct OutboxSettings: Sendable, Hashable {
  /// How often messages go out: `20/min`.
  public struct Rate: Sendable, Hashable {
    /// Seconds between two messages.
    public let interval: Double

    /// Reads a rate: a number from 1 to 1 000 000, `/`, and `s`, `min`, `h`, `d` or a duration. `nil` for other texts.
    public init?(_ text: String) {
      let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { $0.filter { $0 != " " } }
      guard parts.count == 2, let count = Int(parts[0]), (1...1_000_000).contains(count) else { return nil }
      let units: [String: Double] = ["s": 1, "sec": 1, "m": 60, "min": 60, "h": 3600, "d": 86_400, "day": 86_400]
      guard let seconds = units[parts[1]] ?? DurationText.seconds(parts[1]), seconds > 0 else { return nil }
      interval = seconds / Double(count)
    }
  }

  /// What holds for one transport, instead of what holds for all.
  public struct Account: Sendable, Hashable {
    /// How often messages go out.
    public var rate: Rate?
    /// Hours in which nothing goes out.
    public var quiet: QuietHours?
  }

  /// Seconds for which a message can be cancelled where it does not say so itself.
  public var undoFor = 0.0
  /// Seconds after its time up to which a message goes out by itself; a later one asks.
  public var late = 86_400.0
  /// How often messages of one transport go out; `nil` for no bound.
  public var rate: Rate?
  /// Hours in which nothing goes out.
  public var quiet: QuietHours?
  /// What holds for single transports, by the provider's name.
  public var accounts: [String: Account] = [:]

  /// The settings of a configuration that says nothing.
  public init() {}

  /// The rate of a transport.
  public func rate(of account: String) -> Rate? { accounts[account]?.rate ?? rate }
  /// The quiet hours of a transport.
  public func quiet(of account: String) -> QuietHours? { accounts[account]?.quiet ?? quiet }
}

extension OutboxSettings {
  /// Reads `outbox`; reports what is wrong with it.
  package static func read(_ node: Node, _ reader: FieldReader) -> OutboxSettings {
    var settings = OutboxSettings()
    guard let map = reader.map(node, "outbox", RecipeDefinitions.outbox) else { return settings }
    if let seconds = map["undo_for"].flatMap({ reader.duration($0, "outbox.undo_for", allowsZero: true) }) {
      settings.undoFor = seconds
    }
    if let seconds = map["late"].flatMap({ reader.duration($0, "outbox.late") }) { settings.late = seconds }
    settings.rate = map["rate"].flatMap { rate($0, "outbox.rate", reader) }
    settings.quiet = map["quiet"].flatMap { quiet($0, "outbox.quiet", reader) }
    for entry in map["accounts"].flatMap({ reader.map($0, "outbox.accounts", keys: nil) })?.entries ?? [] {
      let field = "outbox.accounts.\(entry.name)"
      guard let map = reader.map(entry.value, field, RecipeDefinitions.outboxAccount) else { continue }
      settings.accounts[entry.name] = Account(
        rate: map["rate"].flatMap { rate($0, field + ".rate", reader) },
        quiet: map["quiet"].flatMap { quiet($0, field + ".quiet", reader) })
    }
    return settings
  }

  private static func rate(_ node: Node, _ field: String, _ reader: FieldReader) -> Rate? {
    guard let text = reader.string(node, field) else { return nil }
    if let rate = Rate(text) { return rate }
    reader.report(
      .invalidValue,
      LocalizedText(
        "'\(field)' is a number of messages in a time: 20/min",
        de: "'\(field)' ist eine Anzahl Nachrichten in einer Zeit: 20/min"),
      at: node.range)
    return nil
  }

  private static func quiet(_ node: Node, _ field: String, _ reader: FieldReader) -> QuietHours? {
    guard let text = reader.string(node, field) else { return nil }
    if let quiet = QuietHours(text) { return quiet }
    reader.report(
      .invalidValue,
      LocalizedText(
        "'\(field)' is two times of day: \"22:00-07:00\", with a time zone behind them where it is not the system's",
        de: "'\(field)' sind zwei Uhrzeiten: \"22:00-07:00\", dahinter eine Zeitzone, wo es nicht die des Systems ist"),
      at: node.range)
    return nil
  }
}
