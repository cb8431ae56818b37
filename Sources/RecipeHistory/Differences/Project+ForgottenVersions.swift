public import Expressions
import Localization
import RunStore
public import UseCases

/// Versions of a recipe that were removed from its history.
public struct ForgottenVersions: Sendable {
  /// The recipe's file.
  public var path: String
  /// The numbers of the versions, the newest first.
  public var numbers: [Int]
  /// The number of their texts that are still stored, because a run or another version has the same text.
  public var held: Int

  /// The report for programs: `{path, versions, held}`.
  public var json: Value {
    [
      "path": .string(path), "versions": .list(numbers.map { .int(Int64($0)) }), "held": .int(Int64(held)),
    ]
  }
}

extension Project {
  /// Removes versions of a recipe from its history for good, for example because a text had a secret.
  ///
  /// The newest version with the text of the file stays: the file has it anyhow.
  ///
  /// - Parameters:
  ///   - file: The recipe's file, which may be deleted.
  ///   - number: The version; `nil` for all.
  /// - Throws: ``UseCaseError``: `unknown_version` if it is not kept; `run_state` if it has the text of the file.
  public func forgetRecipeVersions(
    of file: String, number: Int? = nil
  ) async throws(UseCaseError) -> ForgottenVersions {
    try await withRecipeLock {
      let current = try await currentVersion(of: file)
      var numbers = try await recipeVersions(of: file, limit: .max).map(\.number).filter { $0 != current }
      if let number {
        guard number != current else {
          throw UseCaseError(
            .runState,
            .init(
              "version \(number) is the text of \(file) now: change the file first",
              de: "Fassung \(number) ist der jetzige Text von \(file): zuerst die Datei ändern"))
        }
        guard numbers.contains(number) else {
          throw UseCaseError(
            .unknownVersion,
            .init(
              "\(file) has no version \(number); 'sous recipes history' lists them",
              de: "\(file) hat keine Fassung \(number); 'sous recipes history' zählt sie auf"))
        }
        numbers = [number]
      }
      guard !numbers.isEmpty else { return ForgottenVersions(path: file, numbers: [], held: 0) }
      let held = try await workspace.changingRunLog { [numbers] store in
        try await store.forgetRecipeVersions(numbers, of: file)
      }
      return ForgottenVersions(path: file, numbers: numbers, held: held)
    }
  }
}
