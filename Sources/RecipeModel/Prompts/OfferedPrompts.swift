import Plans
import RecipeSyntax

/// Which prompts that come with Sous a project was given as files, so that one whose file is deleted stays away.
///
/// The list is `catalog/.first-start`, a name on each line.
package struct OfferedPrompts {
  /// The file of the list, below the catalog.
  package static let file = ".first-start"

  /// The names: `mail/summary`; of folders with `/` at their end.
  package let names: Set<String>

  /// Reads the list of a catalog; without one nothing was given.
  package init(folder: String) {
    guard let source = try? SourceText.read(folder + "/" + Self.file, limit: 1 << 20) else {
      names = []
      return
    }
    names = Set(source.text.split(separator: "\n").map(String.init).filter { !$0.hasPrefix("#") })
  }
}
