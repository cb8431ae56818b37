import Engine
public import Expressions
import Foundation
import Hashing
import Localization
import Plans
import RecipePlanning
import RecipeSyntax
public import RunStore
public import UseCases

/// The difference between two texts of a recipe.
public struct RecipeDifference: Sendable {
  /// The recipe's file.
  public var path: String
  /// The version before.
  public var from: Int
  /// The version after; `nil` for the file as it is now.
  public var to: Int?
  /// The lines that differ.
  public var lines: LineDifference
}

extension Project {
  /// The file of a recipe that has a history.
  ///
  /// - Parameter name: The name or file of a recipe, also of one that was deleted.
  /// - Throws: ``UseCaseError`` if neither a served recipe nor one of the history is called so, or several are.
  public func historyFile(of name: String) async throws(UseCaseError) -> String {
    let missing: UseCaseError
    do {
      return try servedPath(of: name)
    } catch {
      missing = error
    }
    let path = CheckedFiles.canonical(workspace.surroundings.resolve(name))
    let found = try await workspace.readingFile(
      { (store) -> [String] in
        if try await !store.recipeVersions(of: path, limit: 1).isEmpty { return [path] }
        return try await store.recipeFiles(named: name)
      }, ifMissing: { [] })
    guard let file = found.first else { throw missing }
    guard found.count == 1 else {
      throw .wrongInput(
        .init(
          "several recipes were called '\(name)', name the file: \(found.joined(separator: ", "))",
          de: "mehrere Rezepte hießen '\(name)', die Datei nennen: \(found.joined(separator: ", "))"))
    }
    return file
  }

  /// The versions of a recipe's file, the newest first.
  ///
  /// - Parameters:
  ///   - below: Only versions with a smaller number.
  ///   - limit: At most so many.
  public func recipeVersions(
    of file: String, below: Int? = nil, limit: Int
  ) async throws(UseCaseError) -> [RecipeVersion] {
    try await workspace.readingFile(
      { try await $0.recipeVersions(of: file, below: below, limit: limit) }, ifMissing: { [] })
  }

  /// A version of a recipe's file with its text.
  ///
  /// - Throws: ``UseCaseError``: `unknown_version` if it is not kept, or has no text because the file was deleted.
  public func recipeVersion(
    _ number: Int, of file: String
  ) async throws(UseCaseError) -> (version: RecipeVersion, text: String) {
    let found = try await workspace.readingFile(
      { try await $0.recipeVersion(number, of: file) }, ifMissing: { nil })
    guard let (version, text) = found else {
      throw UseCaseError(
        .unknownVersion,
        .init(
          "\(file) has no version \(number); 'sous recipes history' lists them",
          de: "\(file) hat keine Fassung \(number); 'sous recipes history' zählt sie auf"))
    }
    guard let text else {
      throw UseCaseError(
        .unknownVersion,
        .init(
          "version \(number) of \(file) has no text: the file was deleted then",
          de: "Fassung \(number) von \(file) hat keinen Text: die Datei wurde damals gelöscht"))
    }
    return (version, text)
  }

  /// The SHA-256 of a file as it is now; `nil` if it does not exist or cannot be read.
  public func recipeDigest(of file: String) -> String? {
    (try? SourceText.read(file).bytes).map { ContentHash.hexadecimal(of: $0) }
  }

  /// The number of the newest version that has the text of the file as it is now; `nil` if none has it.
  public func currentVersion(of file: String) async throws(UseCaseError) -> Int? {
    guard let digest = recipeDigest(of: file) else { return nil }
    return try await recipeVersions(of: file, limit: versionCount).first { $0.digest == digest }?.number
  }

  /// The difference between two versions of a recipe.
  ///
  /// - Parameters:
  ///   - from: The version before; `nil` for the newest one with another text.
  ///   - to: The version after; `nil` for the file as it is now, or its newest text if it was deleted.
  /// - Throws: ``UseCaseError``: `unknown_version` if a version is not kept, or no version has another text.
  public func recipeDifference(
    of file: String, from: Int? = nil, to: Int? = nil
  ) async throws(UseCaseError) -> RecipeDifference {
    var to = to
    let after: String
    if let number = to {
      after = try await recipeVersion(number, of: file).text
    } else if let bytes = try? SourceText.read(file).bytes {
      after = String(decoding: bytes, as: UTF8.self)
    } else {
      let newest = try await recipeVersions(of: file, limit: versionCount).first { $0.digest != nil }
      guard let newest else { throw Self.noOtherVersion(file) }
      (to, after) = (newest.number, try await recipeVersion(newest.number, of: file).text)
    }
    var before = from
    if before == nil { before = try await otherVersion(than: after, below: to, of: file) }
    guard let from = before else { throw Self.noOtherVersion(file) }
    return RecipeDifference(
      path: file, from: from, to: to,
      lines: LineDifference(try await recipeVersion(from, of: file).text, after))
  }

