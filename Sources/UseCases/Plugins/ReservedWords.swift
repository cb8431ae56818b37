import Builtins
import Plans

/// Names that no plugin can have.
public enum ReservedWords {
  /// What the names of actions begin with that are built in or those of a contract: a plugin's own would look like them.
  public static var ofActions: Set<String> {
    var words = Set(BuiltinActions.words)
    for name in ActionCatalog(contracts: BundledContract.all).signatures.keys { words.insert(word(of: name)) }
    return words
  }

  /// What a new plugin cannot be called.
  public static var ofPlugins: Set<String> {
    ofActions.union(BundledContract.all.map { word(of: $0.name) })
      .union([
        "maildir", "imap", "smtp", "extractive", "openai", "mistral", "ollama", "ntfy", "webhook", "readeck", "inbox",
        "pdf",
        "sous", "recipe",
      ])
  }

  private static func word(of name: String) -> String { String(name.prefix { $0 != "." }) }
}
