/// The secrets of the provider's own configuration, as they are now.
///
/// The configuration that a plugin was made with holds the same values; ask again when one was rejected, since it may
/// have been rotated since.
public struct SecretReader: Sendable {
  let services: any HostServices

  /// Reads a secret.
  ///
  /// - Parameter name: The configuration key: `api_key`, `accounts.0.password`.
  /// - Throws: `not_found` if it is not configured, `auth` if the manifest does not name it among its secrets,
  ///   `io` if its source fails, `parse` if it is not UTF-8.
  public func read(_ name: String) async throws(ActionError) -> String {
    let value = try await services.blocking("sous.secret/1", name) { services throws(HostRefusal) in
      try services.readSecret(name)
    }
    guard let text = String(validating: value, as: UTF8.self) else {
      throw ActionError(
        .parse, "The secret '\(name)' is no UTF-8 text.", german: "Das Geheimnis '\(name)' ist kein UTF-8-Text.")
    }
    return text
  }
}