  /// The newest version with another text.
  private func otherVersion(than text: String, below: Int?, of file: String) async throws(UseCaseError) -> Int {
    let digest = ContentHash.hexadecimal(of: Array(text.utf8))
    let versions = try await recipeVersions(of: file, below: below, limit: versionCount)
    guard let found = versions.first(where: { $0.digest != nil && $0.digest != digest }) else {
      throw Self.noOtherVersion(file)
    }
    return found.number
  }

  private static func noOtherVersion(_ file: String) -> UseCaseError {
    UseCaseError(
      .unknownVersion,
      .init("\(file) has no other version", de: "\(file) hat keine andere Fassung"))
  }

  /// A change of a recipe for the audit log: versions and digests, never the text, which may have a secret.
  ///
  /// - Parameters:
  ///   - before: The SHA-256 of the text before; `nil` if the file did not exist.
  ///   - after: That of the text after; `nil` if the file does not exist any more.
  public func recipeChange(
    of file: String, from before: String?, to after: String?
  ) async -> (before: Value?, after: Value?) {
    let versions = (try? await recipeVersions(of: file, limit: 10)) ?? []
    func facts(_ digest: String?, _ number: Int?, _ more: [(String, Value)] = []) -> Value? {
      digest.map { .object([("path", .string(file)), ("version", .number(number)), ("sha256", .string($0))] + more) }
    }
    let new = versions.first { $0.digest == after }?.number
    let old = versions.first { $0.digest == before && ($0.number < new ?? .max || before == after) }?.number
    var lines: [(String, Value)] = []
    if let old, let new, let difference = try? await recipeDifference(of: file, from: old, to: new) {
      let changed = difference.lines.hunks.flatMap(\.lines)
      let (added, removed) = (changed.count { $0.kind == "added" }, changed.count { $0.kind == "removed" })
      lines = [("lines", .string("+\(added) -\(removed)"))]
    }
    return (facts(before, old), facts(after, new, lines))
  }

  // MARK: - Rolling back

  /// Gives a recipe's file the text of a version again, as a new version.
  ///
  /// - Parameters:
  ///   - digest: The SHA-256 that the file must have; `nil` for any.
  ///   - source: Who does it.
  /// - Returns: The new version.
  /// - Throws: ``UseCaseError``: `unknown_version`; `invalid_recipe` with the diagnostics if the text has errors today;
  ///   `run_state` if the file has this text, or another one than the caller knows.
  public func rollBackRecipe(
    _ file: String, to number: Int, ifDigest digest: String? = nil, by source: RecipeVersion.Source
  ) async throws(UseCaseError) -> RecipeVersion {
    let (version, text) = try await recipeVersion(number, of: file)
    let planning = planning(SourceText(path: file, text: text), from: .file)
    guard !planning.hasErrors else {
      var error = UseCaseError(
        .invalidRecipe,
        .init(
          "version \(number) has errors today, so nothing was changed; correct its text and save it instead",
          de: "Fassung \(number) hat heute Fehler, daher wurde nichts geändert; ihren Text berichtigen und speichern"))
      (error.planning, error.recipe) = (planning, file)
      throw error
    }
    if let current = recipeDigest(of: file) {
      guard current != version.digest else {
        throw .runState(
          .init("\(file) has the text of version \(number)", de: "\(file) hat den Text der Fassung \(number)"))
      }
      try await replaceRecipe(file, text: text, ifDigest: digest ?? current, by: source, restoring: number)
    } else {
      try requireServed(file)
      try await rewriteRecipe(file, text: text, by: source, restoring: number)
    }
    guard let new = try await recipeVersions(of: file, limit: 1).first else { throw Self.noOtherVersion(file) }
    return new
  }

  /// Refuses to write a file that would not be served.
  private func requireServed(_ file: String) throws(UseCaseError) {
    let folders = servedFolders
    guard !folders.contains(where: { file.hasPrefix($0 + "/") }) else { return }
    throw .wrongInput(
      .init(
        "\(file) is in no folder that is served: \(folders.joined(separator: ", "))",
        de: "\(file) liegt in keinem Ordner des Servers: \(folders.joined(separator: ", "))"))
  }
}
