import Expressions
import Localization
package import RecipeSyntax

/// The Git repository that recipes come from: `recipes.sync` in `sous.yaml`.
public struct ConfiguredRecipeSync: Sendable, Hashable {
  /// Which signatures commits must have.
  public enum Signatures: Sendable, Hashable {
    /// Those that the user's own Git and GnuPG settings trust.
    case trusted
    /// SSH signatures of the signers in this file (ssh-keygen(1), ALLOWED SIGNERS), resolved like every path of the file.
    case signers(String)
  }

  /// The repository: a URL, or the path of a clone on this machine.
  public var url: String
  /// The branch; `nil` for the one that the repository shows first.
  public var branch: String?
  /// The folder in the repository; empty for the whole.
  public var folder = ""
  /// Seconds between two syncs of 'sous serve'.
  public var interval = 900.0
  /// Which signatures commits must have; `nil` for none.
  public var signatures: Signatures?

  /// Creates the settings of a repository.
  public init(url: String) { self.url = url }

  static let intervalBounds = 10.0...31_622_400.0

  /// Reads the map under `recipes.sync`.
  package static func read(
    _ node: Node, _ reader: FieldReader, resolve: (String) -> String
  ) -> ConfiguredRecipeSync? {
    guard let map = reader.map(node, "recipes.sync", RecipeDefinitions.recipeSync),
      let url = map["url"].flatMap({ reader.name($0, "recipes.sync.url") })
    else { return nil }
    var sync = ConfiguredRecipeSync(url: url.value)
    sync.branch = map["branch"].flatMap { reader.name($0, "recipes.sync.branch") }?.value
    sync.folder = map["folder"].flatMap { reader.name($0, "recipes.sync.folder") }?.value ?? ""
    if let node = map["every"], let seconds = reader.duration(node, "recipes.sync.every") {
      if intervalBounds.contains(seconds) {
        sync.interval = seconds
      } else {
        reader.report(
          .invalidValue,
          LocalizedText(
            "'recipes.sync.every' is between 10s and 366d", de: "'recipes.sync.every' liegt zwischen 10s und 366d"),
          at: node.range)
      }
    }
    if let node = map["signatures"] { sync.signatures = signatures(node, reader, resolve) }
    return sync
  }

  private static func signatures(
    _ node: Node, _ reader: FieldReader, _ resolve: (String) -> String
  ) -> Signatures? {
    if let isOn = node.value.boolValue { return isOn ? .trusted : nil }
    return reader.name(node, "recipes.sync.signatures").map { .signers(resolve($0.value)) }
  }
}

extension RecipeDefinitions {
  static let servedRecipes = MappingDefinition(
    .servedRecipes, "Which recipes 'sous serve' starts, and where they come from.",
    de: "Welche Rezepte 'sous serve' startet, und woher sie kommen.",
    [
      KeyDefinition(
        "folders", .texts, "The folders; without it `recipes` and `workflows` beside `sous.yaml`.",
        de: "Die Ordner; ohne Angabe `recipes` und `workflows` neben `sous.yaml`."),
      KeyDefinition(
        "sync", .any([.mapping(.recipeSync), .null]), "A Git repository that recipes come from.",
        de: "Ein Git-Repository, aus dem Rezepte kommen."),
    ])

  static let recipeSync = MappingDefinition(
    .recipeSync, "A Git repository that recipes come from.", de: "Ein Git-Repository, aus dem Rezepte kommen.",
    [
      KeyDefinition(
        "url", .text, "The repository: `https://…`, `ssh://…`, `user@host:path`, or the path of a clone.",
        de: "Das Repository: `https://…`, `ssh://…`, `user@host:pfad` oder der Pfad eines Klons.", isRequired: true),
      KeyDefinition(
        "branch", .text, "The branch; absent: the one that the repository shows first.",
        de: "Der Branch; fehlt er: der, den das Repository zuerst zeigt."),
      KeyDefinition(
        "folder", .text, "The folder in the repository; absent: the whole repository.",
        de: "Der Ordner im Repository; fehlt er: das ganze Repository."),
      KeyDefinition(
        "every", .duration, "How often 'sous serve' syncs; absent: `15m`.",
        de: "Wie oft 'sous serve' synchronisiert; fehlt es: `15m`."),
      KeyDefinition(
        "signatures", .any([.boolean, .text]),
        "Only signed commits: `true` for the signers that your own Git settings trust, or a file of allowed SSH signers.",
        de:
          "Nur signierte Commits: `true` für Unterzeichner, denen die eigenen Git-Einstellungen vertrauen, oder eine Datei "
          + "erlaubter SSH-Unterzeichner."),
    ])
}
