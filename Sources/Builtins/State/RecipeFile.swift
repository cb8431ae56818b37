import Engine
import Foundation
import Localization
import OperatingSystem
import RecipeSyntax

/// The file of a recipe that keeps state. A recipe is known by its name, wherever its file goes; so of two files that go by
/// one name, the first to keep something has the state.
struct RecipeFile {
  private let recipe: String
  private let path: String
  /// Where the paths that are noted begin, so that a project may be moved or copied with its state; `nil` for the root.
  private let base: String?

  /// Creates the file of a call's recipe.
  init(_ call: BuiltinCall) {
    recipe = call.request.recipe
    path = call.request.recipePath
    base = call.surroundings.files.configuration == nil ? nil : SystemPath.resolved(call.surroundings.folder)
  }

  /// Sees to it that the recipe's state is this file's.
  ///
  /// A file that was moved, or whose recipe has another name by now, has left its state behind.
  ///
  /// - Throws: ``Engine/ActionFailure`` of kind `invalid_input` if it is another's, otherwise what the state's failure means.
  func claim(_ state: any RecipeState) throws(StorageFailure) {
    // A recipe that is not a file, or one that the run was begun with and is gone, has no competitor.
    guard !path.isEmpty, let mine = SystemPath.resolved(path) else { return }
    let noted = base.flatMap { mine.hasPrefix($0 + "/") ? String(mine.dropFirst($0.count + 1)) : nil } ?? mine
    if let known = try state.file(of: recipe) {
      guard known != noted else { return }
      let other = known.hasPrefix("/") ? known : (base ?? "") + "/" + known
      if let other = SystemPath.resolved(other), other != mine, Self.name(of: other) == recipe {
        throw conflict(known, noted)
      }
    }
    try state.setFile(noted, of: recipe)
  }

  private func conflict(_ owner: String, _ mine: String) -> StorageFailure {
    StorageFailure(
      .taken,
      LocalizedText(
        "what the recipe '\(recipe)' keeps belongs to '\(owner)', and '\(mine)' has the same name; give one of them "
          + "another 'name'",
        de:
          "was das Rezept '\(recipe)' behält, gehört zu '\(owner)', und '\(mine)' heißt ebenso; einem von beiden einen "
          + "anderen 'name' geben"))
  }

  /// The name of the recipe in a file; `nil` if there is none.
  private static func name(of path: String) -> String? {
    guard let source = try? SourceText.read(path), let document = YAMLDocument.parse(source).document else {
      return nil
    }
    if let name = document.root?.mapping?["name"]?.string { return name }
    return ((path as NSString).lastPathComponent as NSString).deletingPathExtension
  }
}

extension StorageFailure.Code {
  /// The item belongs to another recipe.
  static let taken = StorageFailure.Code(rawValue: "taken")
}
