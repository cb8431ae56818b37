package import Catalog
import Foundation
package import Localization
import Recipes

extension Workspace {
  /// The prompt catalog beside the configuration; without one, that of the current folder.
  ///
  /// - Parameter language: The language of names, and of texts that have several.
  package func catalog(_ language: Language) -> CatalogStore {
    let folder = configurationPath.map { ($0 as NSString).deletingLastPathComponent } ?? surroundings.folder
    return CatalogStore(project: folder.isEmpty ? "." : folder, language: language)
  }

  /// What `sous chat` tells the model where nobody says anything else: the text of the preset that is marked as default.
  ///
  /// - Returns: `nil` where none is, or its file is wrong.
  package func defaultSystem(_ language: Language) -> String? {
    let store = catalog(language)
    guard let name = store.prompts.defaults.first, let prompt = try? store.prompt(name) else { return nil }
    return [prompt.system, prompt.text].compactMap(\.self).joined(separator: "\n\n")
  }
}
