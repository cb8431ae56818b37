import Plans
import RecipeSyntax
import Sieve

/// Sieve scripts, and the recipes they become.
enum SieveInput {
  /// Translates a script. Whatever it says, a recipe made of it can be read, and its conditions can be compiled.
  static func isTranslatedSoundly(_ bytes: [UInt8]) -> Bool {
    let source = SourceText(path: "mail.sieve", bytes: bytes)
    let result = SieveImport(source, SieveImport.Options(name: "mail", addresses: ["me@example.com"]))
    for diagnostic in result.diagnostics where diagnostic.message.english.isEmpty { return false }
    guard let recipe = result.recipe else { return !result.isComplete || !result.diagnostics.isEmpty }
    let text = SourceText(path: "mail.yaml", text: recipe)
    let (document, problems) = YAMLDocument.parse(text)
    guard let document, problems.isEmpty else { return false }
    // The other way there may be no words for a condition, but none that cannot be read.
    let export = SieveExport(text)
    if export.diagnostics.contains(where: { $0.message.english == "this condition cannot be read" }) { return false }
    return document.root?.mapping?["rules"]?.sequence?.isEmpty == false
  }
}
