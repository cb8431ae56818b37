public import Expressions
public import Localization
import RecipeSyntax

extension ProviderProblem {
  /// The problem for machines: `{severity, code, message, path, provider, step}`, and its range if a place is known.
  ///
  /// - Parameter recipe: The file of the recipe that needs the provider.
  public func value(recipe: String, in language: Language) -> Value {
    let placed = Diagnostic(Diagnostic.Code(rawValue: code.rawValue), message, path: path ?? recipe, range: range)
    var map = placed.value(in: language).mapValue ?? [:]
    map["provider"] = provider.map { .string($0) } ?? .null
    map["step"] = step.map { .string($0) } ?? .null
    return .map(map)
  }
}
