import Foundation
import Hashing
import Localization
import OperatingSystem
import Plans
import RecipeModel
import RecipePlanning
import RecipeSyntax
package import RunStore

/// The texts of recipes before and after a change, kept as versions.
extension Project {
  /// Seconds to wait for another change of recipes.
  private static let patience = 10.0

  /// Versions of each file that are kept.
  package var versionCount: Int { configuration.engine.retention.versions }

  /// Does something while no other process of Sous changes files of recipes.
  ///
  /// - Throws: ``UseCaseError``: `run_state` if another process changes them for longer than some seconds.
  package func withRecipeLock<Answer>(_ body: () async throws -> Answer) async throws(UseCaseError) -> Answer {
    try await mapErrors {
      try? FileManager.default.createDirectory(atPath: workspace.stateFolder, withIntermediateDirectories: true)
      let path = workspace.stateFolder + "/recipes.lock"
      let lock: FileLock?
      do throws(SystemError) {
        lock = try FileLock(path: path, patience: Self.patience)
      } catch {
        throw Self.failure(path, error.code)
      }
      guard let lock else {
        throw UseCaseError.runState(
          .init(
            "another process is changing recipes: try again",
            de: "ein anderer Prozess ändert Rezepte: noch einmal versuchen"
          ))
      }
      defer { lock.release() }
      return try await body()
    }
  }

  /// Changes a file, and keeps the text before and the text after.
  ///
  /// - Parameters:
  ///   - digest: The SHA-256 of the text before; `nil` for any.
  ///   - text: The text after; `nil` if the file is deleted.
  func changingRecipe(
    _ path: String, ifDigest digest: String?, to text: String?, by source: RecipeVersion.Source,
    restoring version: Int? = nil, _ change: () throws(UseCaseError) -> Void
  ) async throws(UseCaseError) {
    try await withRecipeLock {
      // A file that cannot be read has no text to keep, and can be deleted all the same.
      if digest == nil, text == nil, (try? SourceText.read(path)) == nil { return try change() }
      guard let bytes = try? SourceText.read(path).bytes,
        digest == nil || ContentHash.hexadecimal(of: bytes) == digest
      else {
        throw UseCaseError.runState(.init("\(path) was changed meanwhile", de: "\(path) wurde inzwischen geändert"))
      }
      let before = String(decoding: bytes, as: UTF8.self)
      // By bytes: texts of different Unicode normalisation are equal for Swift, but not for files and mailboxes that they name.
      guard text.map({ Array($0.utf8) }) != bytes else { return }
      try await workspace.recordingRunLog { store in
        try await store.keepRecipeVersions([draft(path, before, .file)], most: versionCount)
        try change()
        let name = text == nil ? recipeName(before, path) : ""
        // The file has changed by now. If this fails, the daemon keeps the version, without its writer.
        _ = try? await store.keepRecipeVersions(
          [draft(path, text, source, restoring: version, name: name)], most: versionCount)
      }
    }
  }

  /// Keeps the text of a new file as a version. If that fails, the daemon does it later, without the writer.
  func noteVersion(
    of path: String, text: String, _ source: RecipeVersion.Source, restoring version: Int? = nil
  ) async {
    let path = CheckedFiles.canonical(path)
    try? await workspace.recordingRunLog { store in
      _ = try await store.keepRecipeVersions(
        [draft(path, text, source, restoring: version)], most: versionCount)
    }
  }

  /// A version of a file.
  ///
  /// - Parameter name: The recipe's name if the file is deleted.
  package func draft(
    _ path: String, _ text: String?, _ source: RecipeVersion.Source, restoring version: Int? = nil, name: String = ""
  ) -> RecipeVersionDraft {
    RecipeVersionDraft(
      path: path, recipe: text.map { recipeName($0, path) } ?? name, text: text, source, restored: version)
  }

  /// The name of the recipe in a text: its own, or that of its file if it has errors.
  func recipeName(_ text: String, _ path: String) -> String {
    planning(SourceText(path: path, text: text), from: .file).plan?.name ?? ServedRecipes.stem(of: path)
  }
}
