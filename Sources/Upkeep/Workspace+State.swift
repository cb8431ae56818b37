import Builtins
import Engine
public import Expressions
import Localization
import RecipeSyntax
import RunStore
public import UseCases

/// A value that `state.set` or `state.increment` keeps for a recipe.
public struct KeptValue: Sendable {
  /// The recipe's name.
  public var recipe: String
  /// The key within the recipe.
  public var key: String
  /// The value.
  public var value: Value

  /// The value: `{recipe, key, value}`.
  public var json: Value { ["recipe": .string(recipe), "key": .string(key), "value": value] }
}

extension Workspace {
  /// The values that recipes keep, by recipe and key.
  ///
  /// - Parameter recipe: Only the values of this recipe; `nil` for all.
  /// - Throws: ``UseCaseError`` if the recipe keeps nothing.
  public func keptValues(of recipe: String? = nil) async throws(UseCaseError) -> [KeptValue] {
    let found = try await readingFile({ try $0.keptValues(of: recipe) }, ifMissing: { [] })
    if let recipe, found.isEmpty { throw try await keepsNothing(recipe) }
    return found
  }

  /// One value that a recipe keeps.
  ///
  /// - Throws: ``UseCaseError`` if the recipe does not keep it.
  public func keptValue(_ key: String, of recipe: String) async throws(UseCaseError) -> KeptValue {
    let values = try await keptValues(of: recipe)
    guard let value = values.first(where: { $0.key == key }) else { throw Self.unknown(key, of: recipe, values) }
    return value
  }

  /// Deletes values that a recipe keeps. Its next run finds none.
  ///
  /// - Parameter key: Which value; `nil` for all, and with them the claim of the recipe's file to the name.
  /// - Returns: How many values are gone.
  /// - Throws: ``UseCaseError`` if the recipe does not keep them.
  public func clearState(of recipe: String, key: String?) async throws(UseCaseError) -> Int {
    let values = try await keptValues(of: recipe)
    if let key, !values.contains(where: { $0.key == key }) { throw Self.unknown(key, of: recipe, values) }
    return try await changingRunLog { store in
      let state = ProviderRecipeState(store) { run throws(StorageFailure) in try store.isUnfinished(run) }
      guard let key else { return try state.clear(recipe) }
      try state.set(key, to: nil, in: recipe)
      return 1
    }
  }

  private func keepsNothing(_ recipe: String) async throws(UseCaseError) -> UseCaseError {
    let known = Set(try await keptValues().map(\.recipe)).sorted()
    return .notFound(
      LocalizedText(
        "the recipe '\(recipe)' keeps no values; 'sous state list' shows those that do",
        de: "das Rezept '\(recipe)' behält keine Werte; 'sous state list' zeigt die, die welche behalten")
        + Suggestion.text(for: recipe, among: known))
  }

  private static func unknown(_ key: String, of recipe: String, _ values: [KeptValue]) -> UseCaseError {
    .notFound(
      LocalizedText(
        "the recipe '\(recipe)' keeps no value '\(key)'", de: "das Rezept '\(recipe)' behält keinen Wert '\(key)'")
        + Suggestion.text(for: key, among: values.map(\.key)))
  }
}

extension RunStore {
  fileprivate func keptValues(of recipe: String?) throws -> [KeptValue] {
    let state = ProviderRecipeState(self) { _ in true }
    let prefix = ProviderRecipeState.spacePrefix
    let names = try stateSpaces(prefix: prefix, having: ProviderRecipeState.fileKey).map {
      String($0.dropFirst(prefix.count))
    }
    return try names.filter { recipe == nil || $0 == recipe }.flatMap { name in
      try state.values(in: name).map { KeptValue(recipe: name, key: $0.key, value: $0.value) }
    }
  }
}
