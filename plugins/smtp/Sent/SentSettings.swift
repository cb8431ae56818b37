import PluginKit
import SASL

/// Where a copy of what was sent goes: what is under `sent:` of the provider, with the account's own user and secret where it
/// names none.
struct SentSettings: Sendable {
  let host: String
  let port: Int
  let tls: SessionSettings.TLS
  let user: String
  /// The name of the secret, and what it is.
  let secret: (name: String, isToken: Bool)
  /// The folder; `nil` for the one that the server calls Sent.
  let folder: String?

  /// - Returns: `nil` if the configuration wants no copies.
  /// - Throws: `invalid_input` if no sign-in is possible.
  init?(_ configuration: SMTPConfiguration) throws(ActionError) {
    guard let sent = configuration.sent else { return nil }
    guard let tls = SessionSettings.TLS(rawValue: sent.tls ?? "implicit") else { throw .unknownTLS }
    self.tls = tls
    host = sent.host
    port = sent.port ?? (tls == .implicit ? 993 : 143)
    folder = sent.folder
    guard let user = sent.user ?? configuration.user else { throw Self.incomplete }
    self.user = user
    if sent.token != nil {
      secret = ("sent.token", true)
    } else if sent.password != nil {
      secret = ("sent.password", false)
    } else if configuration.token != nil {
      secret = ("token", true)
    } else if configuration.password != nil {
      secret = ("password", false)
    } else {
      throw Self.incomplete
    }
  }

  /// Who signs in.
  func credentials(_ secrets: SecretReader) async throws(ActionError) -> SASLCredentials {
    let value = try await secrets.read(secret.name)
    return SASLCredentials(
      user: user, secret: secret.isToken ? .token(value) : .password(value), host: host, port: port)
  }

  private static var incomplete: ActionError {
    ActionError(
      .invalidInput, "No user is configured for the server of the copies ('sent').",
      german: "Wo die Kopien von 'sent' hinsollen, kann sich niemand anmelden.",
      advice: "Set 'user' and 'password' of the provider, or under 'sent'.",
      adviceGerman: "'user' und 'password' des Providers setzen, oder unter 'sent'.")
  }
}
