import RecipeModel
import RecipeSyntax

@testable import Plans

/// A prompt catalog in memory.
struct PromptFiles: PromptSource {
  let files: [String: String]

  init(_ files: [String: String]) {
    self.files = files
  }

  var names: [String] {
    files.keys.filter { !$0.hasSuffix("folder.yaml") }.map { String($0.dropLast(5)) }
  }

  func text(_ file: String) -> SourceText? {
    files[file].map { SourceText(path: "catalog/" + file, text: $0) }
  }
}
