public import Access
import Engine
public import Expressions
import Localization
import RunStore
public import UseCases

/// The data about a user of the server in all its files: users and audit log, and the runs that the user has started.
public enum PersonalData {
  /// All that is stored about a user.
  ///
  /// - Throws: ``AccessError``: `unknown_user`; ``UseCaseError`` if the run log cannot be read.
  public static func export(
    user: String, from access: AccessStore, _ workspace: Workspace
  ) async throws -> Value {
    var data = try access.export(user: user).mapValue ?? [:]
    let runs = try await workspace.runsStarted(by: user)
    data["runs"] = .list(runs.map(\.json))
    return .map(data)
  }

  /// Removes a user. Its runs stay and belong to no user, so that a later user of this name does not own them.
  ///
  /// - Throws: ``AccessError``: `unknown_user`, `last_administrator`; ``UseCaseError`` if the run log cannot be written.
  public static func remove(
    user: String, from access: AccessStore, _ workspace: Workspace, by source: AuditSource, now: Timestamp
  ) async throws {
    _ = try await complete(user, workspace, erasesHistory: false) { () throws(AccessError) in
      try access.removeUser(user, by: source, now: now)
    }
  }

  /// Erases a user. Its runs stay and belong to no user; the history of recipes has no name for its versions.
  ///
  /// - Returns: The name that replaces the user's in the audit log; `nil` if only the run log still had the name.
  /// - Throws: ``AccessError``: `unknown_user`, `last_administrator`; ``UseCaseError`` if the run log cannot be written.
  public static func erase(
    user: String, from access: AccessStore, _ workspace: Workspace, by source: AuditSource, now: Timestamp
  ) async throws -> String? {
    try await complete(user, workspace, erasesHistory: true) { () throws(AccessError) in
      try access.erase(user: user, by: source, now: now)
    }
  }

  /// Takes a user out of both files. If an earlier attempt has ended between the files, this one completes it.
  private static func complete<Answer>(
    _ user: String, _ workspace: Workspace, erasesHistory: Bool, _ remove: () throws(AccessError) -> Answer
  ) async throws -> Answer? {
    var answer: Answer?
    var failure: AccessError?
    do throws(AccessError) {
      answer = try remove()
    } catch {
      guard error.code == .unknownUser else { throw error }
      failure = error
    }
    let count = try await workspace.disownRuns(of: user, erasesHistory: erasesHistory)
    if let failure, count == 0 { throw failure }
    return answer
  }
}
