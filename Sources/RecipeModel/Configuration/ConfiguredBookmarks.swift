import Localization
package import RecipeSyntax

/// Which bookmarks are kept for reading offline: `bookmarks` in `sous.yaml`.
public struct ConfiguredBookmarks: Sendable, Hashable {
  /// The provider of the bookmarks; `nil` for the only one whose plugin is `readeck`.
  public var provider: String?
  /// How many articles are kept; 0 keeps none.
  public var articles = 20
  /// Whether their pictures are kept as well.
  public var hasPictures = false
  /// Bytes that pictures may take; those that nobody has looked at for the longest time go first.
  public var pictureSpace = 300 << 20
  /// Seconds between two automatic syncs.
  public var interval = 4 * 3600.0

  /// Creates what holds where nobody says otherwise.
  public init() {}

  static let articleBounds = 0...100
  static let articleStep = 10
  static let spaceBounds = (50 << 20)...(1200 << 20)

  /// Reads the map under `bookmarks`.
  package static func read(_ node: Node, _ reader: FieldReader) -> ConfiguredBookmarks? {
    guard node.mapping != nil else {
      guard let isOn = reader.bool(node, "bookmarks") else { return nil }
      var bookmarks = ConfiguredBookmarks()
      if !isOn { bookmarks.articles = 0 }
      return bookmarks
    }
    guard let map = reader.map(node, "bookmarks", RecipeDefinitions.bookmarks) else { return nil }
    var bookmarks = ConfiguredBookmarks()
    bookmarks.provider = map["provider"].flatMap { reader.string($0, "bookmarks.provider") }
    if let count = map["articles"].flatMap({ articles($0, reader) }) { bookmarks.articles = count }
    if let value = map["pictures"].flatMap({ reader.bool($0, "bookmarks.pictures") }) { bookmarks.hasPictures = value }
    if let bytes = map["picture_space"].flatMap({ reader.bytes($0, "bookmarks.picture_space", in: spaceBounds) }) {
      bookmarks.pictureSpace = bytes
    }
    if let seconds = map["every"].flatMap({ reader.duration($0, "bookmarks.every") }) { bookmarks.interval = seconds }
    return bookmarks
  }

  private static func articles(_ node: Node, _ reader: FieldReader) -> Int? {
    guard let count = reader.integer(node, "bookmarks.articles", in: articleBounds) else { return nil }
    guard count % articleStep == 0 else {
      reader.report(
        .invalidValue,
        LocalizedText(
          "'bookmarks.articles' goes in steps of 10: 0, 10, … 100",
          de: "'bookmarks.articles' geht in Zehnerschritten: 0, 10, … 100"), at: node.range)
      return nil
    }
    return count
  }
}

extension RecipeDefinitions {
  static let bookmarks = MappingDefinition(
    .bookmarks, "Which bookmarks are kept for reading offline.",
    de: "Welche Lesezeichen zum Lesen ohne Netz aufgehoben werden.",
    [
      KeyDefinition(
        "provider", .name(.provider), "Who has the bookmarks; default: the only provider with the plugin `readeck`.",
        de: "Wer die Lesezeichen hat; Vorgabe: der einzige Provider mit dem Plugin `readeck`."),
      KeyDefinition(
        "articles", .integer(ConfiguredBookmarks.articleBounds),
        "How many unread articles are kept, in steps of 10; 0 keeps none. Default: 20.",
        de: "Wie viele ungelesene Artikel aufgehoben werden, in Zehnerschritten; 0 hebt keine auf. Vorgabe: 20."),
      KeyDefinition(
        "pictures", .boolean, "Whether their pictures are kept as well; default: false.",
        de: "Ob auch ihre Bilder aufgehoben werden; Vorgabe: false."),
      KeyDefinition(
        "picture_space", .any([.text, .integer(ConfiguredBookmarks.spaceBounds)]),
        "How much room pictures may take, `50MB` to `1200MB`; default: `300MB`.",
        de: "Wie viel Platz Bilder haben, `50MB` bis `1200MB`; Vorgabe: `300MB`."),
      KeyDefinition(
        "every", .duration, "How often the daemon syncs; default: `4h`.",
        de: "Wie oft der Dienst synchronisiert; Vorgabe: `4h`."),
    ])
}
