import Expressions
public import Localization

/// The facts that a server reports about itself.
public struct ServerFacts: Sendable {
  /// The version of the program.
  public let version: String
  /// The language of its texts.
  public let language: Language
  /// Whether it can send messages outside of answers, so that resources can be subscribed to in versions with a handshake.
  public let pushes: Bool

  /// Creates facts.
  public init(version: String, language: Language, pushes: Bool) {
    (self.version, self.language, self.pushes) = (version, language, pushes)
  }

  /// The name and the version of the program.
  var identity: Value {
    ["name": "sous", "title": "Sous", "version": .string(version)]
  }

  /// The purpose of the server, for the model.
  var instructions: Value {
    .string(
      LocalizedText(
        "Sous runs automations that are written as recipes, and records each run. list_recipes shows the recipes, run_recipe runs "
          + "one, show_run says why a run failed. Some recipes are tools of their own. Calls that change or send something ask the "
          + "person for approval.",
        de:
          "Sous führt Automationen aus, die als Rezepte geschrieben sind, und zeichnet jeden Lauf auf. list_recipes zeigt die "
          + "Rezepte, run_recipe startet eines, show_run sagt, warum ein Lauf gescheitert ist. Manche Rezepte sind eigene "
          + "Werkzeuge. Aufrufe, die etwas ändern oder senden, fragen den Menschen um Zustimmung."
      ).string(in: language))
  }

  /// The features in a version of the protocol.
  func capabilities(_ version: ProtocolVersion) -> Value {
    var map: ValueMap = ["tools": [:], "resources": ["subscribe": .bool(version.isStateless || pushes)]]
    if version.isStateless {
      map["extensions"] = [ClientFeatures.tasks: [:]]
    } else if version.hasRequestedTasks {
      map["tasks"] = ["cancel": [:], "requests": ["tools": ["call": [:]]]]
    }
    return .map(map)
  }
}
