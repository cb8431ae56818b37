import Expressions
import Foundation
import Localization
public import RecipeModel
import UseCases

/// Where recipes are to come from, and how.
public struct RecipeSyncOrder: Sendable {
  /// The repository, branch, folder and signatures.
  public var settings: ConfiguredRecipeSync
  /// Whether files that were changed here are overwritten, and a branch without the last synced commit is taken.
  public var isForced = false
  /// Whether it is only found out what would change.
  public var isDryRun = false

  /// Creates an order.
  public init(_ settings: ConfiguredRecipeSync) { self.settings = settings }

  /// The identity of a source.
  var source: String {
    Value.list([.string(settings.url), .string(settings.branch ?? ""), .string(folder)]).jsonString
  }

  /// The folder in the repository without slashes at its ends.
  var folder: String {
    settings.folder.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
  }

  /// Refuses settings that are not a repository, a branch and a folder.
  ///
  /// - Throws: ``UseCaseError`` with code `wrong_input`.
  func check() throws(UseCaseError) {
    try checkAddress()
    let parts = settings.folder.split(separator: "/", omittingEmptySubsequences: false)
    guard !parts.contains(".."), !Self.hasControl(settings.folder), !settings.folder.hasPrefix("/") else {
      throw .wrongInput(
        .init(
          "'\(settings.folder)' is not a folder in the repository",
          de: "'\(settings.folder)' ist kein Ordner im Repository"))
    }
    guard let branch = settings.branch else { return }
    guard !branch.isEmpty, !branch.hasPrefix("-"), !Self.hasControl(branch), !branch.contains(":") else {
      throw .wrongInput(.init("'\(branch)' is not a branch", de: "'\(branch)' ist kein Branch"))
    }
  }

  private func checkAddress() throws(UseCaseError) {
    let url = settings.url
    guard !url.isEmpty, !url.hasPrefix("-"), !Self.hasControl(url), !url.contains("::") else {
      throw .wrongInput(
        .init(
          "'\(url)' is not a repository: use https://, ssh://, user@host:path or the path of a clone",
          de: "'\(url)' ist kein Repository: https://, ssh://, user@host:pfad oder den Pfad eines Klons angeben"))
    }
    guard let end = url.range(of: "://") else { return }
    let scheme = url[..<end.lowerBound].lowercased()
    guard ["https", "ssh", "file"].contains(scheme) || scheme == "http" && isOnThisMachine else {
      throw .wrongInput(
        .init(
          "recipes are not fetched by '\(scheme)': use https or ssh",
          de: "über '\(scheme)' werden keine Rezepte geholt: https oder ssh verwenden"))
    }
    let user = url[end.upperBound...].prefix { $0 != "/" }.split(separator: "@").dropLast().joined(separator: "@")
    guard !user.contains(":") else {
      // Every user of the machine can read the arguments of git.
      throw .wrongInput(
        .init(
          "the address of the repository has a password: take it out, and give it to git by a credential helper or an SSH key",
          de:
            "die Adresse des Repositorys hat ein Passwort: es entfernen und Git über einen Credential-Helper oder einen "
            + "SSH-Schlüssel geben"))
    }
  }

  /// Whether the repository is on this machine: a path, or a server at a loopback address.
  var isOnThisMachine: Bool { isPath || WorkspaceTrust.isThisMachine(settings.url) }

  /// Whether the repository is a folder.
  var isPath: Bool {
    let url = settings.url
    if url.lowercased().hasPrefix("file://") { return true }
    if url.contains("://") { return false }
    // As git reads it: a colon before the first slash separates a host from a path.
    guard let colon = url.firstIndex(of: ":") else { return true }
    return url[..<colon].contains("/")
  }

  private static func hasControl(_ text: String) -> Bool {
    text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
  }
}
