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
    let unusable = LocalizedText(
      "the default preset '\(name)' cannot be used: ", de: "das Standard-Preset '\(name)' ist nicht verwendbar: ")
    return try instructions(store, name, [], unusable).text
  }

  /// The instructions of a preset that a person names, and the kind of work.
  ///
  /// - Parameters:
  ///   - name: The name: `general/summarise`, `summarise`, or the name that people see.
  ///   - keywords: Keywords that replace those of the preset.
  /// - Throws: ``UseCaseError`` if the catalog has none of that name, its file is wrong, or no keyword fills an expression.
  package func instructions(
    ofPreset name: String, keywords: [(name: String, value: String)], _ language: Language
  ) throws(UseCaseError) -> (text: String, task: String?) {
    let unusable = LocalizedText(
      "the preset '\(name)' cannot be used: ", de: "das Preset '\(name)' ist nicht verwendbar: ")
    return try instructions(catalog(language), name, keywords, unusable)
  }

  /// Whether the catalog has a preset or a composition of a name, whatever is wrong with its file.
  package func hasPreset(_ name: String, _ language: Language) -> Bool {
    do throws(CatalogError) {
      _ = try catalog(language).prompt(name)
      return true
    } catch {
      return error.code == .broken
    }
  }

  private func instructions(
    _ store: CatalogStore, _ name: String, _ keywords: [(name: String, value: String)], _ unusable: LocalizedText
  ) throws(UseCaseError) -> (text: String, task: String?) {
    let prompt: ResolvedPrompt
    do throws(CatalogError) {
      prompt = try store.prompt(name, keywords: keywords)
    } catch {
      throw .wrongInput(unusable + error.message)
    }
    if let expression = prompt.unfilled {
      throw .wrongInput(
        unusable
          + LocalizedText(
            "no keyword fills '\(expression)'; add the keyword, write {{ \"{{\" }} for plain braces, or give '--system'",
            de: "kein Schlüsselwort füllt '\(expression)'; das Schlüsselwort ergänzen, Klammern als Text {{ \"{{\" }} "
              + "schreiben oder '--system' angeben"))
    }
    return ([prompt.system, prompt.text].compactMap(\.self).joined(separator: "\n\n"), prompt.task)
  }
}
