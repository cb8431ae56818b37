import RecipeSyntax
import UseCases

/// The recipes as a sync would leave them: files of the repository, then those of the disk.
struct SyncedRecipes: RecipeSource {
  /// The texts by path; `nil` for a file that would be deleted.
  let texts: [String: [UInt8]?]

  func text(_ path: String) throws(Diagnostic) -> SourceText? {
    let canonical = CheckedFiles.canonical(path)
    if let text = texts[canonical] { return text.map { SourceText(path: path, bytes: $0) } }
    return try RecipeFiles().text(path)
  }
}
