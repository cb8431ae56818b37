import Expressions
import Localization
public import RecipeSyntax

/// A recipe of kind `mail-filter` as a Sieve script (RFC 5228).
///
/// Parts that Sieve does not support are reported with their position and the reason. The recipe must have been checked.
public struct SieveExport: Sendable {
  /// The script of the rules that can be said; `nil` if none can.
  public let script: String?
  /// The unsupported parts, in source order.
  public let diagnostics: [Diagnostic]

  /// Whether all of the recipe was translated.
  public var isComplete: Bool { diagnostics.isEmpty }

  /// Translates a recipe.
  public init(_ source: SourceText) {
    let (document, problems) = YAMLDocument.parse(source)
    guard let document, let map = document.root?.mapping else {
      script = nil
      diagnostics = problems
      return
    }
    var writer = ScriptWriter(document)
    writer.write(map)
    script = writer.script
    diagnostics = writer.diagnostics.inSourceOrder
  }
}
