public import Localization
public import Schemas

/// What a contract says about one of its triggers.
public struct TriggerSignature: Sendable {
  /// The trigger's name: `mail.new`.
  public var name: String
  /// The contract it belongs to: `mail.store`.
  public var contract: String
  /// What it tells of, in one sentence.
  public var summary: LocalizedText
  /// The shape of what a recipe sets.
  public var configuration: Schema
  /// The shape of an event.
  public var event: Schema

  /// Creates a signature.
  public init(name: String, contract: String, summary: LocalizedText, configuration: Schema, event: Schema) {
    self.name = name
    self.contract = contract
    self.summary = summary
    self.configuration = configuration
    self.event = event
  }
}
