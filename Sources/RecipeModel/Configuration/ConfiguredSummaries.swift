import Localization
package import RecipeSyntax

/// How summaries of messages are made in advance: `summaries` in `sous.yaml`.
public struct ConfiguredSummaries: Sendable, Hashable {
  /// The folder whose messages count.
  public var folder = "INBOX"
  /// How many are made in advance in any hour.
  public var perHour = 10
  /// The characters of plain text from which on a message is summarised.
  public var shortest = 350
  /// The accounts that are left out.
  public var except: [String] = []
  /// The load of each processor above which none is made in advance; `nil` for any load.
  public var load: Double?
  /// The charge in percent below which none is made while the machine runs from its battery.
  public var battery = 20

  /// Creates what holds where nobody says otherwise.
  public init() {}

  /// Reads the map under `summaries`.
  package static func read(_ node: Node, _ reader: FieldReader) -> ConfiguredSummaries {
    var settings = ConfiguredSummaries()
    guard let map = reader.map(node, "summaries", RecipeDefinitions.summaries) else { return settings }
    if let folder = map["folder"].flatMap({ reader.string($0, "summaries.folder") }) { settings.folder = folder }
    if let count = map["per_hour"].flatMap({ reader.integer($0, "summaries.per_hour", in: 0...1000) }) {
      settings.perHour = count
    }
    if let length = map["shortest"].flatMap({ reader.integer($0, "summaries.shortest", in: 0...100_000) }) {
      settings.shortest = length
    }
    settings.except = map["except"].flatMap { reader.strings($0, "summaries.except") }?.map(\.value) ?? []
    settings.load = map["load"].flatMap { reader.number($0, "summaries.load", in: 0.01...1000) }
    if let percent = map["battery"].flatMap({ reader.integer($0, "summaries.battery", in: 0...100) }) {
      settings.battery = percent
    }
    return settings
  }
}

extension RecipeDefinitions {
  static let summaries = MappingDefinition(
    .summaries, "How summaries of messages are made in advance.",
    de: "Wie Zusammenfassungen von Nachrichten im Voraus entstehen.",
    [
      KeyDefinition("folder", .text, "The folder; default: INBOX.", de: "Der Ordner; Vorgabe: INBOX."),
      KeyDefinition(
        "per_hour", .integer(0...1000), "How many are made in any hour; default: 10.",
        de: "Wie viele in jeder Stunde entstehen; Vorgabe: 10."),
      KeyDefinition(
        "shortest", .integer(0...100_000), "The characters of plain text from which on one is made; default: 350.",
        de: "Ab wie vielen Zeichen reinem Text eine entsteht; Vorgabe: 350."),
      KeyDefinition(
        "except", .names(.provider), "Accounts that are left out.", de: "Konten, die ausgelassen werden."),
      KeyDefinition(
        "load", .number(0.01...1000), "The load of each processor above which none is made; default: any.",
        de: "Die Last je Prozessor, über der keine entsteht; Vorgabe: jede."),
      KeyDefinition(
        "battery", .integer(0...100), "The charge in percent below which none is made on battery; default: 20.",
        de: "Die Ladung in Prozent, unter der im Akkubetrieb keine entsteht; Vorgabe: 20."),
    ])
}
