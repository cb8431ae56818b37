package import Catalog
import Foundation
package import Localization
import RecipeModel

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
  /// - Returns: `nil` where none is.
  /// - Throws: ``UseCaseError`` where its file is wrong, or it has an expression that no keyword fills.
  package func defaultSystem(_ language: Language) throws(UseCaseError) -> String? {
    let store = catalog(language)
    guard let name = store.prompts.defaults.first else { return nil }
    let prompt: ResolvedPrompt
    do throws(CatalogError) {
      prompt = try store.prompt(name)
    } catch {
      throw .wrongInput(Self.unusable(name) + error.message)
    }
    if let expression = prompt.unfilled {
      throw .wrongInput(
        Self.unusable(name)
          + LocalizedText(
            "no keyword fills '\(expression)'; add the keyword, write {{ \"{{\" }} for plain braces, or give '--system'",
            de: "kein Schlüsselwort füllt '\(expression)'; das Schlüsselwort ergänzen, Klammern als Text {{ \"{{\" }} "
              + "schreiben oder '--system' angeben"))
    }
    return [prompt.system, prompt.text].compactMap(\.self).joined(separator: "\n\n")
  }

  private static func unusable(_ name: String) -> LocalizedText {
    LocalizedText(
      "the default preset '\(name)' cannot be used: ", de: "das Standard-Preset '\(name)' ist nicht verwendbar: ")
  }
}
